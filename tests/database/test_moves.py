"""A chat that has another name now keeps what was there."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.incoming import Place
from bot.core.outgoing import Trace
from bot.store.moves import PostgresMoves
from bot.store.traces import PostgresTraces
from tests.database.stored_messages import PLACE, Conversations, heard, parcels_for

NEW = replace(PLACE, channel="C9")


async def test_what_is_under_way_goes_on_in_the_new_place(talk: Conversations) -> None:
    question = await talk.heard_and_taken(heard("1"))
    await talk.outbox.plan(question, parcels_for(question, "In the app."), asker="U1")
    await PostgresTraces(talk.pool).leave(question.number, Trace(PLACE, "1", "stream", "5"))
    moves = PostgresMoves(talk.pool)

    await moves.move(PLACE, "C9")
    await moves.move(PLACE, "C9")

    (parcel,) = await talk.outbox.unsent(question.number)
    (trace,) = await PostgresTraces(talk.pool).of(question.number)
    assert (parcel.place, trace.place) == (NEW, NEW)
    assert await talk.change("select channel, message from message") == [("C9", "C1/1")]
    assert await talk.change("select channel from conversation") == [("C9",)]


async def test_a_message_of_the_same_name_in_the_new_place_is_another_one(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    await talk.store(heard("1", "Where is the key?", place=NEW, author="U2"))

    await PostgresMoves(talk.pool).move(PLACE, "C9")

    found = await talk.change("select message, text from message where role = 'user' order by id")
    assert found == [("C1/1", "How do I reset my PIN?"), ("1", "Where is the key?")]


async def test_the_earliest_name_is_known_by_the_latest(talk: Conversations) -> None:
    moves = PostgresMoves(talk.pool)
    await moves.move(PLACE, "C9")
    await moves.move(NEW, "C10")
    await moves.move(Place("fake", "T2", "C3"), "C4")

    assert await moves.moved("fake", "T1") == {"C9": "C1", "C10": "C1"}


async def test_a_move_that_is_told_twice_at_once_is_done_once(talk: Conversations) -> None:
    await talk.store(heard("1"))
    moves = PostgresMoves(talk.pool)

    await asyncio.gather(moves.move(PLACE, "C9"), moves.move(PLACE, "C9"))

    assert await talk.change("select message from message") == [("C1/1",)]


@pytest.mark.parametrize("text", ["How do I reset my PIN?", "Where is the key?"], ids=["delivered again", "changed"])
async def test_what_comes_once_more_from_where_its_place_was_is_no_other_message(
    talk: Conversations, text: str
) -> None:
    await talk.answer(await talk.heard_and_taken(heard("1")), "In the app.")
    await PostgresMoves(talk.pool).move(PLACE, "C9")

    stored = [await talk.store(heard("1")), await talk.inbox.edit(heard("1", text), may_revise=True)]

    assert stored == ["known", "new" if text == "Where is the key?" else "known"]
    assert await talk.change("select message, text from message where role = 'user'") == [("C1/1", text)]


async def test_the_rules_of_a_place_go_along(talk: Conversations) -> None:
    await talk.store(heard("1"))
    await PostgresMoves(talk.pool).move(PLACE, "C9")
    await talk.store(heard("2"))

    questions = [await talk.taken("C1/1"), await talk.taken("C1/2")]

    assert [(one.incoming.place, one.incoming.wire["was"]) for one in questions] == [(NEW, "C1"), (NEW, "C1")]
