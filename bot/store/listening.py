"""How the platforms reach the processes that listen, for who asks from outside."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from bot.core.offered import Reach
from knowledge.store.pool import Pool

# Who has told nothing for so long has ended.
SILENT_AFTER_S = 30


@dataclass(frozen=True, slots=True)
class Listened:
    """How one process was reached when it last told."""

    platform: str
    process: str
    healthy: bool
    trouble: str | None
    heard_at: datetime | None
    counts: Mapping[str, int]
    told_at: datetime


class PostgresListening:
    """What processes tell of themselves."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def tell(self, platform: str, process: str, reach: Reach) -> None:
        """Store how a process is reached; those that ended are forgotten."""
        parameters = {
            "platform": platform,
            "process": process,
            "healthy": reach.is_healthy,
            "trouble": reach.trouble,
            "heard_at": reach.heard_at,
            "counts": Jsonb(dict(reach.counts)),
            "silent_s": SILENT_AFTER_S,
        }
        async with self._pool.connection() as connection:
            await connection.execute(_TELL, parameters)

    async def now(self) -> list[Listened]:
        """Return the processes that listen now."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(Listened))
            return await (await cursor.execute(_NOW, {"silent_s": SILENT_AFTER_S})).fetchall()


_TELL = """
with ended as (delete from listening where told_at < now() - make_interval(secs => 2 * %(silent_s)s))
insert into listening (platform, process, healthy, trouble, heard_at, counts)
values (%(platform)s, %(process)s, %(healthy)s, %(trouble)s, %(heard_at)s, %(counts)s)
on conflict (platform, process) do update set
    healthy = excluded.healthy, trouble = excluded.trouble, heard_at = excluded.heard_at, counts = excluded.counts,
    told_at = now()
"""
_NOW = """
select platform, process, healthy, trouble, heard_at, counts, told_at from listening
where told_at > now() - make_interval(secs => %(silent_s)s) order by platform, process
"""
