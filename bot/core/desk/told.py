"""What whoever did something to a ticket is told about it, in the language of the desk."""

from typing import Literal

from bot.core.desk.book import Case
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind, Came

# What is said where it has happened; other acts show by themselves.
_DONE: dict[ActKind, str] = {
    "claim": "desk_yours",
    "release": "desk_released",
    "draft": "desk_sent",
    "offer": "desk_sent",
    "reply": "desk_sent",
    "ask": "desk_sent",
    "close": "desk_closed",
    "return": "desk_returned",
    "reopen": "desk_reopened",
    "teach": "desk_teaching",
    "approve": "desk_approving",
    "reject": "desk_rejecting",
    "reword": "desk_rewording",
}

_ELSE: dict[str, str] = {
    "prompt": "desk_write_below",
    "taken": "desk_taken",
    "late": "desk_too_late",
    "refused": "desk_refused",
    "unknown": "desk_unknown",
}


def told(came: Came | Literal["prompt"], kind: ActKind, language: str, case: Case | None = None) -> str:
    """Return it; "" where nothing needs to be said."""
    if came == "done":
        return phrase(_DONE[kind], language) if kind in _DONE else ""
    if came == "known":
        return ""
    owner = (case.owner_name or case.owner) if case else None
    state = phrase(f"state_{case.state}", language) if case else ""
    return phrase(_ELSE[came], language, owner=owner or "?", state=state)
