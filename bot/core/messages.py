"""The values of a conversation, free of any platform."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from knowledge.types import Evidence, Reader, Relevance

Decision = Literal["answer", "escalate"]
Reason = Literal["below_threshold", "no_source", "unsupported"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A standalone question, who will see the reply, and the language to reply in (None: the question's own)."""

    question: str
    reader: Reader = field(default_factory=Reader)
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence of an answer stands: `quote` verbatim in the document, on lines counted from 1."""

    marker: int
    title: str
    heading: tuple[str, ...]
    url: str | None
    source: str
    document: str
    quote: str
    start_line: int
    end_line: int
    author: str | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (or list item, table row, code block) of an answer with what bears it out."""

    text: str
    citation: Citation
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, sentence by sentence; each has its citation."""

    sentences: tuple[Sentence, ...]
    answerer: str

    @property
    def text(self) -> str:
        """The answer as one text with its markers."""
        return "\n".join(
            f"```\n{sentence.text}\n```\n[{sentence.citation.marker}]"
            if sentence.is_code
            else f"{sentence.text} [{sentence.citation.marker}]"
            for sentence in self.sentences
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the asker, with the numbers that led to it."""

    decision: Decision
    question: str
    text: str
    language: str
    relevance: Relevance | None
    threshold: Relevance
    reason: Reason | None
    sentences: tuple[Sentence, ...]
    ticket: int | None
    answerer: str
    evidence: tuple[Evidence, ...]
    timings_ms: Mapping[str, float]
    fingerprint: str
