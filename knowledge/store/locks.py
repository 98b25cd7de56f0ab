"""Locks that PostgreSQL frees when their holder dies, whatever it dies of: one run a source, one holder a post."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

from psycopg import AsyncConnection, OperationalError

from knowledge.store.pool import Pool

# The first half of our advisory locks' keys; the second is a source's number, or a post's. The view `held_source` knows
# 4101.
LOCK_CLASSES = {"sync": 4101, "post": 4102}
LockClass = Literal["sync", "post"]


@asynccontextmanager
async def try_lock(pool: Pool, kind: LockClass, number: int = 0) -> AsyncIterator[AsyncConnection | None]:
    """Hold a lock for a block: yield the connection that holds it, or None where another process does."""
    key = {"class": LOCK_CLASSES[kind], "number": number}
    async with pool.connection() as connection:
        row = await (await connection.execute(_TRY, key)).fetchone()
        if row is None or not row[0]:
            yield None
            return
        try:
            yield connection
        finally:
            # A connection that broke has freed it already.
            with suppress(OperationalError):
                await connection.execute(_UNLOCK, key)


_TRY = "select pg_try_advisory_lock(%(class)s, %(number)s)"
_UNLOCK = "select pg_advisory_unlock(%(class)s, %(number)s)"
