"""Notices that a socket is deaf: open, as it seems, but without a sign of life, or without anything that it brings.

Both have been seen for hours while the bot showed as online (slackapi/python-slack-sdk#1701, openclaw/openclaw#72808).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

# "silent": no ping is answered any more. "deaf": pings are answered, but nothing at all has come for a long time.
Trouble = Literal["silent", "deaf"]


@dataclass(frozen=True, slots=True)
class Health:
    """Whether Slack reaches us, for status and operators."""

    healthy: bool
    last_event_at: datetime | None
    reconnects: int
    trouble: str | None = None


class Watchdog:
    """Remembers the signs of life of one socket; times are monotonic, so that no change of the clock wakes it."""

    def __init__(self, *, silent_s: float, deaf_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._silent_s = silent_s
        self._deaf_s = deaf_s
        self._clock = clock
        self._alive_at = clock()
        self._heard_at = clock()
        self._pong: float | None = None
        self._connections = 0
        self._last_event_at: datetime | None = None
        # None while there is a connection.
        self._trouble: str | None = "not connected yet"

    def opened(self) -> None:
        """Take note that a connection was opened; until Slack greets us on it, it is none yet."""
        self._trouble = "Slack has not greeted us yet"
        self._alive_at = self._heard_at = self._clock()

    def connected(self) -> None:
        """Take note that Slack greeted us on a new connection."""
        self._connections += 1
        self._trouble = None
        self._alive_at = self._heard_at = self._clock()

    def disconnected(self, why: str) -> None:
        """Take note that there is no connection."""
        self._trouble = why

    def frame(self, *, is_event: bool) -> None:
        """Take note of something that the socket brought."""
        self._alive_at = self._heard_at = self._clock()
        if is_event:
            self._last_event_at = datetime.now(UTC)

    def pong(self, at: float | None) -> None:
        """Take note of the ping that was answered last; only another one than before is a sign of life."""
        if at is not None and at != self._pong:
            self._pong = at
            self._alive_at = self._clock()

    def trouble(self) -> Trouble | None:
        """Return what is wrong with the socket, if anything."""
        now = self._clock()
        last_sign = self._alive_at if self._trouble is None else self._heard_at
        if now - last_sign > self._silent_s:
            return "silent"
        return "deaf" if now - self._heard_at > self._deaf_s else None

    @property
    def health(self) -> Health:
        """How it is."""
        is_silent = self._trouble is None and self.trouble() == "silent"
        trouble = "no sign of life from Slack" if is_silent else self._trouble
        return Health(trouble is None, self._last_event_at, max(0, self._connections - 1), trouble)
