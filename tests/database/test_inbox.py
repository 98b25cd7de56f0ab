"""What is delivered is stored once, with its job, and asked as it stands in the end."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.incoming import Incoming, Place
from bot.core.intake import Limits
from bot.store.inbox import PostgresInbox
from knowledge.store.pool import Pool
from tests.database.stored_messages import PLACE, Conversations, edited, heard, open_conversations, parcels_for


@pytest.fixture
async def talk(database_url: str, pool: Pool) -> AsyncIterator[Conversations]:
    async with open_conversations(database_url, pool) as opened:
        yield opened


async def test_one_message_delivered_several_times_at_once_is_one_row_and_one_job(talk: Conversations) -> None:
    """F23, F24, F25."""
    stored = await asyncio.gather(*(talk.store(heard("1")) for _ in range(4)))

    assert sorted(stored) == ["known", "known", "known", "new"]
    assert await talk.jobs() == [("1", "fake:T1:C1:1")]


async def test_what_cannot_be_enqueued_is_not_stored(pool: Pool) -> None:
    async def fail(*_given: object, **_named: object) -> None:
        raise ConnectionError("no queue")

    with pytest.raises(ConnectionError):
        await PostgresInbox(pool, fail).store(heard("1"), limits=Limits(), is_volunteer=False)

    async with pool.connection() as connection:
        assert await (await connection.execute("select from message")).fetchall() == []


@pytest.mark.parametrize(
    ("incoming", "lock", "wait_s"),
    [
        (heard("1"), "fake:T1:C1:1", 1),
        (heard("1", thread="0.5"), "fake:T1:C1:0.5", 1),
        (heard("1", origin="command"), "fake:T1:C1:1", 0),
        (heard("1", origin="button", thread="0.5", wire={"again": "7"}), "fake:T1:C1:0.5", 0),
        (heard("1", origin="shortcut"), "fake:T1:C1:1", 0),
    ],
)
async def test_jobs_of_one_thread_share_a_lock_and_only_what_is_written_waits_for_more(
    talk: Conversations, incoming: Incoming, lock: str, wait_s: int
) -> None:
    await talk.store(incoming)

    found = await talk.change(
        "select lock, coalesce(round(extract(epoch from scheduled_at - now())), 0)::int from procrastinate_jobs"
    )
    assert found == [(lock, wait_s)]


async def test_text_that_no_database_stores_is_stored_without_it(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1", "Where\0 is \ud83d 東京 🔑?", wire={"a": "\0"}))

    assert question.text == "Where? is ? 東京 🔑?"


async def test_a_message_comes_back_as_it_was_delivered(talk: Conversations) -> None:
    incoming = replace(
        heard("1", thread="0.5", origin="shortcut", company="shared", wire={"trigger": "T"}),
        language="uk",
        has_files=True,
    )

    question = await talk.heard_and_taken(incoming)

    assert question.incoming == incoming
    assert (question.attempts, question.version, question.root) == (1, 1, "0.5")


# What is not addressed to us.


async def test_what_is_not_for_us_is_not_stored(talk: Conversations) -> None:
    assert await talk.store(heard("1", is_addressed=False)) == "unwanted"
    assert await talk.store(heard("2", is_addressed=False), is_volunteer=True) == "new"

    assert list(await talk.states()) == ["2"]


@pytest.mark.parametrize(
    ("follow_up", "stored"),
    [
        (heard("9", thread="1", is_addressed=False), "new"),
        (heard("9", thread="1", is_addressed=False, author="U2"), "unwanted"),
        (heard("9", thread="2", is_addressed=False), "unwanted"),
        (heard("9", thread="1", is_addressed=False, place=Place("fake", "T1", "C2")), "unwanted"),
        (heard("9", thread="1", is_addressed=False, place=Place("fake", "T2", "C1")), "unwanted"),
    ],
)
@pytest.mark.parametrize("is_answered", [True, False])
async def test_the_asker_needs_no_mention_in_the_thread_of_their_question(
    talk: Conversations, follow_up: Incoming, stored: str, is_answered: bool
) -> None:
    question = await talk.heard_and_taken(heard("1"))
    if is_answered:
        await talk.answer(question, "In the app.")

    assert await talk.store(follow_up) == stored


async def test_in_somebody_elses_thread_every_question_needs_a_mention(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("2", thread="1")), "In the app.")

    assert await talk.store(heard("9", thread="1", is_addressed=False)) == "unwanted"


async def test_where_a_person_has_taken_over_the_bot_is_silent(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    await talk.store(heard("8", thread="1"))
    await talk.change("update conversation set is_held = true returning id")

    assert await talk.store(heard("9.5", thread="1", is_addressed=False)) == "unwanted"
    assert await talk.take("8") is None
    assert (await talk.states())["8"] == "done"


async def test_what_comes_right_behind_a_question_belongs_to_it(talk: Conversations) -> None:
    await talk.store(heard("1"))

    assert await talk.store(heard("1.8", "of the card", is_addressed=False)) == "new"
    assert await talk.store(heard("1.9", "hm", is_addressed=False, author="U2")) == "unwanted"
    assert await talk.store(heard("4", "lunch?", is_addressed=False)) == "unwanted"
    assert (await talk.taken("1.8")).text == "How do I reset my PIN?\nof the card"


async def test_a_mention_that_comes_as_a_plain_message_first_is_addressed_to_us(talk: Conversations) -> None:
    """F25."""
    await talk.store(heard("1", is_addressed=False), is_volunteer=True)

    assert await talk.store(heard("1")) == "known"
    assert (await talk.taken("1")).incoming.is_addressed


# Limits.


async def test_who_asks_too_much_is_told_once_and_heard_again_later(talk: Conversations) -> None:
    limits = Limits(per_person=2)

    stored = [await talk.store(heard(str(number)), limits=limits) for number in range(1, 7)]
    elsewhere = heard("7", place=Place("fake", "T1", "C2"), origin="button", wire={"again": "1"})
    pressed = await talk.store(elsewhere, limits=limits)
    told = await talk.taken("3")
    await talk.change("update message set received_at = received_at - interval '1 minute' returning id")

    assert [*stored, pressed] == ["new", "new", "limited", "limited", "limited", "limited", "limited"]
    assert [message for message, _ in await talk.jobs()] == ["1", "2", "3"]
    assert told.is_over_limit
    assert not (await talk.taken("1")).is_over_limit
    assert await talk.store(heard("8"), limits=limits) == "new"


async def test_of_two_messages_over_the_limit_at_one_moment_one_is_told_of(talk: Conversations) -> None:
    for number in range(1, 4):
        await talk.store(heard(str(number)), limits=Limits(per_person=1))
    # Each of two transactions at once takes its message for the first that is too much.
    await talk.change("update message set state = 'waiting' where message = '3' returning id")

    assert await talk.take("3") is None
    assert (await talk.taken("2")).is_over_limit
    assert await talk.states() == {"1": "waiting", "2": "answering", "3": "limited"}


async def test_one_who_floods_a_place_leaves_room_for_the_others(talk: Conversations) -> None:
    """S33."""
    limits = Limits(per_person=2, per_place=4)
    for number in range(1, 20):
        await talk.store(heard(str(number)), limits=limits)

    others = [await talk.store(heard(f"{number}", author=f"U{number}"), limits=limits) for number in range(20, 23)]

    assert others == ["new", "new", "limited"]


# Bursts.


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


# Edits and deletions (F26).


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


# The turn.


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
