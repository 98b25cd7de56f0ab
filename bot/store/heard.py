"""Until when channels have heard everything, in PostgreSQL."""

from bot.core.incoming import Place
from bot.store.stored_message import place_row
from knowledge.prepare import storable
from knowledge.store.pool import Pool


class PostgresHeard:
    """How far each place is heard, in the platform's own words (a timestamp, a number of an update)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def until(self, place: Place) -> str | None:
        """Return what everything in a place is heard up to; None where nothing was heard yet."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_UNTIL, place_row(place))).fetchone()
        return str(row[0]) if row else None

    async def hear(self, place: Place, until: str) -> None:
        """Note that everything in a place is heard up to here; what was noted already never shrinks."""
        async with self._pool.connection() as connection:
            await connection.execute(_HEAR, {**place_row(place), "until": storable(until)})


_UNTIL = """
select until from heard
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s
"""
_HEAR = """
insert into heard (platform, workspace, channel, until)
values (%(platform)s, %(workspace)s, %(channel)s, %(until)s)
on conflict (platform, workspace, channel) do update set until = excluded.until
    where case
        when excluded.until ~ '^[0-9]+([.][0-9]+)?$' and heard.until ~ '^[0-9]+([.][0-9]+)?$'
        then excluded.until::numeric > heard.until::numeric
        else excluded.until > heard.until
    end
"""
