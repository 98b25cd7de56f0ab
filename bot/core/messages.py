"""The values of a conversation, free of any platform."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from knowledge.types import Evidence, Reader, Relevance

Decision = Literal["answer", "escalate"]
# Why a person is asked: `absent` where the sources do not say it, `refused` and `outage` where the model had no answer
# and the documents' own words gave none, `asked` where the asker wants one, `stale` where the question waited too long,
# `failed` where we broke down over it again and again, `disliked` where an answer did not help, `risky` where a rule of
# the operator says so.
Reason = Literal[
    "below_threshold",
    "no_source",
    "unsupported",
    "absent",
    "refused",
    "outage",
    "asked",
    "stale",
    "failed",
    "disliked",
    "risky",
]

SUPPORTED_FROM = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A standalone question, who will see the reply, and the language to reply in (None: the question's own).

    `asker` tells people apart for their spending caps, and is no name. `message` is the number of the stored message,
    so that a second attempt at it leaves one answer and one ticket. `sources` and `threshold` are those of the place,
    None: the usual ones; so is `desk`, the queue of people. What was not asked of us is not handed over
    (`may_hand_over`).
    """

    question: str
    reader: Reader = field(default_factory=Reader)
    language: str | None = None
    asker: str = "local"
    history: tuple[Turn, ...] = ()
    message: int | None = None
    sources: tuple[str, ...] | None = None
    threshold: Relevance | None = None
    desk: str | None = None
    may_hand_over: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model: what it used and cost, and how it ended."""

    model: str
    prompt: str
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence of an answer stands: `quote` verbatim in the document, on lines counted from 1.

    `marker` is the number of the document's section among the footnotes of the answer.
    """

    marker: int
    passage_id: int
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
    is_outdated: bool = False

    @property
    def full_title(self) -> str:
        """The document's title, and the headings below it."""
        return " › ".join((self.title, *self.heading[1:]))


@dataclass(frozen=True, slots=True)
class Checks:
    """What the verifier found of one sentence against the passages that it cites.

    `valid`: every quote stands unchanged in a passage that the reader may see. `missing`: hard facts of the sentence
    that the passages lack. `disagreement`: how its polarity, modality or conditions differ, None where they agree.
    `support` in [0, 1] by `method`: "verbatim", "words", "vectors" or "entailment".
    """

    valid: bool
    missing: tuple[str, ...] = ()
    disagreement: str | None = None
    support: float = 0.0
    method: str = "words"

    @property
    def supported(self) -> bool:
        """Whether the sentence may be shown."""
        return self.valid and not self.missing and self.disagreement is None and self.support >= SUPPORTED_FROM


# Of a document's own words.
VERBATIM = Checks(valid=True, support=1.0, method="verbatim")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (or list item, table row, code block) of an answer with what bears it out."""

    text: str
    citations: tuple[Citation, ...]
    checks: Checks
    is_code: bool = False

    @property
    def markers(self) -> str:
        """The markers that stand behind the sentence, each once."""
        return "".join(f"[{marker}]" for marker in dict.fromkeys(citation.marker for citation in self.citations))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A sentence that nobody is shown, and the checks that it failed."""

    text: str
    checks: Checks


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, sentence by sentence, each with its citations.

    `missing` is what of the question stays open ("" where that is not known more precisely), `conflicting` tells that
    its sources contradict each other.
    """

    sentences: tuple[Sentence, ...]
    answerer: str
    missing: str | None = None
    conflicting: bool = False

    @property
    def text(self) -> str:
        """The answer as one text with its markers."""
        return "\n".join(
            f"```\n{sentence.text}\n```\n{sentence.markers}"
            if sentence.is_code
            else f"{sentence.text} {sentence.markers}"
            for sentence in self.sentences
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the asker, with the numbers that led to it.

    `number` is the answer's in the journal, `message` that of the stored message that it replies to, and `desk` the
    queue of people that it goes to if need be, None: the usual one.
    """

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
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    is_cached: bool = False
    number: int | None = None
    message: int | None = None
    desk: str | None = None
