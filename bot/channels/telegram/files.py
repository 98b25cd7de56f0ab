"""Files that people send: how Telegram names them to us, and the way to what is in them."""

from dataclasses import dataclass
from typing import Literal, get_args

from telegram import Bot

from bot.channels.telegram.errors import asked, masked
from bot.core.errors import Undeliverable
from bot.core.tickets.files import MAX_FILE_BYTES, File
from knowledge.errors import SettingsProblem, TransientError

# What Telegram keeps of a file: it can be sent again by its name only as what it was sent first.
Kind = Literal["photo", "video", "animation", "audio", "voice", "video_note", "document"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_BETWEEN = "/"


@dataclass(frozen=True, slots=True)
class Reference:
    """What Telegram fetches a file by, and what it was sent as."""

    kind: Kind
    file_id: str

    def __str__(self) -> str:
        """Return both as the `id` of a `File`."""
        return f"{self.kind}{_BETWEEN}{self.file_id}"


def reference_of(file: File) -> Reference:
    """Return what a file of Telegram's is fetched by."""
    kind, between, file_id = file.id.partition(_BETWEEN)
    return Reference(kind, file_id) if between and kind in KINDS else Reference("document", file.id)


class Downloads:
    """Brings what Telegram keeps."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def fetch(self, file_id: str) -> bytes:
        """Return what is in a file; Undeliverable where it is gone or too large, TransientError else."""
        try:
            found = await asked(self._bot.get_file(file_id), "getFile")
        except SettingsProblem as exc:
            # It works again when somebody has set it right.
            raise TransientError(str(exc)) from exc
        _keep_small(found.file_size or 0)
        try:
            content = bytes(await asked(found.download_as_bytearray(), "a download"))
        except (SettingsProblem, RuntimeError) as exc:
            # The token was right a moment before: there is nothing at that address.
            raise Undeliverable(f"Telegram has no way to the file: {masked(str(exc))}") from exc
        _keep_small(len(content))
        return content


def _keep_small(size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise Undeliverable(f"the file has {size} bytes; {MAX_FILE_BYTES} can be fetched")
