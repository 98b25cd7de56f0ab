"""How the conversations stand, for operators."""

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class ConversationsOverview:
    """What waits, since when the oldest does, what is being sent; what went wrong since yesterday; what people think.

    `failed`: given to a person because we broke down over it. `undeliverable`: nobody could be told the reply.
    """

    waiting: int
    answering: int
    sending: int
    oldest_since: datetime | None
    failed: int
    undeliverable: int
    good: int
    bad: int


async def conversations_overview(pool: Pool) -> ConversationsOverview:
    """Return how the conversations stand now."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(ConversationsOverview))
        row = await (await cursor.execute(_OVERVIEW)).fetchone()
    assert row is not None, "a select of counts returns its row"
    return row


_OVERVIEW = """
select
    count(*) filter (where state = 'waiting') as waiting,
    count(*) filter (where state = 'answering') as answering,
    count(*) filter (where state = 'replied') as sending,
    min(received_at) as oldest_since,
    (select count(*) from ticket where reason = 'failed' and opened_at > now() - interval '1 day') as failed,
    (select count(*) from message where state = 'undeliverable' and finished_at > now() - interval '1 day')
        as undeliverable,
    (select count(*) from feedback where verdict = 'good') as good,
    (select count(*) from feedback where verdict = 'bad') as bad
from message where state in ('waiting', 'answering', 'replied')
"""
