"""What a desk or an asker is shown as parcels: messages, topics, files."""

import re
from dataclasses import asdict

from bot.channels.markdown_cuts import between_signs, farthest
from bot.channels.telegram.render.inline import copyable
from bot.channels.telegram.render.keyboards import desk_keyboard, reply_markup
from bot.channels.telegram.render.post import Named, post_postings
from bot.channels.telegram.render.reply import Posting, payload
from bot.channels.telegram.render.text import clean
from bot.channels.telegram.send.parcels import FILE_METHOD, METHOD, TOPIC_METHOD, number_of
from bot.channels.utf16 import length
from bot.core.outgoing import Parcel
from bot.core.phrases import phrase
from bot.core.tickets.files import MAX_FILES, File
from bot.core.tickets.post import Post, Spot

# telegram.constants.ForumTopicLimit
MAX_TOPIC_UNITS = 128
LEFT_OUT = "…"
# What a name is shortened to where it stands in a sentence.
MAX_FILE_NAME_UNITS = 200
# How a customer's message is called (`translate.chats.outline`).
_OF_BUSINESS = re.compile(r"business:(.+):([0-9]{1,20})")


def post_parcels(post: Post, spot: Spot, *, named: Named | None = None) -> list[Parcel]:
    """Return a post as parcels, in order; one alone where it takes the place of a message."""
    messages = [payload(posting) | {"method": METHOD} for posting in post_postings(post, named=named)]
    if spot.replaces:
        return [_parcel(messages[0], post, spot)] if messages else []
    if post.prompts and messages and not post.presses:
        messages[0]["reply_markup"] = {"force_reply": True, "selective": True}
    files = [_file_payload(file, post.language) for file in post.files[:MAX_FILES]]
    keyboard = desk_keyboard(post.presses)
    if files and keyboard and not messages:
        files[0]["reply_markup"] = reply_markup(keyboard)
    return [_parcel(sent, post, spot, number) for number, sent in enumerate([*messages, *files])]


def _file_payload(file: File, language: str) -> dict[str, object]:
    """Return what sends a file; its text is said where that cannot be done."""
    sentence = phrase("file_not_sent", language, file=shortened(file.name, MAX_FILE_NAME_UNITS))
    return payload(Posting(copyable(sentence))) | {"method": FILE_METHOD, "file": asdict(file)}


def _parcel(sent: dict[str, object], post: Post, spot: Spot, number: int = 0) -> Parcel:
    """Return a parcel; its marker begins with the chat that the messages are named in."""
    business, reply_to = _business(spot.reply_to)
    way = {"reply_to": number_of(reply_to), "again": phrase("sent_again", post.language), "business": business}
    marker = f"{spot.place.channel}:{spot.key}" + (f":{number}" if number else "")
    said, replaces = (post.plain, spot.replaces) if number == 0 else ("", None)
    return Parcel(0, spot.place, spot.thread, "open", sent | way, said, marker, replaces=replaces)


def _business(name: str | None) -> tuple[str | None, str | None]:
    """Return the business account's connection that a message came by, and the message's number there."""
    found = _OF_BUSINESS.fullmatch(name or "")
    return (found[1], found[2]) if found else (None, name)


def topic_parcel(name: str, spot: Spot) -> Parcel:
    """Return the parcel that opens a topic, whose name is one line and not too long."""
    sent = {"method": TOPIC_METHOD, "name": shortened(name, MAX_TOPIC_UNITS)}
    return Parcel(0, spot.place, None, "open", sent, "", f"{spot.place.channel}:{spot.key}")


def shortened(name: str, most: int) -> str:
    """Return a name in one line of so many units at most; what was left out is marked."""
    line = " ".join(clean(name).split()) or LEFT_OUT
    if length(line) <= most:
        return line
    end = between_signs(line, 0, farthest(line, 0, most - length(LEFT_OUT), length))
    return line[:end].rstrip() + LEFT_OUT
