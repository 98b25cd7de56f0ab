"""An answer is seen while it is worded, as a draft or in a message that grows; in the end there is one whole reply."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.channels.pacing import Pace
from bot.channels.telegram.send.pacing import Paces
from bot.core.outgoing import Trace
from tests.fakes.channel import FakeTraces
from tests.fakes.telegram_sending import asked
from tests.scenario.telegram_office import (
    FIRST,
    REPLY,
    SECOND,
    SOON,
    Office,
    open_office,
    whole,
)
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.telegram import ASKER, COLLEAGUE, FORUM, GROUP, STRANGER, TOPIC, Fault


async def test_in_a_private_chat_the_answer_grows_as_a_draft_once_a_second_and_the_reply_follows() -> None:
    async with open_office(means=SOON) as office:
        office.telegram.enforce_limits = True
        question = office.asks(ASKER, number=7)

        await office.words(question, every_s=0.6)

        drafts = office.telegram.drafts(ASKER)
        assert {draft.draft_id for draft in drafts} == {8}
        assert [FIRST.text in draft.text for draft in drafts] == [True] * len(drafts)
        assert len(drafts) == 2
        assert all(later.at_s - earlier.at_s >= 0.95 for earlier, later in pairwise(drafts))
        assert whole(office.shown(ASKER))
        assert (office.telegram.standing_draft(ASKER), office.traces.ever) == (None, [])
        assert office.telegram.limits.refused == []


async def test_a_draft_that_says_the_same_is_not_sent_again(office: Office) -> None:
    question = office.asks(ASKER)

    async with office.channel.showing(question, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await office.telegram.until(lambda: office.telegram.drafts(ASKER))
        await showing.show([FIRST])
        await asyncio.sleep(1.2)

    assert office.called("sendMessageDraft") == 1


async def test_a_business_account_shows_no_drafts(office: Office) -> None:
    connection = office.telegram.connects_business(COLLEAGUE)
    message = office.telegram.says(STRANGER, STRANGER, "How?", business=connection)

    await office.words(asked(str(message), chat=STRANGER, wire={"business": connection}), every_s=0.1)

    assert {call.method for call in office.telegram.calls} == {"sendChatAction", "sendMessage"}


DRAFT_TROUBLES = {
    "refused": (Fault.refused(400, "Bad Request: TEXTDRAFT_PEER_INVALID"), 1),
    "a gateway's page": (Fault.html_502(), 2),
}


@pytest.mark.parametrize(("fault", "tries"), DRAFT_TROUBLES.values(), ids=DRAFT_TROUBLES)
async def test_the_reply_comes_whatever_becomes_of_drafts(office: Office, fault: Fault, tries: int) -> None:
    question = office.asks(ASKER)
    office.telegram.inject("sendMessageDraft", fault, times=None)

    await office.words(question, every_s=0.6)

    assert whole(office.shown(ASKER))
    assert office.called("sendMessageDraft") == tries


async def test_an_answer_that_is_there_soon_is_one_message_in_a_group(office: Office) -> None:
    question = office.asks()

    await office.words(question)

    assert (office.called("sendMessage"), office.called("editMessageText")) == (1, 0)


@pytest.mark.parametrize(("chat", "topic"), [(GROUP, None), (FORUM, TOPIC)])
async def test_in_a_group_the_answer_grows_in_one_message_that_becomes_the_reply(
    office: Office, chat: int, topic: int | None
) -> None:
    question = office.asks(chat, topic=topic)

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, showing, FIRST)
        await showing.show([FIRST, SECOND])
        await office.reply(question)

    (only,) = office.ours(chat)
    assert (only.id, only.topic, str(only.reply_to)) == (message.id, message.topic, question.incoming.message)
    assert (FIRST.text in message.text, message.buttons, message.has_previews_off) == (True, [], True)
    assert (whole([only.text]), bool(only.buttons), office.traces.left) == (True, True, {})
    assert office.traces.ever[0].reference == "?"


async def test_edits_come_every_three_seconds_at_most(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, showing, FIRST)
        for number in range(8):
            await showing.show([FIRST, said(f"Step {number}.")])
            await asyncio.sleep(0.45)
        await office.reply(question)

    (grown, final) = office.telegram.calls_of("editMessageText")
    assert grown.at_s - message.moments[0].at_s > 2.9
    assert whole([str(final.args["text"])])


async def test_what_grows_leaves_half_of_a_groups_allowance_to_replies() -> None:
    async with open_office(means=SOON, paces=Paces(Pace(50, 1.0), Pace(5, 60.0), Pace(500, 1.0))) as office:
        for number in range(2, 5):
            await office.words(office.asks(number=number), every_s=0.15)
            office.outbox.parcels.clear()

        assert [len(message.texts) for message in office.ours()] == [2, 2, 1]
        assert all(whole([message.text]) for message in office.ours())


async def test_where_there_is_no_allowance_left_the_reply_comes_when_there_is() -> None:
    async with open_office(means=SOON, paces=Paces(Pace(50, 1.0), Pace(1, 2.0), Pace(500, 1.0))) as office:
        await office.words(office.asks(), every_s=0.15)

        (message,) = office.ours()
        assert (whole([message.text]), office.traces.left) == (True, {})
        assert message.moments[-1].at_s - message.moments[0].at_s >= 2.0


async def test_a_revised_question_is_answered_in_its_place_without_growing(office: Office) -> None:
    question = office.asks()
    (first,) = office.channel.render(answered(said("Ask the front desk."), text="Ask."), question)
    name = str(await office.channel.send(first))
    again = replace(question, shown=(name,))

    async with office.channel.showing(again, office.traces) as showing:
        await showing.step("retrieve")
        await showing.show([FIRST])
        await asyncio.sleep(0.3)
        (parcel,) = office.channel.render(REPLY, again)
        await office.channel.send(replace(parcel, replaces=name))

    (message,) = office.ours()
    assert (str(message.id), len(message.texts), office.traces.ever) == (name, 2, [])


async def test_a_handover_takes_the_place_of_what_grew(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        await office.grown(question, showing, FIRST)
        await office.reply(question, answered(text="Passed to a person (ticket 7)."))

    assert office.shown() == ["Passed to a person (ticket 7)."]


async def test_a_reply_of_several_messages_begins_where_it_grew(office: Office) -> None:
    question = office.asks()
    long = answered(*(said(f"Sentence {number}. " + "word " * 150) for number in range(30)), text="All of it.")

    async with office.channel.showing(question, office.traces) as showing:
        message = await office.grown(question, showing, FIRST)
        await office.reply(question, long)

    texts = office.shown()
    assert office.ours()[0].id == message.id
    assert all(f"Sentence {number}." in "\n".join(texts) for number in range(30))
    assert FIRST.text not in "\n".join(texts)


async def test_what_grew_for_a_question_that_was_taken_back_goes(office: Office) -> None:
    question = office.asks()

    async with office.channel.showing(question, office.traces) as showing:
        await office.grown(question, showing, FIRST)

    assert (office.ours(), office.traces.left) == ([], {})


class SlowTraces(FakeTraces):
    """Takes as long as a database under load."""

    async def leave(self, number: int, trace: Trace) -> None:
        await asyncio.sleep(0.02)
        await super().leave(number, trace)


async def test_whenever_the_answer_is_there_one_message_shows_it(office: Office) -> None:
    delays = [0.01 * number for number in range(19)]

    async def answered_after(delay_s: float, chat: int) -> None:
        office.telegram.add_supergroup(chat, [ASKER])
        desk = Office(office.telegram, office.channel, office.moves, SlowTraces())
        question = desk.asks(chat)
        async with office.channel.showing(question, desk.traces) as showing:
            await showing.step("retrieve")
            await showing.show([FIRST])
            await asyncio.sleep(delay_s)
            await desk.reply(question)
        assert desk.traces.left == {}

    chats = [-1_001_800_000_000 - number for number, _ in enumerate(delays)]
    await asyncio.gather(*(answered_after(delay, chat) for delay, chat in zip(delays, chats, strict=True)))

    assert [len(office.ours(chat)) for chat in chats] == [1] * len(chats)
    assert all(whole(office.shown(chat)) for chat in chats)
    assert 0 < office.called("editMessageText") < len(chats)
