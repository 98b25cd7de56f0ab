"""What is edited after it was answered is answered again, and its new reply takes the place of the earlier one."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.incoming import Question
from bot.core.outgoing import Parcel
from bot.core.worker import in_place_of
from bot.store.inbox import MOST_VERSIONS
from tests.database.stored_messages import Conversations, edited, heard, parcels_for

OTHER = "Where is the key?"


async def revised(talk: Conversations, *texts: str) -> Question:
    """Answer a message, edit it, and take it again."""
    question = await talk.heard_and_taken(heard("1"))
    await talk.answer(question, *texts)
    assert await talk.inbox.edit(edited(heard("1"), OTHER), may_revise=True) == "new"
    return await talk.taken("1")


def placed(question: Question, *texts: str) -> list[Parcel]:
    parcels = [replace(parcel, marker=f"again {parcel.marker}") for parcel in parcels_for(question, *texts)]
    return in_place_of(question, parcels)


@pytest.mark.parametrize("is_sent", [True, False])
async def test_what_was_answered_is_asked_again_with_its_new_text(talk: Conversations, is_sent: bool) -> None:
    question = await talk.heard_and_taken(heard("1"))
    if is_sent:
        await talk.answer(question, "In the app.")
    else:
        await talk.outbox.plan(question, parcels_for(question, "In the app."), asker="U1")

    assert await talk.inbox.edit(edited(heard("1"), OTHER), may_revise=True) == "new"
    again = await talk.taken("1")

    if not is_sent:
        # The reply that is under way is sent first.
        assert again.has_reply
        (parcel,) = await talk.outbox.unsent(again.number)
        await talk.outbox.sent(again.number, parcel, "a1")
        again = await talk.taken("1")
    assert (again.text, again.has_reply, again.version, again.attempts, len(again.shown)) == (OTHER, False, 2, 1, 1)
    assert await talk.take("1") is not None
    assert [message for message, _ in await talk.jobs()] == ["1", "1"]


async def test_the_new_reply_takes_the_place_of_the_earlier_one(talk: Conversations) -> None:
    question = await revised(talk, "In the app.", "And there.")
    was = question.shown

    assert await talk.outbox.plan(question, placed(question, "Below the mat."), asker="U1")
    new, gone = await talk.outbox.unsent(question.number)
    await talk.outbox.sent(question.number, new, was[0])
    await talk.outbox.sent(question.number, gone, was[1])

    assert [(one.plain, one.replaces, one.is_gone) for one in (new, gone)] == [
        ("Below the mat.", was[0], False),
        ("", was[1], True),
    ]
    assert await talk.states() == {"1": "done"}
    said = await talk.change(f"select text from message where role = 'assistant' and message = '{was[0]}'")
    assert said == [("Below the mat.",)]
    assert await talk.change("select sent_as from parcel order by position") == [(was[0],), (None,)]


async def test_what_takes_the_place_of_a_repeat_is_known_as_one_however_often(talk: Conversations) -> None:
    question = await revised(talk, "In the app.")
    was = question.shown[0]
    seen = []
    for repeated in ("attempts = 2", "attempts = 1", "attempts = 1"):
        await talk.change(f"update parcel set {repeated} where sent_as = '{was}' returning position")
        await talk.outbox.plan(question, placed(question, "Below the mat."), asker="U1")
        (parcel,) = await talk.outbox.unsent(question.number)
        await talk.outbox.sent(question.number, parcel, was)
        await talk.change("update message set state = 'answering' where role = 'user' returning id")
        seen.append(parcel.is_repeat)

    assert seen == [True, True, True]


async def test_what_takes_the_place_of_a_message_sent_once_is_no_repeat(talk: Conversations) -> None:
    question = await revised(talk, "In the app.")
    await talk.change("update parcel set attempts = 1 returning position")
    await talk.outbox.plan(question, placed(question, "Below the mat."), asker="U1")
    (parcel,) = await talk.outbox.unsent(question.number)

    assert (parcel.replaces, parcel.is_repeat) == (question.shown[0], False)


async def test_a_longer_reply_goes_on_behind_the_earlier_one(talk: Conversations) -> None:
    question = await revised(talk, "In the app.")

    assert [one.replaces for one in placed(question, "Below", "the mat.")] == [question.shown[0], None]


async def test_what_came_in_a_burst_is_answered_again_with_all_of_it(talk: Conversations) -> None:
    await talk.store(heard("1", "Reset"))
    await talk.store(heard("1.5", "the PIN?"))
    await talk.take("1")
    await talk.answer(await talk.taken("1.5"), "In the app.")

    assert await talk.inbox.edit(edited(heard("1"), "Change"), may_revise=True) == "new"

    assert (await talk.taken("1.5")).text == "Change\nthe PIN?"


@pytest.mark.parametrize("reason", ["same text", "not stored", "too often", "refused"])
async def test_nothing_is_answered_again_without_need(talk: Conversations, reason: str) -> None:
    if reason != "not stored":
        await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    if reason == "too often":
        await talk.change(f"update message set version = {MOST_VERSIONS} where role = 'user' returning id")
    if reason == "refused":
        await talk.change("update message set state = 'refused' where role = 'user' returning id")

    said = edited(heard("1"), "How do I reset my PIN?" if reason == "same text" else OTHER)
    stored = await talk.inbox.edit(said, may_revise=True)

    assert stored == ("unwanted" if reason == "not stored" else "known")


async def test_an_edited_old_question_is_as_young_as_its_edit(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    late = replace(edited(heard("1"), OTHER), sent_at=heard("1").sent_at + timedelta(days=2))

    await talk.inbox.edit(late, may_revise=True)

    assert (await talk.taken("1")).incoming.sent_at == late.sent_at


async def test_a_revision_whose_job_was_lost_gets_one_again(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    await talk.inbox.edit(edited(heard("1"), OTHER), may_revise=True)
    await talk.change("delete from procrastinate_jobs returning id")
    await talk.change("update message set received_at = now() - interval '1 minute' returning id")

    assert await talk.queue.enqueue_lost() == [await talk.number("1")]
