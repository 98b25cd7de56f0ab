"""What is made for the cards of tickets, in PostgreSQL: summaries and drafts, kept with them once and for all."""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from bot.core.desk.book import Case
from bot.core.desk.drafts import DraftSentence
from bot.core.incoming import Incoming
from bot.store.stored_message import incoming_of
from knowledge.prepare import storable
from knowledge.store.pool import Pool


class PostgresCardPieces:
    """The ports `KeptSummaries` and `KeptDrafts`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def keep(self, ticket: int, key: str, text: str) -> None:
        parameters = {"ticket": ticket, "summary": Jsonb({key: storable(text)})}
        async with self._pool.connection() as connection:
            await connection.execute(_KEEP, parameters)

    async def asked(self, ticket: int) -> Incoming | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            row = await (await cursor.execute(_ASKED, {"ticket": ticket})).fetchone()
        return incoming_of(row) if row else None

    async def keep_draft(self, case: Case, draft: Sequence[DraftSentence]) -> bool:
        kept = Jsonb([_storable(sentence) for sentence in draft])
        parameters = {"ticket": case.number, "question": case.question, "draft": kept}
        async with self._pool.connection() as connection:
            return bool((await connection.execute(_KEEP_DRAFT, parameters)).rowcount)


def _storable(value: Any) -> Any:
    """Return JSON without what no database stores."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {key: _storable(held) for key, held in value.items()}
    return [_storable(held) for held in value] if isinstance(value, list) else value


# Whoever is forgotten meanwhile stays forgotten.
_KEEP = """
update ticket set summaries = %(summary)s || summaries where id = %(ticket)s and not is_forgotten
"""
_ASKED = """
select message.platform, message.workspace, message.channel, message.message, message.author, message.text,
    message.sent_at, message.company, message.thread, message.is_addressed, message.origin,
    message.language as message_language, message.has_files, message.wire, message.conversation
from ticket join message on message.id = ticket.message_id
where ticket.id = %(ticket)s
"""
_KEEP_DRAFT = """
update ticket set draft = %(draft)s
where id = %(ticket)s and question = %(question)s and draft = '[]' and not is_forgotten
"""
