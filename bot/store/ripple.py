"""The questions that had no answer, in PostgreSQL: which are to be asked again, and what came of that."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from psycopg import AsyncConnection, Rollback, sql
from psycopg.rows import dict_row

from bot.core.desk.book import Case, Cited
from bot.core.desk.judging import CLOCK
from bot.core.desk.ripple import Found, Waiting
from bot.core.tickets.acts import Act, Actor
from bot.store.cases import read_case
from bot.store.found_answers import offered, piece_of, text_of
from bot.store.rooms import carded
from bot.store.stored_message import incoming_of
from bot.store.ticket_book import PostgresBook
from bot.store.ticket_changes import Happening, record
from knowledge.prepare import storable
from knowledge.store.pool import Pool
from knowledge.store.standing import STATE

# Of the questions that no people wait with the newest are asked again, whenever the knowledge has changed. Each is a
# search (30 ms), and where that finds enough an answer in the documents' own words (230 ms, on two busy cores).
MOST_OTHERS = 300
OTHERS_FOR = timedelta(days=30)
# More tickets than any desk has open.
MOST_TICKETS = 1_000
# Their askers wanted a person although there was an answer; or only people answer.
LEFT_TO_PEOPLE = ("asked", "disliked", "risky")
# Who waits longer waits for something else than us.
LIVE_FOR = timedelta(minutes=1)


class PostgresUnanswered:
    """The `Unanswered` port over the named sources; `sends` what is found to askers whom nobody has taken on."""

    def __init__(self, pool: Pool, *, book: PostgresBook, sources: Sequence[str], sends: bool = False) -> None:
        self._pool = pool
        self._book = book
        self._sources = list(sources)
        self._sends = sends

    async def is_busy(self) -> bool:
        """Tell whether people wait just now for answers to what they have asked."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_IS_BUSY, {"live_for": LIVE_FOR})).fetchone()
        return bool(row and row[0])

    async def state(self) -> bytes:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_STATE, {"sources": self._sources}, prepare=True)).fetchone()
        assert row is not None, "a select of values returns its row"
        return sha256(f"{bytes(row[0]).hex()} {row[1]}".encode()).digest()

    async def to_ask(self, state: bytes, *, limit: int) -> Sequence[Waiting]:
        parameters = {
            "state": state,
            "limit": limit,
            "left_to_people": list(LEFT_TO_PEOPLE),
            "most_tickets": MOST_TICKETS,
            "most_others": MOST_OTHERS,
            "others_for": OTHERS_FOR,
        }
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            rows = await (await cursor.execute(_TO_ASK, parameters, prepare=True)).fetchall()
        return [_waiting(row) for row in rows]

    async def leave(self, waiting: Waiting, state: bytes) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_LEAVE, {**_same(waiting), "state": state})

    async def in_vain(self, waiting: Waiting, state: bytes, *, tried: bytes | None) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_IN_VAIN, {**_same(waiting), "state": state, "tried": tried})

    async def found(self, waiting: Waiting, state: bytes, found: Found) -> None:
        parameters = {**_same(waiting), "state": state, "by": storable(", ".join(found.documents))}
        async with self._pool.connection() as connection, connection.transaction():
            if (await connection.execute(_FOUND, parameters)).rowcount and waiting.ticket is not None:
                await self._offer(connection, waiting, state, found)

    async def _offer(self, connection: AsyncConnection, waiting: Waiting, state: bytes, found: Found) -> None:
        """Offer an answer to the desks that it was made for, or send it; once for each state."""
        ticket = waiting.ticket
        assert ticket is not None, "people wait with the question"
        case = await read_case(connection, ticket, for_update=True)
        if case is None or case.is_forgotten or case.state not in ("open", "claimed"):
            return
        if not await carded(connection, ticket) <= set(waiting.desks):
            # Another desk has it too by now, and may read less: it is asked again for both.
            raise Rollback
        key = f"{waiting.number}:{state.hex()}"
        event = await self._happen(connection, case, waiting, found, f"answerable:{key}")
        if event is None:
            return
        await self._book.rooms.say(connection, case, "desk", "found", event)
        if self._sends and case.state == "open" and case.place and await _is_all_answered(connection, ticket):
            await self._book.act_within(connection, Act("offer", ticket, Actor(CLOCK), f"offer:{key}"))

    async def _happen(
        self, connection: AsyncConnection, case: Case, waiting: Waiting, found: Found, key: str
    ) -> int | None:
        """Note what is offered: this answer, and those to other questions of the ticket that are not sent yet."""
        unsent = await offered(connection, case.number, self._sources, found.reader)
        others = [piece for piece in unsent if piece["unanswered"] != waiting.number]
        pieces = [*others, piece_of(waiting, found)]
        details = {"unanswered": waiting.number, "relevance": found.relevance, "pieces": pieces}
        return await record(connection, case, Happening("answerable", CLOCK, key, text_of(pieces), details))


async def _is_all_answered(connection: AsyncConnection, ticket: int) -> bool:
    """Tell whether there are answers to all that was asked in a ticket: else people are needed all the same."""
    row = await (await connection.execute(_IS_ALL_ANSWERED, {"ticket": ticket})).fetchone()
    return bool(row and row[0])


def _same(waiting: Waiting) -> dict[str, object]:
    """Return what a question is known by; one that has another text meanwhile is asked by itself."""
    return {"number": waiting.number, "question": waiting.question}


def _waiting(row: dict[str, Any]) -> Waiting:
    own = [piece for piece in row["pieces"] or [] if piece["unanswered"] == row["id"]]
    return Waiting(
        number=row["id"],
        question=row["question"],
        language=row["language"],
        reason=row["reason"],
        ticket=row["ticket"],
        desks=tuple(filter(None, row["desks"])),
        incoming=incoming_of(row) if row["platform"] else None,
        quotes=tuple(Cited(one["source"], one["path"], one["quote"]) for piece in own for one in piece["quotes"]),
        candidates=tuple(row["candidates"]),
        tried=row["tried"] and bytes(row["tried"]),
        was_asked=row["was_asked"],
    )


_IS_BUSY = """
select exists (
    select from message
    where state in ('waiting', 'answering') and origin <> 'errand'
        and received_at > now() - %(live_for)s::interval
)
"""
# Vectors come after the documents, and are only ever added: the newest one stands for all.
_STATE = sql.SQL("select {state}, (select coalesce(max(id), 0) from embedding)").format(state=sql.SQL(STATE))
# A message that is being answered shows its ticket to a desk first. What was found before people waited with it is
# offered to them as soon as they do.
_TO_ASK = """
with with_desk as (
    select noted.id, ticket.id as ticket
    from ticket join unanswered as noted on noted.ticket_id = ticket.id
    where ticket.state in ('open', 'claimed')
    order by noted.asked_at desc limit %(most_tickets)s
), other as (
    select noted.id, null::bigint as ticket
    from unanswered as noted left join ticket on ticket.id = noted.ticket_id
    where noted.asked_at > now() - %(others_for)s::interval
        and (ticket.id is null or ticket.state not in ('open', 'claimed'))
    order by noted.asked_at desc limit %(most_others)s
), candidate as (select * from with_desk union all select * from other)
select noted.id, noted.question, noted.language, noted.reason, candidate.ticket, noted.candidates, noted.tried,
    noted.asked_at_state is not null as was_asked, message.platform, message.workspace, message.channel,
    message.message, message.author, message.text, message.sent_at, message.company, message.thread,
    message.is_addressed, message.origin, message.language as message_language, message.has_files, message.wire,
    message.conversation,
    case when candidate.ticket is not null then array(
        select desk from ticket where id = candidate.ticket
        union select errand.wire ->> 'desk' from message as errand
        where errand.origin = 'errand' and (errand.wire ->> 'ticket')::bigint = candidate.ticket
            and errand.wire ->> 'errand' = 'card'
    ) else '{}' end as desks,
    offered.pieces
from candidate
join unanswered as noted on noted.id = candidate.id
left join message on message.id = noted.message_id
left join lateral (
    select event.details -> 'pieces' as pieces from ticket_event as event
    where event.ticket_id = candidate.ticket and event.kind = 'answerable'
        and event.details ->> 'unanswered' = noted.id::text
    order by event.id desc limit 1
) as offered on true
where noted.question <> ''
    and (
        noted.asked_at_state is distinct from %(state)s
        or candidate.ticket is not null and noted.answerable_at is not null and offered.pieces is null
    )
    and noted.reason <> all(%(left_to_people)s)
    and (message.id is null or message.state not in ('waiting', 'answering'))
order by candidate.ticket is null, noted.asked_at desc, noted.id desc
limit %(limit)s
"""
_LEAVE = "update unanswered set asked_at_state = %(state)s where id = %(number)s and question = %(question)s"
_IN_VAIN = """
update unanswered set asked_at_state = %(state)s, tried = %(tried)s, answerable_at = null, answerable_by = null
where id = %(number)s and question = %(question)s
"""
_FOUND = """
update unanswered set asked_at_state = %(state)s, tried = null, answerable_at = coalesce(answerable_at, now()),
    answerable_by = %(by)s
where id = %(number)s and question = %(question)s
"""
_IS_ALL_ANSWERED = """
select not exists (select from unanswered where ticket_id = %(ticket)s and answerable_at is null and question <> '')
"""
