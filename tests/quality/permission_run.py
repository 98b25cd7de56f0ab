"""A random wiki followed by a real database: synced by the real source, and compared with the model after each sync."""

import random
from collections.abc import Awaitable, Collection, Iterable
from dataclasses import dataclass
from functools import partial

from bot.store.journal import PostgresJournal
from knowledge.errors import SourceProblem
from knowledge.fuse import FusionSettings
from knowledge.listing import FEW_DOCUMENTS, MAX_DELETED_SHARE
from knowledge.progress import unwatched
from knowledge.store.audiences import PostgresReaders
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import Source, SyncOptions, sync
from knowledge.types import Hit, Reader
from tests.database.recount import assert_exact, rows
from tests.fakes.core import reply_citing
from tests.fakes.knowledge_base import Searcher, embed_all
from tests.quality.permission_model import (
    WORD,
    Piece,
    World,
    all_words,
    expected,
    listed,
    may_read,
    page_of,
    person,
    texts,
)
from tests.quality.permission_steps import SYNC, Step, apply
from tests.wire.confluence import ConfluenceServer, Fault

SOURCE = "docs"
READERS = (
    None,
    "ann@example.com",
    " BOB@Example.COM",
    "cid@example.com",
    "hid@example.com",
    "app@example.com",
    "old@example.com",
    "stranger@example.com",
)
ALL = 1_000
WIDE = FusionSettings(candidates=ALL)
ABSENT = "nothing holds this"
# How many of the newest words are asked for though they may stand nowhere any more.
NEWEST = 50
MARKS = "select answer_id, retracted from citation"


@dataclass(frozen=True, slots=True)
class Cited:
    """A past answer: what it quoted from where, to whom."""

    document: str
    quote: str
    email: str | None


class Run:
    """One wiki, one database, and the answers given meanwhile."""

    def __init__(self, world: World, server: ConfluenceServer, source: Source, pool: Pool) -> None:
        self.world = world
        self.source = source
        self.pool = pool
        self._server = server
        self._documents = PostgresDocuments(pool)
        self._stored: set[str] = set()
        self._cited: dict[int, Cited] = {}

    async def take(self, step: Step) -> None:
        """Change the wiki, or sync and compare; raise AssertionError where model and knowledge base differ."""
        if step.kind != SYNC:
            apply(self.world, step)
            return
        dice = random.Random(step.dice)
        self._misbehave(dice)
        await self._sync()
        await self._assert_found()
        await self._assert_marks()
        await assert_exact(self.pool)
        await self._answer(dice)

    async def _sync(self) -> None:
        now = listed(self.world)
        gone = len(self._stored - now)
        must_ask = gone >= FEW_DOCUMENTS and gone > MAX_DELETED_SHARE * len(self._stored)
        run = partial(sync, self.source, self._documents, progress=unwatched)
        if must_ask:
            assert await _is_refused(run()), f"{gone} of {len(self._stored)} documents went without a question"
        counts = await run(options=SyncOptions(confirm_deletes=must_ask))
        assert not counts.failures, f"documents failed: {counts.failures}"
        assert counts.deleted == gone, f"{counts.deleted} documents were deleted where {gone} went"
        self._stored = now

    def _misbehave(self, dice: random.Random) -> None:
        """Let lists come in pieces and restrictions cut off, and refuse to tell of some folders."""
        self._server.behaviour.largest_page = dice.choice((None, None, 20))
        self._server.behaviour.repeat_items = dice.random() < 0.5
        self._server.behaviour.embedded_subjects = dice.choice((200, 1))
        self._server.requests.clear()
        self._server.clear_faults()
        for folder in self.world.untold:
            call = f"/folders/{folder}" if int(folder) % 2 else f"/content/{folder}/restriction"
            self._server.inject(rf"{call}\b", Fault(status=403), times=None)

    async def _assert_found(self) -> None:
        """Compare what readers find by all words, and by vectors alone, with what the model lets them find."""
        space = await embed_all(self.pool)
        searcher = Searcher(self.pool, space, sources=[SOURCE])
        written = texts(self.world)
        newest = {f"qx{number:05}" for number in range(max(1, self.world.written - NEWEST), self.world.written + 1)}
        question = " ".join(all_words(self.world) | newest)
        for email in READERS:
            tags = sorted((await self._reader(email)).tags)
            right = expected(self.world, person(self.world, email))
            by_words = await searcher.ask(question, tags=tags, by_words=True, limit=ALL, fusion=WIDE)
            by_vectors = await searcher.ask(ABSENT, tags=tags, limit=ALL, fusion=WIDE)
            for way, hits in (("words", by_words), ("vectors", by_vectors)):
                found = _found(hits, written, {piece.word for piece in right})
                assert found == right, f"{email} by {way}: {_difference(found, right)}"

    async def _reader(self, email: str | None) -> Reader:
        return await PostgresReaders(self.pool, sources=[SOURCE]).reader(email)

    async def _assert_marks(self) -> None:
        written = texts(self.world)
        right = {(number, self._verdict(cited, written)) for number, cited in self._cited.items()}
        marked = set(await rows(self.pool, MARKS))
        assert marked == right, "marks: " + _difference(marked, right) + f", answers: {self._cited}"

    def _verdict(self, cited: Cited, written: dict[str, list[str]]) -> str | None:
        if cited.document not in written:
            return "removed"
        if cited.quote not in written[cited.document]:
            return "changed"
        reader = person(self.world, cited.email)
        return None if may_read(self.world, page_of(self.world, cited.document), reader) else "restricted"

    async def _answer(self, dice: random.Random) -> None:
        """Record an answer that cites something its reader has just found."""
        email = dice.choice(READERS)
        reader = person(self.world, email)
        right = sorted(expected(self.world, reader), key=lambda piece: piece.word)
        if right:
            piece = dice.choice(right)
            reply = reply_citing(piece.word, document=piece.document)
            tags = await self._reader(email)
            number = await PostgresJournal(self.pool).record(reply, tags)
            self._cited[number] = Cited(piece.document, piece.word, email)


async def _is_refused(run: Awaitable[object]) -> bool:
    try:
        await run
    except SourceProblem as exc:
        return "--confirm-deletes" in str(exc)
    return False


def _found(hits: Iterable[Hit], written: dict[str, list[str]], permitted: Collection[str]) -> set[Piece]:
    """Return the words that hits show, without those that a page includes from pages its reader may read."""
    return {
        Piece(hit.document, hit.title, _space(hit), word)
        for hit in hits
        for word in WORD.findall(f"{hit.text} {hit.search_text}")
        if word in written.get(hit.document, ()) or word not in permitted
    }


def _space(hit: Hit) -> str:
    """Return the space that a link to a page on Cloud names."""
    return (hit.url or "").partition("/spaces/")[2].partition("/")[0]


def _difference(found: Iterable[object], right: Iterable[object]) -> str:
    found, right = set(found), set(right)
    return f"too much {sorted(map(str, found - right))}, too little {sorted(map(str, right - found))}"
