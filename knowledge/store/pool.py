"""Connections to PostgreSQL: opened once, configured alike, with deadlines."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit

CONNECT_TIMEOUT_S = 10
POOL_CONNECTIONS = 16
STATEMENT_TIMEOUT_S = 60
OLDEST_SERVER = 150_000
OLDEST_PGVECTOR = (0, 8)
# The default 40 returns 40 rows for `limit 100`; 200 keeps recall@50 above .95 up to 100,000 passages.
HNSW_EF_SEARCH = 200
# A reader who may see few passages among very many still finds them: the scan goes on this far past the others.
HNSW_MAX_SCAN_TUPLES = 200_000
HNSW_SCAN_MEMORY = 8


class Pool(AsyncConnectionPool[AsyncConnection]):
    """Lends connections; what the server fails at inside a loan is raised as DatabaseUnavailable."""

    @asynccontextmanager
    async def connection(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 - the base class has it
    ) -> AsyncIterator[AsyncConnection]:
        """Lend a connection for a block; it is given back whatever happens in there."""
        try:
            async with super().connection(timeout) as connection:
                yield connection
        except (PoolTimeout, psycopg.OperationalError) as exc:
            raise DatabaseUnavailable(f"the database failed: {said(exc)}; see whether it runs, then try again") from exc


@asynccontextmanager
async def open_pool(conninfo: str) -> AsyncIterator[Pool]:
    """Open a pool on a migrated database; DatabaseUnavailable or DatabaseUnfit say what to do otherwise."""
    await check_server(conninfo)
    pool = Pool(
        conninfo,
        min_size=1,
        max_size=POOL_CONNECTIONS,
        open=False,
        timeout=CONNECT_TIMEOUT_S,
        configure=_configure,
        check=AsyncConnectionPool.check_connection,
        # Without autocommit every single statement costs two more round trips; what belongs together says so.
        kwargs={"autocommit": True, "connect_timeout": CONNECT_TIMEOUT_S, "application_name": "answerdesk"},
    )
    try:
        await pool.open(wait=True, timeout=CONNECT_TIMEOUT_S)
    except PoolTimeout as exc:
        await pool.close()
        raise DatabaseUnavailable(f"the database gave no connection within {CONNECT_TIMEOUT_S} s: {exc}") from exc
    try:
        yield pool
    finally:
        await pool.close()


async def _configure(connection: AsyncConnection) -> None:
    await register_vector_async(connection)
    await connection.execute(
        f"set statement_timeout = '{STATEMENT_TIMEOUT_S}s'; set jit = off; set hnsw.ef_search = {HNSW_EF_SEARCH};"
        f"set hnsw.iterative_scan = relaxed_order; set hnsw.max_scan_tuples = {HNSW_MAX_SCAN_TUPLES};"
        f"set hnsw.scan_mem_multiplier = {HNSW_SCAN_MEMORY}"
    )


async def check_server(conninfo: str) -> str:
    """Return the versions of PostgreSQL and pgvector as a sentence; raise what is wrong with the server."""
    connection = await connect(conninfo)
    async with connection:
        server = connection.info.server_version
        if server < OLDEST_SERVER:
            raise DatabaseUnfit(f"PostgreSQL {server // 10_000} is too old; use 15 or newer")
        row = await (await connection.execute(_VECTOR_VERSION)).fetchone()
    if row is None:
        raise DatabaseUnfit(
            "this PostgreSQL has no pgvector; install it (Debian: postgresql-<version>-pgvector; the image"
            " pgvector/pgvector has it) or leave DATABASE_URL unset for the embedded database"
        )
    version = str(row[0])
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_PGVECTOR:
        raise DatabaseUnfit(f"pgvector {version} is too old; use 0.8 or newer")
    return f"PostgreSQL {server // 10_000}, pgvector {version}"


_VECTOR_VERSION = """
select coalesce(installed_version, default_version) from pg_available_extensions where name = 'vector'
"""


_NO_ADDRESS = (
    "DATABASE_URL is not a PostgreSQL address; write postgresql://user:password@host:5432/database"
    " (a password with special characters percent-encoded) or `host=… dbname=… user=…`"
)


async def connect(conninfo: str) -> AsyncConnection:
    """Open one connection; raise DatabaseUnavailable with the server's own words when it cannot be had."""
    try:
        return await AsyncConnection.connect(conninfo, connect_timeout=CONNECT_TIMEOUT_S)
    except psycopg.ProgrammingError:
        raise DatabaseUnfit(_NO_ADDRESS) from None  # the driver's words repeat the address, with its password
    except psycopg.OperationalError as exc:
        raise DatabaseUnavailable(
            f"the database does not answer: {said(exc)}; check DATABASE_URL and that the server runs"
        ) from exc


def said(exc: Exception) -> str:
    """Return the server's words on one line."""
    return " ".join(str(exc).split())
