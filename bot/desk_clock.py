"""The desks' clock: looks every few seconds for what is to be done, and has the tickets' book do it; one a database."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.core.desk import judging
from bot.core.desk.book import Book
from bot.core.desk.clock import Step, Times, next_step, standing_of
from bot.core.desk.desks import Desks
from bot.core.offered import Election
from bot.core.tickets.acts import Act, Actor
from bot.store.desk_clock import PostgresDeskClock
from knowledge.errors import DatabaseUnavailable
from knowledge.schedule import Schedule, keep_time

# A person who opened a ticket at a terminal does not wait longer than that to see it at its desk; promises are in
# minutes. Three queries by an index each time.
LOOK_EVERY_S = 5.0
# So many at once, so that a long downtime is no flood: what is left comes with the next look.
BATCH = 50
# What failed is left alone for so long.
AGAIN_AFTER = timedelta(minutes=10)
CLOCK = Actor(judging.CLOCK)
POST = "the desks' clock"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Means:
    """What the clock works with."""

    book: Book
    waiting: PostgresDeskClock
    desks: Desks
    times: Times
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


class DesksClock:
    """Does what is to be done now; what fails is left alone for a while, and stops nothing else."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._left_alone: dict[str, dict[int, datetime]] = {}
        self._looks = {"steps": self._take_steps, "cards": self._send_cards, "undelivered": self._tell_undelivered}

    @property
    def looks(self) -> Sequence[str]:
        """What it looks for."""
        return tuple(self._looks)

    async def look(self, what: str) -> None:
        """Look once for one of these, and do it."""
        try:
            await self._looks[what]()
        except DatabaseUnavailable as exc:
            log.warning("%s: %s", POST, exc)

    async def _take_steps(self) -> None:
        now = self._means.now()
        numbers = await self._means.waiting.due(now, limit=BATCH, without=self._leave("steps", now))
        await self._each("steps", numbers, self._step)

    async def _send_cards(self) -> None:
        now = self._means.now()
        placed = [desk.name for desk in self._means.desks if desk.place]
        since = now - self._means.times.expire_after
        without = self._leave("cards", now)
        numbers = await self._means.waiting.uncarded(placed, since=since, now=now, limit=BATCH, without=without)
        await self._each("cards", numbers, self._means.book.card)

    async def _tell_undelivered(self) -> None:
        without = self._leave("undelivered", self._means.now())
        numbers = await self._means.waiting.undelivered(limit=BATCH, without=without)
        await self._each("undelivered", numbers, self._means.book.undelivered)

    async def _step(self, number: int) -> None:
        """Take a ticket's step as it is now: what was planned may have been overtaken while nothing ran."""
        case, now = await self._means.book.case(number), self._means.now()
        if case is None:
            return
        step = next_step(standing_of(case), desk=self._means.desks.named(case.desk), times=self._means.times, now=now)
        if step is None or step.at > now:
            await self._means.waiting.replan(number, step, instead_of=case.next_at)
            return
        outcome = await self._means.book.act(Act(step.kind, number, CLOCK, key=key_of(number, step), at=now))
        log.info("%s of %s: %s", step.kind, number, outcome.came, extra={"ticket": number, "due": step.at.isoformat()})
        if outcome.came != "done":
            later = Step(step.kind, now + AGAIN_AFTER)
            await self._means.waiting.replan(number, later, instead_of=case.next_at)

    def _leave(self, what: str, now: datetime) -> list[int]:
        """Return what is left alone still."""
        still = {number: until for number, until in self._left_alone.get(what, {}).items() if until > now}
        self._left_alone[what] = still
        return list(still)

    async def _each(self, what: str, numbers: Sequence[int], do: Callable[[int], Awaitable[None]]) -> None:
        for number in numbers:
            try:
                await do(number)
            except DatabaseUnavailable:
                raise
            except Exception:
                log.exception("%s: %s %s failed; next try in %s", POST, what, number, AGAIN_AFTER)
                self._left_alone[what][number] = self._means.now() + AGAIN_AFTER


def key_of(number: int, step: Step) -> str:
    """Return what a step is known by: once for each time that it is due."""
    return f"clock:{number}:{step.kind}:{step.at.astimezone(UTC).isoformat()}"


async def keep_desks_time(clock: DesksClock, election: Election) -> None:
    """Be the desks' clock, or stand by while another process is, until cancelled."""

    async def ring() -> None:
        every = Schedule(LOOK_EVERY_S / 60)
        schedules = dict.fromkeys(clock.looks, every)
        await keep_time(schedules, dict.fromkeys(schedules, datetime.now(UTC)), wake=clock.look, planned=_untold)

    await election.lead(POST, ring, stand_by=lambda: log.debug("another process is %s", POST))


async def _untold(name: str, at: datetime | None) -> None:
    """Tell nobody when the clock looks again."""
