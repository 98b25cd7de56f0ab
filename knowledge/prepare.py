"""A document becomes what is stored of it: cut into passages, its terms counted, its content identified."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from knowledge.chunk.headings import Headings
from knowledge.chunk.passages import Spans
from knowledge.chunk.sections import MAX_TOKENS, with_sections
from knowledge.language import language_of
from knowledge.links import without_lines
from knowledge.parse.formats import Kind, format_of, parser_of
from knowledge.terms import RECIPE as TERMS_RECIPE
from knowledge.terms import index_terms
from knowledge.types import Document, Parsed, Passage, Section, Span

# How documents are read; another recipe means that every one must be cut again.
_PARSERS = "parsers-2"

# Of all other formats the text that a reader sees is stored.
_KEPT_AS_WRITTEN = frozenset({"text/markdown", "text/plain"})


class Chunker(Protocol):
    """Chooses where a document is cut."""

    @property
    def name(self) -> str:
        """What tells its way of cutting, with all its settings, from others."""
        ...

    def cut(self, parsed: Parsed, *, language: str) -> Sequence[Span]:
        """Return the spans of the passages in order; they overlap only where that was asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Cutting:
    """How the documents of one source are cut: a chunker for each kind; `prose` for those that have none of their own.

    `context_line`: the title and the headings above are indexed with each passage. `section_tokens`: how long what is
    read around a passage may be. `embedder`: the model whose tokens or vectors a chunker goes by.
    """

    prose: Chunker = field(default_factory=Headings)
    others: Mapping[Kind, Chunker] = field(default_factory=dict)
    context_line: bool = True
    section_tokens: int = MAX_TOKENS
    embedder: str = ""

    @property
    def recipe(self) -> str:
        """What passages are made by; another recipe means that every document must be cut again."""
        kinds = [f"{kind}:{chunker.name}" for kind, chunker in sorted(self.others.items())]
        line = [] if self.context_line else ["no-context-line"]
        parts = [self.prose.name, *kinds, *line, f"sections-{self.section_tokens}", self.embedder]
        return " ".join(filter(None, [_PARSERS, *parts, TERMS_RECIPE]))

    def passages(self, parsed: Parsed, kind: Kind, *, title: str, language: str) -> tuple[list[Passage], list[Section]]:
        """Return a document's passages and the sections around them."""
        chunker = self.others.get(kind, self.prose)
        spans = Spans(parsed, chunker.cut(parsed, language=language))
        passages = list(spans.passages(title, has_context_line=self.context_line))
        return with_sections(parsed, passages, max_tokens=self.section_tokens)


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A passage with everything that the indexes need of it."""

    passage: Passage
    content_hash: bytes
    terms: Counter[int]


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document, cut and ready to be stored in one transaction; `text` is what its passages are slices of.

    `remarks` are what an operator should know of it.
    """

    document: Document
    text: str
    media_type: str
    title: str
    language: str
    updated_at: datetime | None
    content_hash: bytes
    recipe: str
    passages: tuple[PreparedPassage, ...]
    sections: tuple[Section, ...] = ()
    url: str | None = None
    remarks: tuple[str, ...] = ()


def content_hash(document: Document) -> bytes:
    """Return what identifies the document's content: its text, what else of it is shown, what it refers to."""
    told = (document.title, document.url, document.author, document.media_type, document.text)
    files = (part for file in sorted(document.files.items()) for part in file)
    return _hash("\0".join(map(str, [*told, *files])), document.content)


def prepare(document: Document, cutting: Cutting | None = None) -> PreparedDocument:
    """Parse and cut a document and count its terms; heavy enough for a thread of its own.

    Raise SourceProblem for what its format does not allow.
    """
    cutting = cutting or Cutting()
    parsed = parser_of(document.media_type)(document)
    if document.media_type not in _KEPT_AS_WRITTEN:
        parsed = _storable(parsed)
    language = language_of(" ".join(block.text for block in parsed.blocks[:50]))
    title = document.title or _stated(parsed.metadata.get("title")) or _first_heading(parsed) or document.path
    kind = format_of(document.media_type).kind
    passages, sections = cutting.passages(parsed, kind, title=title, language=language)
    return PreparedDocument(
        document,
        parsed.text,
        document.media_type if document.media_type in _KEPT_AS_WRITTEN else "text/plain",
        title,
        language,
        _date(_stated(parsed.metadata.get("updated"))) or document.updated_at,
        content_hash(document),
        cutting.recipe,
        tuple(_prepared(passage, language) for passage in passages),
        tuple(sections),
        document.url if parsed.keeps_lines else without_lines(document.url),
        tuple(filter(None, (document.remark, *parsed.problems))),
    )


def _storable(parsed: Parsed) -> Parsed:
    """Return what was read from bytes or entities without what no database stores; what was text has none of it."""
    blocks = (
        replace(
            block,
            text=storable(block.text),
            context=storable(block.context),
            anchor=block.anchor and storable(block.anchor),
        )
        for block in parsed.blocks
    )
    return replace(parsed, text=storable(parsed.text), blocks=tuple(blocks))


def _prepared(passage: Passage, language: str) -> PreparedPassage:
    return PreparedPassage(passage, _hash(passage.search_text), index_terms(passage.search_text, language))


def storable(text: str) -> str:
    """Return text without what no database stores: NUL and halves of surrogate pairs; its length stays the same."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def _stated(value: object) -> str | None:
    return storable(str(value)) if value else None


def _date(stated: str | None) -> datetime | None:
    """Return the day that a page says it was updated on; it knows better than the file does."""
    try:
        found = datetime.fromisoformat(stated or "")
    except ValueError:
        return None
    try:
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError:
        return None


def _first_heading(parsed: Parsed) -> str | None:
    return next((block.text for block in parsed.blocks if block.kind == "heading" and block.text), None)


def _hash(content: str, further: bytes = b"") -> bytes:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass") + further).digest()
