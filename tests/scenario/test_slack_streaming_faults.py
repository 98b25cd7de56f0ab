"""Whatever fails while an answer grows, one message shows the reply in the end."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.channels.slack.send.stage import Means
from bot.core.errors import MaybeSent
from bot.core.outgoing import Trace
from knowledge.errors import RateLimited
from tests.scenario.slack_office import FIRST, REPLY, SECOND, THIRD, WHOLE, Office, open_office
from tests.wire.slack.faults import Fault


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with open_office(means=Means(stream_after_s=0.1)) as office:
        yield office


async def test_what_grew_until_a_failure_is_completed_by_the_next_attempt(office: Office) -> None:
    question = office.asks()
    with pytest.raises(ValueError, match="broken"):
        async with office.channel.showing(question, office.traces) as showing:
            message = await office.grown(question, FIRST, showing=showing)
            raise ValueError("broken")

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await asyncio.sleep(0.3)
        await office.reply(question)

    assert [one.ts for one in office.ours()] == [message.ts]
    assert all(sentence.text in message.reading for sentence in (FIRST, SECOND, THIRD))
    assert (office.called("chat.startStream"), message.is_streaming, office.traces.left) == (1, False, {})


async def test_another_process_finds_what_grew_before_its_name_was_noted(office: Office) -> None:
    question = office.asks()
    with pytest.raises(ValueError, match="broken"):
        async with office.channel.showing(question, office.traces) as showing:
            await office.grown(question, FIRST, showing=showing)
            raise ValueError("broken")
    unnamed = next(trace for trace in office.traces.ever if trace.reference.startswith("after:"))
    office.traces.left = {"stream": unnamed}

    await office.reply(question)

    assert [THIRD.text in text for text in office.shown()] == [True]


async def test_what_was_about_to_grow_when_its_process_died_is_a_post(office: Office) -> None:
    question = office.asks()
    earlier = office.asks(number=2)
    await office.reply(earlier)
    await office.traces.leave(1, Trace(question.incoming.place, question.root, "stream", "after:0"))

    await office.reply(question)

    assert len(office.ours()) == 2


async def test_what_follows_never_takes_the_place_of_a_beginning_that_was_sent(office: Office) -> None:
    question = office.asks()
    (first,) = office.channel.render(REPLY, question)
    beginning = await office.channel.send(first)
    left = Trace(question.incoming.place, question.root, "stream", str(beginning))

    await office.channel.send(replace(first, position=2, marker="another"), over=left)

    assert len(office.ours()) == 2


async def test_an_answer_whose_beginning_was_not_confirmed_is_found(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.startStream", Fault.lost_confirmation())

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await office.slack.until(lambda: office.ours())
        await office.reply(question)

    assert [THIRD.text in text for text in office.shown()] == [True]


async def test_the_end_of_a_growing_answer_that_was_not_confirmed_is_found(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.stopStream", Fault.lost_confirmation())

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        await office.reply(question)

    assert ([one.ts for one in office.ours()], message.streamed) == ([message.ts], WHOLE)


@pytest.mark.parametrize(("fault", "error"), [(Fault.hang_up(), MaybeSent), (Fault.rate_limited(1), RateLimited)])
async def test_the_end_of_a_growing_answer_that_failed_comes_with_the_next_attempt(
    office: Office, fault: Fault, error: type[Exception]
) -> None:
    question = office.asks()
    office.slack.inject("chat.stopStream", fault)
    with pytest.raises(error):
        async with office.channel.showing(question, office.traces) as showing:
            message = await office.grown(question, FIRST, showing=showing)
            await office.reply(question)

    await office.deliver(question)

    assert [one.ts for one in office.ours()] == [message.ts]
    assert THIRD.text in message.reading


async def test_over_the_tier_answers_are_posted_and_nothing_grows(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.startStream", Fault.rate_limited(30), times=None)

    for _ in range(2):
        async with office.channel.showing(question, office.traces) as showing:
            await showing.step("retrieve")
            await showing.show([FIRST])
            await asyncio.sleep(0.3)
        office.traces.left.clear()
    await office.reply(question)

    assert (office.called("chat.startStream"), len(office.ours())) == (1, 1)


async def test_a_workspace_that_takes_no_tasks_sees_the_answer_grow_without_them(office: Office) -> None:
    question = office.asks()
    office.slack.inject("chat.startStream", Fault.error("invalid_chunks"))

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        await office.reply(question)

    assert message.stream
    assert (message.stream.tasks, message.streamed) == ({}, WHOLE)
