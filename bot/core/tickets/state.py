"""The life of a ticket: which act leads from which state to which; the database holds the same rules once more."""

from collections.abc import Mapping
from typing import Literal

# open: nobody has it. claimed: its owner owns the conversation. answered: they have said something, and own it still.
# returned: the conversation is the bot's again. closed: done with. expired: nobody took it up.
State = Literal["open", "claimed", "answered", "returned", "closed", "expired"]
# What people do to a ticket, and at the end of the list the asker and the clock.
TicketAct = Literal[
    "claim",
    "release",
    "reply",
    "ask",
    "draft",
    "offer",
    "note",
    "edit",
    "close",
    "return",
    "reopen",
    "teach",
    "follow_up",
    "remind",
    "escalate",
    "late",
    "time_out",
    "expire",
]

ACTIVE: frozenset[State] = frozenset({"open", "claimed", "answered"})
# In these a person owns the conversation, and the bot is silent there.
OWNED: frozenset[State] = frozenset({"claimed", "answered"})

_SAME: Mapping[State, State] = {state: state for state in ("open", "claimed", "answered")}
_ANSWERED: Mapping[State, State] = dict.fromkeys(("open", "claimed", "answered"), "answered")
_ANY: Mapping[State, State] = {**_SAME, "returned": "returned", "closed": "closed", "expired": "expired"}
_NEXT: Mapping[TicketAct, Mapping[State, State]] = {
    "claim": {"open": "claimed", "claimed": "claimed", "answered": "answered"},
    "release": {"claimed": "open"},
    "reply": _ANSWERED,
    "draft": _ANSWERED,
    "offer": _ANSWERED,
    "ask": {"open": "claimed", "claimed": "claimed", "answered": "claimed"},
    "note": _ANY,
    "edit": _ANY,
    "teach": _ANY,
    "close": dict.fromkeys(("open", "claimed", "answered"), "closed"),
    "return": dict.fromkeys(("open", "claimed", "answered"), "returned"),
    "reopen": dict.fromkeys(("returned", "closed", "expired"), "open"),
    "follow_up": {"open": "open", "claimed": "claimed", "answered": "claimed"},
    "remind": {"open": "open", "claimed": "claimed"},
    "escalate": {"open": "open", "claimed": "claimed"},
    "late": {"open": "open", "claimed": "claimed"},
    "time_out": {"claimed": "open", "answered": "returned"},
    "expire": {"open": "expired"},
}


def state_after(state: State, act: TicketAct) -> State | None:
    """Return the state that an act leads to; None where it is not possible in that state."""
    return _NEXT[act].get(state)
