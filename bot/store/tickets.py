"""Tickets in PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from bot.core.escalate import Handover
from bot.store.answer_json import calls_json
from knowledge.store.pool import Pool
from knowledge.types import Evidence


@dataclass(frozen=True, slots=True)
class Ticket:
    """A question that waits for a person; `candidates` are the passages that were not good enough."""

    id: int
    question: str
    language: str
    reason: str
    relevance: float | None
    threshold: float
    candidates: list[dict[str, Any]]
    state: str
    opened_at: datetime
    desk: str | None = None


class PostgresTickets:
    """The `Tickets` port, and the list that operators read."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def open(self, handover: Handover) -> int:
        parameters = {
            "question": handover.question,
            "language": handover.language,
            "reason": handover.reason,
            "relevance": handover.relevance,
            "threshold": handover.threshold,
            "candidates": Jsonb([_candidate(piece) for piece in handover.evidence]),
            "fingerprint": handover.fingerprint,
            "calls": calls_json(handover.calls),
            "message": handover.message,
            "desk": handover.desk,
        }
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_OPEN, parameters)).fetchone()
            assert row is not None, "an insert returns its row"
            number, question = row
            if question != handover.question:
                # The message was edited between two attempts.
                await connection.execute(_REWORD, {**parameters, "id": number})
        return int(number)

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many tickets are open, and since when the oldest of them."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_WAITING)).fetchone()
        return (int(row[0]), row[1]) if row else (0, None)

    async def newest(self, limit: int) -> list[Ticket]:
        """Return the newest open tickets, newest first."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(Ticket))
            await cursor.execute(_NEWEST, {"limit": limit})
            return await cursor.fetchall()


_OPEN = """
insert into ticket (question, language, reason, relevance, threshold, candidates, fingerprint, calls, message_id,
                    desk)
values (%(question)s, %(language)s, %(reason)s, %(relevance)s, %(threshold)s, %(candidates)s, %(fingerprint)s,
        %(calls)s, %(message)s, %(desk)s)
-- An earlier attempt may have been wrong in that it had an answer, and closed it.
on conflict (message_id) do update set state = 'open'
returning id, question
"""
_REWORD = """
update ticket set question = %(question)s, language = %(language)s, reason = %(reason)s, relevance = %(relevance)s,
    candidates = %(candidates)s, calls = calls || %(calls)s
where id = %(id)s
"""
_WAITING = "select count(*), min(opened_at) from ticket where state = 'open'"
_NEWEST = """
select id, question, language, reason, relevance, threshold, candidates, state, opened_at, desk
from ticket where state = 'open' order by id desc limit %(limit)s
"""


def _candidate(piece: Evidence) -> dict[str, Any]:
    hit = piece.hit
    return {
        "source": hit.source,
        "document": hit.document,
        "heading": list(hit.heading),
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "fused_rank": hit.fused_rank,
        "dense_rank": hit.signals.dense_rank,
        "lexical_rank": hit.signals.lexical_rank,
        "relevance": round(piece.relevance, 4),
    }
