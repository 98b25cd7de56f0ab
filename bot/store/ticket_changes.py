"""What happened to tickets, in PostgreSQL: each event once."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from bot.core.desk.book import Case
from bot.core.desk.clock import Times, next_step, standing_of
from bot.core.desk.desks import Desk
from bot.core.tickets.acts import Act
from bot.core.tickets.state import State
from bot.store.cases import read_case, read_events
from knowledge.prepare import storable


@dataclass(frozen=True, slots=True)
class Happened:
    """An event as it is looked for again."""

    id: int
    ticket: int
    kind: str
    text: str
    key: str


async def happened(connection: AsyncConnection, key: str) -> Happened | None:
    """Return what happened under a key; None where nothing has yet."""
    cursor = connection.cursor(row_factory=class_row(Happened))
    return await (await cursor.execute(_HAPPENED, {"key": storable(key)})).fetchone()


@dataclass(frozen=True, slots=True)
class Happening:
    """What is about to be noted of a ticket, once for each `key`; without a state it stays in the one that it has."""

    kind: str
    actor: str
    key: str
    text: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    to_state: State | None = None


async def record(connection: AsyncConnection, case: Case, happening: Happening) -> int | None:
    """Note what happens to a ticket and return the event's number; None where it had happened already."""
    row = {
        "ticket": case.number,
        "kind": happening.kind,
        "actor": storable(happening.actor),
        "from_state": case.state,
        "to_state": happening.to_state or case.state,
        "text": storable(happening.text),
        "details": Jsonb(dict(happening.details)),
        "key": storable(happening.key),
    }
    found = await (await connection.execute(_RECORD, row)).fetchone()
    return int(found[0]) if found else None


async def change(
    connection: AsyncConnection, case: Case, act: Act, after: State, *, kind: str | None = None
) -> int | None:
    """Note what somebody does to a ticket and return the event's number; None where it had happened already."""
    details: dict[str, object] = {storable(key): storable(value) for key, value in act.details.items()}
    if act.actor.name:
        details["name"] = storable(act.actor.name)
    if act.files:
        details["files"] = [asdict(file) for file in act.files]
    if kind:
        details["act"] = act.kind
    happening = Happening(kind or act.kind, act.actor.id, act.key, act.text, details, after)
    return await record(connection, case, happening)


async def note(connection: AsyncConnection, event: Happened, *, text: str) -> None:
    """Give what was said another text."""
    await connection.execute(_NOTE, {"event": event.id, "text": storable(text)})


async def name_actor(connection: AsyncConnection, event: int, name: str) -> None:
    """Note the name of who has done something."""
    await connection.execute(_NAME, {"event": event, "name": storable(name)})


async def plan_next(connection: AsyncConnection, number: int, desk: Desk | None, times: Times) -> None:
    """Note what the clock does next with a ticket, by all that has happened to it."""
    case = await read_case(connection, number)
    assert case is not None, "a ticket that is locked is there"
    standing = standing_of(replace(case, events=await read_events(connection, number)))
    step = next_step(standing, desk=desk, times=times, now=datetime.now(UTC))
    await connection.execute(_PLAN, {"number": number, "step": step and step.kind, "at": step and step.at})


_HAPPENED = "select id, ticket_id as ticket, kind, text, key from ticket_event where key = %(key)s"
_RECORD = """
insert into ticket_event (ticket_id, kind, actor, from_state, to_state, text, details, key)
values (%(ticket)s, %(kind)s, %(actor)s, %(from_state)s, %(to_state)s, %(text)s, %(details)s, %(key)s)
on conflict (key) do nothing
returning id
"""
_NOTE = "update ticket_event set text = %(text)s where id = %(event)s"
_NAME = "update ticket_event set details = details || jsonb_build_object('name', %(name)s::text) where id = %(event)s"
_PLAN = "update ticket set next_step = %(step)s, next_at = %(at)s where id = %(number)s"
