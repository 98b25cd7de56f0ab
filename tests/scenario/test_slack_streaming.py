"""An answer grows before people's eyes only where it takes a while, and ends as one message that shows the reply."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.send.stage import Means
from bot.core.outgoing import Trace
from tests.fakes.channel import FakeTraces
from tests.fakes.slack_sending import asked
from tests.scenario.slack_office import FIRST, SECOND, THIRD, WHOLE, Office, open_office
from tests.unit.bot.channels.slack_replies import answered, said


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with open_office(means=Means(stream_after_s=0.1)) as office:
        yield office


async def test_an_answer_that_is_there_soon_is_one_post(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await showing.show([FIRST, SECOND, THIRD])
        await office.reply(question)

    assert (office.called("chat.startStream"), office.called("chat.postMessage")) == (0, 1)


@pytest.mark.parametrize("place", ["C1", "D1"])
async def test_an_answer_grows_in_its_thread_and_becomes_the_reply(office: Office, place: str) -> None:
    office.slack.workspaces["T1"].dm("U1")
    question = office.asks(channel=place)

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        at_first = message.streamed
        await showing.show([FIRST, SECOND])
        await office.slack.until(lambda: message.streamed == answer_markdown([FIRST, SECOND]))
        await office.reply(question)

    assert at_first == answer_markdown([FIRST])
    assert (message.streamed, message.is_streaming) == (WHOLE, False)
    assert message.stream
    assert {name: task["status"] for name, task in message.stream.tasks.items()} == {
        "retrieve": "complete",
        "read": "complete",
        "check": "complete",
    }
    assert "VPN › First steps" in message.reading
    assert message.metadata
    assert (len(office.ours(place)), office.called("chat.postMessage"), office.traces.left) == (1, 0, {})


async def test_an_answer_grows_no_more_often_than_once_a_second(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        await showing.show([FIRST, SECOND])
        await asyncio.sleep(0.1)
        await showing.show([FIRST, SECOND, THIRD])
        await office.slack.until(lambda: message.streamed == WHOLE)
        await office.reply(question)

    times = [call.at_s for call in office.slack.calls if call.method in ("chat.startStream", "chat.appendStream")]
    assert len(times) == 2
    assert times[1] - times[0] >= 0.95


ENDS = {"closed by Slack": "closes_stream", "stopped by its reader": "stops_stream"}


@pytest.mark.parametrize("has_noticed", [True, False])
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_an_answer_that_stopped_growing_is_completed_in_its_place(
    office: Office, end: str, has_noticed: bool
) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        getattr(office.slack, end)("C1", message.ts)
        if has_noticed:
            await showing.show([FIRST, SECOND])
            await office.slack.until(lambda: office.called("chat.appendStream"))
        await office.reply(question)

    assert (len(office.ours()), message.streamed) == (1, "")
    assert all(sentence.text in message.reading for sentence in (FIRST, SECOND, THIRD))
    assert message.metadata


async def test_what_was_taken_back_while_it_grew_is_not_in_the_reply(office: Office) -> None:
    question = office.asks()
    other = answered(said("Ask the front desk."), text="Ask the front desk.")

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, FIRST, showing=showing)
        await showing.show([])
        await showing.show(other.sentences)
        await office.reply(question, other)

    assert len(office.ours()) == 1
    assert "Ask the front desk." in message.reading
    assert FIRST.text not in message.reading


async def test_a_handover_takes_the_place_of_what_grew(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        await office.grown(question, FIRST, showing=showing)
        await office.reply(question, answered(text="Passed to a person (ticket 7)."))

    assert office.shown() == ["Passed to a person (ticket 7)."]


async def test_where_what_grew_may_not_be_changed_the_reply_is_a_message_of_its_own(office: Office) -> None:
    question = office.asks()
    office.slack.manners.refuses_edits_of_streamed = True

    async with office.channel.showing(question, office.traces) as showing:
        await office.grown(question, FIRST, showing=showing)
        await office.reply(question, answered(text="Passed to a person (ticket 7)."))

    assert office.shown() == ["Passed to a person (ticket 7)."]


async def test_what_grew_for_a_question_that_was_taken_back_goes(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        await office.grown(question, FIRST, showing=showing)

    assert (office.ours(), office.traces.left) == ([], {})


async def test_a_command_shows_nothing_to_anybody(office: Office) -> None:
    question = asked("command:1.2", origin="command")

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await asyncio.sleep(0.3)

    assert office.slack.calls == []


class SlowTraces(FakeTraces):
    """Takes as long as a database under load."""

    async def of(self, number: int) -> Sequence[Trace]:
        left = await super().of(number)
        await asyncio.sleep(0.02)
        return left

    async def leave(self, number: int, trace: Trace) -> None:
        await asyncio.sleep(0.02)
        await super().leave(number, trace)


async def test_whenever_the_answer_is_there_one_message_shows_it(office: Office) -> None:
    home = office.slack.workspaces["T1"]
    delays = [0.01 * number for number in range(19)]

    async def answered_after(delay_s: float, channel: str) -> None:
        home.add_channel(channel, ["U1"])
        desk = Office(office.slack, office.channel, SlowTraces())
        question = desk.asks(channel=channel)
        async with office.channel.showing(question, desk.traces) as showing:
            await showing.step("retrieve")
            await showing.show([FIRST])
            await asyncio.sleep(delay_s)
            await desk.reply(question)
        assert desk.traces.left == {}

    places = [f"CX{number}" for number, _ in enumerate(delays)]
    await asyncio.gather(*(answered_after(delay, place) for delay, place in zip(delays, places, strict=True)))

    assert [len(office.ours(place)) for place in places] == [1] * len(places)
    assert all(THIRD.text in text for place in places for text in office.shown(place))
    assert 0 < office.called("chat.startStream") < len(places)
