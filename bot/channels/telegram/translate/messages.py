"""Messages: what is written, sent along or changed, wherever we can read it."""

from dataclasses import replace
from datetime import UTC

from telegram import Audio, Message, VideoNote, Voice
from telegram.constants import ChatType, MessageType

from bot.channels.telegram.translate.chats import GROUPS, author_of, outline
from bot.channels.telegram.translate.commands import QUOTED, lent, ordered
from bot.channels.telegram.translate.files import files_wire
from bot.channels.telegram.translate.text import said
from bot.channels.telegram.translate.values import Here, Moved, Translated
from bot.channels.translated import Edited, Ignored
from bot.core.incoming import Incoming
from bot.core.tickets.files import FILES as FILES_KEY

# What people send along with a question or instead of one; an animation, which comes as a document too, is a gesture.
FILES = (
    MessageType.PHOTO,
    MessageType.DOCUMENT,
    MessageType.VIDEO,
    MessageType.VOICE,
    MessageType.AUDIO,
    MessageType.VIDEO_NOTE,
    MessageType.LIVE_PHOTO,
    MessageType.PAID_MEDIA,
)


def message(given: Message, here: Here) -> Translated:
    """Return what a message in one of our chats means."""
    if given.migrate_to_chat_id:
        return Moved(here.place(f"{given.chat.id:d}"), f"{given.migrate_to_chat_id:d}")
    if given.migrate_from_chat_id:
        return Moved(here.place(f"{given.migrate_from_chat_id:d}"), f"{given.chat.id:d}")
    return _written(given, here)


def edited(given: Message, here: Here) -> Translated:
    """Return the new text of a message; whoever asks us by an edit asks now, however old the message is."""
    incoming = _written(given, here)
    if isinstance(incoming, Ignored):
        return incoming
    if incoming.origin != "message":
        return Ignored("a command that a message was changed into")
    changed_at = (given.edit_date or given.date).astimezone(UTC)
    return Edited(replace(incoming, sent_at=max(changed_at, incoming.sent_at)))


def business_message(given: Message, here: Here) -> Translated:
    """Return what a customer writes to a business that we answer for; what its owner writes there is none of ours."""
    return _of_customer(given, here) or message(given, here)


def edited_business_message(given: Message, here: Here) -> Translated:
    """Return the new text of what a customer wrote."""
    return _of_customer(given, here) or edited(given, here)


def guest_message(given: Message, here: Here) -> Translated:
    """Return what somebody asks us in a chat that we are not in.

    There is one reply to it, with `Bot.answer_guest_query(guest_query_id, result)`, where the result is one of an
    inline query (`InlineQueryResultArticle` with an `InputTextMessageContent`); the identifier is in `wire["guest"]`.
    The number of its chat may be that of another chat of ours.
    """
    if not here.with_guests:
        return Ignored("a guest's message, which is switched off")
    return message(given, here) if given.guest_query_id else Ignored("a guest's message that cannot be answered")


def _of_customer(given: Message, here: Here) -> Ignored | None:
    if not here.with_business:
        return Ignored("a business message, which is switched off")
    if not given.business_connection_id or given.from_user is None or given.from_user.id != given.chat.id:
        return Ignored("not written by a customer of the business")
    return None


def _written(given: Message, here: Here) -> Incoming | Ignored:
    author, reason = author_of(given), _not_for_us(given)
    if reason or author is None:
        return Ignored(reason or "written by a bot or by nobody")
    # What is forwarded has somebody else's mentions and commands.
    marks = () if given.forward_origin else given.entities or given.caption_entities
    text = said(given.text or given.caption or "", marks, here)
    incoming = outline(given, author, given.from_user if given.sender_chat is None else None, here)
    is_to_us = incoming.company in ("direct", "shared") or text.names_us or _is_ours(_replied(given), here)
    incoming = replace(
        incoming,
        text=text.text,
        is_addressed=is_to_us,
        has_files=any(getattr(given, kind) for kind in FILES),
        wire={
            **incoming.wire,
            **_reply(given, incoming, here),
            **({"named": "yes"} if text.names_us else {}),
            **files_wire(given, here),
        },
    )
    if text.command is not None:
        return ordered(text.command, incoming, here)
    return incoming if text.text else _wordless(given, incoming, here, names_us=text.names_us)


def _not_for_us(given: Message) -> str | None:
    """Return why nobody waits for an answer to a message, whatever it says."""
    if given.chat.type not in (ChatType.PRIVATE, *GROUPS):
        return f"a message in a chat of the kind {given.chat.type}"
    if given.chat.is_direct_messages:
        return "a message to a channel, which its administrators answer"
    if given.is_automatic_forward:
        return "a channel's post in its discussion group"
    if given.via_bot or given.sender_business_bot:
        return "written by means of a bot"
    return None


def _replied(given: Message) -> Message | None:
    """Return the message that somebody replied to; each message in a topic replies to the one that opened it."""
    above = given.reply_to_message
    if above is None or above.forum_topic_created:
        return None
    return None if given.is_topic_message and above.message_id == given.message_thread_id else above


def _is_ours(above: Message | None, here: Here) -> bool:
    return above is not None and above.from_user is not None and f"{above.from_user.id:d}" == here.bot_id


def _reply(given: Message, incoming: Incoming, here: Here) -> dict[str, str]:
    """Return what a message replies to, and with what words where they are not ours."""
    above = _replied(given)
    if above is None:
        return {}
    # Where we are not ourselves the number may be that of another message.
    wire = {} if incoming.company == "shared" else {"reply_to": f"{above.message_id:d}"}
    marks = above.entities or above.caption_entities
    words = given.quote.text.strip() if given.quote else said(above.text or above.caption or "", marks, here).text
    return wire if _is_ours(above, here) or not words else {**wire, "reply_text": words}


def _wordless(given: Message, incoming: Incoming, here: Here, *, names_us: bool) -> Incoming | Ignored:
    """Return what a message without words means: whoever only names us wants the one above to be answered."""
    if here.is_desk(given.chat.id) and FILES_KEY in incoming.wire:
        # What people there send is sent on, each file by itself.
        return incoming
    has_files = incoming.has_files and not given.animation
    if not incoming.is_addressed or not (has_files or names_us):
        return Ignored(f"a message without words: {next((kind for kind in MessageType if getattr(given, kind)), '?')}")
    if given.media_group_id:
        number = f"{given.message_id:d}"
        wire = {**incoming.wire, "below": number, "part": number}
        return replace(incoming, message=f"album:{given.media_group_id}", wire=wire)
    if recording := given.voice or given.audio or given.video_note:
        return replace(incoming, wire={**incoming.wire, **_recording(recording)})
    return lent(incoming)


def _recording(recording: Voice | Audio | VideoNote) -> dict[str, str]:
    # The attribute of this name is about to have another type, and says so in a warning each time.
    seconds = recording.to_dict()["duration"]
    return {"recording": str(recording.file_id), "recording_s": f"{seconds:.0f}", **QUOTED}
