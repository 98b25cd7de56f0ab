"""Brings the stored knowledge in step with a source: what changed is cut and stored, what is gone is removed.

A document can be found by its words the moment it is stored; its vectors follow (`knowledge.embed`).
"""

import asyncio
import hashlib
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from knowledge.chunk import headings
from knowledge.errors import SourceProblem
from knowledge.language import language_of
from knowledge.parse import markdown, text
from knowledge.terms import RECIPE as TERMS_RECIPE
from knowledge.terms import index_terms
from knowledge.types import Document, Parsed, Passage

RECIPE = f"markdown-3 headings-{headings.MAX_CHARACTERS} {TERMS_RECIPE}"
# More deletions than this share of a source's documents are taken for a fault of the source, not for its will.
MAX_DELETED_SHARE = 0.3
FEW_DOCUMENTS = 10
# An index row holds 2,700 bytes; no wiki or file system gives a document a longer id than this.
MAX_PATH_BYTES = 1_000
# While one document is stored the next ones are read and cut; more of them only take memory.
DOCUMENTS_AHEAD = 2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One document in a source's listing; an equal revision promises an unchanged document."""

    path: str
    revision: str


@dataclass(frozen=True, slots=True)
class Known:
    """What we stored of one document."""

    revision: str
    content_hash: bytes
    recipe: str


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A passage with everything that the indexes need of it."""

    passage: Passage
    content_hash: bytes
    terms: Counter[int]


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document, cut and ready to be stored in one transaction."""

    document: Document
    title: str
    language: str
    updated_at: datetime | None
    content_hash: bytes
    recipe: str
    passages: tuple[PreparedPassage, ...]


@dataclass(slots=True)
class SyncCounts:
    """What one sync of one source did."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: int = 0
    failures: dict[str, str] = field(default_factory=dict)


class Source(Protocol):
    """A place that documents come from."""

    name: str
    kind: str

    async def discover(self) -> Sequence[Entry]:
        """Return the complete listing, or raise SourceProblem: a part of it would look like deletions."""
        ...

    async def fetch(self, entry: Entry) -> Document:
        """Return one document whole, or raise SourceProblem saying why this one cannot be had."""
        ...


class Documents(Protocol):
    """The stored documents."""

    async def open_source(self, name: str, kind: str) -> int:
        """Return the number of a source, registered at its first use."""
        ...

    async def known(self, source_id: int) -> Mapping[str, Known]:
        """Return what is stored of each of the source's documents, by path."""
        ...

    async def replace(self, source_id: int, prepared: PreparedDocument) -> None:
        """Store a document instead of its last version, whole or not at all."""
        ...

    async def touch(self, source_id: int, path: str, revision: str) -> None:
        """Remember that a document's content is the same at a new revision."""
        ...

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        """Delete documents; those that are not there are passed over."""
        ...

    async def finish(self, source_id: int, counts: SyncCounts) -> None:
        """Record a completed sync, with the documents that failed and why."""
        ...


Progress = Callable[[int, int], None]


async def sync(
    source: Source,
    documents: Documents,
    *,
    progress: Progress,
    full: bool = False,
    confirm_deletes: bool = False,
) -> SyncCounts:
    """Bring one source's documents in step; one that fails keeps its last good version and is counted.

    `progress` is called with (documents done, documents to do). With `full` nothing is trusted to be unchanged.
    """
    source_id = await documents.open_source(source.name, source.kind)
    entries = await source.discover()
    known = await documents.known(source_id)
    gone = sorted(known.keys() - {entry.path for entry in entries})
    if not confirm_deletes:
        _refuse_mass_deletion(source.name, gone=len(gone), known=len(known))
    counts = SyncCounts()
    changed = [entry for entry in entries if full or not _is_current(known.get(entry.path), entry)]
    counts.unchanged = len(entries) - len(changed)
    async with aclosing(_ahead(_read(source, entry, known.get(entry.path)) for entry in changed)) as readings:
        for done in range(len(changed)):
            progress(done, len(changed))
            await _store(documents, source_id, await anext(readings), counts)
    progress(len(changed), len(changed))
    await documents.remove(source_id, gone)
    counts.deleted = len(gone)
    await documents.finish(source_id, counts)
    return counts


def _refuse_mass_deletion(name: str, *, gone: int, known: int) -> None:
    too_many = gone >= FEW_DOCUMENTS and gone > known * MAX_DELETED_SHARE
    if gone and (too_many or gone == known):
        raise SourceProblem(
            f"source {name!r}: {gone} of {known} documents are missing from its listing; nothing was changed."
            f" If they are really gone, run `answerdesk sync --source {name} --confirm-deletes`"
        )


def _is_current(known: Known | None, entry: Entry) -> bool:
    return known is not None and known.revision == entry.revision and known.recipe == RECIPE


@dataclass(frozen=True, slots=True)
class _Reading:
    """What reading one entry gave: a document to store, or none because its content is known, or a failure."""

    entry: Entry
    is_known: bool
    prepared: PreparedDocument | None = None
    failure: str | None = None


async def _read(source: Source, entry: Entry, known: Known | None) -> _Reading:
    try:
        document = await source.fetch(entry)
    except SourceProblem as exc:
        return _Reading(entry, known is not None, failure=str(exc))
    if flaw := _flaw(document):
        return _Reading(entry, known is not None, failure=flaw)
    if known and known.recipe == RECIPE and known.content_hash == content_hash(document):
        return _Reading(entry, is_known=True)
    return _Reading(entry, known is not None, await asyncio.to_thread(prepare, document))


def _flaw(document: Document) -> str | None:
    """Return why a document cannot be stored, whatever source it comes from; None when it can."""
    if len(document.path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"its id is longer than {MAX_PATH_BYTES:,} bytes; shorten it or exclude the document"
    for content in (document.path, document.text, document.title or "", document.url or ""):
        if "\0" in content or not _is_unicode(content):
            return "it holds characters that no text has (NUL or half a surrogate pair); correct or exclude it"
    return None


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def _is_unicode(content: str) -> bool:
    try:
        content.encode()
    except UnicodeEncodeError:
        return False
    return True


async def _ahead(work: Iterable[Coroutine[None, None, T]]) -> AsyncGenerator[T, None]:
    """Yield results in order; meanwhile the next ones are being worked on."""
    running: deque[asyncio.Task[T]] = deque()
    try:
        for coroutine in work:
            running.append(asyncio.create_task(coroutine))
            if len(running) > DOCUMENTS_AHEAD:
                yield await running.popleft()
        while running:
            yield await running.popleft()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _store(documents: Documents, source_id: int, reading: _Reading, counts: SyncCounts) -> None:
    if reading.failure is not None:
        counts.failed += 1
        counts.failures[_storable(reading.entry.path)] = _storable(reading.failure)
    elif reading.prepared is None:
        counts.unchanged += 1
        await documents.touch(source_id, reading.entry.path, reading.entry.revision)
    else:
        await documents.replace(source_id, reading.prepared)
        counts.changed += reading.is_known
        counts.added += not reading.is_known


def content_hash(document: Document) -> bytes:
    """Return what identifies the document's content: its text, and what else is stored with each passage."""
    audience = ",".join(sorted(document.audience))
    return _hash(f"{document.title}\0{document.url}\0{audience}\0{document.text}")


def prepare(document: Document) -> PreparedDocument:
    """Parse and cut a document and count its terms; pure, and heavy enough for a thread of its own."""
    parse = text.parse if document.media_type == "text/plain" else markdown.parse
    parsed = parse(document.text)
    language = language_of(" ".join(block.text for block in parsed.blocks[:50]))
    title = document.title or _stated(parsed.metadata.get("title")) or _first_heading(parsed) or document.path
    passages = tuple(
        PreparedPassage(
            passage, content_hash=_hash(passage.search_text), terms=index_terms(passage.search_text, language)
        )
        for passage in headings.cut(document.text, parsed, title=title, language=language)
    )
    updated_at = _date(_stated(parsed.metadata.get("updated"))) or document.updated_at
    return PreparedDocument(document, title, language, updated_at, content_hash(document), RECIPE, passages)


def _stated(value: object) -> str | None:
    return str(value) if value else None


def _date(stated: str | None) -> datetime | None:
    """Return the day that a page says it was updated on; it knows better than the file does."""
    try:
        found = datetime.fromisoformat(stated or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _first_heading(parsed: Parsed) -> str | None:
    return next((block.text for block in parsed.blocks if block.kind == "heading" and block.text), None)


def _hash(content: str) -> bytes:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
