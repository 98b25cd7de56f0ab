"""A desk sees a ticket and all that belongs to it, whenever it is known where it is, and whoever died before."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.escalate import Handover
from knowledge.store.pool import Pool
from knowledge.types import Relevance
from tests.database.tickets_at_work import ANSWER, IT, ROOM, SECOND, SECOND_ROOM, Office, Setting, open_office

QUESTION = "Where is the unknown key?"
HERE: dict[str, Any] = {"thread": "1000", "is_addressed": False}


def handover(message: int, question: str = QUESTION) -> Handover:
    return Handover(question, "en", "no_source", None, Relevance(0.7), (), "f", message=message)


async def opened_by_a_job_that_died(office: Office) -> None:
    """Have a ticket that nobody was told of, because its job ended before."""
    await office.asks(QUESTION, message="1000")
    ((number,),) = await office.look("select id from message")
    await office.tickets.open(handover(number))


async def test_a_desk_whose_place_is_known_later_sees_what_was_added_before(database_url: str, pool: Pool) -> None:
    async with open_office(database_url, pool, Setting((replace(IT, place=None),))) as office:
        await office.asks(QUESTION, message="1000")
        await office.works()
        await office.presses("claim", by="terminal:ann", place=None)
        await office.asks("The blue one.", **HERE)
        await office.works()
        nothing = office.desk.seen()
        office.desks.replace(IT)
        for _ in range(2):
            await office.book.card(1)
        await office.works()

        assert nothing == []
        assert office.desk.seen()[0].startswith("Ticket 1 · taken")
        assert office.desk.seen()[1:] == ["fake:U1: The blue one."]


async def test_the_desk_behind_sees_what_was_added_before_it_had_the_ticket(office: Office) -> None:
    await office.asks(QUESTION, message="1000")
    await office.works()
    await office.asks("And where is the other unknown key?", **HERE)
    await office.works()
    await office.look("update ticket set next_at = now() returning id")
    await office.presses("escalate", by="clock:", place=None)
    await office.works()

    assert office.desk.seen(SECOND_ROOM)[1:] == ["fake:U1: And where is the other unknown key?"]


async def test_what_the_desk_behind_got_first_still_comes_to_its_own_desk(office: Office) -> None:
    await opened_by_a_job_that_died(office)
    await office.look("update ticket set next_at = now() returning id")
    await office.presses("escalate", by="clock:", place=None)
    await office.works()

    assert [len(office.desk.seen(place)) for place in (ROOM, SECOND_ROOM)] == [1, 1]


async def test_what_is_added_before_there_is_a_card_comes_below_it(office: Office) -> None:
    await opened_by_a_job_that_died(office)
    await office.presses("claim", by="terminal:ann", place=None)
    await office.look("update message set state = 'failed' returning id")
    await office.asks("The blue one.", **HERE)
    await office.works()

    assert office.desk.seen()[0].startswith("Ticket 1 · taken")
    assert office.desk.seen()[1:] == ["fake:U1: The blue one."]


async def test_a_ticket_of_a_job_that_died_is_shown_once_the_job_is_done_again(office: Office) -> None:
    await opened_by_a_job_that_died(office)
    await office.works()

    assert len(office.desk.seen()) == 1
    assert "(ticket 1)" in office.askers.seen()[0]


async def test_a_ticket_of_a_job_that_died_is_none_where_the_next_one_has_an_answer(office: Office) -> None:
    await office.asks("How do I reset my PIN?", message="1000")
    ((number,),) = await office.look("select id from message")
    await office.tickets.open(handover(number))
    await office.works()

    assert (office.askers.seen(), office.desk.seen()) == ([f"{ANSWER} [1]"], [])
    assert (await office.case()).state == "closed"


async def test_a_ticket_that_nobody_has_heard_of_ends_where_another_persons_owner_is_told(office: Office) -> None:
    await office.asks(QUESTION, message="1000")
    await office.works()
    await office.asks("Where is the other unknown key?", author="U2", thread="1000")
    ((number,),) = await office.look("select max(id) from message where author = 'U2'")
    await office.tickets.open(handover(number, "Where is the other unknown key?"))
    await office.presses("claim")
    await office.works()

    assert [text.split(":")[0] for text in office.desk.seen()] == ["Ticket 1 · taken", "fake"]
    assert (await office.case(2)).state == "closed"


async def test_what_has_an_answer_by_its_new_text_is_not_added_again(office: Office) -> None:
    await office.asks(QUESTION, message="1000")
    await office.works()
    said = await office.asks("And where is the other unknown key?", **HERE)
    await office.works()
    await office.intake.edit(replace(said, text="How do I reset my PIN?"), may_revise=True)
    await office.works()

    assert office.desk.seen()[1:] == ["fake:U1: And where is the other unknown key?"]
    assert office.askers.seen()[-1] == f"{ANSWER} [1]"


@pytest.mark.parametrize("kind", ["return", "close"])
async def test_a_question_with_another_text_waits_again_though_its_ticket_had_ended(office: Office, kind: Any) -> None:
    said = await office.asks(QUESTION, message="1000")
    await office.works()
    await office.look('update ticket set draft = \'[{"text": "Below the mat."}]\' returning id')
    await office.presses("claim")
    await office.presses(kind)
    await office.intake.edit(replace(said, text="Where is the other unknown key?"), may_revise=True)
    await office.works()

    case = await office.case()
    assert (case.state, case.owner, case.draft, case.question) == ("open", None, (), "Where is the other unknown key?")
    assert office.desk.seen()[0].startswith("Ticket 1 · open\nQuestion: Where is the other unknown key?")


async def test_what_a_person_has_ended_stays_so_when_the_job_is_done_again(office: Office) -> None:
    await opened_by_a_job_that_died(office)
    await office.presses("close", by="terminal:ann", place=None)
    await office.works()

    assert (await office.case()).state == "closed"


async def test_where_the_desk_is_gone_nothing_breaks(database_url: str, pool: Pool) -> None:
    async with open_office(database_url, pool) as office:
        await office.asks(QUESTION, message="1000")
        await office.works()
        await office.presses("claim")
        office.desks.drop("it")
        await office.asks("The blue one.", **HERE)
        await office.works()

        assert (await office.happened(), len(office.askers.seen())) == (["claim", "follow_up"], 1)
        assert office.desk.seen(SECOND_ROOM) == []
        assert SECOND in office.desks
