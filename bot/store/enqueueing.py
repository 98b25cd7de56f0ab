"""What stores need of the queue of messages."""

from typing import Protocol

from psycopg import AsyncConnection


class Enqueue(Protocol):
    """Enqueues the job of a message in the transaction of a connection; no worker has to be open for it."""

    async def __call__(self, connection: AsyncConnection, number: int, *, lock: str, wait_s: float) -> None:
        """Have a message answered `wait_s` from now, after the earlier jobs with this lock."""
        ...
