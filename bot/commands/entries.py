"""`answerdesk entries`: what people taught, and what becomes of it."""

import asyncio
import getpass
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import click
from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, print_json
from bot.compose import open_base, open_desk
from bot.core.errors import EntryProblem
from bot.core.learning.checks import Contradiction, Duplicate, Place
from bot.core.learning.entry import Entry, State, Until, Version
from bot.core.learning.personal import Stripped
from bot.learning import Learning, Proposal, learning_of
from bot.settings import Settings
from bot.store.entries import PostgresEntries
from knowledge.sources.audience_tags import AudienceTags

ALL: tuple[State, ...] = ("draft", "approved", "rejected", "unlearned", "expired")
# What stands between question and answer where both are edited in one file.
BORDER = "----"


@dataclass(frozen=True, slots=True)
class Wording:
    """What `edit` was given; what is None is taken from an editor, or stays as it is where anything was given."""

    question: str | None = None
    answer: str | None = None
    audience: tuple[str, ...] | None = None


async def entries(settings: Settings, *, states: Sequence[State], is_due: bool, limit: int, as_json: bool) -> int:
    """List entries, the last changed first; `is_due`: those that somebody should look at again."""
    async with open_base(settings) as base:
        store = PostgresEntries(base.pool)
        found = await store.due(datetime.now(UTC)) if is_due else await store.newest(states or ALL, limit)
    if as_json:
        print_json({"entries": [asdict(entry) for entry in found[:limit]]})
    elif found:
        Console().print(_table(found[:limit]))
    else:
        Console().print("no entries")
    return DONE


async def show(settings: Settings, entry: int, *, as_json: bool) -> int:
    """Show an entry with what speaks against it, and its versions."""
    async with _open(settings) as learning, open_base(settings) as base:
        store = PostgresEntries(base.pool)
        proposal, known, history = (
            await learning.proposal(entry),
            await store.get(entry),
            await store.history(entry),
        )
    if as_json:
        told = {**asdict(proposal), **(asdict(known) if known else {})}
        print_json({**told, "history": [asdict(version) for version in history]})
    elif known:
        _show(Console(highlight=False), proposal, known, history)
    return DONE


async def propose(settings: Settings, ticket: int, answer: str | None, *, as_json: bool) -> int:
    """Make a draft of a ticket."""
    async with _open(settings) as learning:
        proposal = await learning.propose(ticket, actor=operator(), actor_name=_name(), answer=answer)
    return _told(proposal, as_json=as_json)


async def edit(settings: Settings, entry: int, wording: Wording, *, as_json: bool) -> int:
    """Word an entry anew: as given, or in an editor."""
    async with _open(settings) as learning:
        known = await learning.proposal(entry)
        question, answer = wording.question, wording.answer
        if wording == Wording():
            question, answer = await asyncio.to_thread(_edited, known.question, known.answer)
        proposal = await learning.edit(
            entry,
            question=known.question if question is None else question,
            answer=known.answer if answer is None else answer,
            actor=operator(),
            audience=None if wording.audience is None else _audience(wording.audience),
        )
    return _told(proposal, as_json=as_json)


async def approve(settings: Settings, entry: int) -> int:
    """Make an entry knowledge."""
    async with _open(settings) as learning:
        approved = await learning.approve(entry, actor=operator())
    until = f"; it expires on {approved.expires_at:%Y-%m-%d}" if approved.expires_at else ""
    Console().print(f"entry {entry} is approved and searchable{until}", soft_wrap=True)
    return DONE


async def reject(settings: Settings, entry: int) -> int:
    """Give up a draft."""
    async with _open(settings) as learning:
        await learning.reject(entry, actor=operator())
    Console().print(f"entry {entry} is rejected")
    return DONE


async def unlearn(settings: Settings, entry: int) -> int:
    """Take an entry back."""
    async with _open(settings) as learning:
        await learning.unlearn(entry, actor=operator())
    Console().print(f"entry {entry} is unlearned and out of the index")
    return DONE


async def time(settings: Settings, entry: int, *, review: str | None, expires: str | None) -> int:
    """Set the dates of an entry, "never" for none; what is over leaves the index at once."""
    async with _open(settings) as learning, open_base(settings) as base:
        known = await PostgresEntries(base.pool).get(entry)
        before = Until(known.review_at, known.expires_at) if known else Until()
        until = Until(_date(review, before.review_at), _date(expires, before.expires_at))
        await learning.time(entry, until)
        await learning.expire_due(datetime.now(UTC))
    Console().print(f"entry {entry}: review {_day(until.review_at)}, expires {_day(until.expires_at)}")
    return DONE


def operator() -> str:
    """Return whoever runs the command, as an actor."""
    return f"terminal:{_name()}"


def _name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "operator"


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[Learning]:
    async with open_desk(settings) as desk:
        yield learning_of(desk)


def _edited(question: str, answer: str) -> tuple[str, str]:
    """Return both as they were left in $EDITOR."""
    text = click.edit(f"{question}\n{BORDER}\n{answer}\n", extension=".md")
    if text is None:
        raise EntryProblem("nothing was changed")
    asked, border, said = text.partition(f"\n{BORDER}\n")
    if not border:
        raise EntryProblem(f"the line {BORDER!r} between question and answer is missing; nothing was changed")
    return asked, said


def _audience(tags: Sequence[str]) -> tuple[str, ...]:
    try:
        return TypeAdapter(AudienceTags).validate_python(tuple(tags))
    except ValidationError as exc:
        raise EntryProblem("; ".join(error["msg"] for error in exc.errors())) from exc


def _date(given: str | None, before: datetime | None) -> datetime | None:
    if given is None:
        return before
    if given == "never":
        return None
    try:
        at = datetime.fromisoformat(given)
    except ValueError as exc:
        raise EntryProblem(f'{given!r} is no date; write one like 2027-01-31, or "never"') from exc
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def _day(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d}" if at else "never"


def _told(proposal: Proposal, *, as_json: bool) -> int:
    if as_json:
        print_json(asdict(proposal))
    else:
        _propose(Console(highlight=False), proposal)
    return DONE


def _table(found: Sequence[Entry]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "state", "changed (UTC)", "by", "review", "expires", "question"):
        table.add_column(title, overflow="fold")
    for entry in found:
        table.add_row(
            str(entry.id),
            entry.state,
            f"{entry.changed_at:%Y-%m-%d %H:%M}",
            Text(shown(entry.author_name)),
            _day(entry.review_at),
            _day(entry.expires_at),
            Text(shown(entry.question)),
        )
    return table


def _show(console: Console, proposal: Proposal, entry: Entry, history: Sequence[Version]) -> None:
    _propose(console, proposal)
    source = f", from ticket {entry.ticket}" if entry.ticket else ""
    dates = f"review {_day(entry.review_at)}, expires {_day(entry.expires_at)}"
    for line in (f"by {shown(entry.author_name)}{source}; owner {shown(entry.owner)}; {dates}", "versions:"):
        console.print(line, soft_wrap=True, markup=False)
    for version in history:
        line = f"  {version.version}  {version.at:%Y-%m-%d %H:%M}  {version.state}  {version.actor}: {version.question}"
        console.print(shown(line), soft_wrap=True, markup=False)


def _propose(console: Console, proposal: Proposal) -> None:
    """Print an entry with all that people should know before they approve it."""
    console.print(f"entry {proposal.entry} ({proposal.state}), for {', '.join(proposal.audience)}", markup=False)
    console.print(Text(shown(proposal.question), style="bold"), soft_wrap=True)
    for line in proposal.answer.splitlines():
        console.print(f"  {shown(line)}", soft_wrap=True, markup=False)
    for line in [*_stripped(proposal), *_findings(proposal)]:
        console.print(Text(shown(line), style="yellow"), soft_wrap=True)


def _stripped(proposal: Proposal) -> Sequence[str]:
    def listed(found: Sequence[Stripped]) -> str:
        return ", ".join(f"{one.text!r} ({one.kind}, {one.part})" for one in found)

    taken = [f"taken out: {listed(proposal.stripped)}"] if proposal.stripped else []
    return [*taken, *([f"looks personal: {listed(proposal.left)}"] if proposal.left else [])]


def _findings(proposal: Proposal) -> Sequence[str]:
    return [*map(_duplicate, proposal.duplicates), *map(_contradiction, proposal.contradictions)]


def _duplicate(found: Duplicate) -> str:
    return f"answered already ({found.relevance:.2f}) by {_place(found.place)}"


def _contradiction(found: Contradiction) -> str:
    return f"{_place(found.place)} says otherwise: “{found.theirs}” against “{found.ours}”"


def _place(place: Place) -> str:
    if place.kind == "entry":
        return f"entry {place.entry}, “{place.title}”"
    return f"{place.source}: {place.document}, “{place.title}”"
