"""The port that tells whether what is quoted still stands, and may still be read."""

from collections.abc import Sequence
from typing import Protocol

from knowledge.types import Reader


class Quoted(Protocol):
    """A quote and where it is said to stand."""

    @property
    def source(self) -> str:
        """The name of its source."""

    @property
    def document(self) -> str:
        """The path of its document in there."""

    @property
    def quote(self) -> str:
        """The words, verbatim."""


class Standing(Protocol):
    """The stored documents, as they are now."""

    async def standing(self, citations: Sequence[Quoted], reader: Reader) -> list[bool]:
        """Tell of each citation whether its document still holds the quote unchanged and this reader may read it."""
        ...
