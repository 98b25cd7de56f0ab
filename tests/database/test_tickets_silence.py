"""Where a person owns the conversation the bot is silent, and everything its asker writes goes to that person."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.admit import Manners
from bot.core.intake import Limits
from bot.core.messages import Turn
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind
from knowledge.errors import RateLimited
from knowledge.store.pool import Pool
from tests.database.tickets_at_work import ANSWER, ASKED, Office, Setting, office_of, open_office
from tests.database.tickets_in_steps import Jobs, PacedChat, PacedInbox, PacedOutbox

QUESTION = "Where is the unknown key?"
KNOWN = "How do I reset my PIN?"
TOP = "1000"
HERE: dict[str, Any] = {"thread": TOP, "is_addressed": False}


@pytest.fixture
async def asked(office: Office) -> Office:
    """An office where somebody has asked what nobody knows."""
    await office.asks(QUESTION, message=TOP)
    await office.works()
    return office


@pytest.fixture
async def owned(asked: Office) -> Office:
    """An office where somebody has taken that over."""
    await asked.presses("claim")
    await asked.works()
    return asked


async def test_what_is_not_answered_in_an_open_conversation_is_added_to_its_ticket(asked: Office) -> None:
    await asked.asks("And where is the other unknown key?", **HERE)
    await asked.works()

    assert asked.desk.seen()[1:] == ["fake:U1: And where is the other unknown key?"]
    assert "(ticket 1)" in asked.askers.seen()[-1]
    assert await asked.look("select count(*) from ticket") == [(1,)]


async def test_what_is_answered_in_an_open_conversation_is_answered(asked: Office) -> None:
    await asked.asks(KNOWN, **HERE)
    await asked.works()

    assert (asked.askers.seen()[1:], len(asked.desk.seen())) == ([f"{ANSWER} [1]"], 1)


@pytest.mark.parametrize("text", [KNOWN, "And where is the other unknown key?", "Thanks!"])
async def test_what_the_asker_writes_goes_to_the_owner_whatever_it_is(owned: Office, text: str) -> None:
    await owned.asks(text, **HERE)
    await owned.works()

    assert (owned.desk.seen()[1:], len(owned.askers.seen())) == ([f"fake:U1: {text}"], 1)


async def test_what_is_delivered_twice_goes_to_the_owner_once(owned: Office) -> None:
    said = await owned.asks(KNOWN, **HERE)
    await owned.works()
    await owned.intake.take(said)
    await owned.works()

    assert (owned.desk.seen()[1:], await owned.happened()) == ([f"fake:U1: {KNOWN}"], ["claim", "follow_up"])


async def test_others_in_the_thread_speak_with_its_owner_too_and_elsewhere_with_the_bot(owned: Office) -> None:
    await owned.asks(KNOWN, author="U2", thread=TOP)
    await owned.asks(KNOWN, author="U2")
    await owned.works()

    assert owned.desk.seen()[1:] == [f"fake:U1: {KNOWN}"]
    assert owned.askers.seen()[1:] == [f"{ANSWER} [1]"]


async def test_in_a_group_chat_the_others_are_still_answered(office: Office) -> None:
    chat: dict[str, Any] = {"conversation": "chat", "company": "group"}
    await office.asks(QUESTION, **chat)
    await office.works()
    await office.presses("claim")
    await office.asks(KNOWN, **chat)
    await office.asks(KNOWN, author="U2", **chat)
    await office.works()

    assert office.askers.seen()[1:] == [f"{ANSWER} [1]"]
    assert office.desk.seen()[1:] == [f"fake:U1: {KNOWN}"]


@pytest.mark.parametrize("kind", ["return", "close", "release"])
async def test_afterwards_the_bot_answers_again(owned: Office, kind: ActKind) -> None:
    await owned.presses(kind)
    await owned.asks(KNOWN, **HERE)
    await owned.works()

    assert owned.askers.seen()[-1] == f"{ANSWER} [1]"


async def test_after_a_person_has_given_it_back_the_conversation_begins_anew(owned: Office) -> None:
    await owned.says("Below the mat.")
    await owned.works()
    await owned.presses("return")
    await owned.works()
    said = await owned.asks("And on Sundays?", **HERE)
    ((number,),) = await owned.look(f"select id from message where message = '{said.message}'")

    question = await owned.inbox.take(number)

    assert question is not None
    assert not [turn for turn in question.history if "mat" in turn.text or turn.text == QUESTION]


async def test_what_a_person_said_is_known_while_their_ticket_lives(owned: Office) -> None:
    await owned.says("Below the mat.")
    await owned.works()
    await owned.look("update ticket set next_at = now() returning id")
    await owned.presses("ask", text="Which?")
    await owned.presses("release")
    said = await owned.asks("And on Sundays?", **HERE)
    ((number,),) = await owned.look(f"select id from message where message = '{said.message}'")

    question = await owned.inbox.take(number)

    assert question is not None
    assert Turn("user", QUESTION) in question.history
    assert any("Below the mat." in turn.text for turn in question.history)


async def test_the_asker_asks_for_the_bot_and_is_told_so_once(owned: Office) -> None:
    said = await owned.asks("", thread=TOP, origin="request", wire={"request": "bot"})
    await owned.works()

    assert owned.askers.seen()[1:] == [phrase("asker_returned", "en")]
    assert (await owned.case()).state == "returned"
    assert await owned.book.give_back(said)


async def test_who_asks_for_the_bot_gets_all_of_the_conversation_back(asked: Office) -> None:
    chat: dict[str, Any] = {"conversation": "chat", "company": "direct"}
    for number in (2, 3):
        await asked.look("update ticket set touched_at = now() - interval '2 d' returning id")
        await asked.asks(QUESTION, **chat)
        await asked.works()
        await asked.presses("claim", number)
        await asked.presses("release", number)
    for number in (2, 3):
        await asked.presses("claim", number)
    await asked.asks("", **chat, origin="request", wire={"request": "bot"})
    await asked.works()

    assert [(await asked.case(number)).state for number in (2, 3)] == ["returned", "returned"]


async def test_requests_are_served_while_a_person_has_it(owned: Office) -> None:
    await owned.asks("", thread=TOP, origin="request", wire={"request": "help"})
    await owned.works()

    assert owned.askers.seen()[1:] == [phrase("help", "en")]


async def test_what_is_old_or_too_much_goes_to_the_owner_without_a_notice(database_url: str, pool: Pool) -> None:
    limits = Limits(per_person=1, per_place=100, burst=timedelta(0))
    setting = Setting(limits=limits, manners=Manners(stale_after=timedelta(0)))
    async with open_office(database_url, pool, setting) as office:
        await office.asks(QUESTION, message="5000")
        await office.works()
        await office.presses("claim")
        for text in ("One.", "Two.", "Three."):
            await office.asks(text, thread="5000", is_addressed=True)
        await office.works()

        assert office.desk.seen()[1:] == ["fake:U1: One.", "fake:U1: Two.", "fake:U1: Three."]
        assert len(office.askers.seen()) == 1


async def test_a_button_pressed_meanwhile_tells_the_owner_what_it_is_about(owned: Office) -> None:
    await owned.look("update ticket set state = 'open' returning id")
    await owned.asks(KNOWN, **HERE)
    await owned.works()
    ((answered,),) = await owned.look(f"select id from message where text = '{KNOWN}'")
    await owned.presses("claim")
    await owned.asks("", thread=TOP, origin="button", wire={"again": str(answered)})
    await owned.asks("", thread=TOP, origin="button", wire={"human": ""})
    await owned.works()

    assert owned.desk.seen()[1:] == [f"fake:U1: {KNOWN}"]


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


async def test_a_claim_and_a_reply_at_once_do_not_wait_for_each_other(asked: Office) -> None:
    for number in range(10):
        await asked.asks(f"And the other unknown key {number}?", **HERE)

    await asyncio.gather(asked.works(), *(asked.presses("claim", by=by) for by in ("bea", "carl") for _ in range(5)))
    await asked.works()

    shown = [text for text in asked.desk.seen() if text.startswith("fake:U1: And the other")]
    assert len(shown) == len(set(shown)) == 10
