"""Pages of Confluence in the real database: real ones are stored as they read, and many cost little."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from knowledge.embed import complete_vectors
from knowledge.progress import unwatched
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.vectors import PostgresVectors
from knowledge.sync import SyncCounts, sync
from tests.fakes.embedder import FakeEmbedder
from tests.unit.knowledge.sources.confluence_sites import opened
from tests.wire.confluence import ConfluenceServer, Wiki, fixture_wiki, serve

ROOT = Path(__file__).parents[2]
PAGES = [
    folder for folder in (ROOT / "../shared/fixtures/confluence", ROOT / "tests/data/confluence") if folder.is_dir()
]
MARKUP = re.compile(r"</?(?:ac|ri|at):|<!\[CDATA\[|\]\]>|&nbsp;|</(?:p|td|tr|li|table|span|div|h\d)>")
MANY = 2_000


class CountingEmbedder(FakeEmbedder):
    """Counts the texts it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = 0

    async def embed(self, texts: Any, *, role: Any) -> Any:
        self.texts += len(texts)
        return await super().embed(texts, role=role)


async def bring_in_step(server: ConfluenceServer, pool: Pool, embedder: FakeEmbedder) -> SyncCounts:
    async with opened(server) as source:
        counts = await sync(source, PostgresDocuments(pool), progress=unwatched)
    await complete_vectors(PostgresVectors(pool), embedder, progress=unwatched)
    return counts


async def rows(pool: Pool, statement: str) -> list[tuple[Any, ...]]:
    async with pool.connection() as connection:
        return await (await connection.execute(statement.encode())).fetchall()


@pytest.mark.parametrize("kind", ["cloud", "data_center"])
async def test_real_pages_are_stored_without_markup(pool: Pool, kind: Any) -> None:
    """What is visible of them is compared word by word where the parser is tested."""
    wiki = fixture_wiki(PAGES[0])
    with serve(wiki, kind) as server:
        counts = await bring_in_step(server, pool, FakeEmbedder())

    texts = await rows(pool, "select passage.text, search_text from passage")
    stored = await rows(pool, "select count(*) from document where text <> ''")
    assert (counts.failed, counts.added) == (0, len(list(PAGES[0].glob("*.storage.xml"))))
    # A list of sub-pages and a redirection show no text of their own, and one page shows its text to some groups only.
    assert stored[0][0] >= counts.added - 3
    assert [found for pair in texts for text in pair for found in MARKUP.findall(text)] == []


@pytest.fixture
async def many(pool: Pool) -> AsyncIterator[tuple[Wiki, ConfluenceServer, list[str], CountingEmbedder]]:
    wiki = Wiki()
    wiki.add_space("DOCS", anonymous=True)
    pages = [wiki.add_page("DOCS", f"Shelf {n}", f"<p>On shelf {n} lies file {n * 7}.</p>") for n in range(MANY)]
    embedder = CountingEmbedder()
    with serve(wiki, "cloud") as server:
        await bring_in_step(server, pool, embedder)
        server.requests.clear()
        embedder.texts = 0
        yield wiki, server, pages, embedder


async def test_two_thousand_unchanged_pages_cost_lists_only_and_one_change_its_page(
    pool: Pool, many: tuple[Wiki, ConfluenceServer, list[str], CountingEmbedder]
) -> None:
    wiki, server, pages, embedder = many

    unchanged = await bring_in_step(server, pool, embedder)
    calls, embedded = len(server.requests), embedder.texts
    wiki.edit(pages[17], "<p>Shelf 17 is empty.</p><h1>Keys</h1><p>The key of shelf 17 hangs on hook 3.</p>")
    server.requests.clear()
    changed = await bring_in_step(server, pool, embedder)

    bodies = [call for call in server.requests if "body-format" in call.query]
    assert (unchanged.unchanged, unchanged.changed, unchanged.added) == (MANY, 0, 0)
    assert (embedded, embedder.texts) == (0, 2)
    assert calls <= 2 * (MANY // 50)
    assert (changed.changed, len(bodies)) == (1, 1)
