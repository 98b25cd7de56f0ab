"""What people taught as a source of documents, and what brings the index in step with it within seconds."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC

from bot.core.handle import EVIDENCE_FOR_ANSWER
from bot.core.learning.entry import Entry
from bot.store.entries import PostgresEntries
from knowledge import listing
from knowledge.embed import BATCH_PASSAGES, Embedder, Vectors
from knowledge.errors import EmbedderProblem, SourceBusy, SourceProblem, TransientError
from knowledge.prepare import Cutting, prepare
from knowledge.progress import unwatched
from knowledge.store.documents import PostgresDocuments
from knowledge.store.runs import PostgresRuns
from knowledge.store.vectors import PostgresVectors
from knowledge.sync import SyncCounts, SyncOptions, sync
from knowledge.types import CURATED, Audience, Document

PATH = "entry/"
# Of the passages that an answer is made from, so many leave room for a document.
MAX_PASSAGES = EVIDENCE_FOR_ANSWER - 1
# While another process publishes, it may have listed before our change: ours comes after it.
ASK_EVERY_S, WAIT_AT_MOST_S = 0.2, 30.0

log = logging.getLogger(__name__)


class CuratedSource:
    """The `Source` port over the approved entries."""

    name = kind = CURATED

    def __init__(self, entries: PostgresEntries) -> None:
        self._entries = entries

    async def discover(self, stored: Mapping[str, str]) -> listing.Listing:
        approved = await self._entries.approved()
        return listing.Listing([listing.Entry(path_of(one.id), _revision(one), _audience(one)) for one in approved])

    async def fetch(self, entry: listing.Entry) -> Document:
        found = await self._entries.get(int(entry.path.removeprefix(PATH)))
        if found is None or found.state != "approved":
            raise SourceProblem("it is no knowledge any more")
        return document_of(found)


def path_of(entry: int) -> str:
    """Return the path of an entry's document."""
    return f"{PATH}{entry}"


def is_given_whole(question: str, answer: str) -> bool:
    """Tell whether an answer is short enough to be given as a whole, however it is cut into passages."""
    text = _text(question, answer)
    return len(prepare(Document(CURATED, PATH, text, "", title=question)).passages) in range(1, MAX_PASSAGES + 1)


def _text(question: str, answer: str, further: Sequence[str] = ()) -> str:
    return "\n\n".join([f"# {question}", answer, *further]) + "\n"


def document_of(entry: Entry) -> Document:
    """Return an entry as a document: its title is the question, its author the person who said so."""
    further = [link for link in entry.links if link not in entry.answer]
    return Document(
        CURATED,
        path_of(entry.id),
        _text(entry.question, entry.answer, further),
        _revision(entry),
        title=entry.question,
        author=entry.author_name or None,
        updated_at=entry.approved_at and entry.approved_at.astimezone(UTC),
    )


def _audience(entry: Entry) -> Audience:
    return Audience.of(entry.audience)


def _revision(entry: Entry) -> str:
    return str(entry.version)


class Publisher:
    """Brings the index in step with the approved entries."""

    def __init__(
        self,
        entries: PostgresEntries,
        *,
        documents: PostgresDocuments,
        runs: PostgresRuns,
        vectors: PostgresVectors,
        embedder: Embedder,
        wait_at_most_s: float = WAIT_AT_MOST_S,
    ) -> None:
        self._entries = entries
        self._source = CuratedSource(entries)
        self._documents = documents
        self._runs = runs
        self._vectors = vectors
        self._embedder = embedder
        self._wait_at_most_s = wait_at_most_s

    async def publish(self) -> None:
        """Take out what is no knowledge any more, put in what is new, and give it its vectors; else change nothing."""
        if not await self._entries.is_anything_known():
            return
        source_id = await self._documents.open_source(CURATED, CURATED)
        if await self._is_in_step(source_id):
            return
        give_up_at = asyncio.get_running_loop().time() + self._wait_at_most_s
        while not await self._synced(source_id):
            if asyncio.get_running_loop().time() > give_up_at:
                raise SourceBusy(await self._runs.who_holds(CURATED, source_id))
            await asyncio.sleep(ASK_EVERY_S)
        try:
            async with asyncio.timeout(self._wait_at_most_s):
                await self._embed()
        except (TransientError, EmbedderProblem, TimeoutError) as exc:
            log.warning("entries wait for their vectors, and are found without them: %s", exc)

    async def _is_in_step(self, source_id: int) -> bool:
        known = await self._documents.known(source_id)
        listed = await self._source.discover({})
        failed = await self._documents.quarantined(source_id)
        todo = listing.plan(listed, known, failed, recipe=Cutting().recipe, full=False, now=None)
        space = await self._vectors.open_space(self._embedder.model, self._embedder.dimension)
        is_whole = await self._entries.first_without_vector(space) is None
        return is_whole and not (todo.gone or todo.to_read or todo.reopened)

    async def _synced(self, source_id: int) -> bool:
        """Sync, unless somebody else does so now."""
        try:
            async with self._runs.hold(CURATED, source_id) as run:
                # People took them out one by one: however many they are, and be it the last one.
                known = await self._documents.known(source_id)
                listed = {path_of(one.id) for one in await self._entries.approved()}
                gone = sorted(known.keys() - listed)
                await self._documents.remove(source_id, gone)
                await run.finish(await self._added() if listed else await self._emptied(source_id, len(gone)))
        except SourceBusy:
            return False
        return True

    async def _added(self) -> SyncCounts:
        options = SyncOptions(confirm_deletes=True)
        return await sync(self._source, self._documents, progress=unwatched, options=options)

    async def _emptied(self, source_id: int, deleted: int) -> SyncCounts:
        """Record that nothing is taught: of any other source, a sync would take that for a fault."""
        counts = SyncCounts(deleted=deleted)
        await self._documents.finish(source_id, listing.Listing([]), counts)
        return counts

    async def _embed(self) -> None:
        """Embed the new passages, before whatever else waits for vectors."""

        async def embed(texts: Sequence[str]) -> Vectors:
            return await self._embedder.embed(texts, role="passage")

        space = await self._vectors.open_space(self._embedder.model, self._embedder.dimension)
        while (first := await self._entries.first_without_vector(space)) is not None:
            batch = await self._vectors.fill(space, after=first - 1, limit=BATCH_PASSAGES, embed=embed)
            if not batch.stored:
                # Another process has them.
                await asyncio.sleep(ASK_EVERY_S)
