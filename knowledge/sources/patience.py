"""When a call to a host is made, and made again: a few at once, not before the host wants it, and not for ever."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from knowledge.errors import KnowledgeError, RateLimited, SourceUnavailable

T = TypeVar("T")
# Whatever a host asks for, it is called again after this.
LONGEST_QUIET_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is tried, and for how long in all; waits double from the first to the longest.

    `server_errors` is how many errors of the server itself (5xx) end it, where that is less.
    """

    attempts: int = 6
    server_errors: int | None = None
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    total_s: float = 180.0

    def allowed(self, failure: "Again") -> int:
        """Return how many attempts are made when they fail like this."""
        if failure.status is None or self.server_errors is None:
            return self.attempts
        return min(self.attempts, self.server_errors)

    def wait_s(self, attempt: int) -> float:
        """Return how long to wait after so many attempts (from 1 on); random, so that not all come back at once."""
        return min(self.first_wait_s * 2.0 ** (attempt - 1), self.longest_wait_s) * random.uniform(0.5, 1.0)


class Again(Exception):
    """A call failed and may succeed later. `is_busy`: the host asks everyone to wait, `wait_s` if it says how long."""

    def __init__(
        self, reason: str, *, is_busy: bool = False, wait_s: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(reason)
        self.is_busy = is_busy
        self.wait_s = wait_s
        self.status = status


class ServerError(SourceUnavailable):
    """The host answered every attempt with an error of its own (5xx)."""


class Host:
    """One host: lets a few calls through at once, and none while it has asked for quiet."""

    def __init__(self, name: str, *, calls_at_once: int, longest_wait_s: float) -> None:
        self._name = name
        self._slots = asyncio.Semaphore(calls_at_once)
        self._longest_wait_s = longest_wait_s
        self._quiet_until = 0.0

    def keep_quiet(self, seconds: float) -> None:
        """Let nothing through for a while, an hour at most: then the host is asked anew."""
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_QUIET_S)
        self._quiet_until = max(self._quiet_until, until)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold one of the places, from the moment the host may be called; RateLimited when that is too far off."""
        async with self._slots:
            # The moment may move while we sleep.
            while (pause := self._quiet_until - asyncio.get_running_loop().time()) > 0:
                if pause > self._longest_wait_s:
                    raise RateLimited(
                        f"{self._name} asked for quiet, for another {pause:.0f} s; the next sync tries again",
                        retry_after_s=pause,
                    )
                await asyncio.sleep(pause)
            yield


async def persist(call: Callable[[], Awaitable[T]], patience: Patience, host: Host) -> T:
    """Make a call until it succeeds or patience ends; then raise RateLimited, ServerError or SourceUnavailable.

    A call that says Again is repeated; when the host is busy, all its callers wait.
    """
    now = asyncio.get_running_loop().time
    deadline = now() + patience.total_s
    attempt = 1
    while True:
        try:
            return await call()
        except Again as again:
            wait_s = max(patience.wait_s(attempt), again.wait_s or 0.0)
            if again.is_busy:
                host.keep_quiet(wait_s)
            if attempt >= patience.allowed(again) or now() + wait_s > deadline:
                raise _given_up(again, attempt, wait_s) from again
            if not again.is_busy:
                await asyncio.sleep(wait_s)
        attempt += 1


def _given_up(again: Again, attempts: int, wait_s: float) -> KnowledgeError:
    tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    if again.is_busy:
        return RateLimited(f"{again} ({tries}); it asks to wait {wait_s:.0f} s", retry_after_s=wait_s)
    kind = ServerError if again.status else SourceUnavailable
    return kind(f"{again} ({tries}); nothing already indexed was changed")


def retry_after_s(value: str | None, *, now: datetime | None = None) -> float | None:
    """Read a Retry-After header, seconds or a date, up to an hour; None when there is none that can be read."""
    if not value:
        return None
    if value.strip().isdecimal():
        return min(float(value), LONGEST_QUIET_S)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(0.0, (moment - (now or datetime.now(UTC))).total_seconds()), LONGEST_QUIET_S)
