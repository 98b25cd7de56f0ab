"""What is delivered is stored once, with its job, where it is for us and not too much."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.incoming import Incoming, Place
from bot.core.intake import Limits
from bot.store.inbox import PostgresInbox
from knowledge.store.pool import Pool
from tests.database.stored_messages import Conversations, heard

# A person has taken over what was asked in every conversation.
CLAIMED = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, state, platform, workspace, channel,
    root, asker)
select 'Why?', 'en', 'asked', 1, '[]', 'f', 'claimed', platform, workspace, channel, root, asker from conversation
"""


async def test_one_message_delivered_several_times_at_once_is_one_row_and_one_job(talk: Conversations) -> None:
    """F23, F24, F25."""
    stored = await asyncio.gather(*(talk.store(heard("1")) for _ in range(4)))

    assert sorted(stored) == ["known", "known", "known", "new"]
    assert await talk.jobs() == [("1", "fake:T1:C1:1")]


async def test_what_cannot_be_enqueued_is_not_stored(pool: Pool) -> None:
    async def fail(*_given: object, **_named: object) -> None:
        raise ConnectionError("no queue")

    with pytest.raises(ConnectionError):
        await PostgresInbox(pool, fail, limits=Limits()).store(heard("1"), is_volunteer=False)

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
    await talk.change(f"{CLAIMED} returning id")

    assert await talk.store(heard("9.5", thread="1", is_addressed=False)) == "new"
    assert [await talk.take(message) for message in ("8", "9.5")] == [None, None]
    assert {name: state for name, state in (await talk.states()).items() if name != "1"} == {"8": "done", "9.5": "done"}


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
