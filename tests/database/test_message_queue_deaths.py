"""A message whose worker died, or whose job is lost, is worked on by another one; a worker that lives keeps its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.store.message_queue import open_message_queue
from bot.store.queue import open_queue
from knowledge.store.pool import Pool
from knowledge.sync import SyncOptions
from tests.database.message_jobs import due, hurry, keep
from tests.database.recount import rows
from tests.database.stored_messages import Conversations, heard


@asynccontextmanager
async def dying_worker(database_url: str, pool: Pool) -> AsyncIterator[None]:
    """A worker that begins a job and does not end it."""
    begun, is_over = asyncio.Event(), asyncio.Event()

    async def hang(number: int) -> None:
        begun.set()
        await is_over.wait()

    async with open_message_queue(database_url, pool, hang) as queue:
        work = asyncio.create_task(queue.work_off())
        async with asyncio.timeout(10):
            await begun.wait()
        yield
        is_over.set()
        await asyncio.gather(work, return_exceptions=True)


async def be_silent(pool: Pool, seconds: int) -> None:
    """Let all workers have given no sign for so long."""
    await rows(
        pool, f"update procrastinate_workers set last_heartbeat = now() - interval '{seconds} seconds' returning id"
    )


async def free_locks(pool: Pool) -> None:
    """Break the connections that hold messages, as a process that dies does."""
    await rows(
        pool,
        "select pg_terminate_backend(pid) from pg_locks"
        " where locktype = 'advisory' and classid = 4103 and pid <> pg_backend_pid()",
    )


async def test_the_message_of_a_dead_worker_is_done_by_another_soon(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    done: list[int] = []
    do, _ = keep(done, at_least=1)
    await talk.store(heard("1", origin="command"))

    async with dying_worker(database_url, pool), open_message_queue(database_url, pool, do) as queue:
        await free_locks(pool)
        early = await queue.retry_stalled()
        await be_silent(pool, 9)
        late = await queue.retry_stalled()
        await queue.work_off()

        assert (early, late, done) == (0, 1, [1])


async def test_a_worker_that_is_only_slow_keeps_its_message(database_url: str, pool: Pool, talk: Conversations) -> None:
    done: list[int] = []
    do, _ = keep(done, at_least=1)
    await talk.store(heard("1", origin="command"))

    async with dying_worker(database_url, pool), open_message_queue(database_url, pool, do) as queue:
        await be_silent(pool, 60)
        revived = await queue.retry_stalled()
        # Even if somebody else puts it back into the queue.
        await rows(pool, "update procrastinate_jobs set status = 'todo' returning id")
        await queue.work_off()

        assert (revived, done) == (0, [])
        assert await due(pool) == [("todo", 2)]


async def test_the_jobs_of_syncs_are_left_alone(database_url: str, pool: Pool) -> None:
    """Their workers give a sign every 10 s only."""
    async with open_queue(database_url, pool, None) as syncs:  # type: ignore[arg-type]  # nobody does them
        await syncs.enqueue("docs", SyncOptions())
    await rows(
        pool,
        "with worker as (insert into procrastinate_workers (last_heartbeat) values (now() - interval '20 s')"
        " returning id)"
        " update procrastinate_jobs set status = 'doing', worker_id = worker.id from worker returning worker.id",
    )

    async with open_message_queue(database_url, pool, keep([], at_least=1)[0]) as queue:
        await queue.work_off()
        assert (await queue.retry_stalled(), await queue.enqueue_lost()) == (0, [])

    assert await rows(pool, "select status, worker_id is not null from procrastinate_jobs") == [("doing", True)]


async def test_a_message_without_a_job_gets_one(talk: Conversations, pool: Pool) -> None:
    for second, state in enumerate(["waiting", "answering", "replied", "done", "cancelled", "joined"], 1):
        await talk.store(heard(str(second), thread="0.5"))
        await rows(pool, f"update message set state = '{state}' where message = '{second}' returning id")
    await talk.store(heard("7"))
    await rows(pool, "delete from procrastinate_jobs where id <> 7 returning id")
    early = await talk.queue.lost()
    await rows(pool, "update message set received_at = received_at - interval '6 s' returning id")

    assert (early, await talk.queue.lost()) == ([], [1, 2, 3])
    assert await talk.queue.enqueue_lost() == [1, 2, 3]
    assert await talk.queue.lost() == []
    assert await talk.jobs() == [("7", "fake:T1:C1:7"), *((str(n), "fake:T1:C1:0.5") for n in (1, 2, 3))]


async def test_two_who_look_for_lost_messages_give_each_one_job(talk: Conversations) -> None:
    await talk.store(heard("1"))
    await rows(talk.pool, "update message set received_at = received_at - interval '6 s' returning id")
    await rows(talk.pool, "delete from procrastinate_jobs returning id")

    found = await asyncio.gather(*(talk.queue.enqueue_lost() for _ in range(4)))

    assert sorted(found) == [[], [], [], [1]]


async def test_when_the_process_stops_the_message_waits_for_the_next_one(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    begun: list[int] = []

    async def stop(number: int) -> None:
        begun.append(number)
        if len(begun) == 1:
            raise asyncio.CancelledError

    await talk.store(heard("1", origin="command"))
    async with open_message_queue(database_url, pool, stop) as queue:
        await queue.work_off()

    assert (begun, await due(pool)) == ([1, 1], [])


async def test_messages_are_held_anew_when_the_connection_broke(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    """F09."""
    done: list[int] = []
    do, _ = keep(done, at_least=1)

    async with open_message_queue(database_url, pool, do) as queue:
        for second in (1, 2, 3):
            await talk.store(heard(str(second), origin="command", author=f"U{second}"))
            await queue.work_off()
            await rows(
                pool,
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and query like '%advisory_unlock%' and pid <> pg_backend_pid()",
            )
            await hurry(pool)
        await queue.work_off()

    assert sorted({*done}) == [1, 2, 3]
    assert await due(pool) == []
