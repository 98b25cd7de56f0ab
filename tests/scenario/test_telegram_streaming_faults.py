"""Whatever fails while an answer grows, one message shows the reply in the end."""

from dataclasses import replace

import pytest

from bot.core.errors import MaybeSent
from bot.core.incoming import Question
from bot.core.outgoing import Trace
from knowledge.errors import RateLimited
from tests.fakes.telegram_sending import asked
from tests.scenario.telegram_office import (
    AGAIN,
    FIRST,
    REPLY,
    THIRD,
    Office,
    whole,
)
from tests.wire.telegram import GROUP, Fault


async def broken_off(office: Office, question: Question) -> None:
    with pytest.raises(ValueError, match="broken"):
        async with office.channel.showing(question, office.traces) as showing:
            await office.grown(question, showing, FIRST)
            raise ValueError("broken")


async def test_what_grew_until_a_failure_becomes_the_reply_of_the_next_attempt(office: Office) -> None:
    question = office.asks()
    await broken_off(office, question)

    await office.words(question, every_s=0.2)

    (message,) = office.ours()
    assert (whole([message.text]), AGAIN in message.text, office.traces.left) == (True, False, {})
    assert office.called("sendMessage") == 1


async def test_what_a_dead_job_left_is_taken_back(office: Office) -> None:
    question = office.asks()
    await broken_off(office, question)

    for trace in [*office.traces.left.values()] * 2:
        await office.channel.wipe(trace)

    assert office.ours() == []


async def test_what_nobody_can_find_stays(office: Office) -> None:
    await office.channel.wipe(Trace(asked().incoming.place, "", "stream", "?"))

    assert office.telegram.calls == []


async def test_where_a_beginning_was_not_confirmed_the_reply_says_that_it_may_be_the_second(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.lost_confirmation())

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await office.telegram.until(lambda: office.ours())
        await office.reply(question)

    beginning, reply = office.shown()
    assert (THIRD.text in beginning, reply.startswith(AGAIN), whole([reply])) == (False, True, True)
    assert office.traces.left == {}


async def test_a_beginning_that_is_refused_leaves_no_trace_and_no_mark(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendMessage", Fault.refused(400, "Bad Request: can't parse entities"))

    await office.words(question, every_s=0.2)

    (text,) = office.shown()
    assert (whole([text]), AGAIN in text, office.traces.left) == (True, False, {})


@pytest.mark.parametrize("fault", [Fault.cut_before(), Fault.lost_confirmation()])
async def test_a_reply_over_its_beginning_that_was_not_confirmed_is_made_again(office: Office, fault: Fault) -> None:
    question = office.asks()
    office.telegram.inject("editMessageText", fault, times=2)
    with pytest.raises(MaybeSent):
        await office.words(question, every_s=0.15)
    with pytest.raises(MaybeSent):
        await office.deliver(question)

    await office.deliver(question)

    (message,) = office.ours()
    assert (whole([message.text]), AGAIN in message.text) == (True, False)


async def test_where_the_beginning_was_deleted_the_reply_is_a_message_of_its_own(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, showing, FIRST)
        office.telegram.deletes(GROUP, message.id)
        await office.reply(question)

    (reply,) = office.ours()
    assert (reply.id != message.id, whole([reply.text])) == (True, True)


async def test_what_follows_never_takes_the_place_of_a_beginning_that_was_sent(office: Office) -> None:
    question = office.asks()
    (first,) = office.channel.render(REPLY, question)
    name = await office.channel.send(first)
    left = Trace(question.incoming.place, "", "stream", f"{GROUP}/{name}")

    await office.channel.send(replace(first, position=2), over=left)

    assert len(office.ours()) == 2


async def test_no_message_of_another_chat_is_touched_when_a_group_moved(office: Office) -> None:
    question = office.asks()
    await broken_off(office, question)
    there = office.telegram.migrates(GROUP)
    await office.reply(office.asks(there))
    (standing,) = office.ours(there)
    trace = office.traces.ever[-1]

    await office.channel.wipe(replace(trace, place=replace(trace.place, channel=str(there))))

    assert [message.id for message in office.ours(there)] == [standing.id]


async def test_a_flood_limit_on_edits_holds_the_chat_and_the_reply_comes_after_it(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("editMessageText", Fault.flood(137))
    with pytest.raises(RateLimited) as limited:
        await office.words(question, every_s=0.2)

    with pytest.raises(RateLimited):
        await office.deliver(question)

    assert limited.value.retry_after_s == 137.0
    assert office.called("editMessageText") == 1
