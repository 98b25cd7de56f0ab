"""Nothing that a job showed stays visible when nobody works on its message any more."""

from dataclasses import replace

import pytest

from bot.core.outgoing import Trace
from bot.store.traces import PostgresTraces
from knowledge.store.pool import Pool
from tests.database.stored_messages import PLACE, Conversations, heard

STATUS = Trace(PLACE, "1", "status", "thinking")
STREAM = Trace(PLACE, "1", "stream", "s1")


@pytest.fixture
def traces(pool: Pool) -> PostgresTraces:
    return PostgresTraces(pool)


async def test_one_trace_of_a_kind_is_kept_until_it_is_gone(talk: Conversations, traces: PostgresTraces) -> None:
    number = (await talk.heard_and_taken(heard("1"))).number
    for trace in (STATUS, STREAM, replace(STREAM, reference="s2")):
        await traces.leave(number, trace)

    await traces.wipe(number, STATUS)
    await traces.wipe(number, STREAM)

    assert await traces.of(number) == [replace(STREAM, reference="s2")]
    assert await traces.of(number + 1) == []


async def test_what_is_left_of_a_message_that_is_done_with_is_left_over(
    talk: Conversations, traces: PostgresTraces
) -> None:
    number = (await talk.heard_and_taken(heard("1"))).number
    await traces.leave(number, STATUS)
    early = await traces.left_over(60)
    await talk.inbox.finish(number, "refused")

    assert (early, await traces.left_over(60)) == ([], [(number, STATUS)])


@pytest.mark.parametrize(("status", "is_left_over"), [("todo", True), ("doing", False)])
async def test_what_nobody_works_on_is_left_over_after_a_while(
    talk: Conversations, traces: PostgresTraces, status: str, is_left_over: bool
) -> None:
    number = (await talk.heard_and_taken(heard("1"))).number
    await traces.leave(number, STATUS)
    await talk.change(f"update procrastinate_jobs set status = '{status}' returning id")

    assert await traces.left_over(60) == []
    assert await traces.left_over(0) == ([(number, STATUS)] if is_left_over else [])
