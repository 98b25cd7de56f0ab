"""Every stored message is worked on when its time has come, by one worker at a time, until it is done with."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.core.errors import MaybeSent
from bot.store.message_queue import open_message_queue
from bot.store.outbox import PostgresOutbox
from knowledge.errors import DatabaseUnavailable, RateLimited, TransientError
from knowledge.store.pool import Pool
from tests.database.message_jobs import due, hurry, is_empty, keep, until, working
from tests.database.recount import rows
from tests.database.stored_messages import PLACE, Conversations, heard, parcels_for


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


async def test_a_queue_without_a_database_says_so(pool: Pool, talk: Conversations) -> None:
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
