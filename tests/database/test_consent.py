"""Where askers are asked first: what they agree to becomes a ticket, once, and all of it is noted either way."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.core.phrases import phrase
from bot.core.requests import HandedOver
from bot.store.given_answers import PostgresGivenAnswers
from knowledge.store.pool import Pool
from tests.database.stored_messages import heard
from tests.database.tickets_at_work import ANSWER, Office, Setting, open_office

QUESTION = "Where is the unknown key?"
MAY_I = f"{phrase('may_i_hand_over', 'en')} [consent]"
HERE: dict[str, Any] = {"thread": "1000", "is_addressed": False}
NOTED = "select question, reason, ticket_id from unanswered"


@pytest.fixture
async def asked(database_url: str, pool: Pool) -> AsyncIterator[Office]:
    """An office where somebody has been asked whether a person may have their question."""
    async with open_office(database_url, pool, Setting(asks_first=True)) as office:
        await office.asks(QUESTION, message="1000")
        await office.works()
        yield office


async def presses(office: Office, name: str, *, by: str = "U1") -> None:
    """Press the button below what the question was answered."""
    ((number,),) = await office.look("select id from message where message = '1000' and role = 'user'")
    wire = {"consent": str(number)}
    await office.asks("", message=name, author=by, thread="1000", origin="button", wire=wire)
    await office.works()


async def edits(office: Office, text: str) -> None:
    """Give the question another text."""
    await office.intake.edit(heard("1000", text), may_revise=True)
    await office.works()


async def test_a_question_waits_for_its_asker_and_is_noted(asked: Office) -> None:
    assert (asked.askers.seen(), asked.desk.seen()) == ([MAY_I], [])
    assert await asked.look(NOTED) == [(QUESTION, "below_threshold", None)]
    assert await asked.look("select from ticket") == []


async def test_agreeing_opens_its_ticket_once(asked: Office) -> None:
    await presses(asked, "2000")
    await presses(asked, "2000")
    await presses(asked, "2001")

    assert [text.startswith("Ticket 1 · open") for text in asked.desk.seen()] == [True]
    assert asked.askers.seen()[1].startswith(phrase("asked_for_a_person", "en", ticket=1))
    assert await asked.look(NOTED) == [(QUESTION, "below_threshold", 1)]
    assert await asked.look("select count(*), min(asker), min(reason) from ticket") == [(1, "U1", "below_threshold")]


async def test_nobody_agrees_for_somebody_else(asked: Office) -> None:
    await presses(asked, "2000", by="U2")

    assert (asked.askers.seen(), asked.desk.seen()) == ([MAY_I], [])
    assert await asked.look("select from ticket") == []


async def test_what_the_asker_writes_instead_is_answered(asked: Office) -> None:
    await asked.asks("How do I reset my PIN?", **HERE)
    await asked.asks("And the other unknown key?", **HERE)
    await asked.works()

    assert asked.askers.seen() == [MAY_I, f"{ANSWER} [1]", MAY_I]
    assert await asked.look("select from ticket") == []


async def test_another_text_is_asked_about_anew_until_its_asker_has_agreed(asked: Office) -> None:
    first = "Where is the old unknown key?"
    await edits(asked, first)
    assert (asked.askers.seen(), asked.desk.seen()) == ([MAY_I], [])
    assert await asked.look(NOTED) == [(first, "below_threshold", None)]
    await presses(asked, "2000")
    second = "Where is the new unknown key?"
    await edits(asked, second)

    assert await asked.look("select question, state from ticket") == [(second, "open")]
    assert second in asked.desk.seen()[0]
    assert asked.askers.seen()[0].startswith(phrase("handed_over", "en", ticket=1))


async def test_what_is_answered_by_another_text_needs_nobody(asked: Office) -> None:
    await edits(asked, "How do I reset my PIN?")

    assert asked.askers.seen() == [f"{ANSWER} [1]"]
    assert await asked.look("select from ticket") == []


async def test_a_question_of_a_conversation_that_a_person_knows_is_added_to_its_ticket(asked: Office) -> None:
    await asked.asks("", message="1500", origin="command", wire={"human": ""}, **{**HERE, "is_addressed": True})
    await asked.works()
    before = len(asked.desk.seen())
    await presses(asked, "2000")

    assert await asked.look("select count(*) from ticket") == [(1,)]
    assert asked.desk.seen()[before:] == [f"fake:U1: {QUESTION}"]


async def test_why_there_is_no_answer_is_told_before_a_person_has_it(asked: Office) -> None:
    await asked.asks("", message="3000", thread="1000", origin="request", wire={"request": "why"})
    ((number,),) = await asked.look("select id from message where message = '3000'")
    told = [await PostgresGivenAnswers(asked.pool).last(number)]
    await presses(asked, "2000")
    told.append(await PostgresGivenAnswers(asked.pool).last(number))

    assert [(one.ticket, one.reason) for one in told if isinstance(one, HandedOver)] == [
        (None, "below_threshold"),
        (1, "below_threshold"),
    ]
