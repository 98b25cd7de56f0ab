"""Replies and notices as parcels: what is sent and how, such that any process can send it, also later."""

from collections.abc import Mapping
from uuid import uuid4

from bot.channels.telegram.render.keyboards import notice_keyboard
from bot.channels.telegram.render.reply import Posting, notices, payload, postings
from bot.core.incoming import Question
from bot.core.messages import Reply
from bot.core.outgoing import Button, Parcel, Sight
from bot.core.phrases import phrase, spoken
from knowledge.language import is_written_in, language_of

METHOD, TOPIC_METHOD, FILE_METHOD = "sendMessage", "createForumTopic", "sendDocument"
# What is answered with a list of commands, each of which can be clicked.
_OWN_WORDS = ("start", "help")


def reply_parcels(reply: Reply, question: Question) -> list[Parcel]:
    """Return a reply as parcels, in order; the first one has all of its words for the transcript."""
    heading = question.text if "quoted" in question.incoming.wire else None
    shown = postings(reply, answer_id=str(reply.number or 0), heading=heading)
    said = [reply.text, *("" for _ in shown[1:])]
    pairs = zip(shown, said, strict=True)
    return [_parcel(posting, question, "open", text, reply.language) for posting, text in pairs]


def notice_parcel(text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
    """Return one sentence of the bot's own as a parcel: in a group, all of its members see it."""
    language = _language_of_notice(text, question)
    is_own = question.incoming.wire.get("request") in _OWN_WORDS
    posting = notices(text, is_own=is_own)[0]
    if button:
        posting = Posting(posting.text, notice_keyboard(button, question.number, language))
    return _parcel(posting, question, sight, text, language)


def _language_of_notice(text: str, question: Question) -> str:
    """Return the language of a notice: that of its question, unless its author has chosen another one."""
    language = language_for(question)
    return language if is_written_in(text, language) else spoken(language_of(text)) or language


def language_for(question: Question) -> str:
    """Return the language to say something of our own in."""
    incoming = question.incoming
    usual = spoken(incoming.wire.get("ui", "")) or "en"
    return spoken(incoming.language or "") or language_of(question.text, default=usual)


def reply_to(question: Question) -> int | None:
    """Return the message that the reply hangs from: the one that asked, or that with the pressed button.

    What was asked before its chat moved has another name since, and cannot be replied to any more.
    """
    incoming = question.incoming
    return None if "/" in incoming.message else number_of(incoming.wire.get("below") or incoming.message)


def number_of(name: object) -> int | None:
    """Return the number that a message has in its chat, None for what is no message there."""
    text = str(name)
    return int(text) if text.isascii() and text.isdigit() else None


def topic_of(thread: str | None) -> int | None:
    """Return the number of a topic, None outside of topics."""
    return number_of(thread) if thread else None


def is_there_still(parcel: Parcel) -> bool:
    """Tell whether the messages that a parcel names are in its chat: where that has moved meanwhile, others are."""
    return parcel.marker.partition(":")[0] == parcel.place.channel


def business_of(payload: Mapping[str, object]) -> str | None:
    """Return the business account's connection that a payload is sent by, None for the bot's own chats."""
    given = payload.get("business")
    return str(given) if given else None


def guest_query_of(payload: Mapping[str, object]) -> str | None:
    """Return what a payload answers in a chat that the bot is not in, None for all other chats."""
    given = payload.get("guest")
    return str(given) if given else None


def _parcel(posting: Posting, question: Question, sight: Sight, said: str, language: str) -> Parcel:
    incoming = question.incoming
    way = {
        "method": METHOD,
        "reply_to": reply_to(question),
        "again": phrase("sent_again", language),
        "business": incoming.wire.get("business"),
        "guest": incoming.wire.get("guest"),
    }
    # A message that was asked before its chat moved begins with the chat's earlier name.
    chat = incoming.message.rpartition("/")[0] or incoming.place.channel
    marker = f"{chat}:{uuid4().hex}"
    return Parcel(0, incoming.place, incoming.thread, sight, payload(posting) | way, said, marker)
