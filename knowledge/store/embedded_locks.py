"""The two file locks by which the users of one embedded server agree on its start and its end."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knowledge.errors import DatabaseUnavailable
from knowledge.file_locks import try_exclusive

LOCK_DEADLINE_S = 60.0
POLL_S = 0.05


class Locks:
    """The two locks of a home; programs we start never inherit them (PEP 446), so the server holds none."""

    def __init__(self, database: Path) -> None:
        self._start_file = database / "start.lock"
        self._start = os.open(self._start_file, os.O_RDWR | os.O_CREAT, 0o600)
        self._users = os.open(database / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Be the only one who starts or stops the server."""
        deadline = time.monotonic() + LOCK_DEADLINE_S
        while not try_exclusive(self._start):
            if time.monotonic() > deadline:
                raise DatabaseUnavailable(
                    f"{self._start_file} has been locked for {LOCK_DEADLINE_S:.0f} s by another process that"
                    f" starts or stops the database; try again, or find it with `fuser {self._start_file}`"
                )
            time.sleep(POLL_S)
        try:
            yield
        finally:
            fcntl.flock(self._start, fcntl.LOCK_UN)

    def enter(self) -> None:
        """Count as a user from now on; only while deciding."""
        fcntl.flock(self._users, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def leave(self) -> bool:
        """Count no more, and tell whether nobody else does; only while deciding."""
        return try_exclusive(self._users)

    def close(self) -> None:
        """Drop both locks, also where a forked child has a copy of them."""
        for lock in (self._users, self._start):
            fcntl.flock(lock, fcntl.LOCK_UN)
            os.close(lock)


@contextmanager
def alone(folder: Path) -> Iterator[Locks]:
    """Do something for which nobody else may start or stop a server meanwhile."""
    locks = Locks(folder)
    try:
        with locks.deciding():
            yield locks
    finally:
        locks.close()
