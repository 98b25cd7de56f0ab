"""The port to the journal: what was answered, so that it can be marked when its sources no longer bear it out."""

from typing import Protocol

from bot.core.messages import Reply
from knowledge.types import Reader


class Journal(Protocol):
    """The answers given."""

    async def record(self, reply: Reply, reader: Reader) -> int:
        """Store an answer with its citations and those who will see it; return its number."""
        ...
