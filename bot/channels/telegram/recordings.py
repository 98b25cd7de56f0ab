"""What people said to the bot instead of writing, as Telegram keeps it."""

from bot.channels.telegram.errors import refusal_of
from bot.channels.telegram.files import Downloads
from bot.core.errors import RecordingProblem, Undeliverable
from bot.core.incoming import Incoming


class Recordings:
    """Fetches recordings of at most so many seconds."""

    def __init__(self, downloads: Downloads, *, most_s: int) -> None:
        self._downloads = downloads
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
            return await self._downloads.fetch(name)
        except Undeliverable as exc:
            raise RecordingProblem(f"{exc} ({refusal_of(exc)})") from exc
