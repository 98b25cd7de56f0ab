"""The port to whatever words an answer."""

from collections.abc import Sequence
from typing import Protocol

from bot.core.messages import Answer
from knowledge.types import Evidence


class Answerer(Protocol):
    """Words an answer from evidence; every sentence cites the passage it stands on."""

    name: str

    async def answer(self, question: str, evidence: Sequence[Evidence], *, language: str) -> Answer | None:
        """Return an answer to a question written in `language`, or None where the evidence holds none."""
        ...
