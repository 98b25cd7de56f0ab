"""Brings the stored knowledge in step with a source: what changed is cut and stored, what is gone is removed.

A document can be found by its words the moment it is stored; its vectors follow (`knowledge.embed`).
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from knowledge.errors import SourceProblem
from knowledge.faultpoint import faultpoint
from knowledge.listing import (
    Entry,
    Known,
    Listing,
    Plan,
    Quarantined,
    pause_after,
    plan,
    quarantine_key,
    why_not_delete,
)
from knowledge.prepare import Cutting, PreparedDocument, storable
from knowledge.progress import Progress
from knowledge.reading import Reading, ahead, read
from knowledge.types import Audience, Document

# How many documents a note names.
NAMED_AT_MOST = 5


@dataclass(slots=True)
class SyncCounts:
    """What one sync of one source did; `notes` are what an operator should know besides."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def fail(self, path: str, reason: str) -> None:
        """Count a document that is not in step."""
        self.failed += 1
        self.failures[storable(path)] = storable(reason)


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How one sync is done; whoever asks for it by hand has perhaps just mended what had failed."""

    full: bool = False
    confirm_deletes: bool = False
    retry_failed: bool = True


class Source(Protocol):
    """A place that documents come from."""

    name: str
    kind: str

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        """Return the complete listing or raise SourceProblem or TransientError: a part would look like deletions.

        `stored` gives the revision of each document that is stored, by path.
        """
        ...

    async def fetch(self, entry: Entry) -> Document:
        """Return one document whole, or raise SourceProblem saying why this one cannot be had.

        TransientError says that the source as a whole does not answer.
        """
        ...


class Documents(Protocol):
    """The stored documents; each method but `remove` happens whole or not at all."""

    async def open_source(self, name: str, kind: str) -> int:
        """Return the number of a source, registered at its first use."""
        ...

    async def known(self, source_id: int) -> Mapping[str, Known]:
        """Return what is stored of each of the source's documents, by path."""
        ...

    async def quarantined(self, source_id: int) -> Mapping[str, Quarantined]:
        """Return the documents that failed when they were last tried, by path."""
        ...

    async def set_members(self, source_id: int, members: Mapping[str, Collection[str]]) -> None:
        """Replace who belongs to the source's groups: e-mail addresses by group tag."""
        ...

    async def rename(self, source_id: int, old: str, new: str) -> None:
        """Give a document another path; what cites it follows."""
        ...

    async def close(self, source_id: int, audiences: Mapping[str, Audience]) -> None:
        """Shut out at once who may not read documents any more, however many there are; `reopen` completes it."""
        ...

    async def reopen(self, source_id: int, path: str, audience: Audience) -> None:
        """Change who may read a document."""
        ...

    async def replace(self, source_id: int, prepared: PreparedDocument, audience: Audience) -> None:
        """Store a document instead of its last version; it has failed no more."""
        ...

    async def touch(self, source_id: int, path: str, revision: str, audience: Audience) -> None:
        """Remember that a document's content is the same at a new revision, and open it to its audience.

        It has failed no more.
        """
        ...

    async def quarantine(self, source_id: int, path: str, failed: Quarantined) -> None:
        """Remember that a document failed; its last good version stays."""
        ...

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        """Delete documents, one after the other; those that are not there are passed over."""
        ...

    async def without_text(self, source_id: int) -> Sequence[str]:
        """Return the titles of the documents that have no passage."""
        ...

    async def finish(self, source_id: int, listing: Listing, counts: SyncCounts) -> None:
        """Record that all of a listing is stored or quarantined, and nothing else is."""
        ...


async def sync(
    source: Source,
    documents: Documents,
    *,
    progress: Progress,
    options: SyncOptions | None = None,
    cutting: Cutting | None = None,
) -> SyncCounts:
    """Bring one source's documents in step; one that fails keeps its last good version and is counted.

    `progress` counts documents. Whatever ends a sync before its time, the next one goes on from what was stored.
    """
    options, cutting = options or SyncOptions(), cutting or Cutting()
    source_id = await documents.open_source(source.name, source.kind)
    # In this order: what another process stores while we list is then not taken for deleted.
    known = await documents.known(source_id)
    quarantined = await documents.quarantined(source_id)
    listing = await source.discover({path: stored.revision for path, stored in known.items()})
    faultpoint("listed")
    now = None if options.retry_failed else datetime.now(UTC)
    todo = plan(listing, known, quarantined, recipe=cutting.recipe, full=options.full, now=now)
    # Who may read and what is gone cannot wait for long documents.
    await _reopen(documents, source_id, listing, todo)
    _refuse(source.name, listing, todo, options)
    await documents.remove(source_id, todo.gone)
    writer = _Writer(documents, source_id, quarantined, _counts(todo, listing), options.retry_failed)
    await _read_all(source, todo, writer, progress, cutting)
    without_text = await documents.without_text(source_id)
    for remark, named in [*writer.remarks.items(), ("documents without any text that could be found", without_text)]:
        if named:
            writer.counts.notes.append(f"{remark}: {_some(named)}")
    await documents.finish(source_id, listing, writer.counts)
    return writer.counts


def _refuse(name: str, listing: Listing, todo: Plan, options: SyncOptions) -> None:
    """Raise what stands against reading and deleting; who may read has been narrowed by then."""
    gone, known, listed = len(todo.gone), len(todo.stored), len(listing.entries)
    confirmed = options.confirm_deletes
    refusal = listing.problem or why_not_delete(name, gone=gone, known=known, listed=listed, is_confirmed=confirmed)
    if refusal:
        raise SourceProblem(refusal)


def _some(named: Sequence[str]) -> str:
    more = len(named) - NAMED_AT_MOST
    return ", ".join(named[:NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")


async def _reopen(documents: Documents, source_id: int, listing: Listing, todo: Plan) -> None:
    await documents.set_members(source_id, listing.members)
    for new, old in todo.renamed.items():
        await documents.rename(source_id, old, new)
    await documents.close(source_id, todo.reopened)
    for path, audience in todo.reopened.items():
        await documents.reopen(source_id, path, audience)


def _counts(todo: Plan, listing: Listing) -> SyncCounts:
    read_again = {entry.path for entry in todo.to_read}
    counts = SyncCounts(unchanged=todo.unchanged, deleted=len(todo.gone), notes=list(listing.notes))
    if not listing.entries:
        counts.notes.append("it lists no document; see what its settings choose (paths, patterns, labels, trees)")
    counts.changed = len(todo.reopened.keys() - read_again - todo.waiting.keys())
    for path, waiting in todo.waiting.items():
        counts.fail(path, f"{waiting.reason} (next try {waiting.next_try_at:%Y-%m-%d %H:%M} UTC)")
    return counts


async def _read_all(source: Source, todo: Plan, writer: "_Writer", progress: Progress, cutting: Cutting) -> None:
    total = len(todo.to_read)
    work = (read(source.fetch, entry, todo.stored.get(entry.path), cutting) for entry in todo.to_read)
    async with aclosing(ahead(work)) as readings:
        for done in range(total):
            progress(done, total)
            await writer.write(await anext(readings))
    progress(total, total)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Stores what was read, and counts."""

    documents: Documents
    source_id: int
    quarantined: Mapping[str, Quarantined]
    counts: SyncCounts
    is_by_hand: bool
    remarks: dict[str, list[str]] = field(default_factory=dict)

    async def write(self, reading: Reading) -> None:
        """Store a document, or that it is the same as before, or that it failed."""
        entry = reading.entry
        if reading.failure is not None:
            await self._quarantine(entry, reading.failure)
        elif reading.prepared is None:
            self.counts.unchanged += 1
            await self.documents.touch(self.source_id, entry.path, reading.revision, entry.audience)
        else:
            await self.documents.replace(self.source_id, reading.prepared, entry.audience)
            self.counts.changed += reading.is_known
            self.counts.added += not reading.is_known
            for remark in reading.prepared.remarks:
                self.remarks.setdefault(remark, []).append(entry.path)
        faultpoint("stored")

    async def _quarantine(self, entry: Entry, reason: str) -> None:
        before = self.quarantined.get(quarantine_key(entry.path))
        if before is None or before.revision != entry.revision:
            attempts, next_try_at = 1, datetime.now(UTC) + pause_after(1)
        elif self.is_by_hand:
            # Who tries again and again by hand uses up none of the clock's patience.
            attempts, next_try_at = before.attempts, before.next_try_at
        else:
            attempts = before.attempts + 1
            next_try_at = datetime.now(UTC) + pause_after(attempts)
        failed = Quarantined(storable(entry.revision), attempts, storable(reason), next_try_at)
        self.counts.fail(entry.path, reason)
        await self.documents.quarantine(self.source_id, quarantine_key(entry.path), failed)
