"""Which messages of a group a bot gets to see: with privacy mode on, few of them."""

from collections.abc import Mapping

from tests.wire.telegram.chats import Chat
from tests.wire.telegram.entities import words_of
from tests.wire.telegram.messages import Entity, Message
from tests.wire.telegram.state import TelegramState


def may_see(state: TelegramState, chat: Chat, message: Message) -> bool:
    """Tell whether Telegram gives a message to the bot."""
    if message.business is not None:
        return True
    if chat.kind == "private":
        return chat.bot != "kicked"
    if not chat.has_bot:
        return False
    if chat.kind == "channel" or chat.bot == "administrator" or not state.privacy_mode or message.service:
        return True
    return _is_reply_to_bot(state, chat, message) or any(
        _is_for_bot(state, message.text, one) for one in message.all_entities
    )


def _is_reply_to_bot(state: TelegramState, chat: Chat, message: Message) -> bool:
    replied = chat.messages.get(message.reply_to or 0)
    return replied is not None and replied.sender == state.bot.id


def _is_for_bot(state: TelegramState, text: str, entity: Entity) -> bool:
    name = f"@{state.bot.username}".casefold()
    words = words_of(text, entity).casefold()
    if entity["type"] == "mention":
        return words == name
    if entity["type"] == "bot_command":
        return "@" not in words or words.endswith(name)
    user = entity.get("user")
    return isinstance(user, Mapping) and user.get("id") == state.bot.id
