"""What comes of an act: whether its actor may, whether somebody was first, whether it makes sense any more."""

from collections.abc import Iterable
from datetime import datetime

from bot.core.desk.book import Case
from bot.core.desk.desks import Desk
from bot.core.tickets.acts import ENTRY_ACTS, Act, Came
from bot.core.tickets.state import OWNED, State, TicketAct, state_after

# Who acts where no person does.
CLOCK = "clock:"
_OF_CLOCK = frozenset({"remind", "escalate", "late", "time_out", "expire"})


def judge(act: Act, case: Case, rooms: Iterable[Desk], *, now: datetime) -> Came:
    """Return what comes of an act on a ticket that the desks `rooms` have: "done", or why nothing does."""
    if not _may(act, case, rooms):
        return "refused"
    if act.kind == "claim" and case.state in OWNED and case.owner != act.actor.id:
        return "taken"
    if after(case.state, act) is None:
        return "late"
    # What the clock had decided may have been overtaken while it waited for its turn.
    if act.kind in _OF_CLOCK and (case.next_at is None or case.next_at > now):
        return "late"
    return _judge_ready(act, case)


def after(state: State, act: Act) -> State | None:
    """Return the state that an act leads to; None where it is not possible in that state."""
    if act.kind in ENTRY_ACTS:
        return state
    if act.kind == "offer" and act.actor.id == CLOCK:
        # Nobody has taken the conversation on: it stays the bot's.
        return "returned" if state == "open" else None
    kind: TicketAct = act.kind  # type: ignore[assignment]  # entries' acts were sorted out before
    return state_after(state, kind)


def found_answer(case: Case) -> str:
    """Return the answer that was found last for a ticket that waits; "" where there is none."""
    return next((event.text for event in reversed(case.events) if event.kind == "answerable"), "")


def _may(act: Act, case: Case, rooms: Iterable[Desk]) -> bool:
    place = act.actor.place
    if place is None:
        return True
    if act.kind == "return" and place == case.place and act.actor.id == f"{place.platform}:{case.asker}":
        return True
    return not act.actor.is_foreign and any(room.place == place and room.may_act(act.actor.id) for room in rooms)


def _judge_ready(act: Act, case: Case) -> Came:
    """Judge what sends words that are there already: a draft, once for all, or an answer that was found."""
    if act.kind == "draft" and any(event.kind == "draft" for event in case.events):
        return "taken"
    if act.kind == "offer" and not act.text and _is_offered(case):
        return "taken"
    is_missing = (act.kind == "draft" and not case.draft) or (
        act.kind == "offer" and not (act.text or found_answer(case))
    )
    return "late" if is_missing else "done"


def _is_offered(case: Case) -> bool:
    """Tell whether the answer that was found last has been sent already."""
    last = next((event.kind for event in reversed(case.events) if event.kind in ("answerable", "offer")), None)
    return last == "offer"
