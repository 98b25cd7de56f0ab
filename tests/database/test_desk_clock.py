"""The desks' clock over real tickets: what is due happens once, however long nothing ran, and whatever fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.desk.clock import Step, Times
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.hours import Hours
from bot.core.incoming import Place
from bot.core.tickets.acts import Act, Actor, Outcome
from bot.desk_clock import DesksClock, Means, keep_desks_time
from bot.election import PostgresElection
from bot.store import ticket_book
from bot.store.desk_clock import PostgresDeskClock
from bot.store.ticket_book import PostgresBook
from bot.together import until_one_ends
from knowledge.store.pool import Pool
from tests.database.recount import rows

NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)
TIMES = Times(return_after=24 * HOUR, expire_after=14 * 24 * HOUR)
IT = Desk("it", "IT", "en", Hours(), 4 * HOUR, place=Place("fake", "T1", "C1"), fallback="hr")
HR = Desk("hr", "HR", "en", Hours(), 4 * HOUR, place=Place("fake", "T1", "C2"))

_TICKET = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, desk, state, opened_at, touched_at,
                    due_at, next_step, next_at, platform, workspace, channel, root, asker, company)
values ('Where is the key?', 'en', 'no_source', 0.65, '[]', 'f', %(desk)s, %(state)s, %(opened_at)s, %(opened_at)s,
        %(due_at)s, %(step)s, %(next_at)s, 'fake', 'T1', 'C7', '1.1', 'U1', 'public')
returning id
"""
_EVENTS = "select kind from ticket_event where kind <> 'opened' order by id"
_SAID = """
select channel, wire ->> 'errand' from message where origin = 'errand' and wire ->> 'errand' <> 'refresh' order by id
"""


class Stumbling(PostgresBook):
    """Fails over one ticket, and tells when something has happened to another."""

    broken = 0

    def __init__(self, pool: Pool, means: ticket_book.Means) -> None:
        super().__init__(pool, means)
        self.has_acted = asyncio.Event()

    async def act(self, act: Act) -> Outcome:
        if act.number == self.broken:
            raise RuntimeError("this ticket is broken")
        outcome = await super().act(act)
        self.has_acted.set()
        return outcome


@dataclass
class Office:
    """The clock over a database of its own."""

    pool: Pool
    desks: Desks
    book: Stumbling
    waiting: PostgresDeskClock
    clock: DesksClock

    async def ticket(
        self, *, hours_ago: float, state: str = "open", desk: str | None = "it", step: str | None = "remind"
    ) -> int:
        """Store a ticket whose desk had four hours, and whose next step is that of then."""
        opened_at = NOW - hours_ago * HOUR
        row = {
            "desk": desk,
            "state": state,
            "opened_at": opened_at,
            "due_at": opened_at + 4 * HOUR if desk else None,
            "step": step,
            "next_at": opened_at + 3 * HOUR if step else None,
        }
        async with self.pool.connection() as connection:
            found = await (await connection.execute(_TICKET, row)).fetchone()
        assert found is not None
        return int(found[0])

    async def look(self, *what: str) -> None:
        """Look for everything, more often than there is anything to do."""
        for _ in range(5):
            for name in what or self.clock.looks:
                await self.clock.look(name)

    async def happened(self) -> list[str]:
        return [kind for (kind,) in await rows(self.pool, _EVENTS)]

    async def said(self) -> list[tuple[str, str]]:
        return await rows(self.pool, _SAID)

    async def next_of(self, number: int) -> tuple[str | None, datetime | None]:
        (found,) = await rows(self.pool, f"select next_step, next_at from ticket where id = {number}")
        return found


@asynccontextmanager
async def office_of(pool: Pool, *desks: Desk) -> AsyncIterator[Office]:
    known = Desks(desks or (IT, HR))
    book = Stumbling(pool, ticket_book.Means(known, TIMES))
    waiting = PostgresDeskClock(pool)
    yield Office(pool, known, book, waiting, DesksClock(Means(book, waiting, known, TIMES)))


@pytest.fixture
async def office(pool: Pool) -> AsyncIterator[Office]:
    async with office_of(pool) as opened:
        yield opened


@pytest.mark.parametrize(
    ("hours_ago", "state", "happened"),
    [
        (2, "open", []),
        (3.5, "open", ["remind"]),
        # Nothing ran meanwhile: the reminder is overtaken.
        (5, "open", ["escalate", "late"]),
        (5, "claimed", ["escalate", "late"]),
        (30, "claimed", ["time_out"]),
        (30, "answered", ["time_out"]),
        (15 * 24, "open", ["expire"]),
        (30, "closed", []),
    ],
)
async def test_each_side_hears_once_of_what_became_due(
    office: Office, hours_ago: float, state: str, happened: list[str]
) -> None:
    await office.ticket(hours_ago=hours_ago, state=state)

    await office.look("steps")

    assert await office.happened() == happened


async def test_reminder_and_lateness_are_said_where_they_belong(office: Office) -> None:
    number = await office.ticket(hours_ago=5)
    await office.look("cards")
    await office.look("steps")

    said = await office.said()

    assert sorted(said) == [("C1", "card"), ("C1", "notice"), ("C2", "card"), ("C7", "told")]
    assert (await office.next_of(number))[0] == "expire"


async def test_a_plan_that_was_overtaken_is_made_anew(office: Office) -> None:
    number = await office.ticket(hours_ago=4.5, state="answered", step="late")

    await office.look("steps")

    assert (await office.happened(), await office.next_of(number)) == ([], ("time_out", NOW + 19.5 * HOUR))


async def test_a_plan_is_not_overwritten_that_somebody_else_has_made_meanwhile(office: Office) -> None:
    number = await office.ticket(hours_ago=1)
    _, before = await office.next_of(number)
    await office.book.act(Act("claim", number, Actor("terminal:ann"), "1"))

    await office.waiting.replan(number, Step("expire", NOW), instead_of=NOW)
    await office.waiting.replan(number, Step("remind", NOW), instead_of=before)

    step, _ = await office.next_of(number)
    assert step == "remind"


async def test_a_ticket_that_fails_stops_no_other_and_is_left_alone(office: Office) -> None:
    office.book.broken = await office.ticket(hours_ago=5)
    for _ in range(2):
        await office.ticket(hours_ago=3.5)

    await office.look("steps")

    assert await office.happened() == ["remind", "remind"]


async def test_a_ticket_that_never_had_a_card_gets_it_once_its_desk_has_a_place(pool: Pool) -> None:
    async with office_of(pool, Desk("it", "IT", "en", Hours(), 4 * HOUR)) as office:
        await office.ticket(hours_ago=1)
        await office.ticket(hours_ago=1, state="closed")
        await office.ticket(hours_ago=1, desk=None)
        await office.look("cards")
        before = await office.said()

        office.desks.replace(IT)
        await office.look("cards")

        assert (before, await office.said()) == ([], [("C1", "card")])


async def test_what_waits_too_long_for_a_place_gets_no_card_any_more(office: Office) -> None:
    await office.ticket(hours_ago=15 * 24)

    await office.look("cards")

    assert await office.said() == []


async def test_a_card_that_did_not_arrive_goes_to_the_other_desk_once(office: Office) -> None:
    await office.ticket(hours_ago=1)
    await office.look("cards")
    await rows(office.pool, "update message set state = 'undeliverable', reason = 'gone' returning id")

    await office.look()

    assert await office.said() == [("C1", "card"), ("C2", "card")]
    assert await office.happened() == ["undelivered"]


async def test_many_that_became_due_are_done_in_batches_and_each_once(office: Office) -> None:
    for _ in range(60):
        await office.ticket(hours_ago=5)

    await office.look("steps")

    happened = await office.happened()
    assert (happened.count("escalate"), happened.count("late"), len(happened)) == (60, 60, 120)


async def test_two_clocks_at_once_do_everything_once(office: Office) -> None:
    await office.ticket(hours_ago=5)
    second = DesksClock(Means(office.book, office.waiting, office.desks, TIMES))

    async def tick(clock: DesksClock) -> None:
        for _ in range(5):
            await clock.look("steps")

    await until_one_ends(tick(office.clock), tick(second))
    await office.look("steps")

    assert sorted(await office.happened()) == ["escalate", "late"]


async def test_the_clock_runs_until_it_is_stopped(office: Office) -> None:
    await office.ticket(hours_ago=3.5)

    async def stop() -> None:
        await office.book.has_acted.wait()

    await until_one_ends(keep_desks_time(office.clock, PostgresElection(office.pool)), stop())

    assert await office.happened() == ["remind"]
