"""Brings a database to the newest schema: numbered SQL files, forward only, one process at a time."""

import asyncio
import hashlib
from importlib import resources
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.pool import check_server, connect, said

LOCK_TIMEOUT_S = 120
_LOCK_KEY = int.from_bytes(hashlib.sha256(b"answerdesk migrations").digest()[:8], "big", signed=True)


async def migrate(conninfo: str) -> list[str]:
    """Apply the migrations that are missing and return their names; the second caller waits for the first."""
    if not await _missing(conninfo):
        return []
    await check_server(conninfo)
    async with await connect(conninfo) as connection:
        await _lock(connection)
        missing = await _missing(conninfo)
        if missing:
            await asyncio.to_thread(_apply, conninfo)
        return missing


def migration_names() -> list[str]:
    """Return the names of all migrations that this release brings, in order."""
    return sorted(path.stem for path in _folder().glob("*.sql"))


def _folder() -> Path:
    return Path(str(resources.files("migrations").joinpath("")))


async def _missing(conninfo: str) -> list[str]:
    async with await connect(conninfo) as connection:
        known = await (await connection.execute(_APPLIED_TABLE)).fetchone()
        if known is None or known[0] is None:
            return migration_names()
        applied = {str(row[0]) for row in await (await connection.execute(_APPLIED)).fetchall()}
    return [name for name in migration_names() if name not in applied]


_APPLIED_TABLE = "select to_regclass('_yoyo_migration')"
_APPLIED = "select migration_id from _yoyo_migration"


async def _lock(connection: AsyncConnection) -> None:
    """Hold the migration lock until the connection closes; the server frees it when its holder dies."""
    await connection.execute(_LOCK_TIMEOUT)
    try:
        await connection.execute(_LOCK, {"key": _LOCK_KEY})
    except psycopg.errors.LockNotAvailable as exc:
        raise DatabaseUnavailable(f"another process has been migrating for {LOCK_TIMEOUT_S} s; try again") from exc


_LOCK_TIMEOUT = f"set lock_timeout = '{LOCK_TIMEOUT_S}s'"
_LOCK = "select pg_advisory_lock(%(key)s)"


def _apply(conninfo: str) -> None:
    # Imported here: a start with nothing to apply does not need it.
    from yoyo import get_backend, read_migrations

    try:
        backend = get_backend(_yoyo_address(conninfo))
        try:
            # Whoever left a lock row is dead: the living are kept out by the lock we hold.
            backend.break_lock()
            backend.apply_migrations(backend.to_apply(read_migrations(str(_folder()))))
        finally:
            backend.connection.close()
    except (psycopg.errors.AdminShutdown, psycopg.errors.ConnectionException) as exc:
        raise DatabaseUnavailable(f"the connection broke while migrating: {said(exc)}") from exc
    except psycopg.Error as exc:
        raise DatabaseUnfit(f"a migration failed and was rolled back: {said(exc)}") from exc


def _yoyo_address(conninfo: str) -> str:
    """Return a conninfo of either form as the URL that yoyo reads."""
    parts = {key: str(value) for key, value in conninfo_to_dict(conninfo).items() if value is not None}
    database = parts.pop("dbname", "")
    return f"postgresql+psycopg:///{quote(database)}?{urlencode(parts)}"
