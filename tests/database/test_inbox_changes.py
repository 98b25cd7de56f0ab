"""What is edited or deleted is asked as it stands in the end, or not at all (F26)."""

import asyncio
from datetime import timedelta

import pytest

from bot.core.intake import Limits
from tests.database.stored_messages import PLACE, Conversations, edited, heard, parcels_for


async def test_an_edit_before_the_reply_is_planned_is_the_question(talk: Conversations) -> None:
    early = heard("1")
    await talk.store(early)
    assert await talk.inbox.edit(edited(early, "Where is the key?")) == "new"
    question = await talk.taken("1")
    assert question.text == "Where is the key?"
    await talk.inbox.edit(edited(early, "Where is the door?"))

    assert not await talk.outbox.plan(question, parcels_for(question, "Here."), asker="U1")
    again = await talk.taken("1")
    assert (again.text, again.attempts) == ("Where is the door?", 1)
    assert await talk.outbox.plan(again, parcels_for(again, "There."), asker="U1")


@pytest.mark.parametrize("is_sent", [True, False])
async def test_an_edit_or_deletion_after_the_reply_was_planned_changes_nothing(
    talk: Conversations, is_sent: bool
) -> None:
    question = await talk.heard_and_taken(heard("1"))
    if is_sent:
        await talk.answer(question, "In the app.")
    else:
        await talk.outbox.plan(question, parcels_for(question, "In the app."), asker="U1")

    assert await talk.inbox.edit(heard("1", "Another?")) == "known"
    await talk.inbox.delete(PLACE, "1")

    found = await talk.change("select text, version, state from message where role = 'user'")
    assert found == [("How do I reset my PIN?", 1, "done" if is_sent else "replied")]


async def test_an_edit_that_changes_no_text_changes_nothing(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))

    assert await talk.inbox.edit(heard("1")) == "known"
    assert await talk.outbox.plan(question, parcels_for(question, "In the app."), asker="U1")


async def test_an_edit_of_what_is_not_stored_is_told_so(talk: Conversations) -> None:
    assert await talk.inbox.edit(heard("1")) == "unwanted"


async def test_an_edit_within_a_burst_changes_its_question(talk: Conversations) -> None:
    await talk.store(heard("1", "Reset"))
    await talk.store(heard("1.5", "the PIN?"))
    await talk.take("1")
    question = await talk.taken("1.5")

    assert await talk.inbox.edit(heard("1", "Change")) == "new"

    assert not await talk.outbox.plan(question, parcels_for(question, "So."), asker="U1")
    assert (await talk.taken("1.5")).text == "Change\nthe PIN?"


@pytest.mark.parametrize("is_taken", [True, False])
async def test_a_deleted_message_is_not_answered(talk: Conversations, is_taken: bool) -> None:
    await talk.store(heard("1"))
    question = await talk.take("1") if is_taken else None

    await talk.inbox.delete(PLACE, "1")

    assert await talk.take("1") is None
    assert not question or not await talk.outbox.plan(question, parcels_for(question, "So."), asker="U1")
    assert await talk.states() == {"1": "cancelled"}


async def test_a_deletion_that_comes_before_its_message_holds(talk: Conversations) -> None:
    await talk.inbox.delete(PLACE, "1")
    await talk.inbox.delete(PLACE, "1")

    assert await talk.store(heard("1")) == "known"
    assert await talk.inbox.edit(heard("1", "Another?")) == "known"
    assert (await talk.jobs(), await talk.states()) == ([], {"1": "cancelled"})


async def test_a_finish_that_comes_after_the_deletion_changes_nothing(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    await talk.inbox.delete(PLACE, "1")

    await talk.inbox.finish(question.number, "refused", "late")

    assert await talk.states() == {"1": "cancelled"}


async def test_a_message_deleted_from_a_burst_is_not_asked(talk: Conversations) -> None:
    for message, text in [("1", "Reset"), ("1.5", "the card's"), ("2", "PIN?")]:
        await talk.store(heard(message, text))
    await talk.take("1")
    await talk.take("1.5")
    question = await talk.taken("2")

    await talk.inbox.delete(PLACE, "1.5")

    assert not await talk.outbox.plan(question, parcels_for(question, "So."), asker="U1")
    assert (await talk.taken("2")).text == "Reset\nPIN?"


@pytest.mark.parametrize("is_taken", [True, False])
async def test_when_the_last_of_a_burst_is_deleted_the_others_are_asked(talk: Conversations, is_taken: bool) -> None:
    for message, text in [("1", "Reset"), ("1.5", "the PIN?"), ("2", "Or not.")]:
        await talk.store(heard(message, text))
    await talk.take("1")
    await talk.take("1.5")
    if is_taken:
        await talk.taken("2")

    await talk.inbox.delete(PLACE, "2")

    assert [message for message, _ in await talk.jobs()] == ["1", "1.5", "2", "1", "1.5"]
    assert await talk.take("1") is None
    assert (await talk.taken("1.5")).text == "Reset\nthe PIN?"


async def test_changes_at_the_same_time_as_the_turn_lose_nothing(talk: Conversations) -> None:
    for step in range(12):
        incoming = heard(f"{10 * step + 1}", "a")
        await talk.store(incoming, limits=Limits(per_person=99, per_place=99, burst=timedelta(seconds=1)))
        taken, *_ = await asyncio.gather(talk.take(incoming.message), talk.inbox.edit(edited(incoming, "b")))
        assert taken is not None

        if not await talk.outbox.plan(taken, parcels_for(taken, "So."), asker="U1"):
            taken = await talk.taken(incoming.message)

        assert taken.text == "b"
