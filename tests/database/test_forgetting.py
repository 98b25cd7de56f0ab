"""Whoever wants to be forgotten leaves rows to count, and no words."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.core.escalate import Handover
from bot.core.incoming import Company, Incoming, Place
from bot.core.messages import Answer
from bot.core.requests import Forgotten
from bot.store.feedback import PostgresFeedback
from bot.store.forgetting import PostgresForgetting
from bot.store.journal import PostgresJournal
from bot.store.links import PostgresLinks
from bot.store.tickets import PostgresTickets
from knowledge.store.pool import Pool
from knowledge.types import Reader, Relevance
from tests.database.recount import rows
from tests.database.stored_answers import quoting, reply_of, said
from tests.database.stored_messages import PLACE, Conversations, edited, heard

DIRECT = Place("fake", "T1", "D1")
SECRET = "Canary 4711"
ANSWER = Answer((said(f"{SECRET} answers.", quoting(f"{SECRET} quoted.")),), "claude")
# What holds words or names of people; jobs know numbers only.
TABLES = ("message", "parcel", "answer", "citation", "ticket", "feedback", "person", "link_request", "conversation")


@pytest.fixture
def forgetting(pool: Pool) -> PostgresForgetting:
    return PostgresForgetting(pool)


def written(message: str, *, author: str = "U1", place: Place = DIRECT, text: str = f"{SECRET} asks?") -> Incoming:
    """Return a message, in direct messages unless another place is named."""
    company: Company = "direct" if place == DIRECT else "public"
    wire = {"reply_text": f"{SECRET} replied to", "ui": "uk"}
    incoming = heard(message, text, author=author, place=place, company=company, wire=wire)
    return replace(incoming, conversation="chat")


async def answered(talk: Conversations, incoming: Incoming) -> int:
    question = await talk.heard_and_taken(incoming)
    reply = replace(reply_of(ANSWER), message=question.number, question=incoming.text)
    number = await PostgresJournal(talk.pool).record(
        reply, Reader(frozenset({"public", "user:ada@corp.example"})), answer=ANSWER, cache_key=b"k", knowledge=b"s"
    )
    await talk.answer(question, f"{SECRET} answers.", sight="open")
    return number


async def handed_over(talk: Conversations, incoming: Incoming) -> int:
    question = await talk.heard_and_taken(incoming)
    handover = Handover(incoming.text, "en", "no_source", None, Relevance(0.65), (), "f", message=question.number)
    ticket = (await PostgresTickets(talk.pool).open(handover)).number
    await talk.answer(question, f"{SECRET} passed on.")
    return ticket


async def request(talk: Conversations, message: str, *, author: str = "U1") -> int:
    """Store the request to forget."""
    incoming = heard(message, "", author=author, place=DIRECT, company="direct", origin="request")
    await talk.store(replace(incoming, conversation="chat"))
    return await talk.number(message)


async def let_a_minute_pass(talk: Conversations) -> None:
    await talk.change("update message set received_at = received_at - interval '2 minutes' returning 1")


async def counts(pool: Pool, tables: Sequence[str] = TABLES) -> dict[str, int]:
    return {table: (await rows(pool, f"select count(*) from {table}"))[0][0] for table in tables}


async def holding(pool: Pool, words: str) -> dict[str, list[Any]]:
    """Return the rows of each table that hold some words anywhere."""
    found = {
        table: [row for (row,) in await rows(pool, f"select to_jsonb(held) from {table} as held")] for table in TABLES
    }
    holding = {table: [row for row in held if words in json.dumps(row)] for table, held in found.items()}
    return {table: held for table, held in holding.items() if held}


async def test_no_word_is_left_and_every_row_still_counts(talk: Conversations, forgetting: PostgresForgetting) -> None:
    number = await answered(talk, written("1"))
    await handed_over(talk, written("2"))
    await talk.change("update ticket set state = 'closed' returning 1")
    feedback = PostgresFeedback(talk.pool)
    assert await feedback.judge(number, place=DIRECT, actor="U1", verdict="bad")
    assert await feedback.explain(number, place=DIRECT, actor="U1", reason="wrong", comment=SECRET)
    await let_a_minute_pass(talk)
    own = await request(talk, "3")
    before = await counts(talk.pool)

    forgotten = await forgetting.forget(own)

    assert forgotten == Forgotten(2, 0)
    assert await holding(talk.pool, SECRET) == {}
    assert await holding(talk.pool, "ada@corp") == {}
    assert await counts(talk.pool) == {**before, "citation": 0}
    assert [row["id"] for row in (await holding(talk.pool, "U1"))["message"]] == [own]


async def test_what_others_wrote_and_were_told_stays(talk: Conversations, forgetting: PostgresForgetting) -> None:
    await answered(talk, written("1", author="U2", place=PLACE))
    await answered(talk, written("2", place=Place("other", "T1", "C1")))
    await answered(talk, written("3", place=Place("fake", "T2", "C1")))
    await let_a_minute_pass(talk)
    before = await holding(talk.pool, SECRET)

    forgotten = await forgetting.forget(await request(talk, "4"))

    assert forgotten == Forgotten(0, 0)
    assert await holding(talk.pool, SECRET) == before


async def test_what_a_group_was_told_stays_in_its_transcript(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    await answered(talk, written("1", place=PLACE))
    await let_a_minute_pass(talk)

    await forgetting.forget(await request(talk, "2"))

    left = await holding(talk.pool, SECRET)
    assert [(table, row["role"]) for table, found in left.items() for row in found] == [("message", "assistant")]


async def test_what_only_they_were_shown_in_a_group_goes(talk: Conversations, forgetting: PostgresForgetting) -> None:
    question = await talk.heard_and_taken(written("1", place=PLACE))
    await talk.answer(question, SECRET, sight="private")

    await forgetting.forget(await request(talk, "2"))

    assert await holding(talk.pool, SECRET) == {}


async def test_what_waits_or_a_person_has_stays_until_it_is_done(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    await handed_over(talk, written("1"))
    await talk.store(written("2", place=PLACE))
    await let_a_minute_pass(talk)

    waiting = await forgetting.forget(await request(talk, "3"))
    kept = await holding(talk.pool, SECRET)
    await talk.change("update ticket set state = 'closed' returning 1")
    for message in ("2", "3"):
        await talk.inbox.finish(await talk.number(message), "done")
    done = await forgetting.forget(await request(talk, "4"))

    assert (waiting, done) == (Forgotten(0, 2), Forgotten(3, 0))
    # Question, its ticket, what its asker was told, and the message that waits.
    assert {table: len(found) for table, found in kept.items()} == {"message": 3, "parcel": 1, "ticket": 1}
    assert await holding(talk.pool, SECRET) == {}


@pytest.mark.parametrize("press", ["again", "human"])
async def test_what_a_waiting_button_is_about_stays(
    talk: Conversations, forgetting: PostgresForgetting, press: str
) -> None:
    answer = await answered(talk, written("1"))
    about = answer if press == "human" else await talk.number("1")
    await talk.store(replace(written("2", text=""), origin="button", wire={press: str(about)}))

    forgotten = await forgetting.forget(await request(talk, "3"))

    assert forgotten == Forgotten(0, 2)


async def test_messages_that_were_joined_go_with_the_one_that_asks_them(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    await talk.store(edited(written("1"), "My contract number is"))
    await talk.store(written("1.5"))
    assert await talk.take("1") is None
    question = await talk.taken("1.5")

    waiting = await forgetting.forget(await request(talk, "2"))
    await talk.answer(question, "A.")
    done = await forgetting.forget(await request(talk, "3"))

    assert (waiting, done) == (Forgotten(0, 2), Forgotten(2, 1))


async def test_what_was_edited_and_waits_to_be_answered_again_stays(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    await answered(talk, written("1"))
    await talk.inbox.edit(edited(written("1"), "And now?"), may_revise=True)

    assert await forgetting.forget(await request(talk, "2")) == Forgotten(0, 1)


async def test_forgetting_lifts_no_limit(talk: Conversations, forgetting: PostgresForgetting) -> None:
    for number in range(9):
        await answered(talk, written(f"{number}"))

    await forgetting.forget(await request(talk, "10"))

    assert await talk.store(written("11")) == "limited"


async def test_a_second_time_changes_nothing(talk: Conversations, forgetting: PostgresForgetting) -> None:
    await answered(talk, written("1"))
    await let_a_minute_pass(talk)
    own = await request(talk, "2")

    first = await forgetting.forget(own)
    after = await holding(talk.pool, "")
    second = await forgetting.forget(own)

    assert (first, second) == (Forgotten(1, 0), Forgotten(0, 0))
    assert await holding(talk.pool, "") == after


async def test_language_and_address_go_and_codes_are_counted_on(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    links = PostgresLinks(talk.pool)
    await links.speak(DIRECT, "U1", "uk")
    await links.speak(DIRECT, "U2", "es")
    await talk.change("update person set email = 'ada@corp.example' returning 1")
    await talk.change(
        "insert into link_request values ('fake', 'T1', 'U1', 'ada@corp.example', 'x', true, 0, now(), array[now()])"
        " returning 1"
    )

    await forgetting.forget(await request(talk, "1"))

    assert [await links.language(DIRECT, "U1"), await links.email(DIRECT, "U1")] == [None, None]
    assert await links.language(DIRECT, "U2") == "es"
    assert await talk.change("select email, code_hash, cardinality(issued_at) from link_request") == [("", None, 1)]


async def test_what_was_spent_counts_today_and_is_nobodys_from_yesterday(
    talk: Conversations, forgetting: PostgresForgetting
) -> None:
    await talk.change(
        "insert into spending select (now() at time zone 'UTC')::date - days, 'fake:T1:U1', 0.5"
        " from generate_series(0, 1) as days returning 1"
    )

    await forgetting.forget(await request(talk, "1"))

    named = await talk.change("select day = (now() at time zone 'UTC')::date from spending where asker = 'fake:T1:U1'")
    assert (named, await talk.change("select sum(usd) from spending")) == ([(True,)], [(1.0,)])
