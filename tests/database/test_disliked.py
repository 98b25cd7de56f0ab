"""An answer that did not help goes to a person, where an operator wants that: once for each who says so."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from bot.core.incoming import Place
from bot.core.phrases import phrase
from bot.store.enqueueing import Enqueue
from bot.store.feedback import PostgresFeedback
from bot.store.message_queue import open_message_queue
from knowledge.store.pool import Pool
from tests.database.tickets_at_work import ANSWER, ASKED, Office, Setting, office_of

QUESTION = "How do I reset my PIN?"
PASSED = phrase("asked_for_a_person", "en", ticket=1)


@dataclass
class Judging:
    """An office whose answers people judge."""

    office: Office
    feedback: PostgresFeedback

    async def answered(self, **about: Any) -> int:
        await self.office.asks(QUESTION, message="1000", **about)
        await self.office.works()
        ((answer,),) = await self.office.look("select id from answer")
        return int(answer)

    async def dislikes(self, answer: int, *, by: str = "U1") -> bool:
        return await self.feedback.judge(answer, place=ASKED, actor=by, verdict="bad")

    async def reacts(self, *, is_bad: bool = True) -> None:
        ((name,),) = await self.office.look("select sent_as from parcel where message_id = 1 and position = 1")
        await self.feedback.react(ASKED, name, actor="U1", verdict="bad" if is_bad else None)


@pytest.fixture
async def judging(database_url: str, pool: Pool) -> AsyncIterator[Judging]:
    offices: list[Office] = []

    async def do(number: int) -> None:
        await offices[0].worker.do(number)

    async with open_message_queue(database_url, pool, do) as queue:
        enqueue: Enqueue = queue.enqueue
        offices.append(office_of(pool, enqueue, Setting()))
        offices[0].work_off = queue.work_off
        yield Judging(offices[0], PostgresFeedback(pool, pass_on=enqueue))


async def tickets(judging: Judging) -> list[tuple[Any, ...]]:
    return await judging.office.look("select question, reason, asker, root from ticket order by id")


async def test_a_thumb_down_opens_one_ticket_however_it_is_said(judging: Judging) -> None:
    answer = await judging.answered()
    await judging.dislikes(answer)
    await judging.office.works()
    await judging.reacts()
    await judging.reacts(is_bad=False)
    await judging.dislikes(answer)
    await judging.office.works()

    assert await tickets(judging) == [(QUESTION, "disliked", "U1", "1000")]
    said = judging.office.askers.sent
    assert [parcel.plain.startswith(PASSED) for parcel in said] == [False, True]
    assert (said[1].place, said[1].thread) == (ASKED, "1000")
    assert [text.startswith("Ticket 1 · open") for text in judging.office.desk.seen()] == [True]


async def test_each_who_says_so_has_a_ticket(judging: Judging) -> None:
    answer = await judging.answered()
    for actor in ("U1", "U2", "U2"):
        await judging.dislikes(answer, by=actor)
    await judging.office.works()

    assert [asker for _, _, asker, _ in await tickets(judging)] == ["U1", "U2"]


async def test_its_job_is_there_at_once(judging: Judging) -> None:
    answer = await judging.answered()
    await judging.dislikes(answer)

    assert await judging.office.look(
        "select message, lock, wire ->> 'below' from procrastinate_jobs"
        " join message on message.id = (args ->> 'number')::bigint"
    ) == [(f"disliked:{answer}:U1", "fake:T1:C1:1000", "fake1")]


async def test_a_thumb_up_or_a_verdict_from_elsewhere_opens_none(judging: Judging) -> None:
    answer = await judging.answered()
    await judging.feedback.judge(answer, place=ASKED, actor="U1", verdict="good")
    await judging.feedback.judge(answer, place=Place("fake", "T1", "C9"), actor="U1", verdict="bad")
    await judging.office.works()

    assert await tickets(judging) == []


async def test_without_the_rule_a_thumb_down_is_only_noted(judging: Judging, pool: Pool) -> None:
    answer = await judging.answered()

    assert await PostgresFeedback(pool).judge(answer, place=ASKED, actor="U1", verdict="bad")
    await judging.office.works()
    assert await tickets(judging) == []


async def test_of_an_answer_to_a_command_its_asker_alone_is_told(judging: Judging) -> None:
    answer = await judging.answered(origin="command")
    await judging.dislikes(answer)

    found = await judging.office.look("select origin, thread, root from message where message like 'disliked%'")
    assert found == [("command", None, "1000")]


async def test_with_a_person_in_the_conversation_they_are_told_and_nobody_else(judging: Judging) -> None:
    answer = await judging.answered()
    office = judging.office
    await office.asks("Where is the unknown key?", thread="1000", is_addressed=False)
    await office.works()
    await office.presses("claim")
    await office.works()
    before = len(office.askers.seen())
    await judging.dislikes(answer)
    await office.works()

    assert office.desk.seen()[-1] == f"fake:U1: {QUESTION}"
    assert (len(office.askers.seen()), len(await tickets(judging))) == (before, 1)
    assert ANSWER in office.askers.seen()[0]
