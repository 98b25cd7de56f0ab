"""What people do to tickets happens once, and only where they may do it."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.core.incoming import Place
from bot.core.phrases import phrase
from bot.core.tickets.acts import Act, ActKind, Actor
from tests.database.tickets_at_work import ASKED, ELSEWHERE, IT, ROOM, SECOND_ROOM, Office, Setting, open_office

COUNTS = (
    "select (select count(*) from ticket_event), (select count(*) from message), (select count(*) from parcel),"
    " (select count(*) from procrastinate_jobs)"
)


@pytest.fixture
async def opened(office: Office) -> Office:
    """An office with a ticket, shown at its desk."""
    await office.asks("Where is the unknown key?")
    await office.works()
    return office


async def test_what_is_done_by_those_who_may_not_or_elsewhere_is_refused(opened: Office) -> None:
    tries: list[tuple[str, Place | None]] = [
        ("eve", ROOM),
        ("bea", ELSEWHERE),
        ("bea", replace(ROOM, workspace="T8")),
        ("bea", replace(ROOM, platform="fake")),
        ("U1", ASKED),
        ("U2", ASKED),
    ]
    kinds: list[ActKind] = ["claim", "close", "note"]
    came = [(await opened.presses(kind, by=by, place=at, text="So.")).came for kind in kinds for by, at in tries]
    guest = await opened.presses("claim", is_foreign=True)

    assert {*came, guest.came} == {"refused"}
    assert await opened.happened() == ["refused"] * (len(kinds) * len(tries) + 1)
    assert (await opened.case()).state == "open"


@pytest.mark.parametrize(("by", "place"), [("dora", SECOND_ROOM), ("terminal:ann", None)])
async def test_the_desk_behind_and_operators_may_take_over_too(opened: Office, by: str, place: Place | None) -> None:
    assert (await opened.presses("claim", by=by, place=place)).came == "done"


async def test_only_the_asker_may_have_the_bot_back_from_there(opened: Office) -> None:
    await opened.presses("claim")

    came = [(await opened.presses("return", by=by, place=ASKED)).came for by in ("U2", "bea", "U1")]
    assert came == ["refused", "refused", "done"]


async def test_what_was_refused_is_recorded_with_who_tried_what(opened: Office) -> None:
    await opened.presses("close", by="eve", key="k")
    await opened.presses("close", by="eve", key="k")

    (event,) = (await opened.case()).events
    assert (event.kind, event.actor, event.details) == ("refused", "desk:eve", {"act": "close"})


async def test_at_a_desk_in_the_channel_where_it_was_asked_its_people_may_return_it(
    database_url: str, pool: Any
) -> None:
    desk = replace(IT, place=ASKED, people={"fake:bea": "Bea"})
    async with open_office(database_url, pool, Setting((desk,))) as office:
        await office.asks("Where is the unknown key?")
        await office.works()

        assert (await office.presses("return", place=ASKED)).came == "done"


async def test_of_two_who_claim_at_once_one_wins_and_the_other_is_told_who(opened: Office) -> None:
    outcomes = await asyncio.gather(*(opened.presses("claim", by=by) for by in ("bea", "carl")))

    owner = (await opened.case()).owner_name
    assert sorted(outcome.came for outcome in outcomes) == ["done", "taken"]
    (told,) = [outcome for outcome in outcomes if outcome.came == "taken"]
    assert (told.owner, told.told) == (owner, phrase("desk_taken", "en", owner=owner))
    assert await opened.happened() == ["claim"]


async def test_many_acts_at_once_happen_one_after_another(opened: Office) -> None:
    kinds: list[ActKind] = ["claim", "close", "return", "note", "reopen", "ask", "reply"]
    await asyncio.gather(*(opened.presses(kind, by=by, text="So.") for kind in kinds for by in ("bea", "carl")))

    events = (await opened.case()).events
    assert [event.from_state for event in events][1:] == [event.to_state for event in events][:-1]
    assert (events[0].from_state, events[-1].to_state) == ("open", (await opened.case()).state)


async def test_the_same_acts_twice_change_nothing_the_second_time(opened: Office) -> None:
    kinds: list[ActKind] = ["claim", "reply", "ask", "note", "teach", "return", "reopen", "close"]
    for kind in kinds:
        await opened.presses(kind, key=kind, text="So.")
    await opened.works()
    before = await opened.look(COUNTS)

    outcomes = [await opened.presses(kind, key=kind, text="So.") for kind in kinds]
    await opened.works()

    assert {(outcome.came, outcome.told) for outcome in outcomes} == {("known", "")}
    assert await opened.look(COUNTS) == before


@pytest.mark.parametrize("state", ["closed", "returned"])
async def test_whoever_comes_too_late_is_told_what_became_of_the_ticket(opened: Office, state: str) -> None:
    await opened.presses("close" if state == "closed" else "return")

    outcome = await opened.presses("claim", by="carl")

    assert (outcome.came, outcome.told) == (
        "late",
        phrase("desk_too_late", "en", state=phrase(f"state_{state}", "en")),
    )


async def test_there_is_nothing_to_do_to_a_ticket_that_there_is_not(opened: Office) -> None:
    assert (await opened.presses("claim", 99)).came == "unknown"
    assert (await opened.book.act(Act("approve", 99, Actor("terminal:ann"), "k"))).came == "unknown"


async def test_a_button_that_needs_words_asks_for_them_once(opened: Office) -> None:
    outcomes = [await opened.presses("reply", key="k") for _ in range(2)]
    await opened.works()

    assert [outcome.told for outcome in outcomes] == [phrase("desk_write_below", "en")] * 2
    assert opened.desk.seen()[1:] == [phrase("prompt_reply", "en")]
    assert await opened.happened() == []


async def test_words_that_answer_a_prompt_are_what_it_asked_for(opened: Office) -> None:
    await opened.presses("note")
    await opened.works()

    prompt = opened.desk.name_of_last(phrase("prompt_note", "en"))
    await opened.says("Carl knows.", wire={"reply_to": prompt})

    assert [(event.kind, event.text) for event in (await opened.case()).events] == [("note", "Carl knows.")]


async def test_whoever_claims_owns_until_it_is_released(opened: Office) -> None:
    await opened.presses("claim")
    await opened.presses("reply", by="carl", text="So.")
    owned = await opened.case()
    await opened.presses("ask", text="Which?")
    await opened.presses("release", by="carl")

    assert (owned.owner, owned.owner_name, owned.state) == ("desk:bea", "Bea", "answered")
    assert ((await opened.case()).owner, (await opened.case()).state) == (None, "open")


async def test_whoever_answers_an_open_ticket_owns_it(opened: Office) -> None:
    await opened.presses("reply", by="carl", text="So.")

    assert ((await opened.case()).owner, (await opened.case()).owner_name) == ("desk:carl", "Carl")


async def test_a_reply_below_a_closed_ticket_is_told_to_have_gone_nowhere(opened: Office) -> None:
    await opened.presses("close")
    await opened.works()
    said, _ = await opened.says("Below the mat.")
    await opened.intake.take(said)
    await opened.works()

    late = phrase("desk_too_late", "en", state=phrase("state_closed", "en"))
    assert opened.desk.seen()[1:] == [late]
    assert "Below the mat" not in " ".join(opened.askers.seen())
