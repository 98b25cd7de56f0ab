"""What people see while an answer is made, and that nothing of it stays."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.channels.slack.send.stage import Means
from bot.core.outgoing import Trace
from tests.scenario.slack_office import Office, open_office
from tests.wire.slack.faults import Fault

SET_STATUS = "assistant.threads.setStatus"


@pytest.fixture
async def still() -> AsyncIterator[Office]:
    """An office where no answer is shown while it grows."""
    async with open_office(means=Means(has_stream=False)) as office:
        yield office


async def test_two_threads_at_once_have_a_status_of_their_own_and_lose_it(still: Office) -> None:
    questions = [still.asks("U1"), still.asks("U2", number=2)]
    keys = [("C1", question.incoming.message) for question in questions]
    statuses = still.slack.statuses

    async with still.channel.showing(questions[0], still.traces) as one:
        await one.step("retrieve")
        async with still.channel.showing(questions[1], still.traces) as other:
            await other.step("read")
            await still.slack.until(lambda: len(statuses) == 2)
            shown = [statuses[key].text for key in keys]
        left = list(statuses)

    assert shown == ["Searching the documents…", "Reading what I found…"]
    assert (left, list(statuses)) == ([keys[0]], [])


async def test_the_trace_of_a_status_is_left_before_it_is_seen_and_wiped_with_it(still: Office) -> None:
    question = still.asks()
    still.slack.inject(SET_STATUS, Fault.delayed(0.2))

    async with still.channel.showing(question, still.traces) as showing:
        await showing.step("retrieve")
        await still.slack.until(lambda: "status" in still.traces.left)
        before = still.slack.statuses == {} or still.called(SET_STATUS) == 1

    assert before
    assert (still.traces.left, still.slack.statuses) == ({}, {})


REFUSALS = {
    "refused": Fault.error("missing_scope", needed="assistant:write"),
    "broken": Fault.html(),
    "limited": Fault.rate_limited(30),
    "cut": Fault.hang_up(),
}


@pytest.mark.parametrize("fault", REFUSALS.values(), ids=REFUSALS)
async def test_without_a_status_there_is_a_reaction_and_the_answer_comes_all_the_same(
    still: Office, fault: Fault
) -> None:
    question = still.asks()
    still.slack.inject(SET_STATUS, fault, times=None)
    message = still.slack.message("C1", question.incoming.message)

    async with still.channel.showing(question, still.traces) as showing:
        await showing.step("retrieve")
        await still.slack.until(lambda: message.reactions.get("eyes"))
        await still.reply(question)

    assert (len(still.ours()), message.reactions["eyes"]) == (1, [])


async def test_nothing_that_can_be_shown_is_no_reason_for_no_answer(still: Office) -> None:
    question = still.asks()
    for method in (SET_STATUS, "reactions.add", "reactions.remove"):
        still.slack.inject(method, Fault.html(500), times=None)

    async with still.channel.showing(question, still.traces) as showing:
        await showing.step("retrieve")
        await still.reply(question)

    assert len(still.ours()) == 1


async def test_a_slow_status_holds_up_no_answer(still: Office) -> None:
    question = still.asks()
    still.slack.inject(SET_STATUS, Fault.silent(), times=None)

    async with still.channel.showing(question, still.traces) as showing:
        started = time.monotonic()
        await showing.step("retrieve")
        await still.reply(question)
        took_s = time.monotonic() - started

    assert took_s < 1.0


@pytest.mark.parametrize("end", [ValueError("broken"), asyncio.CancelledError()], ids=["failed", "cancelled"])
async def test_a_status_goes_however_the_work_ends(still: Office, end: BaseException) -> None:
    question = still.asks()

    with pytest.raises(type(end)):
        async with still.channel.showing(question, still.traces) as showing:
            await showing.step("retrieve")
            await still.slack.until(lambda: still.slack.statuses)
            raise end

    assert (still.slack.statuses, still.traces.left) == ({}, {})


async def test_a_status_that_cannot_be_cleared_keeps_its_trace_and_goes_with_it(still: Office) -> None:
    question = still.asks()
    still.slack.inject(SET_STATUS, Fault.html(), after=1)

    async with still.channel.showing(question, still.traces) as showing:
        await showing.step("retrieve")
        await still.slack.until(lambda: still.slack.statuses)
    (trace,) = still.traces.left.values()
    await still.channel.wipe(trace)

    assert still.slack.statuses == {}


async def test_a_reaction_of_a_dead_job_is_taken_back_once_and_for_all(still: Office) -> None:
    question = still.asks()
    message = still.slack.message("C1", question.incoming.message)
    message.reactions["eyes"] = [still.slack.workspaces["T1"].bot_user]
    trace = Trace(question.incoming.place, message.ts, "reaction", f"eyes@{message.ts}")

    for _ in range(2):
        await still.channel.wipe(trace)

    assert message.reactions["eyes"] == []


async def test_of_what_was_not_asked_of_us_nothing_is_shown(still: Office) -> None:
    question = still.asks()
    overheard = replace(question, incoming=replace(question.incoming, is_addressed=False))

    async with still.channel.showing(overheard, still.traces) as showing:
        await showing.step("retrieve")
        await asyncio.sleep(0.1)

    assert (still.slack.calls, still.traces.ever) == ([], [])
