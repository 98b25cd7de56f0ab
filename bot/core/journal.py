"""The port to the journal: what was answered, so that it can be marked when its sources no longer bear it out."""

from typing import Protocol

from bot.core.messages import Answer, Reply
from knowledge.types import Reader


class Journal(Protocol):
    """The answers given."""

    async def record(
        self,
        reply: Reply,
        reader: Reader,
        *,
        answer: Answer | None = None,
        cache_key: bytes | None = None,
        knowledge: bytes | None = None,
    ) -> int:
        """Store a reply with its citations and those who will see it; return its number.

        A second reply to the same stored message takes the place of the first.
        With the `answer` that it says, its `cache_key` and the `knowledge` (the cache's state before the search) it is
        found again; without one of them it is not.
        """
        ...
