"""Single sentences about what happened to a ticket: among the people at a desk, and to its asker."""

from bot.core.desk.book import Case, Event
from bot.core.desk.desks import Desk
from bot.core.phrases import phrase

_DESK = {
    "remind": "desk_remind",
    "escalate": "desk_escalated",
    "time_out": "desk_timed_out",
    "expire": "desk_expired",
    "undelivered": "desk_undelivered",
}
_ASKER = {
    "close": "asker_closed",
    "return": "asker_returned",
    "reopen": "asker_reopened",
    "late": "asker_late",
    "time_out": "asker_timed_out",
    "expire": "asker_expired",
}


def desk_notice(case: Case, event: Event, desk: Desk) -> str:
    """Return what the people at a desk are told."""
    due = f"{case.due_at.astimezone(desk.hours.zone):%Y-%m-%d %H:%M}" if case.due_at else ""
    name = "desk_given_back" if _is_given_back(event) else _DESK[event.kind]
    return phrase(name, desk.language, ticket=case.number, time=due, desk=desk.title)


def asker_notice(case: Case, event: Event, desk: Desk | None, language: str) -> str:
    """Return what the asker is told."""
    title = desk.title if desk else phrase("a_person", language)
    name = "asker_returned" if _is_given_back(event) else _ASKER[event.kind]
    return phrase(name, language, ticket=case.number, desk=title)


def _is_given_back(event: Event) -> bool:
    """Tell whether its owner had answered before the time ran out, so that the bot answers again."""
    return event.kind == "time_out" and event.to_state == "returned"
