"""What the job queue's own library raises, as our errors."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from procrastinate.exceptions import ConnectorException

from knowledge.errors import DatabaseUnavailable
from knowledge.store.pool import said


@asynccontextmanager
async def translated() -> AsyncIterator[None]:
    """Raise what the queue failed at in the database as DatabaseUnavailable."""
    try:
        yield
    except ConnectorException as exc:
        reason = said(exc.__cause__ if isinstance(exc.__cause__, Exception) else exc)
        raise DatabaseUnavailable(f"the job queue failed in the database: {reason}; see whether it runs") from exc
