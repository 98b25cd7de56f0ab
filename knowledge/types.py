r"""The values that cross the borders of the knowledge base.

A *document* is cut into *passages* (citable pieces); a search finds *hits*; weighed against the question they are
*evidence*. All are frozen; texts are Unicode with `\n` line ends; lines count from 1, offsets from 0 with the end
exclusive.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import NewType, Protocol

RankScore = NewType("RankScore", float)
"""Orders hits of one question; says nothing across questions."""

Relevance = NewType("Relevance", float)
"""How surely a passage answers the question, in [0, 1]; the only thing a threshold may meet."""

PUBLIC = "public"
# The source of what people taught: the title of each of its documents is the question that it answers.
CURATED = "curated"
# What stands for languages that we know nothing of.
ANY_LANGUAGE = "any"


def compared_address(email: str) -> str:
    """Return an e-mail address as addresses are compared: without regard to upper and lower case.

    "" for one that only becomes another's in lower case: some letters outside of ASCII do (U+212A turns into "k").
    """
    lowered = email.strip().lower()
    return "" if lowered.isascii() and not email.isascii() else lowered


@dataclass(frozen=True, slots=True)
class Reader:
    """Those who will see a reply, as the tags they hold: `public`, `user:` e-mail address, `group:` source/group id."""

    tags: frozenset[str] = frozenset({PUBLIC})


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may read a document: a reader needs a tag of every clause, so a clause without tags admits nobody.

    A page's own restriction, those of the pages above it and its space's permission are a clause each.
    """

    clauses: tuple[tuple[str, ...], ...] = ((PUBLIC,),)

    @classmethod
    def of(cls, tags: Iterable[str]) -> "Audience":
        """Return those who hold any of the tags."""
        return cls((tuple(sorted(set(tags))),)) & cls()

    def __and__(self, other: "Audience") -> "Audience":
        """Return those who are in both, in its shortest form: equal restrictions have equal keys."""
        clauses = {frozenset(clause) for clause in self.clauses + other.clauses}
        needed = [clause for clause in clauses if PUBLIC not in clause and not any(less < clause for less in clauses)]
        return Audience(tuple(sorted(tuple(sorted(clause)) for clause in needed)) or ((PUBLIC,),))

    def admits(self, reader: Reader) -> bool:
        """Tell whether a reader may read."""
        return bool(self.clauses) and all(reader.tags.intersection(clause) for clause in self.clauses)

    @property
    def key(self) -> bytes:
        """What identifies the audience in the database."""
        clauses = "\0\0".join("\0".join(clause) for clause in self.clauses)
        return sha256(clauses.encode("utf-8", "surrogatepass")).digest()


NOBODY = Audience(((),))


@dataclass(frozen=True, slots=True)
class Document:
    """One file or page as its source gave it; `path` is its stable id inside the source.

    `url` may hold the places {anchor}, {start_line} and {end_line}, filled in for each passage (`knowledge.links`).
    What is no text (a PDF, an office file) has its bytes in `content`, and no `text`.
    """

    source: str
    path: str
    text: str
    revision: str
    title: str | None = None
    url: str | None = None
    media_type: str = "text/markdown"
    author: str | None = None
    updated_at: datetime | None = None
    # What an operator should know of it; documents with the same remark are named together.
    remark: str | None = None
    content: bytes = b""
    # What the document refers to, by path inside the source.
    files: Mapping[str, str] = field(default_factory=dict)


Span = tuple[int, int]
"""Start and end, as offsets into a document's text."""


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest piece of a document that is never torn without need: a paragraph, list item, table row, code.

    `start` and `end` are offsets into the document's text; `text` is what a reader sees of it, without markup;
    `context` is what the block needs to be understood alone: a table's caption and header for its row, a function's
    signature for a part of it. A heading that stands nowhere in the text, such as the class that a method belongs to,
    ends where it starts.
    """

    kind: str
    start: int
    end: int
    text: str
    level: int = 0
    anchor: str | None = None
    context: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's visible content in reading order; `text` is what is stored, and what the offsets point into.

    `keeps_lines`: a line of `text` has the number that it has in the source. `problems` are what an operator should
    know of the document, each a sentence with its remedy; documents with the same one are named together.
    """

    text: str
    blocks: tuple[Block, ...]
    metadata: Mapping[str, object] = field(default_factory=dict)
    keeps_lines: bool = True
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A citable piece: `text` stands verbatim in the document, `search_text` is what is indexed of it.

    `text` is the document's text from `start` to `end`; `section` is the number of the section around it.
    """

    text: str
    search_text: str
    heading: tuple[str, ...]
    anchor: str | None
    start_line: int
    end_line: int
    start: int
    end: int
    section: int


@dataclass(frozen=True, slots=True)
class Section:
    """What is read around a passage: a stretch of the document's text that holds whole passages, and their headings."""

    start: int
    end: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Signals:
    """What one search measured about one passage; a missing leg is None.

    `dense` is the inner product of unit vectors and `level` what any text in the passage's language reaches with this
    question; `lexical` is a BM25 score; `coverage` the share in [0, 1] of the question's inverse-document-frequency
    mass found in the passage; the `z` values are standard deviations over the best candidates of the same question.
    """

    dense: float | None = None
    dense_rank: int | None = None
    dense_z: float | None = None
    lexical: float | None = None
    lexical_rank: int | None = None
    lexical_z: float | None = None
    coverage: float = 0.0
    level: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found by a search, with all its ranks.

    `text` is verbatim, with whatever a page hides from its readers; `search_text` is what they see of it. `url` still
    has the places of `knowledge.links`.
    """

    passage_id: int
    source: str
    document: str
    title: str
    url: str | None
    heading: tuple[str, ...]
    anchor: str | None
    text: str
    search_text: str
    start_line: int
    end_line: int
    author: str | None
    media_type: str
    updated_at: datetime | None
    language: str
    fused: RankScore
    fused_rank: int
    signals: Signals


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit weighed against the question."""

    hit: Hit
    relevance: Relevance
