"""Tables of desks, as they stand in answerdesk.toml."""

from typing import Any

from bot.desks.chat import ChatDeskSettings


def chat_table(name: str, *lines: str, platform: str = "slack", channel: str = "C1") -> str:
    """Return a desk in a chat."""
    own = [f'name = "{name}"', 'kind = "chat"', f'platform = "{platform}"', f'channel = "{channel}"']
    return "\n".join(["[[desks]]", *own, *lines, ""])


def table(name: str = "it", **values: Any) -> ChatDeskSettings:
    """Return the table of a desk in a chat, validated."""
    return ChatDeskSettings.model_validate({"name": name, "platform": "slack", "channel": "C1", **values})
