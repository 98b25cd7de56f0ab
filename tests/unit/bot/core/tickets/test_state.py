"""The life of a ticket: each act in each state."""

from typing import get_args

import pytest

from bot.core.tickets.state import ACTIVE, OWNED, State, TicketAct, state_after

STATES: tuple[State, ...] = get_args(State)
ACTS: tuple[TicketAct, ...] = get_args(TicketAct)
# One column for each of: open, claimed, answered, returned, closed, expired; "-" where the act is not possible.
TABLE = """
claim      claimed   claimed   answered  -         -       -
release    -         open      -         -         -       -
reply      answered  answered  answered  -         -       -
ask        claimed   claimed   claimed   -         -       -
draft      answered  answered  answered  -         -       -
offer      answered  answered  answered  -         -       -
note       open      claimed   answered  returned  closed  expired
edit       open      claimed   answered  returned  closed  expired
close      closed    closed    closed    -         -       -
return     returned  returned  returned  -         -       -
reopen     -         -         -         open      open    open
teach      open      claimed   answered  returned  closed  expired
follow_up  open      claimed   claimed   -         -       -
remind     open      claimed   -         -         -       -
escalate   open      claimed   -         -         -       -
late       open      claimed   -         -         -       -
time_out   -         open      returned  -         -       -
expire     expired   -         -         -         -       -
"""
ROWS = {act: after for act, *after in map(str.split, TABLE.strip().splitlines())}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_leads_from_each_state_where_the_table_says(act: TicketAct) -> None:
    assert [state_after(state, act) or "-" for state in STATES] == ROWS[act]


def test_an_owned_ticket_is_an_active_one() -> None:
    assert OWNED < ACTIVE < set(STATES)


@pytest.mark.parametrize("state", sorted(OWNED))
def test_whoever_owns_a_conversation_can_end_that(state: State) -> None:
    ends = {state_after(state, act) for act in ACTS} - OWNED

    assert {"returned", "closed"} <= ends
