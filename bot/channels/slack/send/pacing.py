"""Keeps to Slack's limits, for each method in each workspace or channel: waits a little, or says for how long."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from knowledge.errors import RateLimited

# Whoever would have to wait longer is told so, and does something else meanwhile.
LONGEST_WAIT_S = 5.0
# So many places are remembered before those are forgotten where nothing was called lately.
MOST_PLACES = 5_000


@dataclass(frozen=True, slots=True)
class Pace:
    """At most `calls` within any `seconds`, of a workspace or of one channel."""

    calls: int
    seconds: float
    is_per_channel: bool = False


_TIER_2 = Pace(20, 60.0)
_TIER_3 = Pace(50, 60.0)
_TIER_4 = Pace(100, 60.0)
# docs.slack.dev/apis/web-api/rate-limits; a posting a second in a channel, and short bursts are let pass.
PACES: Mapping[str, Pace] = {
    "chat.postMessage": Pace(3, 3.0, is_per_channel=True),
    "chat.postEphemeral": _TIER_4,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "chat.startStream": _TIER_2,
    "chat.stopStream": _TIER_2,
    "chat.appendStream": _TIER_4,
    "conversations.info": _TIER_3,
    "conversations.history": _TIER_3,
    "conversations.members": _TIER_4,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
    "reactions.add": _TIER_3,
    "reactions.remove": _TIER_2,
    "users.info": _TIER_4,
    "users.list": _TIER_2,
}

_Key = tuple[str, str, str]


@dataclass(slots=True)
class _Place:
    """When a method was or will be called somewhere, and until when Slack wants to hear nothing of it."""

    turns: deque[float] = field(default_factory=deque)
    quiet_until: float = 0.0


class Pacing:
    """Gives each call its turn; `now` is a clock that only goes forward."""

    def __init__(
        self,
        paces: Mapping[str, Pace] = PACES,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._paces = paces
        self._now = now
        self._sleep = sleep
        self._places: dict[_Key, _Place] = {}

    async def turn(self, method: str, workspace: str, channel: str) -> None:
        """Wait until a method may be called; RateLimited where that takes too long, and then nothing is taken."""
        place = self._place(method, workspace, channel)
        due = self._due(method, place)
        if due - self._now() > LONGEST_WAIT_S:
            raise RateLimited(f"{method} has been called too often in {channel}", retry_after_s=due - self._now())
        self._take(method, place, due)
        while (wait_s := max(due, place.quiet_until) - self._now()) > 0:
            if wait_s > LONGEST_WAIT_S:
                raise RateLimited(f"Slack wants no {method} in {channel} for now", retry_after_s=wait_s)
            await self._sleep(wait_s)

    def has_room(self, method: str, workspace: str, channel: str) -> bool:
        """Tell whether a method may be called at once."""
        return self._due(method, self._place(method, workspace, channel)) <= self._now()

    def hold(self, method: str, workspace: str, channel: str, retry_after_s: float) -> None:
        """Remember that Slack wants to hear nothing of a method for some time; other places go on."""
        place = self._place(method, workspace, channel)
        place.quiet_until = max(place.quiet_until, self._now() + retry_after_s)

    def _place(self, method: str, workspace: str, channel: str) -> _Place:
        pace = self._paces.get(method)
        key = (method, workspace, channel if pace and pace.is_per_channel else "")
        if key not in self._places and len(self._places) >= MOST_PLACES:
            self._forget_idle()
        return self._places.setdefault(key, _Place())

    def _forget_idle(self) -> None:
        longest_s = max((pace.seconds for pace in self._paces.values()), default=0.0)
        since = self._now() - longest_s
        self._places = {
            key: place
            for key, place in self._places.items()
            if place.quiet_until > self._now() or (place.turns and place.turns[-1] > since)
        }

    def _due(self, method: str, place: _Place) -> float:
        """Return when the next call may go out."""
        pace = self._paces.get(method)
        is_full = pace is not None and len(place.turns) >= pace.calls
        free_at = place.turns[0] + pace.seconds if pace and is_full else self._now()
        return max(free_at, place.quiet_until, self._now())

    def _take(self, method: str, place: _Place, due: float) -> None:
        pace = self._paces.get(method)
        if pace is None:
            return
        place.turns.append(due)
        while len(place.turns) > pace.calls:
            place.turns.popleft()
