"""Hands a question over to people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.messages import Call, Reason, Rejected
from bot.core.phrases import phrase
from knowledge.types import Evidence, Relevance


@dataclass(frozen=True, slots=True)
class Handover:
    """Everything a person needs to take over, and what models have cost until then.

    `message` is the stored message that it is about: a second ticket is not opened for it. `desk` names the queue of
    people, None: the usual one. `rejected` is what was worded and not said.
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
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A ticket that waits for a person: who answers, and `by` when, as people are told it; as far as that is known."""

    number: int
    desk: str | None = None
    by: str | None = None

    def promise(self, language: str) -> str:
        """Return what the asker is told about it; "" where nobody has said when they answer."""
        if self.desk is None or self.by is None:
            return ""
        return phrase("promised", language, desk=self.desk, time=self.by)


class Tickets(Protocol):
    """The queue of questions that wait for people."""

    async def open(self, handover: Handover) -> Opened:
        """Store a ticket and return it: the one that the message has, or that waits in its conversation already."""
        ...

    async def suggest(self, handover: Handover) -> Opened | None:
        """Store a question whose asker has to agree before a person gets it.

        The ticket where they have agreed already, to an earlier text of the same message.
        """
        ...

    async def agreed(self, number: int, message: int) -> Opened | None:
        """Open the ticket for the question of the message `number`, whose author agrees by another `message`.

        None where there is no such question of theirs.
        """
        ...
