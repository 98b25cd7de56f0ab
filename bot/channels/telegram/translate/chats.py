"""Where something was said or pressed, and by whom: what all that comes of it has in common."""

from datetime import UTC

from telegram import Chat, MaybeInaccessibleMessage, Message, User
from telegram.constants import ChatType

from bot.channels.telegram.translate.values import WHOLE_CHAT, Here
from bot.core.incoming import Company, Incoming

GROUPS = (ChatType.GROUP, ChatType.SUPERGROUP)
# The topic that every forum has: nothing can be sent to it by its number.
GENERAL = 1


def outline(message: MaybeInaccessibleMessage, author: str, user: User | None, here: Here) -> Incoming:
    """Return a message without what it says; `user` is whose language it is to be about.

    A message in somebody's own chat, where we speak for a business or as a guest, has a name and a conversation of its
    own: its number counts in another list of messages than that of our chat with the same person.
    """
    chat = message.chat
    number, topic = f"{message.message_id:d}", _topic(message)
    wire = {} if user is None or not user.language_code else {"ui": str(user.language_code)}
    if called := _called(message, user):
        wire["name"] = called
    if was := here.moved.get(f"{chat.id:d}"):
        wire["was"] = was
    foreign = _foreign(message)
    if foreign:
        wire |= {foreign[0]: foreign[1], "below": number}
    name = ":".join(foreign) if foreign else ""
    return Incoming(
        place=here.place(f"{chat.id:d}"),
        message=f"{name}:{number}" if foreign else number,
        author=author,
        text="",
        sent_at=message.date.astimezone(UTC),
        company="shared" if foreign else company_of(chat, message),
        thread=topic,
        wire=wire,
        conversation=name if foreign else f"topic:{topic}" if topic else WHOLE_CHAT,
    )


def _called(message: MaybeInaccessibleMessage, user: User | None) -> str:
    """Return what people call who wrote or pressed; an administrator who is not to be known is called as their chat."""
    if user is not None:
        return full_name(user)
    chat = message.sender_chat if isinstance(message, Message) else None
    return str(chat.title or "") if chat else ""


def full_name(user: User) -> str:
    """Return the names of a person in one line; "" where there are none."""
    return " ".join(" ".join(str(name) for name in (user.first_name, user.last_name) if name).split())


def author_of(message: Message) -> str | None:
    """Return who wrote a message: a person, or a chat that somebody writes as; None for bots and for nobody."""
    if message.sender_chat is not None:
        return f"chat:{message.sender_chat.id:d}"
    user = message.from_user
    return None if user is None or user.is_bot else f"{user.id:d}"


def company_of(chat: Chat, message: MaybeInaccessibleMessage) -> Company:
    """Return who reads along."""
    if chat.type == ChatType.PRIVATE:
        return "direct"
    return "public" if chat.username or _is_comment(message) else "private"


def _is_comment(message: MaybeInaccessibleMessage) -> bool:
    """Tell whether a message stands below a channel's post, where whoever reads the channel reads it."""
    above = message.reply_to_message if isinstance(message, Message) else None
    return above is not None and bool(above.is_automatic_forward)


def _topic(message: MaybeInaccessibleMessage) -> str | None:
    """Return the topic of a message: replies outside of forums have such a number too, and it is none."""
    if not isinstance(message, Message) or not message.is_topic_message:
        return None
    number = message.message_thread_id
    return None if number is None or number == GENERAL else f"{number:d}"


def _foreign(message: MaybeInaccessibleMessage) -> tuple[str, str] | None:
    """Return how a message came from a chat that is not ours, and what it is answered with."""
    if not isinstance(message, Message):
        return None
    if message.guest_query_id:
        return "guest", str(message.guest_query_id)
    if message.business_connection_id:
        return "business", str(message.business_connection_id)
    return None
