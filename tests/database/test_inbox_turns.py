"""What is asked when its turn has come: a burst as one question, with what was said before it."""

import asyncio
from datetime import timedelta

import pytest

from bot.core.incoming import Incoming, Place
from bot.core.intake import Limits
from bot.store.inbox import PostgresInbox
from tests.database.stored_messages import PLACE, Conversations, edited, heard, parcels_for


async def test_a_burst_is_one_question_asked_by_its_last_message(talk: Conversations) -> None:
    for message, text in [("1", "Hi!"), ("1.9", "How do I reset"), ("2.8", "my PIN?")]:
        await talk.store(heard(message, text))

    taken = [await talk.take(message) for message in ("1", "1.9", "2.8")]

    assert [question and question.text for question in taken] == [None, None, "Hi!\nHow do I reset\nmy PIN?"]
    assert await talk.states() == {"1": "joined", "1.9": "joined", "2.8": "answering"}
    assert await talk.queue.lost() == []


@pytest.mark.parametrize(
    "other",
    [
        heard("1.5", author="U2"),
        heard("1.5", thread="0.5"),
        heard("2.1"),
        heard("1.5", origin="command"),
        heard("1.5", place=Place("fake", "T1", "C2")),
    ],
)
async def test_what_others_write_elsewhere_or_later_is_a_question_of_its_own(
    talk: Conversations, other: Incoming
) -> None:
    await talk.store(heard("1", "First?"))
    await talk.store(edited(other, "Second?"))

    first, second = await talk.take("1"), await talk.take(other.message)

    assert [question and question.text for question in (first, second)] == ["First?", "Second?"]


async def test_questions_that_came_at_once_are_asked_each_by_itself(talk: Conversations) -> None:
    await talk.store(heard("1", "How do I reset my PIN?"))
    await talk.store(heard("1.5", "Where is the key? 🔑"))
    await talk.store(heard("1.7", "¿Dónde está la llave?"))

    first = await talk.taken("1")

    assert first.text == "How do I reset my PIN?"
    assert await talk.states() == {"1": "answering", "1.5": "waiting", "1.7": "waiting"}


async def test_without_a_burst_nothing_is_joined(talk: Conversations) -> None:
    inbox = PostgresInbox(talk.pool, talk.queue.enqueue, limits=Limits(burst=timedelta()))
    for name in ("1", "1.0"):
        await inbox.store(heard(name, "Reset"), is_volunteer=False)

    question = await inbox.take(await talk.number("1"))

    assert question is not None
    assert question.text == "Reset"


async def test_a_burst_that_goes_on_and_on_is_answered_all_the_same(talk: Conversations) -> None:
    for second in range(1, 10):
        await talk.store(heard(str(second), str(second)))
    assert await talk.take("1") is None
    await talk.change("update message set received_at = received_at - interval '7 seconds' where id < 3 returning id")

    question = await talk.taken("2")

    assert question.text == "1\n2"
    assert await talk.take("3") is None


async def test_the_jobs_of_a_burst_that_come_at_once_ask_it_once(talk: Conversations) -> None:
    for step in range(0, 60, 6):
        messages = [str(step + second) for second in (1, 2, 3)]
        for message in messages:
            await talk.store(heard(message, message), limits=Limits(per_person=99, burst=timedelta(seconds=1)))

        taken = await asyncio.gather(*(talk.take(message) for message in reversed(messages)))

        assert [question.text for question in taken if question] == ["\n".join(messages)]


async def test_a_burst_that_comes_out_of_order_is_read_in_order(talk: Conversations) -> None:
    await talk.store(heard("1.5", "my PIN?"))
    await talk.store(heard("1", "How do I reset"))

    assert await talk.take("1.5") is None
    assert (await talk.taken("1")).text == "How do I reset\nmy PIN?"


async def test_an_attempt_that_ended_halfway_is_counted_and_goes_on(talk: Conversations) -> None:
    await talk.heard_and_taken(heard("1"))
    question = await talk.taken("1")
    await talk.outbox.plan(question, parcels_for(question, "In the app."), asker="U1")

    last = await talk.taken("1")

    assert [(question.attempts, question.has_reply), (last.attempts, last.has_reply)] == [(2, False), (3, True)]


async def test_what_is_done_with_has_no_turn(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    await talk.inbox.finish(question.number, "refused", "elsewhere")

    assert await talk.take("1") is None
    assert await talk.inbox.take(999) is None
    assert await talk.change("select reason, finished_at is not null from message") == [("elsewhere", True)]


async def test_a_thread_that_is_ours_is_known_to_everybody_in_it(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    await talk.answer(await talk.heard_and_taken(heard("2", thread="0.5")), "There.")

    ours = await talk.heard_and_taken(heard("3", thread="1", author="U2"))
    foreign = await talk.heard_and_taken(heard("4", thread="0.5", author="U2"))

    assert (ours.is_follow_up, foreign.is_follow_up) == (True, False)


async def test_the_earlier_turns_are_those_of_the_thread_that_everybody_saw(talk: Conversations) -> None:
    for message, text in [("1", "How do I reset"), ("1.5", "my PIN?")]:
        await talk.store(heard(message, text))
    await talk.take("1")
    await talk.answer(await talk.taken("1.5"), "In the app.", "Or by phone.")
    await talk.answer(await talk.heard_and_taken(heard("3", "...", thread="1.5")), "Only for you.", sight="private")
    await talk.store(heard("4", "Forget it.", thread="1.5"))
    await talk.inbox.delete(PLACE, "4")
    await talk.answer(await talk.heard_and_taken(heard("5", "Elsewhere?")), "There.")

    question = await talk.heard_and_taken(heard("9", "And the card?", thread="1.5", author="U2"))

    assert [(turn.role, turn.text) for turn in question.history] == [
        ("user", "How do I reset\nmy PIN?"),
        ("assistant", "In the app.\nOr by phone."),
        ("user", "..."),
    ]


@pytest.mark.parametrize(
    ("author", "place", "is_asked"),
    [
        ("U1", PLACE, True),
        ("U1", Place("fake", "T1", "D1"), True),
        ("U2", PLACE, False),
        ("U1", Place("fake", "T2", "C1"), False),
    ],
)
async def test_a_button_asks_again_what_its_own_presser_asked(
    talk: Conversations, author: str, place: Place, is_asked: bool
) -> None:
    await talk.store(heard("1", "Reset"))
    await talk.store(heard("1.5", "the PIN?"))
    await talk.take("1")
    first = await talk.taken("1.5")

    wire = {"again": str(first.number)}
    again = await talk.heard_and_taken(heard("3", "Retry", origin="button", wire=wire))
    once_more = {"again": str(again.number)}
    await talk.store(heard("4", "Retry", author=author, place=place, origin="button", wire=once_more))

    question = await talk.take("4")
    assert (question and question.text) == ("Reset\nthe PIN?" if is_asked else None)
    assert (await talk.states())["4"] == ("answering" if is_asked else "cancelled")


@pytest.mark.parametrize("again", ["x", "0", "-1", "٣", "9" * 5_000, "1.5"])
async def test_a_button_that_names_no_message_asks_nothing(talk: Conversations, again: str) -> None:
    await talk.store(heard("1", origin="button", wire={"again": again}))

    assert await talk.take("1") is None
    assert await talk.states() == {"1": "cancelled"}


async def test_what_was_deleted_is_not_asked_again(talk: Conversations) -> None:
    first = await talk.heard_and_taken(heard("1"))
    await talk.inbox.delete(PLACE, "1")

    await talk.store(heard("3", origin="button", wire={"again": str(first.number)}))

    assert await talk.take("3") is None
