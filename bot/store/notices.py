"""What an operator should know, once a day and topic, in PostgreSQL and in the log."""

import logging
from dataclasses import dataclass
from datetime import date, datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that an operator was told, on a day (UTC)."""

    topic: str
    day: date
    text: str
    at: datetime


class PostgresNotices:
    """The notices of all processes."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def post(self, topic: str, text: str) -> bool:
        """Tell it, unless the topic was told of today; return whether it was told now."""
        async with self._pool.connection() as connection:
            is_new = await (await connection.execute(_POST, {"topic": topic, "text": text})).fetchone() is not None
        if is_new:
            log.warning("%s", text, extra={"topic": topic})
        return is_new

    async def newest(self, limit: int) -> list[Notice]:
        """Return the last notices, newest first."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(Notice))
            await cursor.execute(_NEWEST, {"limit": limit})
            return await cursor.fetchall()


_POST = """
insert into notice (topic, day, text) values (%(topic)s, (now() at time zone 'utc')::date, %(text)s)
on conflict (topic, day) do nothing returning 1
"""
_NEWEST = "select topic, day, text, at from notice order by at desc, topic limit %(limit)s"
