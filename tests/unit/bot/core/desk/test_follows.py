"""What has to be said, and to whom, when something has happened to a ticket."""

from typing import get_args

import pytest

from bot.core.desk.follows import follows
from bot.core.tickets.acts import ActKind
from bot.core.tickets.state import State, TicketAct, state_after


@pytest.mark.parametrize(
    ("kind", "before", "expected"),
    [
        ("claim", "open", ["desk refresh"]),
        ("claim", "claimed", ["desk refresh"]),
        ("release", "claimed", ["desk refresh"]),
        ("reply", "claimed", ["asker reply", "desk refresh"]),
        ("reply", "answered", ["asker reply"]),
        ("ask", "answered", ["asker reply", "desk refresh"]),
        ("draft", "open", ["asker reply", "desk refresh"]),
        ("offer", "answered", ["asker reply"]),
        ("note", "claimed", []),
        ("edit", "answered", []),
        ("close", "answered", ["asker told", "desk refresh"]),
        ("return", "claimed", ["asker told", "desk refresh"]),
        ("reopen", "closed", ["asker told", "desk refresh"]),
        ("teach", "closed", ["desk teach"]),
        ("follow_up", "claimed", ["desk follow_up"]),
        ("follow_up", "answered", ["desk follow_up", "desk refresh"]),
        ("remind", "open", ["desk notice"]),
        ("escalate", "open", ["desk notice", "fallback card"]),
        ("late", "open", ["asker told"]),
        ("time_out", "answered", ["desk notice", "asker told", "desk refresh"]),
        ("expire", "open", ["desk notice", "asker told", "desk refresh"]),
    ],
)
def test_each_side_hears_what_concerns_it(kind: TicketAct, before: State, expected: list[str]) -> None:
    after = state_after(before, kind)
    assert after is not None

    assert [" ".join(said) for said in follows(kind, before, after)] == expected


@pytest.mark.parametrize("kind", ["approve", "reject", "reword"])
def test_what_is_decided_on_an_entry_is_said_at_the_desk(kind: ActKind) -> None:
    assert [*follows(kind, "closed", "closed")] == [("desk", "entry")]


def test_notes_and_edits_are_never_said_to_the_asker() -> None:
    said = [side for kind in ("note", "edit") for state in get_args(State) for side, _ in follows(kind, state, state)]

    assert said == []
