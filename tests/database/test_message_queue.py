"""Every stored message is worked on until it is done with, by one worker at a time, whoever dies."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from bot.core.errors import MaybeSent
from bot.store.message_queue import MessageQueue, open_message_queue
from bot.store.outbox import PostgresOutbox
from bot.store.queue import open_queue
from knowledge.errors import DatabaseUnavailable, RateLimited, TransientError
from knowledge.store.pool import Pool
from tests.database.recount import rows
from tests.database.stored_messages import PLACE, Conversations, heard, open_conversations, parcels_for

Do = Callable[[int], Awaitable[None]]


@pytest.fixture
async def talk(database_url: str, pool: Pool) -> AsyncIterator[Conversations]:
    async with open_conversations(database_url, pool) as opened:
        yield opened


@asynccontextmanager
async def working(queue: MessageQueue) -> AsyncIterator[None]:
    """Have the jobs done meanwhile."""
    work = asyncio.create_task(queue.work())
    yield
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.05)


def keep(done: list[int], *, at_least: int) -> tuple[Do, asyncio.Event]:
    """Return a `do` that only remembers, and what tells that it has been called so often."""
    enough = asyncio.Event()

    async def do(number: int) -> None:
        done.append(number)
        if len(done) >= at_least:
            enough.set()

    return do, enough


async def due(pool: Pool) -> list[tuple[str, int]]:
    """Return the status of each job, and in how many seconds its time comes."""
    return [
        (str(status), int(seconds))
        for status, seconds in await rows(
            pool,
            "select status, greatest(0, round(coalesce(extract(epoch from scheduled_at - now()), 0))::int)"
            " from procrastinate_jobs order by id",
        )
    ]


async def hurry(pool: Pool) -> None:
    """Let the time of all jobs have come."""
    await rows(pool, "update procrastinate_jobs set scheduled_at = now() where status = 'todo' returning id")


async def test_a_message_is_done_when_its_time_has_come_and_its_job_is_gone(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    done: list[int] = []
    do, all_done = keep(done, at_least=2)

    async with open_message_queue(database_url, pool, do) as queue, working(queue):
        await talk.store(heard("1"))
        await talk.store(heard("2", origin="command", author="U2"))
        async with asyncio.timeout(10):
            await all_done.wait()
        await until(lambda: is_empty(pool))

    # The command does not wait for more, as the message does.
    assert done == [2, 1]


async def is_empty(pool: Pool) -> bool:
    return await due(pool) == []


async def test_messages_of_one_conversation_are_done_one_after_another_and_others_beside_them(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    at_once: list[set[int]] = []
    running: set[int] = set()

    async def do(number: int) -> None:
        running.add(number)
        at_once.append(set(running))
        await asyncio.sleep(0.4)
        running.remove(number)

    for second, thread in enumerate(["0.1", "0.1", "0.2"], 1):
        await talk.store(heard(str(second), thread=thread, origin="command"))
    async with open_message_queue(database_url, pool, do) as queue, working(queue):
        await until(lambda: is_empty(pool))

    assert at_once in ([{1}, {1, 3}, {2}], [{1}, {1, 3}, {2, 3}])


@pytest.mark.parametrize(
    ("failure", "waits"),
    [
        (TransientError("down"), [1, 3, 10, 30, 60, 120, 120]),
        (MaybeSent("who knows"), [1, 3]),
        (RateLimited("busy", retry_after_s=400), [400, 400]),
        (KeyError("x"), [2, 2, 2, 2]),
    ],
)
async def test_what_failed_is_tried_again_later(
    database_url: str, pool: Pool, talk: Conversations, failure: Exception, waits: Sequence[int]
) -> None:
    async def fail(number: int) -> None:
        raise failure

    await talk.store(heard("1", origin="command"))
    found = []
    async with open_message_queue(database_url, pool, fail) as queue:
        for _ in waits:
            await queue.work_off()
            ((status, seconds),) = await due(pool)
            found.append(seconds)
            await hurry(pool)

    assert (status, found) == ("todo", list(waits))


@pytest.mark.parametrize(("failure", "attempts"), [(TransientError("down"), 0), (KeyError("x"), 1)])
async def test_only_what_is_the_messages_own_fault_is_counted(
    database_url: str, pool: Pool, talk: Conversations, failure: Exception, attempts: int
) -> None:
    """F08."""

    async def fail(number: int) -> None:
        await talk.inbox.take(number)
        raise failure

    await talk.store(heard("1", origin="command"))
    async with open_message_queue(database_url, pool, fail) as queue:
        await queue.work_off()

    assert await rows(pool, "select attempts, state from message") == [(attempts, "answering")]


async def test_after_a_day_an_outage_counts_and_a_planned_reply_is_given_up(
    database_url: str, pool: Pool, talk: Conversations
) -> None:
    """F30."""

    async def fail(number: int) -> None:
        await talk.inbox.take(number)
        raise TransientError("down")

    await talk.store(heard("1", origin="command"))
    question = await talk.heard_and_taken(heard("2", origin="command"))
    await talk.outbox.plan(question, parcels_for(question, "A."), asker="U1")
    await rows(pool, "update message set received_at = received_at - interval '1 day' returning id")
    async with open_message_queue(database_url, pool, fail) as queue:
        await queue.work_off()
        await hurry(pool)
        await rows(pool, "update procrastinate_jobs set lock = id::text returning id")
        await queue.work_off()

    assert await rows(pool, "select message, state, attempts from message order by id") == [
        ("1", "answering", 2),
        ("2", "undeliverable", 2),
    ]
    assert await rows(pool, "select state from parcel") == [("dead",)]
    assert [status for status, _ in await due(pool)] == ["todo"]


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


async def test_the_jobs_of_syncs_are_left_alone(database_url: str, pool: Pool, talk: Conversations) -> None:
    """Their workers give a sign every 10 s only."""
    async with open_queue(database_url, pool, None) as syncs:  # type: ignore[arg-type]  # nobody does them
        from knowledge.sync import SyncOptions

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


async def test_two_who_look_for_lost_messages_give_each_one_job(database_url: str, talk: Conversations) -> None:
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


async def test_a_queue_without_a_database_says_so(database_url: str, pool: Pool, talk: Conversations) -> None:
    async with pool.connection() as connection:
        await connection.execute("alter table procrastinate_jobs rename to gone")

        with pytest.raises(DatabaseUnavailable, match="job queue failed"):
            await talk.queue.enqueue(connection, 1, lock="x", wait_s=0)


async def test_the_whole_way_from_a_message_to_a_sent_reply(database_url: str, pool: Pool, talk: Conversations) -> None:
    outbox = PostgresOutbox(pool)

    async def answer(number: int) -> None:
        if question := await talk.inbox.take(number):
            await talk.answer(question, question.text.upper())

    async with open_message_queue(database_url, pool, answer) as queue, working(queue):
        for second, text in [("1", "one"), ("1.5", "two"), ("9", "three")]:
            await talk.store(heard(second, text))
        await talk.inbox.delete(PLACE, "9")
        await until(lambda: is_empty(pool))

    assert await rows(pool, "select text from message where role = 'assistant'") == [("ONE\nTWO",)]
    assert await talk.states() == {"1": "joined", "1.5": "done", "9": "cancelled"}
    assert await outbox.unsent(2) == []
