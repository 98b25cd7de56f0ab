"""Reads and cuts documents ahead of their storing; whatever one document does, the others go on."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import TypeVar

from knowledge.errors import KnowledgeError, SourceProblem
from knowledge.faultpoint import faultpoint
from knowledge.listing import Entry, Known
from knowledge.prepare import Cutting, PreparedDocument, content_hash, prepare
from knowledge.types import Document

# An index row holds 2,700 bytes; no wiki or file system gives a document a longer id than this.
MAX_PATH_BYTES = 1_000
# While one document is stored the next ones are read and cut; more of them only take memory.
DOCUMENTS_AHEAD = 4

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading one entry gave: a document to store, or none because its content is known, or a failure.

    `revision` is that of what was read, where its content is known.
    """

    entry: Entry
    is_known: bool
    revision: str = ""
    prepared: PreparedDocument | None = None
    failure: str | None = None


async def read(
    fetch: Callable[[Entry], Awaitable[Document]], entry: Entry, known: Known | None, cutting: Cutting
) -> Reading:
    """Fetch one document and cut it, unless its content is known already."""
    try:
        document = await _attempt(fetch(entry), entry, "read")
        faultpoint("fetched")
        if flaw := _flaw(document):
            return Reading(entry, known is not None, failure=flaw)
        if known and known.recipe == cutting.recipe and known.content_hash == content_hash(document):
            return Reading(entry, is_known=True, revision=document.revision)
        prepared = await _attempt(asyncio.to_thread(prepare, document, cutting), entry, "cut")
    except SourceProblem as exc:
        return Reading(entry, known is not None, failure=str(exc))
    faultpoint("parsed")
    return Reading(entry, known is not None, prepared=prepared)


async def _attempt(work: Awaitable[T], entry: Entry, what: str) -> T:
    """Do one step; a mistake of ours becomes this document's problem."""
    try:
        return await work
    except KnowledgeError:
        raise
    except Exception as exc:
        log.exception("a document could not be %s", what, extra={"document": entry.path})
        raise SourceProblem(f"it could not be {what} ({type(exc).__name__}); exclude it") from exc


def _flaw(document: Document) -> str | None:
    """Return why a document cannot be stored, whatever source it comes from; None when it can."""
    if len(document.path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"its id is longer than {MAX_PATH_BYTES:,} bytes; shorten it or exclude the document"
    for content in (document.path, document.text, document.title or "", document.url or "", document.author or ""):
        if "\0" in content or not _is_unicode(content):
            return "it holds characters that no text has (NUL or half a surrogate pair); correct or exclude it"
    return None


def _is_unicode(content: str) -> bool:
    try:
        content.encode()
    except UnicodeEncodeError:
        return False
    return True


async def ahead(work: Iterable[Coroutine[None, None, T]]) -> AsyncGenerator[T, None]:
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
