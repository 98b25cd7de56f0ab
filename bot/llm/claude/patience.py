"""When a call is made again, when it is given up, and when none is made at all."""

import random
from dataclasses import dataclass

# A question can wait for a few tries only; the waits between them grow, and differ so that not all come back at once.
MAX_ATTEMPTS = 4
FIRST_WAIT_S = 0.3
LONGEST_WAIT_S = 2.0
# The first words may come this much later than the first sign of life may.
WORDS_SHARE = 1.25
FAILURES_THAT_OPEN = 3
OPEN_S = 30.0
# With these a server says that it does not know the request or the address, not that it is down.
UNKNOWN_THERE = frozenset({400, 404, 405, 422, 501})


class CallFailed(Exception):
    """A call had no answer, or none to its end. `status` is that of HTTP, where the server gave one.

    `may_pass`: the same call may succeed a moment later, `wait_s` where the server says when. `is_request`: it is the
    request that is no good, and the service works.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        may_pass: bool = False,
        wait_s: float | None = None,
        is_request: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.may_pass = may_pass
        self.wait_s = wait_s
        self.is_request = is_request


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer may take: `silence_s` to its first event and between two, `whole_s` in all."""

    silence_s: float
    whole_s: float

    def next_by(self, started: float, now: float, *, has_words: bool) -> float:
        """Return the moment by which the next event must come."""
        words_by = now if has_words else started + self.silence_s * WORDS_SHARE - self.silence_s
        return min(started + self.whole_s, min(now, words_by) + self.silence_s)


def wait_before_retry_s(failed: CallFailed, attempt: int, left_s: float) -> float | None:
    """Return how long to wait after so many attempts (from 1 on); None where no other one makes sense in what is left.

    A wait that the server asks for is kept, or the call given up at once.
    """
    if not failed.may_pass or attempt >= MAX_ATTEMPTS:
        return None
    own_s = min(FIRST_WAIT_S * 2.0 ** (attempt - 1), LONGEST_WAIT_S) * random.uniform(0.5, 1.0)
    wait_s = own_s if failed.wait_s is None else failed.wait_s + own_s / 4
    return wait_s if wait_s < left_s else None


class Circuit:
    """Keeps questions from waiting for a service that is down: after some failures in a row nothing is called a while.

    Then one call tries; it closes the circuit or opens it again. Moments are seconds of a steady clock.
    """

    def __init__(self) -> None:
        self._failures = 0
        self._open_until: float | None = None
        self._is_tried = False

    def admits(self, now: float) -> bool:
        """Tell whether a call may be made now, and if it is the one that tries, let no other."""
        if self._open_until is None:
            return True
        if self._is_tried or now < self._open_until:
            return False
        self._is_tried = True
        return True

    def succeeded(self) -> None:
        """Note that the service works."""
        self._failures = 0
        self._open_until = None
        self._is_tried = False

    def failed(self, now: float) -> None:
        """Note that the service had no answer."""
        self._failures += 1
        self._is_tried = False
        if self._failures >= FAILURES_THAT_OPEN:
            self._open_until = now + OPEN_S

    def gave_up(self) -> None:
        """Note that a call was broken off by us, which says nothing: another one may try."""
        self._is_tried = False
