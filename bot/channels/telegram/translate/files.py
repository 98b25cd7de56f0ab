"""What people send along, as files that can be sent on."""

from collections.abc import Iterator, Mapping
from typing import Any

from telegram import Message

from bot.channels.telegram.files import KINDS, Kind, Reference
from bot.channels.telegram.translate.values import PLATFORM, Here
from bot.core.tickets.files import FILES, File, dumped

# How a file is called that has no name, and what is in it where that is not told.
_USUAL: Mapping[Kind, tuple[str, str]] = {
    "photo": ("photo.jpg", "image/jpeg"),
    "video": ("video.mp4", "video/mp4"),
    "animation": ("animation.mp4", "video/mp4"),
    "audio": ("audio.mp3", "audio/mpeg"),
    "voice": ("voice.ogg", "audio/ogg"),
    "video_note": ("video.mp4", "video/mp4"),
    "document": ("file", ""),
}


def files_wire(given: Message, here: Here) -> dict[str, str]:
    """Return what a message's wire holds of its file; {} where there is none."""
    files = list(_files(given, here))
    return {FILES: dumped(files)} if files else {}


def _files(given: Message, here: Here) -> Iterator[File]:
    """Yield the file of a message; an animation comes with a document of the same content."""
    kind = next((kind for kind in KINDS if getattr(given, kind)), None)
    if kind is None:
        return
    shown: Any = getattr(given, kind)
    # The sizes of a photo stand in the order of their size; the largest is what was sent.
    found = max(shown, key=lambda size: int(size.width) * int(size.height)) if kind == "photo" else shown
    name, media_type = _USUAL[kind]
    yield File(
        PLATFORM,
        here.bot_id,
        str(Reference(kind, str(found.file_id))),
        str(getattr(found, "file_name", None) or name),
        int(found.file_size or 0),
        str(getattr(found, "mime_type", None) or media_type),
    )
