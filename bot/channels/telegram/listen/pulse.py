"""Whether Telegram reaches us, and what stands in the way."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from bot.core.offered import Reach

STANDS_BY = "another process listens; this one stands by"

log = logging.getLogger(__name__)


class Pulse:
    """Remembers the signs of life; times are monotonic, so that no change of the clock ends one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._alive_at = clock()
        self._heard_at: datetime | None = None
        self._lost: str | None = "not connected yet"
        self._unstored: str | None = None
        self._stands_by = False

    @property
    def silent_s(self) -> float:
        """For how long nothing has happened, neither good nor bad."""
        return self._clock() - self._alive_at

    @property
    def is_lost(self) -> bool:
        """Whether Telegram did not answer last."""
        return self._lost is not None

    def alive(self) -> None:
        """Take note that Telegram answers."""
        self._alive_at = self._clock()
        self._lost = None

    def failed(self, why: str) -> None:
        """Take note that it does not."""
        self._alive_at = self._clock()
        self._lost = why

    def heard(self) -> None:
        """Take note of an update."""
        self.alive()
        self._heard_at = datetime.now(UTC)

    def stored(self) -> None:
        """Take note that what comes is stored."""
        self._unstored = None

    def not_stored(self, why: str) -> None:
        """Take note that it is not."""
        self._unstored = why

    def stands_by(self) -> None:
        """Take note that another process listens; it is logged once."""
        if not self._stands_by:
            log.warning(STANDS_BY)
        self._stands_by = True

    def leads(self) -> None:
        """Take note that it is this process which listens."""
        if self._stands_by:
            log.warning("the other process listens no more; this one does")
        self._stands_by = False

    def reach(self, counts: Mapping[str, int]) -> Reach:
        """Return how Telegram reaches us now."""
        if self._stands_by:
            return Reach(True, STANDS_BY, self._heard_at, counts)
        trouble = self._unstored or self._lost
        return Reach(trouble is None, trouble, self._heard_at, counts)
