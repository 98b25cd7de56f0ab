"""A reply is planned whole, sent part by part, and known again after a crash."""

from dataclasses import replace

import pytest

from bot.core.incoming import Incoming, Place
from bot.store.conversations import conversations_overview
from tests.database.stored_messages import Conversations, edited, heard, parcels_for


async def test_a_reply_comes_back_as_it_was_rendered(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    payload = {"z": ["\0", "\ud83d", "🔑"], "a": {"n": 1.5, "none": None}}
    parcels = [
        replace(parcel, payload=payload, place=Place("fake", "T1", "D9"))
        for parcel in parcels_for(question, "A.", "B.")
    ]

    await talk.outbox.plan(question, parcels, asker="U1")

    found = await talk.outbox.unsent(question.number)
    assert found == parcels
    assert list(found[0].payload) == ["z", "a"]


async def test_parts_are_sent_in_order_and_the_last_one_completes_the_message(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    first, second = parcels_for(question, "A.", "B.")
    await talk.outbox.plan(question, [first, second], asker="U1")

    await talk.outbox.begin(question.number, first)
    begun = await talk.outbox.unsent(question.number)
    await talk.outbox.sent(question.number, first, "s1")
    halfway = await talk.outbox.unsent(question.number), await talk.states()
    await talk.outbox.begin(question.number, second)
    await talk.outbox.sent(question.number, second, None)

    assert [parcel.was_begun for parcel in begun] == [True, False]
    assert halfway == ([second], {"1": "replied"})
    assert (await talk.outbox.unsent(question.number), await talk.states()) == ([], {"1": "done"})
    assert await talk.change("select message, root, text from message where role = 'assistant' order by id") == [
        ("s1", "1", "A."),
        (second.marker, "1", "B."),
    ]


async def test_what_is_noted_twice_is_said_once(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    (parcel,) = parcels_for(question, "A.")
    await talk.outbox.plan(question, [parcel], asker="U1")

    await talk.outbox.sent(question.number, parcel, "s1")
    await talk.outbox.sent(question.number, parcel, "s2")
    await talk.outbox.begin(question.number, parcel)

    assert await talk.change("select sent_as, state from parcel") == [("s1", "sent")]
    assert await talk.change("select message from message where role = 'assistant'") == [("s1",)]


async def test_only_what_was_surely_not_sent_is_sent_without_a_look(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    await talk.outbox.plan(question, parcels_for(question, "A."), asker="U1")

    seen = []
    for is_released in (True, False, True):
        (parcel,) = await talk.outbox.unsent(question.number)
        seen.append(parcel.was_begun)
        await talk.outbox.begin(question.number, parcel)
        if is_released:
            await talk.outbox.release(question.number, parcel)
    (parcel,) = await talk.outbox.unsent(question.number)

    assert [*seen, parcel.was_begun] == [False, False, True, True]
    assert await talk.change("select attempts from parcel") == [(1,)]


async def test_a_reply_is_planned_once(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))

    planned = [await talk.outbox.plan(question, parcels_for(question, text), asker="U1") for text in ("A.", "B.")]

    assert planned == [True, False]
    assert [parcel.plain for parcel in await talk.outbox.unsent(question.number)] == ["A."]


async def test_a_worker_that_was_taken_for_dead_is_too_late(talk: Conversations) -> None:
    slow = await talk.heard_and_taken(heard("1"))
    quick = await talk.taken("1")

    assert not await talk.outbox.plan(slow, parcels_for(slow, "A."), asker="U1")
    assert await talk.outbox.plan(quick, parcels_for(quick, "B."), asker="U1")


async def test_a_reply_without_parts_completes_the_message(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))

    assert await talk.outbox.plan(question, [], asker="U1")
    assert await talk.states() == {"1": "done"}
    assert await talk.change("select from conversation") == []


@pytest.mark.parametrize(
    ("incoming", "ours"),
    [
        (heard("1"), ("1", "U1", True)),
        (heard("1", thread="0.5"), ("0.5", "U1", False)),
        (heard("1", thread="0.5", company="direct"), ("0.5", "U1", True)),
    ],
)
async def test_whose_thread_it_is(talk: Conversations, incoming: Incoming, ours: tuple[str, str, bool]) -> None:
    await talk.answer(await talk.heard_and_taken(incoming), "A.")
    await talk.answer(await talk.heard_and_taken(heard("2", thread=ours[0], author="U2")), "B.")

    assert await talk.change("select root, asker, is_ours from conversation") == [ours]


async def test_what_only_the_asker_is_told_begins_no_conversation(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "Not here.", sight="private")

    assert await talk.change("select from conversation") == []


async def test_what_cannot_be_delivered_is_not_tried_for_ever(talk: Conversations) -> None:
    """F30."""
    question = await talk.heard_and_taken(heard("1"))
    first, second = parcels_for(question, "A.", "B.")
    await talk.outbox.plan(question, [first, second], asker="U1")
    await talk.outbox.sent(question.number, first, "s1")

    await talk.outbox.give_up(question.number, "the channel is gone")

    assert await talk.outbox.unsent(question.number) == []
    assert await talk.change("select state from parcel order by position") == [("sent",), ("dead",)]
    assert await talk.change("select state, reason from message where role = 'user'") == [
        ("undeliverable", "the channel is gone")
    ]
    assert await talk.take("1") is None


async def test_operators_see_how_the_conversations_stand(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "A.")
    sending = await talk.heard_and_taken(heard("3"))
    await talk.outbox.plan(sending, parcels_for(sending, "A."), asker="U1")
    await talk.heard_and_taken(heard("5"))
    await talk.store(heard("7"))
    lost = await talk.heard_and_taken(heard("9"))
    await talk.outbox.give_up(lost.number, "the channel is gone")
    await talk.change("update message set received_at = '2026-01-01 00:00Z' where message = '7' returning id")

    found = await conversations_overview(talk.pool)

    assert (found.waiting, found.answering, found.sending, found.undeliverable) == (1, 1, 1, 1)
    assert (found.failed, found.good, found.bad) == (0, 0, 0)
    assert found.oldest_since is not None
    assert found.oldest_since.year == 2026
    assert found.oldest_since.month == 1


async def test_an_edit_that_is_taken_back_is_another_version_all_the_same(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    await talk.inbox.edit(edited(heard("1"), "Other?"))
    await talk.inbox.edit(heard("1"))

    assert not await talk.outbox.plan(question, parcels_for(question, "A."), asker="U1")
