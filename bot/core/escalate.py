"""Hands a question over to people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.messages import Call, Reason
from knowledge.types import Evidence, Relevance


@dataclass(frozen=True, slots=True)
class Handover:
    """Everything a person needs to take over, and what models have cost until then."""

    question: str
    language: str
    reason: Reason
    relevance: Relevance | None
    threshold: Relevance
    evidence: Sequence[Evidence]
    fingerprint: str
    calls: tuple[Call, ...] = ()


class Tickets(Protocol):
    """The queue of questions that wait for people."""

    async def open(self, handover: Handover) -> int:
        """Store a ticket and return its number."""
        ...
