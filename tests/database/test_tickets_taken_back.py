"""What the bot was about to say when a person took over is taken back, and goes to that person instead."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.intake import Limits
from bot.core.phrases import phrase
from knowledge.errors import RateLimited
from knowledge.store.pool import Pool
from tests.database.tickets_at_work import ANSWER, ASKED, QUESTION, Setting, office_of
from tests.database.tickets_in_steps import Jobs, PacedChat, PacedInbox, PacedOutbox

KNOWN = "How do I reset my PIN?"
TOP = "1000"
HERE: dict[str, Any] = {"thread": TOP, "is_addressed": False}


class Stepped:
    """An office whose jobs go on when a test says so."""

    def __init__(self, pool: Pool, limits: Limits) -> None:
        self.jobs = Jobs()
        setting = Setting(limits=limits, inbox=PacedInbox, outbox=PacedOutbox, chat=PacedChat)
        self.office = office_of(pool, self.jobs.enqueue, setting)
        self.jobs.do = self.office.worker.do

    async def works(self) -> None:
        while self.jobs.waiting:
            await self.jobs.go_on(self.jobs.runnable[0])

    async def steps(self, lock: str, steps: int) -> None:
        """Let the job of a conversation do so many steps."""
        for _ in range(steps):
            await self.jobs.go_on(next(job for job in self.jobs.runnable if job.lock == lock))


@pytest.fixture
async def stepped(pool: Pool) -> AsyncIterator[Stepped]:
    """A stepped office where a ticket is open, and something else is asked below it."""
    stepped = Stepped(pool, Limits(per_person=100, per_place=100, burst=timedelta(seconds=1)))
    await stepped.office.asks(QUESTION, message=TOP)
    await stepped.works()
    yield stepped
    for job in stepped.jobs.waiting:
        await stepped.jobs.kill(job)


LOCK = f"{ASKED}:{TOP}"
# What a job has done after so many steps: taken the message, worded a reply, planned it, come to send it, and begun to.
STEPS = {"taken": 1, "worded": 2, "planned": 3, "about to begin": 4}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("dies", [False, True])
async def test_a_reply_that_has_not_gone_out_when_somebody_takes_over_is_taken_back(
    stepped: Stepped, steps: int, dies: bool
) -> None:
    office = stepped.office
    await office.asks(KNOWN, **HERE)
    await stepped.steps(LOCK, steps)
    await office.presses("claim")
    if dies:
        await stepped.jobs.kill(stepped.jobs.runnable[0])
    await stepped.works()

    assert (office.desk.seen()[1:], len(office.askers.seen())) == ([f"fake:U1: {KNOWN}"], 1)


async def test_a_reply_that_has_gone_out_stands(stepped: Stepped) -> None:
    office = stepped.office
    await office.asks(KNOWN, **HERE)
    await stepped.steps(LOCK, 5)
    await office.presses("claim")
    await stepped.works()

    assert (len(office.desk.seen()), office.askers.seen()[1:]) == (1, [f"{ANSWER} [1]"])


@pytest.mark.parametrize("has_arrived", [False, True])
async def test_of_a_reply_that_was_begun_only_what_has_arrived_is_said(stepped: Stepped, has_arrived: bool) -> None:
    office = stepped.office
    await office.asks(KNOWN, **HERE)
    await stepped.steps(LOCK, 5 if not has_arrived else 6)
    if not has_arrived:
        office.askers.failures.append(RateLimited("later", retry_after_s=0.1))
    await office.presses("claim")
    await stepped.jobs.kill(stepped.jobs.runnable[0])
    office.askers.failures.clear()
    await stepped.works()

    told = [f"{ANSWER} [1]"] if has_arrived else []
    assert office.askers.seen()[1:] == told
    assert office.desk.seen()[1:] == ([] if has_arrived else [f"fake:U1: {KNOWN}"])


async def test_what_was_added_to_the_ticket_already_is_not_told_again(stepped: Stepped) -> None:
    office = stepped.office
    await office.asks("And the other unknown key?", **HERE)
    await stepped.steps(LOCK, 3)
    await office.presses("claim")
    await stepped.works()

    assert (office.desk.seen()[1:], len(office.askers.seen())) == (["fake:U1: And the other unknown key?"], 1)


async def test_all_that_was_asked_in_one_go_goes_to_the_owner(stepped: Stepped) -> None:
    office = stepped.office
    for message, text in [("2000", "How do I"), ("2000.25", "reset my"), ("2000.5", "PIN?")]:
        await office.asks(text, message=message, **HERE)
    while len([job for job in stepped.jobs.waiting if job.lock == LOCK]) > 1:
        await stepped.steps(LOCK, 1)
    await stepped.steps(LOCK, 2)
    await office.presses("claim")
    await stepped.works()

    assert office.desk.seen()[1:] == ["fake:U1: How do I", "fake:U1: reset my", "fake:U1: PIN?"]
    assert len(office.askers.seen()) == 1


async def test_a_new_text_of_the_question_goes_to_whoever_has_taken_it_over_meanwhile(stepped: Stepped) -> None:
    office = stepped.office
    said = await office.asks(QUESTION, message="3000")
    await stepped.works()
    await office.intake.edit(replace(said, text=KNOWN), may_revise=True)
    await stepped.steps(f"{ASKED}:3000", 1)
    await office.presses("claim", 2)
    await stepped.works()

    assert office.desk.seen()[-1] == f"fake:U1: {KNOWN}"
    assert not [text for text in office.askers.seen() if ANSWER in text]


async def test_a_new_text_that_went_to_the_owner_is_not_answered_when_the_bot_is_back(stepped: Stepped) -> None:
    office = stepped.office
    said = await office.asks("How do I reset it?", **HERE)
    await stepped.steps(LOCK, 3)
    await office.intake.edit(replace(said, text=KNOWN), may_revise=True)
    await office.presses("claim")
    (first, *_) = (job for job in stepped.jobs.waiting if job.lock == LOCK)
    while first in stepped.jobs.waiting:
        await stepped.jobs.go_on(first)
    await office.presses("return")
    await stepped.works()

    assert [text for text in office.desk.seen() if text.startswith("fake:U1")] == [f"fake:U1: {KNOWN}"]
    assert office.askers.seen()[1:] == [phrase("asker_returned", "en")]
