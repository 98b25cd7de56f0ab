"""Keeps to a platform's limits: a call waits a little for its turn, or is told for how long it would have to."""

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from knowledge.errors import RateLimited

# Whoever would have to wait longer is told so, and does something else meanwhile.
LONGEST_WAIT_S = 5.0
# So many lanes are remembered before those are forgotten where nothing was called lately.
MOST_LANES = 5_000


@dataclass(frozen=True, slots=True)
class Pace:
    """At most `calls` within any `seconds`."""

    calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Lane:
    """What shares one allowance, such as a method in a channel; `pace` None: no limit is known."""

    name: tuple[str, ...]
    pace: Pace | None

    def __str__(self) -> str:
        """Return what an operator reads of it."""
        return " ".join(filter(None, self.name))


@dataclass(slots=True)
class _Allowance:
    """What is used of a lane: when calls ended, how many are under way, who waits, until when it has to be quiet.

    A call counts from its beginning until its time behind its end is over: the platform counts it somewhere between.
    """

    pace: Pace | None
    ended: deque[float] = field(default_factory=deque)
    under_way: int = 0
    waiting: list[object] = field(default_factory=list)
    quiet_until: float = -math.inf

    def due(self, ahead: int, now: float) -> float:
        """Return when a call may begin at the earliest that so many others are ahead of."""
        start = max(now, self.quiet_until)
        if self.pace is None:
            return start
        calls, seconds = self.pace.calls, self.pace.seconds
        used = [max(start, end + seconds) for end in self._ended(now)] + [start + seconds] * self.under_way
        slots = [start] * (calls - len(used)) + used
        return slots[ahead % calls] + ahead // calls * seconds

    def left(self, now: float) -> int:
        """Return how many calls may begin now."""
        if self.quiet_until > now:
            return 0
        used = len(self._ended(now)) + self.under_way + len(self.waiting)
        return self.pace.calls - used if self.pace else 1

    def is_idle(self, now: float) -> bool:
        """Tell whether nothing is known of it that a new one would not have."""
        return not self._ended(now) and not self.under_way and not self.waiting and self.quiet_until <= now

    def give_back(self, end: float | None) -> None:
        """Note that a call has ended, or that there was none after all."""
        self.under_way -= 1
        if end is not None and self.pace:
            self.ended.append(end)

    def _ended(self, now: float) -> deque[float]:
        while self.pace and self.ended and self.ended[0] + self.pace.seconds <= now:
            self.ended.popleft()
        return self.ended


class Pacing:
    """Gives each call its turn, first come first served in each lane; `now` is a clock that only goes forward."""

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._now = now
        self._sleep = sleep
        self._allowances: dict[tuple[str, ...], _Allowance] = {}

    @asynccontextmanager
    async def turn(self, *lanes: Lane) -> AsyncIterator[None]:
        """Wait until all lanes are free, the one that is full most often first; what is done inside is the call.

        RateLimited where that takes too long, and then nothing is used up.
        """
        taken: list[_Allowance] = []
        has_begun = False
        try:
            await self._take(lanes, taken)
            has_begun = True
            yield
        finally:
            for allowance in taken:
                allowance.give_back(self._now() if has_begun else None)

    async def ready(self, *lanes: Lane) -> None:
        """Wait until a call may begin, but begin none; RateLimited where that takes too long."""
        taken: list[_Allowance] = []
        try:
            await self._take(lanes, taken)
        finally:
            for allowance in taken:
                allowance.give_back(None)

    def has_room(self, *lanes: Lane, spare: float = 0.0) -> bool:
        """Tell whether a call may begin at once, while at least this share of each allowance is left."""
        return all(self._left(lane) >= max(1.0, spare * (lane.pace.calls if lane.pace else 1)) for lane in lanes)

    def hold(self, lane: Lane, seconds: float) -> None:
        """Remember that the platform wants to hear nothing more in a lane for some time; others go on."""
        allowance = self._allowance(lane)
        allowance.quiet_until = max(allowance.quiet_until, self._now() + seconds)

    def is_held(self, lane: Lane) -> bool:
        """Tell whether the platform wants to hear nothing in a lane."""
        return self._allowance(lane).quiet_until > self._now()

    async def _take(self, lanes: Sequence[Lane], taken: list[_Allowance]) -> None:
        latest = self._now() + LONGEST_WAIT_S
        for lane in lanes:
            taken.append(await self._taken(lane, latest))

    async def _taken(self, lane: Lane, latest: float) -> _Allowance:
        allowance = self._allowance(lane)
        ticket = object()
        allowance.waiting.append(ticket)
        try:
            while (due := allowance.due(allowance.waiting.index(ticket), self._now())) > self._now():
                if due > latest:
                    raise RateLimited(f"{lane}: called too often for now", retry_after_s=due - self._now())
                await self._sleep(due - self._now())
        finally:
            allowance.waiting.remove(ticket)
        allowance.under_way += 1
        return allowance

    def _left(self, lane: Lane) -> int:
        return self._allowance(lane).left(self._now())

    def _allowance(self, lane: Lane) -> _Allowance:
        if lane.name not in self._allowances and len(self._allowances) >= MOST_LANES:
            now = self._now()
            self._allowances = {name: one for name, one in self._allowances.items() if not one.is_idle(now)}
        return self._allowances.setdefault(lane.name, _Allowance(lane.pace))
