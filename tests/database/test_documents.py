"""A document is stored whole or not at all, and the statistics are always exact."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest

from knowledge.listing import Listing, Quarantined
from knowledge.prepare import PreparedDocument
from knowledge.progress import unwatched
from knowledge.store.audiences import PostgresReaders
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import SyncCounts, sync
from knowledge.types import NOBODY, Audience
from tests.database.recount import assert_exact, rows
from tests.fakes.knowledge_base import Searcher, embed_all, prepared, store
from tests.fakes.source import FakeSource

STAFF, LEGAL = Audience.of(["staff"]), Audience.of(["legal", "board"])
WORDS = ("reset", "password", "invoice", "printer", "holiday", "badge", "KL-1042", "пароль", "отпуск", "重置", "密码")
BROKEN = Quarantined("1", 2, "broken", datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def documents(pool: Pool) -> PostgresDocuments:
    return PostgresDocuments(pool)


def jumble(dice: random.Random) -> str:
    paragraphs = [" ".join(dice.choices(WORDS, k=dice.randint(1, 120))) for _ in range(dice.randint(0, 6))]
    return "\n\n".join(paragraphs)


async def test_a_stored_document_is_known_and_readable(documents: PostgresDocuments) -> None:
    source_id = await documents.open_source("docs", "fake")
    document = prepared("a.md", "Text.")
    await documents.replace(source_id, document, Audience())

    known = await documents.known(source_id)

    assert known["a.md"].content_hash == document.content_hash
    assert (known["a.md"].revision, known["a.md"].recipe) == ("1", document.recipe)
    assert await documents.text("docs", "a.md") == "Text."
    assert await documents.text("docs", "b.md") is None


async def test_a_source_keeps_its_number(documents: PostgresDocuments) -> None:
    numbers = [await documents.open_source(name, "fake") for name in ("a", "b", "a")]

    assert numbers[0] == numbers[2] != numbers[1]


async def test_touching_changes_the_revision_only(documents: PostgresDocuments, pool: Pool) -> None:
    source_id = await store(pool, {"a.md": "Text."})
    passages = await rows(pool, "select id from passage")

    await documents.touch(source_id, "a.md", "2", Audience())

    assert (await documents.known(source_id))["a.md"].revision == "2"
    assert await rows(pool, "select id from passage") == passages


async def test_equal_paths_in_two_sources_are_two_documents(documents: PostgresDocuments, pool: Pool) -> None:
    await store(pool, {"a.md": "One."}, source="one")
    other = await store(pool, {"a.md": "Two."}, source="two")

    await documents.remove(other, ["a.md", "never there.md"])

    assert await documents.text("one", "a.md") == "One."
    assert await documents.text("two", "a.md") is None


def broken(document: PreparedDocument, where: str) -> PreparedDocument:
    piece = document.passages[-1]
    if where == "passage":
        bad = replace(piece, passage=replace(piece.passage, text="a\0b"))
    elif where == "line":
        bad = replace(piece, passage=replace(piece.passage, start_line=2**40))
    else:
        bad = replace(piece, content_hash=b"", terms=Counter({2**70: 1}))
    return replace(document, passages=(*document.passages, bad))


@pytest.mark.parametrize("where", ["passage", "line", "terms"])
async def test_a_replacement_that_fails_leaves_the_old_version(
    documents: PostgresDocuments, pool: Pool, where: str
) -> None:
    source_id = await store(pool, {"a.md": "The old text."})
    before = await rows(pool, "select id, text, terms from passage")

    with pytest.raises(psycopg.DataError):
        await documents.replace(source_id, broken(prepared("a.md", "The new text."), where), Audience())

    assert await documents.text("docs", "a.md") == "The old text."
    assert await rows(pool, "select id, text, terms from passage") == before
    await assert_exact(pool)


@pytest.mark.parametrize("seed", [1, 2])
async def test_statistics_are_exact_after_any_changes(documents: PostgresDocuments, pool: Pool, seed: int) -> None:
    dice = random.Random(seed)
    sources = [await documents.open_source(name, "fake") for name in ("one", "two")]

    for _ in range(60):
        source_id, path = dice.choice(sources), f"{dice.randint(0, 9)}.md"
        audience = dice.choice([Audience(), STAFF, LEGAL, STAFF & LEGAL])
        what = dice.random()
        if what < 0.3:
            await documents.remove(source_id, [path])
        elif what < 0.5:
            await documents.reopen(source_id, path, audience)
        elif what < 0.6:
            await embed_all(pool)
        else:
            await documents.replace(source_id, prepared(path, jumble(dice)), audience)

    await assert_exact(pool)


async def test_a_long_passage_keeps_exact_counts(documents: PostgresDocuments, pool: Pool) -> None:
    document = prepared("a.md", "word")
    piece = document.passages[0]
    long = replace(piece, terms=Counter({1: 40_000, 2: 1}))
    source_id = await documents.open_source("docs", "fake")
    await documents.replace(source_id, replace(document, passages=(long,)), Audience())

    stored = await rows(pool, "select frequency, length from posting order by term")
    await documents.remove(source_id, ["a.md"])

    assert stored == [(32_767, 32_767), (1, 32_767)]
    await assert_exact(pool)


@pytest.mark.parametrize("names", [("one", "one"), ("one", "two")])
async def test_writers_at_the_same_time_do_not_deadlock(
    documents: PostgresDocuments, pool: Pool, names: tuple[str, str]
) -> None:
    sources = [await documents.open_source(name, "fake") for name in names]

    async def write(source_id: int, seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(25):
            path = f"{dice.randint(0, 4)}.md"
            await documents.replace(source_id, prepared(path, jumble(dice)), Audience())
            await documents.remove(source_id, [f"{dice.randint(0, 4)}.md"])

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for seed, source_id in enumerate(sources):
            group.create_task(write(source_id, seed))

    await assert_exact(pool)


COUNT_EMBEDDED = "select count(*) from embedding where passage_id is not null"


async def test_equal_content_takes_over_the_vector(pool: Pool) -> None:
    await store(pool, {"a.md": "First.\n\n# H\n\nSecond."})
    await embed_all(pool)

    await store(pool, {"a.md": "Changed.\n\n# H\n\nSecond."})

    assert await rows(pool, COUNT_EMBEDDED) == [(1,)]


async def test_a_vector_is_found_again_after_its_document_was_gone(documents: PostgresDocuments, pool: Pool) -> None:
    source_id = await store(pool, {"a.md": "Text."})
    await embed_all(pool)
    await documents.remove(source_id, ["a.md"])
    await documents.finish(source_id, Listing([]), SyncCounts(deleted=1))
    gone = await rows(pool, COUNT_EMBEDDED)

    await store(pool, {"a.md": "Text."})

    assert (gone, await rows(pool, COUNT_EMBEDDED)) == ([(0,)], [(1,)])


async def test_a_vector_follows_a_change_of_its_audience(pool: Pool) -> None:
    await store(pool, {"a.md": "Text."})
    await embed_all(pool)

    await store(pool, {"a.md": "Text."}, audience=("staff",))

    tags = "select tags from embedding join audience on audience.id = audience_id where passage_id is not null"
    assert await rows(pool, tags) == [(["staff"],)]


async def test_finishing_records_the_counts_and_forgets_failures_that_are_over(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source_id = await documents.open_source("docs", "fake")
    for path in ("a", "b"):
        await documents.quarantine(source_id, path, BROKEN)

    recorded = "select counts ->> 'added', revision, synced_at is not null from source"

    await documents.finish(source_id, Listing([], "v1"), SyncCounts(added=1, failed=1, failures={"b": "broken"}))
    with_failures = await rows(pool, recorded)
    await documents.finish(source_id, Listing([], "v2"), SyncCounts(added=2))

    assert with_failures == [("1", None, True)]
    assert await rows(pool, recorded) == [("2", "v2", True)]
    assert await documents.quarantined(source_id) == {}


async def test_a_document_that_is_stored_or_touched_leaves_quarantine(documents: PostgresDocuments) -> None:
    source_id = await documents.open_source("docs", "fake")
    for path in ("a", "b", "c"):
        await documents.quarantine(source_id, path, BROKEN)

    await documents.replace(source_id, prepared("a", "Text."), Audience())
    await documents.touch(source_id, "b", "2", Audience())

    assert list(await documents.quarantined(source_id)) == ["c"]


async def test_a_renamed_document_keeps_its_number_and_passages(documents: PostgresDocuments, pool: Pool) -> None:
    source_id = await store(pool, {"a.md": "Text."})
    before = await rows(pool, "select document_id, id from passage")

    await documents.rename(source_id, "a.md", "b.md")

    assert await rows(pool, "select document_id, id from passage") == before
    assert await documents.text("docs", "b.md") == "Text."


async def test_an_audience_is_known_as_it_was_stored(documents: PostgresDocuments) -> None:
    source_id = await documents.open_source("docs", "fake")
    audiences = {
        "a": Audience(),
        "b": STAFF,
        "c": STAFF & LEGAL,
        "d": NOBODY,
        "e": LEGAL & Audience.of(["б", "a", "Z"]),
    }
    for path, audience in audiences.items():
        await documents.replace(source_id, prepared(path, "Text."), audience)

    known = await documents.known(source_id)

    assert {path: of_path.audience for path, of_path in known.items()} == audiences


async def test_who_is_shut_out_finds_nothing_before_the_passages_follow(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source_id = await store(pool, {"a.md": "Text.", "b.md": "Text."})
    searcher = Searcher(pool, await embed_all(pool))

    await documents.close(source_id, {"a.md": STAFF})

    found = [[hit.document for hit in await searcher.ask("text", tags=tags)] for tags in (("public",), ("staff",))]
    assert found == [["b.md"], []]
    assert (await documents.known(source_id))["a.md"].audience == STAFF
    await documents.reopen(source_id, "a.md", Audience())
    assert {hit.document for hit in await searcher.ask("text")} == {"a.md", "b.md"}


async def test_a_narrowing_that_was_interrupted_is_completed_by_the_next_sync(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await sync(source, documents, progress=unwatched)
    source.audiences["a.md"] = STAFF
    await documents.close(1, {"a.md": STAFF})

    counts = await sync(source, documents, progress=unwatched)

    assert (counts.changed, counts.unchanged) == (1, 1)
    assert await rows(pool, "select pending_audience_id from document") == [(None,), (None,)]
    assert await rows(
        pool, "select distinct tags from posting join audience on audience.id = audience_id order by 1"
    ) == [
        (["public"],),
        (["staff"],),
    ]


async def test_finishing_mends_counts_and_forgets_audiences_that_nobody_has(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source_id = await store(pool, {"a.md": "Text."}, audience=("staff",))
    await documents.reopen(source_id, "a.md", LEGAL)
    async with pool.connection() as connection:
        await connection.execute("update audience set passages = passages - 7")

    await documents.finish(source_id, Listing([]), SyncCounts())

    assert await rows(pool, "select tags, passages from audience") == [(["board", "legal"], 1)]


async def test_members_are_replaced_source_by_source(documents: PostgresDocuments, pool: Pool) -> None:
    one, two = [await documents.open_source(name, "fake") for name in ("one", "two")]
    await documents.set_members(one, {"group:one/a": ["ann@x.org", "bob@x.org"], "group:one/b": ["ann@x.org"]})
    await documents.set_members(two, {"group:two/a": ["ann@x.org"]})

    await documents.set_members(one, {"group:one/a": ["bob@x.org"]})

    readers = PostgresReaders(pool, sources=["one", "two"])
    assert (await readers.reader(" Ann@x.org")).tags == {"public", "user:ann@x.org", "group:two/a"}
    assert (await readers.reader("bob@x.org")).tags == {"public", "user:bob@x.org", "group:one/a"}
    assert (await readers.reader(None)).tags == {"public"}


async def test_finishing_forgets_vectors_that_have_a_living_twin_or_are_old(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source_id = await store(pool, {"a.md": "Text.", "b.md": "Other."})
    await embed_all(pool)
    await documents.remove(source_id, ["b.md"])
    await store(pool, {"a.md": "Text."})
    async with pool.connection() as connection:
        await connection.execute(
            "update embedding set unused_since = now() - interval '31 days' where passage_id is null"
        )

    await documents.finish(source_id, Listing([]), SyncCounts())

    assert await rows(pool, "select count(*) from embedding") == [(1,)]


async def test_a_document_without_passages_is_stored(documents: PostgresDocuments, pool: Pool) -> None:
    source_id = await store(pool, {"a.md": ""})

    assert list(await documents.known(source_id)) == ["a.md"]
    await assert_exact(pool)


async def test_a_page_open_to_thousands_of_people_is_stored(documents: PostgresDocuments, pool: Pool) -> None:
    people = [f"user:{number}@example.org" for number in range(3_000)]

    source_id = await store(pool, {"a.md": "Text."}, audience=people)
    await store(pool, {"b.md": "Text."}, audience=list(reversed(people)))

    assert set(await documents.known(source_id)) == {"a.md", "b.md"}
    assert await rows(pool, "select count(*) from audience") == [(1,)]
