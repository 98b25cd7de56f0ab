"""Answers worded by Claude, or by any model behind a server that speaks its Messages API."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.core.answer import Event, Task
from bot.llm.claude.settings import PROMPT_VERSION, ClaudeSettings
from bot.llm.claude.usage import most_usd
from knowledge.errors import SettingsProblem

if TYPE_CHECKING:
    from bot.llm.claude.messages import Messages

KEY_VARIABLE = "ANTHROPIC_API_KEY"
ADDRESS_VARIABLE = "ANTHROPIC_BASE_URL"


@asynccontextmanager
async def build(
    settings: ClaudeSettings, *, environment: Mapping[str, str] | None = None
) -> AsyncIterator["ClaudeAnswerer"]:
    """Open the answerer; nothing is called before the first question."""
    key, base_url = server_of(settings, os.environ if environment is None else environment)
    # The SDK takes a second to import: meanwhile the rest starts.
    opening = asyncio.create_task(_opened(settings, key, base_url))
    try:
        yield ClaudeAnswerer(opening, most_usd=most_usd(settings))
    finally:
        await (await opening).close()


def server_of(settings: ClaudeSettings, variables: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return the key and the address of the server (None: Anthropic's); SettingsProblem where it cannot be asked."""
    key = variables.get(KEY_VARIABLE, "").strip() or None
    base_url = settings.base_url or variables.get(ADDRESS_VARIABLE, "").strip() or None
    if find_spec("anthropic") is None:
        raise SettingsProblem('kind = "claude" in [answer] needs the SDK: pip install "answerdesk[claude]"')
    if key is None and base_url is None:
        raise SettingsProblem(
            f'{KEY_VARIABLE} is not set, and kind = "claude" in [answer] needs it; set it in the environment, '
            "or `base_url` to a server of your own that asks for no key"
        )
    if base_url is not None and not _is_address(base_url):
        raise SettingsProblem(
            f"`base_url` {base_url!r} in [answer] (or {ADDRESS_VARIABLE}) is no address; "
            "write for instance http://127.0.0.1:8080"
        )
    return key, base_url


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


async def _opened(settings: ClaudeSettings, key: str | None, base_url: str | None) -> "Messages":
    module = await asyncio.to_thread(import_module, "bot.llm.claude.messages")
    messages: Messages = module.Messages.open(settings, key=key, base_url=base_url)
    return messages


class ClaudeAnswerer:
    """The `Answerer` port over a Messages API; `prompt_version` names the rules that its model is given."""

    name = "claude"
    prompt_version = PROMPT_VERSION

    def __init__(self, opening: asyncio.Task["Messages"], *, most_usd: float) -> None:
        self._opening = opening
        self.most_usd = most_usd

    async def answer(self, task: Task) -> AsyncGenerator[Event, None]:
        messages = await asyncio.shield(self._opening)
        async with aclosing(messages.answer(task)) as events:
            async for event in events:
                yield event

    async def check(self) -> str:
        """Return what the server says of the model; SettingsProblem, with the remedy, where it cannot serve."""
        return await (await asyncio.shield(self._opening)).check()
