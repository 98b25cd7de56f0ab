"""Where a message stands: its topic, and the thread id that Telegram writes into it.

In General, and in a supergroup without topics, a reply carries the thread of what it replies to, although it is no
topic message (tdlib/telegram-bot-api issue 447): sending with that id is refused.
"""

from tests.wire.telegram.chats import GENERAL, Chat
from tests.wire.telegram.messages import Message


def placed(chat: Chat, topic: int | None, replied: Message | None) -> tuple[int | None, int | None]:
    """Return the topic and the thread id of a new message."""
    if not chat.is_forum:
        is_thread = chat.kind == "supergroup" and replied is not None
        return None, _thread_of(replied) if is_thread else None
    if topic is None:
        topic = (replied.topic if replied else None) or GENERAL
    if topic != GENERAL:
        return topic, topic
    return GENERAL, _thread_of(replied)


def _thread_of(replied: Message | None) -> int | None:
    return None if replied is None else replied.thread or replied.id
