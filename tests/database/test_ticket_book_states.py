"""No way leads from state to state but those of the rules: the database holds the same ones."""

from itertools import product
from typing import get_args

import pytest
from psycopg.errors import CheckViolation

from bot.core.incoming import Place
from bot.core.tickets.acts import Act, Actor
from bot.core.tickets.state import OWNED, State, TicketAct, state_after
from knowledge.store.pool import Pool
from tests.database.recount import rows
from tests.database.tickets_at_work import Office

STATES: tuple[State, ...] = get_args(State)
ACTS: tuple[TicketAct, ...] = get_args(TicketAct)
ASKED_THERE = Place("fake", "T1", "C1")
_NEW = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, state, owner, draft, next_at)
values ('Which unknown key?', 'en', 'asked', 1, '[]', 'f', '{state}', {owner}, '[{{"text": "That one."}}]', now())
returning id
"""


async def ticket_in(pool: Pool, state: State) -> int:
    """Store a ticket in a state, with all that any act needs, and return its number."""
    owner = "'terminal:bea'" if state in OWNED else "null"
    ((number,),) = await rows(pool, _NEW.format(state=state, owner=owner))
    return int(number)


async def test_the_database_lets_a_ticket_go_exactly_where_some_act_leads(pool: Pool) -> None:
    allowed: set[tuple[State, State]] = set()
    for before, after in product(STATES, STATES):
        number = await ticket_in(pool, before)
        try:
            await rows(pool, f"update ticket set state = '{after}' where id = {number} returning id")
            allowed.add((before, after))
        except CheckViolation:
            pass

    by_rule = {(state, state_after(state, act) or state) for state in STATES for act in ACTS}
    assert allowed == by_rule | {(state, state) for state in STATES}


@pytest.mark.parametrize("state", STATES)
async def test_each_act_leads_where_the_rules_say_or_is_too_late(office: Office, state: State) -> None:
    found: dict[TicketAct, State | None] = {}
    for act in ACTS:
        number = await ticket_in(office.pool, state)
        edited = Act("reply", number, Actor("terminal:bea"), f"said:{number}", "So.")
        if act == "edit" and (await office.book.act(edited)).came != "done":
            continue
        text = "" if act in ("claim", "draft") else "That one."
        done = Act(act, number, Actor("terminal:bea"), f"key:{number}", text, edits=edited.key)
        outcome = await office.book.act(done)
        found[act] = (await office.case(number)).state if outcome.came == "done" else None

    expected = {act: state_after(state, act) for act in ACTS}
    if "edit" in found:
        expected["edit"] = "answered"
    else:
        del expected["edit"]
    assert found == expected


async def test_a_ticket_tells_who_did_what_and_when_from_which_state_to_which(office: Office) -> None:
    number = await ticket_in(office.pool, "open")
    bea, clock = Actor("terminal:bea", "Bea"), Actor("clock:")
    for key, (kind, actor) in enumerate([("claim", bea), ("reply", bea), ("time_out", clock), ("reopen", bea)]):
        await rows(office.pool, f"update ticket set next_at = now() where id = {number} returning id")
        await office.book.act(Act(kind, number, actor, f"key:{key}", "That one."))  # type: ignore[arg-type]  # a table

    events = (await office.case(number)).events

    assert [(event.kind, event.from_state, event.to_state) for event in events] == [
        ("claim", "open", "claimed"),
        ("reply", "claimed", "answered"),
        ("time_out", "answered", "returned"),
        ("reopen", "returned", "open"),
    ]
    assert {(event.actor, event.name) for event in events} == {("terminal:bea", "Bea"), ("clock:", "")}
    assert [event.at for event in events] == sorted(event.at for event in events)
