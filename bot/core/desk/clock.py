"""What the clock does next with a ticket: it reminds, passes on, tells the asker the truth, ends what nobody keeps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.core.desk.book import Case, Event
from bot.core.desk.desks import Desk
from bot.core.tickets.state import OWNED, State

# A desk is reminded when so much of the working time that it has is gone.
REMIND_AFTER = 0.75

ClockAct = Literal["remind", "escalate", "late", "time_out", "expire"]


@dataclass(frozen=True, slots=True)
class Times:
    """How long the owner of a conversation may be silent (None: for ever), and how long a ticket stays open."""

    return_after: timedelta | None = timedelta(days=1)
    expire_after: timedelta = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Step:
    """What the clock does with a ticket, and when."""

    kind: ClockAct
    at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """What the clock has to know of a ticket; `events` are in order, and need not tell what it began with.

    `touched_at` is when a person last said something; `due_at` None where nobody promised anything.
    """

    state: State
    opened_at: datetime
    touched_at: datetime
    due_at: datetime | None = None
    events: Sequence[Event] = ()


def standing_of(case: Case) -> Standing:
    """Return what of a ticket that was read with its events the clock has to know."""
    return Standing(case.state, case.opened_at, case.touched_at, case.due_at, case.events)


def promise(desk: Desk, now: datetime) -> datetime:
    """Return until when a desk that gets a question now has to answer it, in the desk's zone."""
    return desk.hours.after(now, desk.answer_within)


def promises_anew(kind: str, state: State, events: Sequence[Event]) -> bool:
    """Tell whether an act in a state gives a ticket's desk its time again, and its asker another promise.

    It does where the desk has spoken, and the asker waits for it once more.
    """
    has_asked = "ask" in _waiting(events)[1]
    return kind == "reopen" or (kind == "follow_up" and (state == "answered" or has_asked))


def next_step(ticket: Standing, *, desk: Desk | None, times: Times, now: datetime) -> Step | None:
    """Return what the clock does next with a ticket, perhaps now; None where it has nothing to do with it.

    Of all that became due while nothing ran, each side hears once: what is overtaken never happens.
    """
    steps = list(_steps(ticket, desk, times, now))
    overdue = next((step for step in steps if step.at <= now), None)
    return overdue or min(steps, key=lambda step: step.at, default=None)


def _steps(ticket: Standing, desk: Desk | None, times: Times, now: datetime) -> Iterator[Step]:
    """Yield what may come; first what makes the others needless."""
    asked_again, since_then = _waiting(ticket.events)
    waits_since = asked_again or ticket.opened_at
    if ticket.state == "open":
        let_go = [since_then[kind] for kind in ("release", "time_out") if kind in since_then]
        yield Step("expire", max(waits_since, ticket.touched_at, *let_go) + times.expire_after)
    if ticket.state in OWNED and times.return_after:
        yield Step("time_out", ticket.touched_at + times.return_after)
    # While the asker owes an answer, the desk owes none.
    if desk and ticket.due_at and ticket.state in ("open", "claimed") and "ask" not in since_then:
        yield from _reminders(desk, waits_since, ticket.due_at, since_then, now)


def _reminders(
    desk: Desk, since: datetime, due: datetime, since_then: Mapping[str, datetime], now: datetime
) -> Iterator[Step]:
    """Yield what comes because an answer is promised for the moment `due`."""
    time_given = desk.hours.between(since, due)
    let_go = since_then.get("time_out", since)
    # Both sides have heard then that nobody has answered; the desk gets the time that a reminder leaves once more.
    is_told = "time_out" in since_then and let_go >= due
    if desk.fallback and "escalate" not in since_then:
        yield Step("escalate", desk.hours.after(let_go, time_given * (1 - REMIND_AFTER)) if is_told else due)
    if "late" not in since_then and not is_told:
        yield Step("late", due)
    remind_at = desk.hours.after(since, time_given * REMIND_AFTER)
    # A desk that was told later that its ticket waits again has been reminded.
    if now < due and "remind" not in since_then and remind_at > let_go:
        yield Step("remind", remind_at)


def _waiting(events: Sequence[Event]) -> tuple[datetime | None, Mapping[str, datetime]]:
    """Return when the asker last began to wait again, and all that has happened since, by its kind at its last time."""
    asked_again: datetime | None = None
    since_then: dict[str, datetime] = {}
    for event in events:
        is_answer = event.kind == "follow_up" and (event.from_state == "answered" or "ask" in since_then)
        if event.kind == "reopen" or is_answer:
            asked_again, since_then = event.at, {}
        since_then[event.kind] = event.at
    return asked_again, since_then
