"""Replies and notices as parcels: what is sent and how, such that any process can send it, also later."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import uuid4

from bot.channels.slack.render.blocks import SHARE_ANSWER, Block, action_button, actions
from bot.channels.slack.render.reply import Posting, ephemeral, notice, postings
from bot.channels.slack.translate.interactions import (
    ANSWER_PRIVATELY,
    CONSENT_QUESTION,
    RETRY_QUESTION,
    SEEN_BY_ONE,
)
from bot.channels.slack.translate.read import MESSAGE, part
from bot.core.incoming import Incoming, Question
from bot.core.messages import Reply
from bot.core.outgoing import Button, Parcel, Sight
from bot.core.phrases import spoken
from bot.core.tickets.files import File
from knowledge.language import language_of

POST = "chat.postMessage"
EPHEMERAL = "chat.postEphemeral"
RESPONSE_URL = "response_url"
FILES = "files"
UPDATE = "chat.update"
DELETE = "chat.delete"
SHARE = "files.completeUploadExternal"
# Whoever gets a message directly where it cannot be posted: a shortcut is there also where the bot is not.
INSTEAD = "instead"

# What a click on a button of a notice is called, and the phrase on it.
_BUTTONS: Mapping[Button, tuple[str, str]] = {
    "retry": (RETRY_QUESTION, "button_retry"),
    "private": (ANSWER_PRIVATELY, "button_private"),
    "share": (SHARE_ANSWER, "button_share"),
    "consent": (CONSENT_QUESTION, "button_consent"),
}
# An address to respond to is good for 30 minutes (docs.slack.dev/interactivity/handling-user-interaction).
RESPONSE_URL_LIFE = timedelta(minutes=29)
# How far Slack's clock may be from ours.
CLOCK_DIFFERENCE = timedelta(minutes=2)


def reply_parcels(reply: Reply, question: Question) -> list[Parcel]:
    """Return a reply as parcels, in order; the first one has all of its words for the transcript."""
    # Slack refuses buttons with an empty value; no answer has this number.
    answer_id = str(reply.number or 0)
    sight: Sight = "private" if question.incoming.origin == "command" else "open"
    if sight == "private":
        shown = ephemeral(reply, answer_id=answer_id, question=str(question.number))
    else:
        shown = postings(reply, answer_id=answer_id)
    said = [reply.text, *("" for _ in shown[1:])]
    return [_parcel(posting, question, sight, text) for posting, text in zip(shown, said, strict=True)]


def notice_parcel(text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
    """Return one sentence of the bot's own as a parcel."""
    posting = notice(text)
    if button:
        action, name = _BUTTONS[button]
        shown = action_button(action, name, str(question.number), language_for(question))
        posting = Posting(posting.text, [*posting.blocks, actions(shown)])
    is_private = question.incoming.origin == "command" or SEEN_BY_ONE in question.incoming.wire
    return _parcel(posting, question, "private" if is_private else sight, text)


def language_for(question: Question) -> str:
    """Return the language to say something of our own in."""
    return spoken(question.incoming.language or "") or language_of(question.text)


def message_of(question: Question) -> str | None:
    """Return the message on Slack that asked, None where a command or a button did."""
    return question.incoming.message if MESSAGE.fullmatch(question.incoming.message) else None


def thread_of(question: Question) -> str | None:
    """Return the message that the thread of the reply hangs from, None where there is none to hang from."""
    return question.root if MESSAGE.fullmatch(question.root) else None


def after_of(question: Question) -> str:
    """Return the name that all messages are behind which come after the question."""
    moment = question.incoming.sent_at - CLOCK_DIFFERENCE
    return message_of(question) or f"{moment.timestamp():.6f}"


def blocks_of(payload: Mapping[str, object]) -> list[Block]:
    """Return the blocks of a payload."""
    blocks = payload.get("blocks")
    return [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []


def text_of(payload: Mapping[str, object]) -> str:
    """Return what stands for the blocks of a payload where they are not shown."""
    return str(payload.get("text") or "")


def file_of(payload: Mapping[str, object]) -> File:
    """Return the file that a payload is to send on."""
    given = part(payload, "file")
    size = given.get("size")
    texts = {name: str(given.get(name) or "") for name in ("platform", "workspace", "id", "name", "media_type")}
    return File(**texts, size=size if isinstance(size, int) else 0)


def method_of(parcel: Parcel) -> str:
    """Return the method by which a parcel is sent."""
    if parcel.is_gone:
        return DELETE
    if parcel.replaces:
        return UPDATE
    method = str(parcel.payload.get("method"))
    return SHARE if method == FILES else method


def _parcel(posting: Posting, question: Question, sight: Sight, said: str) -> Parcel:
    way = _way(question, sight)
    thread = thread_of(question) if way["method"] == POST else _standing_thread(question.incoming)
    payload = {"text": posting.text, "blocks": posting.blocks, **way}
    return Parcel(0, question.incoming.place, thread, sight, payload, said, uuid4().hex)


def _standing_thread(incoming: Incoming) -> str | None:
    """Return the thread that is surely there: an ephemeral message in one that is not yet is seen by nobody."""
    is_begun = incoming.origin != "shortcut" or not incoming.message.startswith(f"shortcut:{incoming.thread}:")
    return incoming.thread if is_begun else None


def _way(question: Question, sight: Sight) -> dict[str, object]:
    """Return how a parcel is sent, and what that takes."""
    incoming = question.incoming
    if sight == "open" or (incoming.company == "direct" and incoming.origin != "command"):
        instead = {INSTEAD: incoming.author} if incoming.origin in ("shortcut", "button") else {}
        return {"method": POST, "after": after_of(question), **instead}
    url = incoming.wire.get("response_url")
    if url:
        until = incoming.sent_at + RESPONSE_URL_LIFE
        return {"method": RESPONSE_URL, "url": url, "until": until.isoformat(), "user": incoming.author}
    return {"method": EPHEMERAL, "user": incoming.author}
