"""Hands a question over to people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.messages import Call, Reason
from knowledge.types import Evidence, Relevance


@dataclass(frozen=True, slots=True)
class Handover:
    """Everything a person needs to take over, and what models have cost until then.

    `message` is the stored message that it is about: a second ticket is not opened for it. `desk` names the queue of
    people, None: the usual one.
    """

    question: str
    language: str
    reason: Reason
    relevance: Relevance | None
    threshold: Relevance
    evidence: Sequence[Evidence]
    fingerprint: str
    calls: tuple[Call, ...] = ()
    message: int | None = None
    desk: str | None = None


class Tickets(Protocol):
    """The queue of questions that wait for people."""

    async def open(self, handover: Handover) -> int:
        """Store a ticket and return its number; that of the first one for a message that has one."""
        ...
