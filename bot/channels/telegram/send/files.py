"""Sends files on: by their name where Telegram has them already, else by what is in them."""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from telegram import Bot, InlineKeyboardMarkup, InputFile, Message, ReplyParameters
from telegram.error import Forbidden

from bot.channels.telegram.errors import refusal_of
from bot.channels.telegram.files import Kind, Reference, reference_of
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.desk import LEFT_OUT, shortened
from bot.channels.telegram.send.message import Address, keyboard_of
from bot.channels.telegram.send.post import Poster, address_of, again_of, words_of
from bot.channels.telegram.translate.values import PLATFORM
from bot.core.deliver import MOST_UNCONFIRMED
from bot.core.errors import Undeliverable
from bot.core.outgoing import Parcel
from bot.core.tickets.files import FILES, File, loaded

Fetch = Callable[[File], Awaitable[bytes]]
Send = Callable[..., Awaitable[Message]]

# Larger pictures are sent as documents (core.telegram.org/bots/api#sendphoto).
MAX_PHOTO_BYTES = 10 * 1024 * 1024
MAX_FILE_NAME_UNITS = 128
MAX_ENDING_CHARACTERS = 6
UNNAMED = "file"
_PICTURES = frozenset({"image/jpeg", "image/png", "image/webp"})
# The library takes other texts for addresses or for files of this machine.
_FILE_ID = re.compile(r"[A-Za-z0-9_-]{16,512}")
_METHODS: Mapping[Kind, tuple[str, Callable[[Bot], Send]]] = {
    "photo": ("sendPhoto", lambda bot: bot.send_photo),
    "video": ("sendVideo", lambda bot: bot.send_video),
    "animation": ("sendAnimation", lambda bot: bot.send_animation),
    "audio": ("sendAudio", lambda bot: bot.send_audio),
    "voice": ("sendVoice", lambda bot: bot.send_voice),
    "video_note": ("sendVideoNote", lambda bot: bot.send_video_note),
    "document": ("sendDocument", lambda bot: bot.send_document),
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A file on its way, with the `buttons` below it; `again`: what is said of one that may be there already."""

    file: File
    address: Address
    again: str | None
    buttons: InlineKeyboardMarkup | None


class FileSender:
    """Sends files; of what cannot be sent the name is told."""

    def __init__(self, calls: Calls, poster: Poster, fetch: Fetch) -> None:
        self._calls = calls
        self._poster = poster
        self._fetch = fetch

    async def send(self, parcel: Parcel) -> str | None:
        """Send the file of a parcel and return its message's name; it is not sent a third time."""
        if parcel.attempts >= MOST_UNCONFIRMED:
            log.warning("a file was sent twice, never confirmed", extra={"place": str(parcel.place)})
            return None
        (file,) = loaded({FILES: json.dumps([parcel.payload["file"]])})
        again = again_of(parcel) if parcel.was_begun else ""
        sent = await self._sent(_Letter(file, address_of(parcel), again or None, keyboard_of(words_of(parcel.payload))))
        return sent or await self._poster.post(parcel)

    async def _sent(self, letter: _Letter) -> str | None:
        """Send a file where it belongs, else outside of the topic that is gone; None where it cannot be sent."""
        try:
            return await self._in_some_way(letter)
        except Undeliverable as exc:
            if refusal_of(exc) != "topic":
                raise
            log.info("a file goes to no topic: %s", exc, extra={"place": str(letter.address.place)})
            outside = replace(letter.address, topic=None, reply_to=None)
            return await self._in_some_way(replace(letter, address=outside))

    async def _in_some_way(self, letter: _Letter) -> str | None:
        known = _known(letter)
        if known and (sent := await self._tried(letter, known.kind, known.file_id)):
            return sent
        try:
            content = await self._fetch(letter.file)
        except Undeliverable as exc:
            log.info("a file cannot be fetched: %s", exc, extra={"place": str(letter.address.place)})
            return None
        for kind in _kinds(letter.file, len(content)):
            if sent := await self._tried(letter, kind, InputFile(content, filename=_name(letter.file))):
                return sent
        return None

    async def _tried(self, letter: _Letter, kind: Kind, what: str | InputFile) -> str | None:
        """Send a file as something; None where Telegram does not take it as that, or the group does not allow it."""
        try:
            return await self._written(letter, kind, what)
        except Undeliverable as exc:
            if refusal_of(exc) == "topic" or isinstance(exc.__cause__, Forbidden):
                raise
            log.info("a file is refused: %s", exc, extra={"place": str(letter.address.place)})
            return None

    async def _written(self, letter: _Letter, kind: Kind, what: str | InputFile) -> str:
        method, sending = _METHODS[kind]
        address = letter.address
        reply = ReplyParameters(address.reply_to, allow_sending_without_reply=True) if address.reply_to else None
        # Round videos are the only files that nothing can be written below.
        caption = {} if kind == "video_note" else {"caption": letter.again}
        message = await self._calls.write(
            method,
            address.place,
            lambda bot: sending(bot)(
                address.place.channel,
                what,
                message_thread_id=address.topic,
                reply_parameters=reply,
                reply_markup=letter.buttons,
                business_connection_id=address.business,
                **caption,
            ),
        )
        return str(message.message_id)


def _known(letter: _Letter) -> Reference | None:
    """Return what Telegram knows a file by; None for one of another platform, or another bot's."""
    file, place = letter.file, letter.address.place
    if (file.platform, file.workspace) != (PLATFORM, place.workspace):
        return None
    known = reference_of(file)
    return known if _FILE_ID.fullmatch(known.file_id) else None


def _kinds(file: File, size: int) -> tuple[Kind, ...]:
    """Return as what a file is sent, the best first."""
    is_picture = file.media_type in _PICTURES and 0 < size <= MAX_PHOTO_BYTES
    return ("photo", "document") if is_picture else ("document",)


def _name(file: File) -> str:
    """Return a name that is no path, and keeps its ending."""
    name = re.sub(r'[/\\:"]', "_", shortened(file.name, MAX_FILE_NAME_UNITS))
    if not name.endswith(LEFT_OUT):
        return name
    _, dot, ending = file.name.rpartition(".")
    is_ending = bool(dot) and ending.isalnum() and len(ending) <= MAX_ENDING_CHARACTERS
    return (name if name != LEFT_OUT else UNNAMED) + (f".{ending}" if is_ending else "")
