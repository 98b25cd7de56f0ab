"""The index is in step with what people approved as soon as it is published."""

from dataclasses import replace

import pytest

from bot.core.learning.entry import Taught
from bot.curated import Publisher
from bot.store.entries import PostgresEntries
from knowledge.errors import SourceBusy
from knowledge.progress import unwatched
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.runs import PostgresRuns
from knowledge.store.vectors import PostgresVectors
from knowledge.sync import sync
from knowledge.types import CURATED, Audience
from tests.database.recount import rows
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.source import FakeSource

BIKES = Taught("Where do I park my bike?", "In the yard.", "en", (), ("public",), "slack:U1", "Ann", None)
INDEXED = (
    "select path, title, author, search_text from document join passage on document_id = document.id order by path"
)
VECTORS = "select count(*) from embedding where passage_id is not null"


@pytest.fixture
def entries(pool: Pool) -> PostgresEntries:
    return PostgresEntries(pool)


@pytest.fixture
def publisher(entries: PostgresEntries, pool: Pool) -> Publisher:
    return Publisher(
        entries,
        documents=PostgresDocuments(pool),
        runs=PostgresRuns(pool),
        vectors=PostgresVectors(pool),
        embedder=FakeEmbedder(),
    )


async def approved(entries: PostgresEntries, taught: Taught = BIKES) -> int:
    draft = await entries.draft(taught, actor="slack:U1")
    await entries.turn(draft.id, "approved", actor="slack:U1")
    return draft.id


async def test_an_approved_entry_is_indexed_with_its_vector(
    entries: PostgresEntries, publisher: Publisher, pool: Pool
) -> None:
    await entries.draft(BIKES, actor="slack:U1")
    number = await approved(entries)

    await publisher.publish()

    assert await rows(pool, INDEXED) == [
        (f"entry/{number}", BIKES.question, "Ann", "Where do I park my bike?\nIn the yard.")
    ]
    assert await rows(pool, VECTORS) == [(1,)]


async def test_an_edit_and_another_audience_reach_the_index(
    entries: PostgresEntries, publisher: Publisher, pool: Pool
) -> None:
    number = await approved(entries)
    await publisher.publish()

    await entries.reword(number, replace(BIKES, answer="In the hall.", audience=("group:docs/staff",)), actor="u")
    await publisher.publish()

    assert await rows(pool, "select search_text from passage") == [("Where do I park my bike?\nIn the hall.",)]
    documents = PostgresDocuments(pool)
    known = await documents.known(await documents.open_source(CURATED, CURATED))
    assert known[f"entry/{number}"].audience == Audience.of(["group:docs/staff"])


@pytest.mark.parametrize("how_many", [1, 12])
async def test_all_entries_may_be_taken_back_at_once(
    entries: PostgresEntries, publisher: Publisher, pool: Pool, how_many: int
) -> None:
    numbers = [await approved(entries) for _ in range(how_many)]
    await publisher.publish()

    for number in numbers:
        await entries.turn(number, "unlearned", actor="slack:U1")
    await publisher.publish()

    assert await rows(pool, INDEXED) == []
    assert await rows(pool, "select error from sync_run where error is not null") == []


async def test_where_nothing_changed_nothing_is_done(
    entries: PostgresEntries, publisher: Publisher, pool: Pool
) -> None:
    await approved(entries)

    for _ in range(3):
        await publisher.publish()

    assert len(await rows(pool, "select from sync_run")) == 1


async def test_where_nobody_ever_taught_anything_there_is_no_such_source(publisher: Publisher, pool: Pool) -> None:
    await publisher.publish()

    assert await rows(pool, "select from source") == []


async def test_entries_do_not_wait_for_the_vectors_of_a_large_sync(
    entries: PostgresEntries, publisher: Publisher, pool: Pool
) -> None:
    pages = FakeSource({f"{number}.md": f"Page {number}." for number in range(100)})
    await sync(pages, PostgresDocuments(pool), progress=unwatched)
    await approved(entries)

    await publisher.publish()

    assert await rows(pool, VECTORS) == [(1,)]


async def test_a_publisher_waits_until_another_is_done(
    entries: PostgresEntries, publisher: Publisher, pool: Pool
) -> None:
    await approved(entries)
    source_id = await PostgresDocuments(pool).open_source(CURATED, CURATED)
    async with PostgresRuns(pool).hold(CURATED, source_id):
        with pytest.raises(SourceBusy):
            await Publisher(
                entries,
                documents=PostgresDocuments(pool),
                runs=PostgresRuns(pool),
                vectors=PostgresVectors(pool),
                embedder=FakeEmbedder(),
                wait_at_most_s=0.3,
            ).publish()

    await publisher.publish()

    assert len(await rows(pool, INDEXED)) == 1
