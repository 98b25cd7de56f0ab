"""One process at a time holds a post, and the next one has it when that dies."""

import asyncio
from contextlib import suppress

import pytest

from bot.election import PostgresElection
from knowledge.errors import DatabaseUnavailable
from knowledge.store.pool import Pool
from tests.database.recount import rows


class Worker:
    """Works until it is told to stop, and counts those that do so at the same time."""

    at_once = 0

    def __init__(self) -> None:
        self.is_working = asyncio.Event()
        self.stop = asyncio.Event()
        self.stood_by = 0

    async def work(self) -> None:
        Worker.at_once += 1
        assert Worker.at_once == 1
        self.is_working.set()
        try:
            await self.stop.wait()
        finally:
            Worker.at_once -= 1

    def stand_by(self) -> None:
        self.stood_by += 1


async def test_the_next_one_works_when_the_first_has_stopped(pool: Pool) -> None:
    election = PostgresElection(pool, stand_by_s=0.05)
    first, second = Worker(), Worker()
    leading = asyncio.create_task(election.lead("poller", first.work, stand_by=first.stand_by))
    await asyncio.wait_for(first.is_working.wait(), 5)
    waiting = asyncio.create_task(election.lead("poller", second.work, stand_by=second.stand_by))
    await asyncio.sleep(0.2)
    was_working = second.is_working.is_set()

    leading.cancel()
    with suppress(asyncio.CancelledError):
        await leading
    await asyncio.wait_for(second.is_working.wait(), 5)
    second.stop.set()
    await waiting

    assert (was_working, second.stood_by > 0, first.stood_by) == (False, True, 0)


async def test_other_posts_are_free(pool: Pool) -> None:
    election = PostgresElection(pool, stand_by_s=0.05)
    one = Worker()
    leading = asyncio.create_task(election.lead("a", one.work, stand_by=one.stand_by))
    await asyncio.wait_for(one.is_working.wait(), 5)

    done = asyncio.Event()

    async def other() -> None:
        done.set()

    await asyncio.wait_for(election.lead("b", other, stand_by=one.stand_by), 5)
    one.stop.set()
    await leading

    assert done.is_set()


async def test_who_loses_the_database_loses_the_post_and_stops(pool: Pool) -> None:
    election = PostgresElection(pool, stand_by_s=0.05)
    worker = Worker()
    leading = asyncio.create_task(election.lead("poller", worker.work, stand_by=worker.stand_by))
    await asyncio.wait_for(worker.is_working.wait(), 5)

    await rows(pool, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 4102")
    with pytest.raises(DatabaseUnavailable):
        await leading

    assert Worker.at_once == 0


async def test_what_breaks_the_work_is_told(pool: Pool) -> None:
    async def breaks() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await PostgresElection(pool).lead("poller", breaks, stand_by=lambda: None)
