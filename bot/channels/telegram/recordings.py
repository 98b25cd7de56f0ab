"""What people said to the bot instead of writing, as Telegram keeps it."""

from telegram import Bot

from bot.channels.telegram.errors import asked, refusal_of
from bot.core.errors import RecordingProblem, Undeliverable
from bot.core.incoming import Incoming
from knowledge.errors import SettingsProblem, TransientError

# Telegram gives out nothing that is larger (core.telegram.org/bots/api#getfile).
MOST_BYTES = 20 * 1024 * 1024


class Recordings:
    """Fetches recordings of at most so many seconds."""

    def __init__(self, bot: Bot, *, most_s: int) -> None:
        self._bot = bot
        self._most_s = most_s

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return a recording, None where there is none; RecordingProblem for one that is too long, or gone."""
        name = incoming.wire.get("recording")
        if not name:
            return None
        seconds = float(incoming.wire.get("recording_s") or 0)
        if seconds > self._most_s:
            raise RecordingProblem(f"{seconds:g} s were recorded; recording_s is {self._most_s}")
        try:
            return await self._fetched(name)
        except SettingsProblem as exc:
            raise TransientError(str(exc)) from exc
        except Undeliverable as exc:
            raise RecordingProblem(f"{exc} ({refusal_of(exc)})") from exc

    async def _fetched(self, name: str) -> bytes:
        file = await asked(self._bot.get_file(name), "getFile")
        if (file.file_size or 0) > MOST_BYTES:
            raise RecordingProblem(f"the recording has {file.file_size} bytes; Telegram gives out {MOST_BYTES}")
        return bytes(await asked(file.download_as_bytearray(), "a download"))
