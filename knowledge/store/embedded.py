"""The PostgreSQL that comes along: the first user of a home starts it, the last one out stops it.

`home/database` holds two locks: `start.lock`, held to start or stop the server, and `users.lock`, shared by
everyone who uses it. The kernel drops both when a process dies, so a killed user leaves nothing stale behind.

PostgreSQL refuses to run as root. For root the server runs as the system user `answerdesk` with its data in
`/var/lib/answerdesk`; no folder but our own is opened to others. Peer authentication admits only the owner.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from knowledge.errors import DatabaseUnavailable, DatabaseUnfit
from knowledge.store.embedded_locks import Locks, alone
from knowledge.store.embedded_place import (
    ELSEWHERE,
    Cluster,
    data_folder,
    database_folder,
    locate,
    remove_leftovers,
)
from knowledge.store.embedded_process import running, stop


@asynccontextmanager
async def embedded_server(home: Path) -> AsyncIterator[str]:
    """Yield the connection string of this home's server; start it if needed, stop it as the last user."""
    # A thread of our own works in order, and does what it was given even if the caller is cancelled.
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedded-server")
    try:
        lease = await _claimed(thread, home)
        try:
            yield lease.conninfo
        finally:
            await asyncio.shield(asyncio.wrap_future(thread.submit(lease.release)))
    finally:
        thread.shutdown(wait=False)


async def _claimed(thread: ThreadPoolExecutor, home: Path) -> "Lease":
    starting = thread.submit(acquire, home)
    try:
        return await asyncio.shield(asyncio.wrap_future(starting))
    except asyncio.CancelledError:
        thread.submit(lambda: starting.result().release())
        raise


class Lease:
    """The right to use a running server; it ends with `release` or with the process."""

    def __init__(self, conninfo: str, *, cluster: "Cluster", locks: "Locks") -> None:
        self.conninfo = conninfo
        self._cluster = cluster
        self._locks = locks
        self._is_released = False

    def release(self) -> None:
        """Give the server back, and stop it if nobody else uses it; a second call does nothing."""
        if self._is_released:
            return
        self._is_released = True
        try:
            with _disk_errors(self._cluster.data), self._locks.deciding():
                if self._locks.leave():
                    stop(self._cluster)
        finally:
            self._locks.close()


def acquire(home: Path) -> Lease:
    """Use this home's server, started if needed; blocks, and every wait inside has a deadline."""
    with _disk_errors(home):
        database = database_folder(home)
        locks = Locks(database)
        try:
            with locks.deciding():
                locks.enter()
                cluster = locate(database)
                return Lease(running(cluster), cluster=cluster, locks=locks)
        except BaseException:
            locks.close()
            raise


def cluster_folder(home: Path) -> Path:
    """Where the data of this home lie, or will lie after the first start."""
    with _disk_errors(home):
        database = database_folder(home)
        with alone(database):
            return data_folder(database)


def remove_cluster(home: Path) -> None:
    """Delete all data of this home for good; refused while anybody uses them."""
    with _disk_errors(home):
        database = database_folder(home)
        with alone(database) as locks:
            if not locks.leave():
                raise DatabaseUnavailable(f"the database of {home} is in use; stop its users first")
            _delete(database)


def _delete(database: Path) -> None:
    data = data_folder(database)
    if data.exists():
        stop(locate(database))
        # Renamed first, so that a kill in the middle leaves nothing that looks like a database.
        data.rename(data.with_name(f"{data.name}.new-removed-{secrets.token_hex(4)}"))
    remove_leftovers(data)
    (database / "cluster-id").unlink(missing_ok=True)


@contextmanager
def _disk_errors(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise DatabaseUnfit(
            f"the database of {place} cannot be used: {exc}; the folder must be yours and writable, with"
            f" about 200 MB free on its disk; choose another ANSWERDESK_HOME {ELSEWHERE}"
        ) from exc
