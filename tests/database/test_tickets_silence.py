"""Where a person owns the conversation the bot is silent, and everything its asker writes goes to that person."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.core.admit import Manners
from bot.core.incoming import Place
from bot.core.intake import Limits
from bot.core.messages import Turn
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind
from knowledge.store.pool import Pool
from tests.database.tickets_at_work import ANSWER, QUESTION, Office, Setting, open_office

KNOWN = "How do I reset my PIN?"
TOP = "1000"
HERE: dict[str, Any] = {"thread": TOP, "is_addressed": False}


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

    assert owned.desk.seen()[1:] == [f"fake:U2: {KNOWN}"]
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
    assert question.history == ()


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


async def test_a_claim_and_a_reply_at_once_do_not_wait_for_each_other(asked: Office) -> None:
    for number in range(10):
        await asked.asks(f"And the other unknown key {number}?", **HERE)

    await asyncio.gather(asked.works(), *(asked.presses("claim", by=by) for by in ("bea", "carl") for _ in range(5)))
    await asked.works()

    shown = [text for text in asked.desk.seen() if text.startswith("fake:U1: And the other")]
    assert len(shown) == len(set(shown)) == 10


async def test_what_was_asked_for_ones_own_eyes_goes_on_below_the_direct_message(owned: Office) -> None:
    await owned.says("In the top drawer.")
    await owned.works()
    # Where only its asker may see it, a platform names their direct messages by them.
    shown = owned.askers.name_of_last("top drawer")
    await owned.look(f"update parcel set channel = 'U1' where sent_as = '{shown}' returning position")
    direct = Place("fake", "T1", "D1")
    await owned.asks("Which drawer?", place=direct, thread=shown, company="direct")
    await owned.asks(KNOWN, place=direct, company="direct")
    await owned.works()

    assert owned.desk.seen()[1:] == ["fake:U1: Which drawer?"]
    assert [ANSWER in text for text in owned.askers.seen(direct)] == [True]
