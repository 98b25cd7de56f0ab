"""Answers that were found for tickets: what their desks are offered, and may send, as long as it still stands."""

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.types.json import Jsonb

from bot.core.desk.book import Case
from bot.core.desk.ripple import Found, Waiting
from bot.core.tickets.acts import ActKind
from knowledge.prepare import storable
from knowledge.store.standing import stands
from knowledge.types import Reader

Piece = dict[str, Any]


def piece_of(waiting: Waiting, found: Found) -> Piece:
    """Return the answer to one question of a ticket as its event keeps it."""
    return {
        "unanswered": waiting.number,
        "question": storable(waiting.question),
        "text": storable(found.text),
        "quotes": [
            {"source": storable(quote.source), "path": storable(quote.document), "quote": storable(quote.quote)}
            for quote in found.quotes
        ],
        "tags": sorted(map(storable, found.reader.tags)),
    }


def text_of(pieces: Sequence[Piece]) -> str:
    """Return what the asker would be sent: each answer below its question, where there are several."""
    if len(pieces) == 1:
        return str(pieces[0]["text"])
    return "\n\n".join(f"“{piece['question']}”\n\n{piece['text']}" for piece in pieces)


async def offered(connection: AsyncConnection, ticket: int, sources: Sequence[str], reader: Reader) -> list[Piece]:
    """Return what a ticket's desk is offered, and has not sent, as far as it still stands for these readers."""
    row = await (await connection.execute(_OFFERED, {"ticket": ticket})).fetchone()
    tags = sorted(reader.tags)
    return [piece for piece in (row and row[0]) or [] if await _stands(connection, piece, tags, sources)]


async def is_gone(connection: AsyncConnection, kind: ActKind, case: Case, sources: Sequence[str]) -> bool:
    """Tell whether an act sends what the documents do not say any more, or not to those it was made for."""
    pieces: Sequence[Piece] = ()
    if kind == "offer":
        row = await (await connection.execute(_LAST, {"ticket": case.number})).fetchone()
        pieces = (row and row[0]) or []
    elif kind == "draft":
        pieces = [sentence for sentence in case.draft if sentence.get("quotes")]
    return not all([await _stands(connection, piece, piece["tags"], sources) for piece in pieces])


async def _stands(connection: AsyncConnection, piece: Piece, tags: Sequence[str], sources: Sequence[str]) -> bool:
    parameters = {"quotes": Jsonb(piece["quotes"]), "tags": list(tags), "sources": list(sources)}
    row = await (await connection.execute(_STANDS, parameters)).fetchone()
    return bool(row and row[0])


_OFFERED = """
select details -> 'pieces' from ticket_event as found
where ticket_id = %(ticket)s and kind = 'answerable' and details ? 'pieces' and not exists (
    select from ticket_event as sent
    where sent.ticket_id = found.ticket_id and sent.kind = 'offer' and sent.id > found.id
)
order by id desc limit 1
"""
_LAST = """
select details -> 'pieces' from ticket_event
where ticket_id = %(ticket)s and kind = 'answerable' order by id desc limit 1
"""
_STANDS = sql.SQL("""
select bool_and({stands}) from jsonb_to_recordset(%(quotes)s) as cited(source text, path text, quote text)
""").format(stands=stands("cited"))
