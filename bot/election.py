"""Posts that one process holds for all that share a database; PostgreSQL frees those of the dead."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from zlib import crc32

from psycopg import AsyncConnection, OperationalError

from bot.together import until_one_ends
from knowledge.errors import DatabaseUnavailable
from knowledge.store.locks import try_lock
from knowledge.store.pool import Pool, said

# How often a process that stands by asks whether the post is free, and the one that has it whether it still has.
STAND_BY_S = 5.0
LARGEST_KEY = 2**31 - 1


class PostgresElection:
    """The `Election` port."""

    def __init__(self, pool: Pool, *, stand_by_s: float = STAND_BY_S) -> None:
        self._pool = pool
        self._stand_by_s = stand_by_s

    async def lead(
        self, post: str, work: Callable[[], Coroutine[Any, Any, None]], *, stand_by: Callable[[], None]
    ) -> None:
        key = crc32(post.encode()) & LARGEST_KEY
        while True:
            async with try_lock(self._pool, "post", key) as connection:
                if connection is not None:
                    await until_one_ends(work(), self._stay_elected(connection, post))
                    return
            stand_by()
            await asyncio.sleep(self._stand_by_s)

    async def _stay_elected(self, connection: AsyncConnection, post: str) -> None:
        """Raise what breaks the connection that the post is held on: then another process may have it."""
        while True:
            await asyncio.sleep(self._stand_by_s)
            try:
                await connection.execute("select 1")
            except OperationalError as exc:
                raise DatabaseUnavailable(f"{post} lost the database: {said(exc)}") from exc
