"""Words below a card that is just being sent, and tickets whose chat moves: nothing said then goes astray."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.intake import Limits
from bot.store.moves import PostgresMoves
from knowledge.errors import TransientError
from knowledge.store.pool import Pool
from tests.database.stored_messages import heard
from tests.database.test_tickets_taken_back import Stepped
from tests.database.tickets_at_work import ASKED, ROOM, Office

QUESTION, KNOWN, TOP = "Where is the unknown key?", "How do I reset my PIN?", "1000"
MOVED = replace(ASKED, channel="C9")


@pytest.fixture
async def sending(pool: Pool) -> Stepped:
    """An office whose card has arrived at the desk, which nobody has noted yet."""
    stepped = Stepped(pool, Limits())
    await stepped.office.asks(QUESTION, message=TOP)
    while not stepped.office.desk.seen():
        await stepped.jobs.go_on(stepped.jobs.runnable[-1])
    return stepped


async def test_words_below_a_card_that_was_just_sent_wait_for_it(sending: Stepped) -> None:
    office = sending.office
    said = asyncio.create_task(office.says("On the mat.", thread=office.desk.name_of_last("Ticket 1")))
    await asyncio.sleep(0)
    await sending.works()
    await said
    await sending.works()

    assert sum("On the mat." in text for text in office.askers.seen()) == 1, office.askers.seen()


async def test_words_below_a_card_that_nobody_confirms_are_to_be_delivered_again(sending: Stepped) -> None:
    office = sending.office
    with pytest.raises(TransientError, match="below a card"):
        await office.says("On the mat.", thread=office.desk.name_of_last("Ticket 1"))

    for job in sending.jobs.waiting:
        await sending.jobs.kill(job)


async def test_what_stands_below_nothing_at_a_desk_does_not_wait(sending: Stepped) -> None:
    said = heard("77", "Good morning!", author="bea", is_addressed=False, place=ROOM)

    assert await sending.office.intake.take(said) == "unwanted"
    for job in sending.jobs.waiting:
        await sending.jobs.kill(job)


async def test_whoever_has_a_conversation_has_it_where_its_chat_has_moved_to(sending: Stepped) -> None:
    office: Office = sending.office
    await sending.works()
    await office.presses("claim")
    await sending.works()
    await PostgresMoves(office.pool).move(ASKED, MOVED.channel)
    await office.asks(KNOWN, place=MOVED, thread=TOP)
    await sending.works()

    assert office.desk.seen()[1:] == [f"fake:U1: {KNOWN}"]
    assert (await office.case()).place == MOVED
