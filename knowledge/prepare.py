"""A document becomes what is stored of it: cut into passages, its terms counted, its content identified."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from knowledge.chunk import headings
from knowledge.language import language_of
from knowledge.parse import confluence, html, markdown, text
from knowledge.terms import RECIPE as TERMS_RECIPE
from knowledge.terms import index_terms
from knowledge.types import Document, Parsed, Passage

# How passages are made; another recipe means that every document must be cut again.
RECIPE = f"markdown-3 confluence-1 html-1 headings-{headings.MAX_CHARACTERS} {TERMS_RECIPE}"

# Of all other formats the text that a reader sees is stored.
_KEPT_AS_WRITTEN = frozenset({"text/markdown", "text/plain"})


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A passage with everything that the indexes need of it."""

    passage: Passage
    content_hash: bytes
    terms: Counter[int]


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document, cut and ready to be stored in one transaction; `text` is what its passages are slices of."""

    document: Document
    text: str
    media_type: str
    title: str
    language: str
    updated_at: datetime | None
    content_hash: bytes
    recipe: str
    passages: tuple[PreparedPassage, ...]


def content_hash(document: Document) -> bytes:
    """Return what identifies the document's content: its text, and what else of it is shown."""
    told = (document.title, document.url, document.author, document.media_type, document.text)
    return _hash("\0".join(map(str, told)))


def prepare(document: Document) -> PreparedDocument:
    """Parse and cut a document and count its terms; pure, and heavy enough for a thread of its own.

    Raise SourceProblem for what its format does not allow.
    """
    parsed = _parsed(document)
    language = language_of(" ".join(block.text for block in parsed.blocks[:50]))
    title = document.title or _stated(parsed.metadata.get("title")) or _first_heading(parsed) or document.path
    passages = tuple(
        PreparedPassage(
            passage, content_hash=_hash(passage.search_text), terms=index_terms(passage.search_text, language)
        )
        for passage in headings.cut(parsed, title=title, language=language)
    )
    updated_at = _date(_stated(parsed.metadata.get("updated"))) or document.updated_at
    media_type = document.media_type if document.media_type in _KEPT_AS_WRITTEN else "text/plain"
    return PreparedDocument(
        document, parsed.text, media_type, title, language, updated_at, content_hash(document), RECIPE, passages
    )


def _parsed(document: Document) -> Parsed:
    match document.media_type:
        case "text/plain":
            return text.parse(document.text)
        case "text/html":
            return html.parse(document.text)
        case confluence.CLOUD_STORAGE:
            return confluence.parse(document.text)
        case confluence.DATA_CENTER_STORAGE:
            return confluence.parse(document.text, page_title=document.title)
        case _:
            return markdown.parse(document.text)


def storable(text: str) -> str:
    """Return text without what no database stores: NUL and halves of surrogate pairs."""
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


def _hash(content: str) -> bytes:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
