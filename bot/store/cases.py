"""Tickets read from PostgreSQL, with all that is known of them."""

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.rows import dict_row

from bot.core.desk.book import Case, Cited, Event, Said
from bot.core.incoming import Place
from bot.core.tickets.files import File
from bot.core.tickets.state import State
from bot.store.stored_message import place_row
from bot.store.transcript import CHAT_HOURS, SAID_WITH_IT

TURNS_READ = 12


async def read_case(connection: AsyncConnection, number: int, *, for_update: bool = False) -> Case | None:
    """Return a ticket without its events; locked, where it is about to be changed."""
    cursor = connection.cursor(row_factory=dict_row)
    statement = _LOCKED if for_update else _ONE
    row = await (await cursor.execute(statement, {"number": number})).fetchone()
    return case_of(row) if row else None


async def read_cases(connection: AsyncConnection, states: Sequence[State], limit: int) -> list[Case]:
    """Return the newest tickets in these states, newest first, without their events."""
    cursor = connection.cursor(row_factory=dict_row)
    rows = await (await cursor.execute(_NEWEST, {"states": list(states), "limit": limit})).fetchall()
    return [case_of(row) for row in rows]


async def read_events(connection: AsyncConnection, number: int) -> tuple[Event, ...]:
    """Return what happened to a ticket, in order."""
    cursor = connection.cursor(row_factory=dict_row)
    rows = await (await cursor.execute(_EVENTS, {"number": number})).fetchall()
    return tuple(event_of(row) for row in rows)


async def read_history(connection: AsyncConnection, number: int) -> tuple[Said, ...]:
    """Return what was said in its conversation before a ticket was opened, oldest first."""
    cursor = connection.cursor(row_factory=dict_row)
    parameters = {"number": number, "hours": CHAT_HOURS, "limit": TURNS_READ}
    rows = await (await cursor.execute(_HISTORY, parameters)).fetchall()
    return tuple(
        Said(row["role"], row["text"], tuple(Cited(*quote) for quote in row["quotes"])) for row in reversed(rows)
    )


async def read_sent(connection: AsyncConnection, place: Place, message: str) -> list[str]:
    """Return the platform's names of what was sent by an errand, in order."""
    rows = await connection.execute(_SENT, {**place_row(place), "message": message})
    return [str(name) for (name,) in await rows.fetchall()]


async def read_card(connection: AsyncConnection, place: Place, ticket: int) -> list[str]:
    """Return the platform's names of a ticket's card as it was sent last: one that was deleted was sent anew."""
    rows = await connection.execute(_CARD, {**place_row(place), "ticket": ticket})
    return [str(name) for (name,) in await rows.fetchall()]


def event_of(row: dict[str, Any]) -> Event:
    """Return a row as what happened."""
    details = dict(row["details"])
    files = tuple(File(**file) for file in details.pop("files", []))
    return Event(
        id=row["id"],
        kind=row["kind"],
        actor=row["actor"],
        name=str(details.pop("name", "")),
        at=row["at"],
        from_state=row["from_state"],
        to_state=row["to_state"],
        text=row["text"],
        files=files,
        details=details,
    )


def case_of(row: dict[str, Any]) -> Case:
    """Return a row as a ticket."""
    place = Place(row["platform"], row["workspace"], row["channel"]) if row["platform"] else None
    return Case(
        number=row["id"],
        state=row["state"],
        question=row["question"],
        language=row["language"],
        reason=row["reason"],
        relevance=row["relevance"],
        threshold=row["threshold"],
        candidates=tuple(row["candidates"]),
        draft=tuple(row["draft"]),
        opened_at=row["opened_at"],
        desk=row["desk"],
        owner=row["owner"],
        owner_name=row["owner_name"],
        due_at=row["due_at"],
        touched_at=row["touched_at"],
        place=place,
        root=row["root"],
        thread=row["shown_thread"],
        conversation=row["conversation"],
        message=row["message"],
        company=row["company"],
        alone=row["asker"] if row["is_alone"] else None,
        asker=row["asker"],
        asker_name=row["asker_name"],
        next_step=row["next_step"],
        next_at=row["next_at"],
        is_forgotten=row["is_forgotten"],
        summaries=row["summaries"],
    )


# Where a reply hangs: in the thread of the message on a platform with threads, in its topic elsewhere. What was asked
# by command, or in a message that one person alone saw, is theirs alone.
_CASE = sql.SQL("""
select ticket.id, ticket.state, ticket.question, ticket.language, ticket.reason, ticket.relevance, ticket.threshold,
    ticket.candidates, ticket.draft, ticket.opened_at, ticket.desk, ticket.owner, ticket.owner_name, ticket.due_at,
    ticket.touched_at, ticket.platform, ticket.workspace, ticket.channel, ticket.root, ticket.company, ticket.asker,
    ticket.next_step, ticket.next_at, ticket.is_forgotten, ticket.summaries, message.message, message.conversation,
    message.wire ->> 'name' as asker_name,
    case when message.conversation is null then ticket.root else message.thread end as shown_thread,
    coalesce(ticket.company <> 'direct' and (message.origin = 'command' or message.wire ? 'seen_by_one'), false)
        as is_alone
from ticket left join message on message.id = ticket.message_id
""")
_ONE = sql.SQL("{case} where ticket.id = %(number)s").format(case=_CASE)
# What only refers to the ticket does not wait for it.
_LOCKED = sql.SQL("{case} where ticket.id = %(number)s for no key update of ticket").format(case=_CASE)
_NEWEST = sql.SQL("{case} where ticket.state = any(%(states)s) order by ticket.id desc limit %(limit)s").format(
    case=_CASE
)
_EVENTS = """
select id, kind, actor, at, from_state, to_state, text, details from ticket_event
where ticket_id = %(number)s order by id
"""
_HISTORY = f"""
select earlier.role, earlier.text, array(
    select array[citation.source, citation.path, citation.quote]
    from parcel join answer on answer.message_id = parcel.message_id
    join citation on citation.answer_id = answer.id
    where earlier.role = 'assistant' and parcel.channel = earlier.channel
        and earlier.message in (parcel.sent_as, parcel.marker)
) as quotes
from ticket
join message as own on own.id = ticket.message_id {SAID_WITH_IT}
where ticket.id = %(number)s and earlier.id < own.id and earlier.text <> ''
    and (own.company = 'direct' or own.conversation is null or earlier.author in (own.author, ''))
order by earlier.id desc limit %(limit)s
"""
_CARD = """
select parcel.sent_as from message join parcel on parcel.message_id = message.id
where message.platform = %(platform)s and message.workspace = %(workspace)s and message.channel = %(channel)s
    and message.origin = 'errand' and (message.wire ->> 'ticket')::bigint = %(ticket)s
    and message.wire ->> 'errand' in ('card', 'refresh') and parcel.sent_as is not null
order by message.id desc, parcel.position
"""
_SENT = """
select parcel.sent_as from message join parcel on parcel.message_id = message.id
where message.platform = %(platform)s and message.workspace = %(workspace)s and message.channel = %(channel)s
    and message.message = %(message)s and message.origin = 'errand' and parcel.sent_as is not null
order by parcel.position
"""
