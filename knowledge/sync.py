"""Brings the stored knowledge in step with a source: what changed is cut and stored, what is gone is removed.

A document can be found by its words the moment it is stored; its vectors follow (`knowledge.embed`).
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from knowledge.errors import SourceProblem
from knowledge.prepare import RECIPE, PreparedDocument, content_hash, prepare, storable
from knowledge.progress import Progress
from knowledge.types import Document

# More deletions than this share of a source's documents are taken for a fault of the source, not for its will.
MAX_DELETED_SHARE = 0.3
FEW_DOCUMENTS = 10
# An index row holds 2,700 bytes; no wiki or file system gives a document a longer id than this.
MAX_PATH_BYTES = 1_000
# While one document is stored the next ones are read and cut; more of them only take memory.
DOCUMENTS_AHEAD = 2

log = logging.getLogger(__name__)
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


async def sync(
    source: Source,
    documents: Documents,
    *,
    progress: Progress,
    full: bool = False,
    confirm_deletes: bool = False,
) -> SyncCounts:
    """Bring one source's documents in step; one that fails keeps its last good version and is counted.

    `progress` counts documents. With `full` nothing is trusted to be unchanged.
    """
    source_id = await documents.open_source(source.name, source.kind)
    # In this order: what another process stores while we list is then not taken for deleted.
    known = await documents.known(source_id)
    entries = await source.discover()
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
    try:
        return _Reading(entry, known is not None, await asyncio.to_thread(prepare, document))
    except Exception as exc:
        # Whatever one document does to the parser, the others go on.
        log.exception("a document could not be cut", extra={"source": source.name, "document": entry.path})
        return _Reading(entry, known is not None, failure=f"it could not be cut ({type(exc).__name__}); exclude it")


def _flaw(document: Document) -> str | None:
    """Return why a document cannot be stored, whatever source it comes from; None when it can."""
    if len(document.path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"its id is longer than {MAX_PATH_BYTES:,} bytes; shorten it or exclude the document"
    for content in (document.path, document.text, document.title or "", document.url or ""):
        if "\0" in content or not _is_unicode(content):
            return "it holds characters that no text has (NUL or half a surrogate pair); correct or exclude it"
    return None


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
        counts.failures[storable(reading.entry.path)] = storable(reading.failure)
    elif reading.prepared is None:
        counts.unchanged += 1
        await documents.touch(source_id, reading.entry.path, reading.entry.revision)
    else:
        await documents.replace(source_id, reading.prepared)
        counts.changed += reading.is_known
        counts.added += not reading.is_known
