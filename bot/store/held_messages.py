"""Messages that are being worked on: whatever the queue believes, no two workers have the same one at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from psycopg import AsyncConnection, OperationalError

from knowledge.errors import DatabaseUnavailable
from knowledge.store.pool import Pool, connect, said

# The first half of the advisory locks' keys; `knowledge.store.locks` has the others.
LOCK_CLASS = 4103
LARGEST_KEY = 2**31 - 1


class HeldMessages:
    """Locks that the server frees when this process dies; all on one connection, which lives as long as they do."""

    def __init__(self, connection: AsyncConnection, conninfo: str) -> None:
        self._connection = connection
        self._conninfo = conninfo
        self._held: set[int] = set()
        self._reconnecting = asyncio.Lock()

    @asynccontextmanager
    async def hold(self, number: int) -> AsyncIterator[bool]:
        """Hold a message for a block; yield False where somebody else holds it."""
        key = number & LARGEST_KEY
        if key in self._held or not await self._try_lock(key):
            yield False
            return
        self._held.add(key)
        try:
            yield True
        finally:
            self._held.remove(key)
            # A connection that broke has freed it already.
            with suppress(OperationalError):
                await self._connection.execute(_UNLOCK, {"class": LOCK_CLASS, "key": key})

    async def _try_lock(self, key: int) -> bool:
        try:
            if self._connection.closed:
                await self._connect_again()
            row = await (await self._connection.execute(_TRY, {"class": LOCK_CLASS, "key": key})).fetchone()
        except OperationalError as exc:
            raise DatabaseUnavailable(f"a message cannot be held: {said(exc)}; see whether the database runs") from exc
        return bool(row and row[0])

    async def _connect_again(self) -> None:
        """Take back what was held before the connection broke, unless somebody else was faster."""
        async with self._reconnecting:
            if self._connection.closed:
                self._connection = await _connect(self._conninfo)
                await self._connection.execute(_TRY_ALL, {"class": LOCK_CLASS, "keys": list(self._held)})

    async def close(self) -> None:
        """Free everything."""
        await self._connection.close()


@asynccontextmanager
async def open_held_messages(conninfo: str) -> AsyncIterator[HeldMessages]:
    """Open the connection that messages are held on."""
    held = HeldMessages(await _connect(conninfo), conninfo)
    try:
        yield held
    finally:
        await held.close()


async def held_keys(pool: Pool) -> set[int]:
    """Return what all processes hold, as the numbers' keys."""
    async with pool.connection() as connection:
        rows = await connection.execute(_KEYS, {"class": LOCK_CLASS})
        return {int(key) for (key,) in await rows.fetchall()}


def is_among(number: int, keys: set[int]) -> bool:
    """Tell whether a message may be held."""
    return (number & LARGEST_KEY) in keys


async def _connect(conninfo: str) -> AsyncConnection:
    connection = await connect(conninfo)
    await connection.set_autocommit(True)
    await connection.execute(_NOTICE_DEATH)
    return connection


# A machine that loses its power says no farewell: the server asks after it, and frees its locks within 10 s.
_NOTICE_DEATH = """
set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set statement_timeout = 5000
"""
_TRY = "select pg_try_advisory_lock(%(class)s, %(key)s)"
_TRY_ALL = "select pg_try_advisory_lock(%(class)s, key) from unnest(%(keys)s::int[]) as key"
_UNLOCK = "select pg_advisory_unlock(%(class)s, %(key)s)"
_KEYS = """
select objid::bigint from pg_locks
where locktype = 'advisory' and classid = %(class)s and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
"""
