"""`answerdesk tickets`: the questions that wait for a person, and one of them with all that is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, PROBLEM, error_console, print_json
from bot.commands.reading import reader_of
from bot.commands.tickets_card import card, urgency
from bot.compose import Base, open_base
from bot.core.desk.book import Case
from bot.core.desk.readable import Readable, readable
from bot.core.errors import QuestionProblem
from bot.core.tickets.state import ACTIVE, State
from bot.settings import Settings
from bot.taking_over import book_of
from knowledge.types import Reader

STATES: Mapping[str, tuple[State, ...]] = {
    "active": ("open", "claimed", "answered"),
    "open": ("open",),
    "claimed": ("claimed",),
    "answered": ("answered",),
    "returned": ("returned",),
    "closed": ("closed",),
    "expired": ("expired",),
    "all": ("open", "claimed", "answered", "returned", "closed", "expired"),
}
LIST_THEM = "`answerdesk tickets --state all` lists them"
# What of a passage is listed: only its name, for whoever lists tickets may not read all of them.
_LISTED = ("source", "document", "heading", "start_line", "end_line", "relevance")
_KEYS = ("state", "question", "language", "reason", "relevance", "threshold", "opened_at", "due_at", "desk", "owner")


async def tickets(settings: Settings, *, as_json: bool, limit: int, state: str) -> int:
    """List tickets, newest first."""
    if state not in STATES:
        raise QuestionProblem(f"--state {state!r}: there is no such state; choose among: {', '.join(STATES)}")
    async with open_base(settings) as base:
        found = await book_of(base).cases(states=STATES[state], limit=limit)
    if as_json:
        print_json({"tickets": [_listed(case) for case in found]})
    else:
        Console(highlight=False).print(ticket_table(found) if found else f"no tickets (--state {state})")
    return DONE


async def open_tickets(base: Base, *, limit: int) -> Sequence[Case]:
    """Return the newest tickets that wait for a person, or that a person has."""
    return await book_of(base).cases(states=STATES["active"], limit=limit)


async def show(settings: Settings, number: int, *, read_as: str | None, as_json: bool) -> int:
    """Show one ticket; passages as far as its desk, or the person with the e-mail address `read_as`, may read them."""
    async with open_base(settings) as base:
        case = await book_of(base).case(number)
        if case is None:
            return failed(f"there is no ticket {number}; {LIST_THEM}", as_json=as_json)
        found = await readable(case, base.standing, await _reader(base, case, read_as))
    who = asker(case, settings.handover.show_asker)
    if as_json:
        print_json(_document(found, who))
    else:
        Console(highlight=False).print(card(found, who, now=datetime.now(UTC)))
    return DONE


async def _reader(base: Base, case: Case, read_as: str | None) -> Reader:
    desk = base.desks.named(case.desk)
    return desk.reads if desk and read_as is None else await reader_of(base, read_as)


def failed(text: str, *, as_json: bool) -> int:
    """Say why nothing was done."""
    if as_json:
        print_json({"error": text})
    error_console().print(f"[bold red]error:[/] {text}", soft_wrap=True, highlight=False)
    return PROBLEM


def asker(case: Case, show_asker: str) -> str | None:
    """Return what people who take over may know of who asked; None for a question from a terminal, or for nothing."""
    if case.place is None or case.asker is None or case.is_forgotten or show_asker == "nothing":
        return None
    person = f"{case.place.platform}:{case.asker}"
    return f"{case.asker_name} ({person})" if case.asker_name and show_asker == "name" else person


def ticket_table(found: Sequence[Case]) -> Table:
    """Return tickets as a table."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "opened (UTC)", "state", "due", "why", "question"):
        table.add_column(title, overflow="fold", no_wrap=title in ("#", "opened (UTC)"))
    now = datetime.now(UTC)
    for case in found:
        owner = f": {case.owner_name or case.owner}" if case.owner and case.state in ACTIVE else ""
        sure = "" if case.relevance is None else f" {case.relevance:.3f} < {case.threshold:.3f}"
        table.add_row(
            str(case.number),
            f"{case.opened_at.astimezone(UTC):%Y-%m-%d %H:%M}",
            Text(shown(f"{case.state}{owner}")),
            urgency(case, now),
            Text(case.reason.replace("_", " ") + (sure if case.reason == "below_threshold" else "")),
            Text(shown(f"{case.question or '(forgotten)'} [{case.language}]")),
        )
    return table


def _listed(case: Case) -> dict[str, Any]:
    told = {key: getattr(case, key) for key in _KEYS}
    candidates = [{key: each[key] for key in _LISTED if key in each} for each in case.candidates]
    return {"id": case.number, **told, "owner_name": case.owner_name, "candidates": candidates}


def _document(found: Readable, who: str | None) -> dict[str, Any]:
    case = found.case
    place = case.place and {**asdict(case.place), "company": case.company}
    return {
        **_listed(case),
        "asker": who,
        "place": place,
        "candidates": list(found.candidates),
        "left_out": found.left_out,
        "draft": list(found.draft),
        "history": [{"role": turn.role, "text": turn.text} for turn in found.history],
        "events": [asdict(event) for event in case.events],
        "next_step": case.next_step,
        "next_at": case.next_at,
        "is_forgotten": case.is_forgotten,
    }
