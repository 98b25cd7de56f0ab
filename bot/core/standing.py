"""The port that tells whether what is quoted still stands, and may still be read."""

from collections.abc import Sequence
from typing import Protocol

from knowledge.types import Quoted, Reader


class Standing(Protocol):
    """The stored documents, as they are now."""

    async def standing(self, citations: Sequence[Quoted], reader: Reader) -> list[bool]:
        """Tell of each citation whether its document still holds the quote unchanged and this reader may read it."""
        ...
