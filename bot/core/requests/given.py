"""The port to what was answered before, as it may be shown again where it was given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.messages import Reason, Sentence
from knowledge.types import Relevance


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that was given; `number` is the journal's. `is_own_words`: no model worded it."""

    number: int
    question: str
    language: str
    relevance: Relevance
    threshold: Relevance
    sentences: Sequence[Sentence]
    answerer: str
    fingerprint: str
    is_own_words: bool
    is_cached: bool


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A question that went to a person, or may do so (no ticket yet); `is_open`: nobody is done with it."""

    ticket: int | None
    question: str
    language: str
    reason: Reason
    relevance: Relevance | None
    threshold: Relevance
    is_open: bool


class GivenAnswers(Protocol):
    """What was answered in the place where somebody asks for it now.

    To a whole group or channel only what everybody there was shown; in direct messages, only what its own asker was.
    """

    async def answer(self, number: int, answer: int | None) -> Given | None:
        """Return an answer by its number; None: the one that the request replies to, else the last of its conversation.

        `number` is the stored request's.
        """
        ...

    async def last(self, number: int) -> Given | HandedOver | None:
        """Return what became of the question that the request is about, chosen likewise."""
        ...
