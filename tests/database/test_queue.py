"""Sync jobs: each is done once, one at a time for a source, whoever dies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.store.queue import SyncJob, SyncQueue, open_queue
from knowledge.errors import RateLimited, SourceBusy, SourceProblem, SourceUnavailable
from knowledge.store.documents import PostgresDocuments
from knowledge.store.overview import sources_overview
from knowledge.store.pool import Pool
from knowledge.store.runs import PostgresRuns
from knowledge.sync import SyncCounts, SyncOptions


@pytest.fixture
def done() -> list[SyncJob]:
    return []


@pytest.fixture
async def queue(database_url: str, pool: Pool, done: list[SyncJob]) -> AsyncIterator[SyncQueue]:
    async def do(job: SyncJob) -> None:
        done.append(job)

    async with open_queue(database_url, pool, do) as opened:
        yield opened


@asynccontextmanager
async def dying_worker(database_url: str, pool: Pool) -> AsyncIterator[SyncQueue]:
    """A queue whose worker begins a job and never ends it."""
    begun = asyncio.Event()

    async def hang(job: SyncJob) -> None:
        begun.set()
        await asyncio.Event().wait()

    async with open_queue(database_url, pool, hang) as opened:
        await opened.enqueue("docs", SyncOptions())
        working = asyncio.create_task(opened.work(["docs"], forever=False))
        await begun.wait()
        yield opened
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def age(pool: Pool) -> None:
    """Let whatever was begun have been begun a minute ago, by workers that gave no sign since."""
    async with pool.connection() as connection:
        await connection.execute("update procrastinate_events set at = at - interval '1 minute'")
        await connection.execute("update procrastinate_workers set last_heartbeat = now() - interval '1 minute'")


async def test_jobs_wait_until_their_source_is_worked_for(queue: SyncQueue, done: list[SyncJob]) -> None:
    await queue.enqueue("docs", SyncOptions(full=True))
    await queue.enqueue("other", SyncOptions(), by_clock=True)

    await queue.work(["docs"], forever=False)
    first = [(job.source, job.options.full, job.by_clock, job.options.retry_failed) for job in done]
    await queue.work(["docs", "other"], forever=False)

    assert first == [("docs", True, False, True)]
    assert [(job.source, job.by_clock, job.options.retry_failed) for job in done[1:]] == [("other", True, False)]


@pytest.mark.parametrize("name", ["x" * 200, "База знаний техподдержки компании", "a\nb"])
async def test_any_name_of_a_source_can_be_queued(queue: SyncQueue, done: list[SyncJob], name: str) -> None:
    await queue.enqueue(name, SyncOptions())

    await queue.work([name], forever=False)

    assert [job.source for job in done] == [name]


async def test_confirmed_deletions_are_forgotten_when_the_sync_comes_late(
    pool: Pool, queue: SyncQueue, done: list[SyncJob]
) -> None:
    await queue.enqueue("docs", SyncOptions(confirm_deletes=True))
    await queue.work(["docs"], forever=False)
    await queue.enqueue("docs", SyncOptions(confirm_deletes=True))
    async with pool.connection() as connection:
        await connection.execute("""update procrastinate_jobs set args = args || '{"asked_at": 0}'""")

    await queue.work(["docs"], forever=False)

    assert [job.options.confirm_deletes for job in done] == [True, False]


async def test_equal_syncs_wait_once_and_others_beside_them(queue: SyncQueue, done: list[SyncJob]) -> None:
    waiting = [await queue.enqueue("docs", SyncOptions()) for _ in range(3)]
    thorough = await queue.enqueue("docs", SyncOptions(full=True))

    await queue.work(["docs"], forever=False)

    assert len({*waiting, thorough}) == len(done) == 2
    assert await queue.is_over(thorough)


async def test_a_source_that_does_not_answer_is_tried_again_by_the_clock_only(database_url: str, pool: Pool) -> None:
    tried: list[bool] = []

    async def fail(job: SyncJob) -> None:
        tried.append(job.by_clock)
        if job.by_clock:
            raise SourceUnavailable("no connection")

    async with open_queue(database_url, pool, fail) as opened:
        by_clock = await opened.enqueue("docs", SyncOptions(), by_clock=True)
        by_hand = await opened.enqueue("docs", SyncOptions())
        await opened.work(["docs"], forever=False)

        assert sorted(tried) == [False, True]
        assert [await opened.is_over(job) for job in (by_clock, by_hand)] == [True, True]
    assert await waiting(pool) == [(1, 60)]


async def test_another_try_waits_once_as_long_as_it_is_asked_for_and_not_for_ever(
    database_url: str, pool: Pool
) -> None:
    async def fail(job: SyncJob) -> None:
        raise RateLimited("busy", retry_after_s=2_000)

    async with open_queue(database_url, pool, fail) as opened:
        found = []
        for _ in range(5):
            await opened.enqueue("docs", SyncOptions(), by_clock=True)
            await opened.work(["docs"], forever=False)
            found.append(await waiting(pool))
            async with pool.connection() as connection:
                await connection.execute("update procrastinate_jobs set scheduled_at = least(scheduled_at, now())")

    assert found[:4] == [[(1, 2_000)], [(2, 2_000)], [(3, 2_000)], [(1, 2_000)]]


async def waiting(pool: Pool) -> list[tuple[int, int]]:
    """Return the attempts of the jobs that wait for later, and for how many seconds they do."""
    async with pool.connection() as connection:
        rows = await connection.execute(
            "select (args ->> 'attempt')::int, round(extract(epoch from scheduled_at - now()))::int"
            " from procrastinate_jobs where status = 'todo' order by id"
        )
        return [(attempt, seconds) for attempt, seconds in await rows.fetchall()]


async def test_a_dead_job_whose_equal_waits_already_is_dropped(
    database_url: str, pool: Pool, queue: SyncQueue, done: list[SyncJob]
) -> None:
    async with dying_worker(database_url, pool):
        again = await queue.enqueue("docs", SyncOptions())
        await age(pool)

        assert await queue.retry_stalled() == 1
        await queue.work(["docs"], forever=False)

    assert [job.id for job in done] == [again]


async def test_the_job_of_a_dead_worker_is_done_again(
    database_url: str, pool: Pool, queue: SyncQueue, done: list[SyncJob]
) -> None:
    async with dying_worker(database_url, pool):
        assert await queue.retry_stalled() == 0
        await age(pool)

        assert await queue.retry_stalled() == 1
        await queue.work(["docs"], forever=False)

    assert [job.source for job in done] == ["docs"]


async def test_one_run_holds_a_source_and_the_other_is_told_how_far_it_is(pool: Pool) -> None:
    source_id = await PostgresDocuments(pool).open_source("docs", "fake")
    runs = PostgresRuns(pool)

    async with runs.hold("docs", source_id) as run:
        run.tell(3, 10)
        await asyncio.sleep(0.5)
        with pytest.raises(SourceBusy, match=r"synced by another process .*, 3 of 10 documents"):
            async with runs.hold("docs", source_id):
                raise AssertionError("two at once")
        (running,) = await sources_overview(pool)
        await run.finish(SyncCounts(added=10))
    (ended,) = await sources_overview(pool)

    assert (running.state, running.done, running.total) == ("running", 3, 10)
    assert ended.state == "never synced"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SourceProblem("no such space"), "no such space"),
        (asyncio.CancelledError(), "stopped before it was done"),
        (KeyError("x"), "a mistake of ours (KeyError)"),
    ],
)
async def test_a_run_remembers_why_it_ended(pool: Pool, error: BaseException, told: str) -> None:
    source_id = await PostgresDocuments(pool).open_source("docs", "fake")

    with pytest.raises(type(error)):
        async with PostgresRuns(pool).hold("docs", source_id):
            raise error

    (source,) = await sources_overview(pool)
    assert source.state == "failed"
    assert told in (source.error or "")
    assert source.failed_at is not None


async def test_a_run_that_was_killed_is_closed_by_the_next(pool: Pool) -> None:
    source_id = await PostgresDocuments(pool).open_source("docs", "fake")
    async with pool.connection() as connection:
        await connection.execute("insert into sync_run (source_id) values (%s)", [source_id])
    (killed,) = await sources_overview(pool)

    async with PostgresRuns(pool).hold("docs", source_id, job_id=7) as run:
        await run.finish(SyncCounts())

    assert killed.state == "interrupted"
    async with pool.connection() as connection:
        rows = await (await connection.execute("select error is null from sync_run order by id")).fetchall()
    assert rows == [(False,), (True,)]
