"""A document is stored whole or not at all, and the statistics are always exact."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from knowledge.prepare import PreparedDocument
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import SyncCounts
from knowledge.types import PUBLIC
from tests.fakes.knowledge_base import embed_all, prepared, store

WORDS = ("reset", "password", "invoice", "printer", "holiday", "badge", "KL-1042", "пароль", "отпуск", "重置", "密码")
RECOUNT = {
    "postings": (
        "select term, passage_id, length::int, audience_id from posting",
        """select term, passage.id, term_count, audience_id from passage
           join document on document.id = document_id, unnest(terms) as known(term)""",
    ),
    "terms": (
        "select term, passages from term where passages <> 0",
        "select term, count(*)::int from posting group by term",
    ),
    "sources": (
        "select id, passages, terms from source",
        """select source.id, count(passage.id), coalesce(sum(term_count), 0)::bigint from source
           left join document on source_id = source.id left join passage on document_id = document.id
           group by source.id""",
    ),
    "lengths": (
        "select id, term_count from passage where term_count > 0",
        "select passage_id, sum(frequency)::int from posting group by passage_id",
    ),
}


@pytest.fixture
def documents(pool: Pool) -> PostgresDocuments:
    return PostgresDocuments(pool)


async def rows(pool: Pool, statement: str) -> list[tuple[Any, ...]]:
    async with pool.connection() as connection:
        return await (await connection.execute(statement.encode())).fetchall()


async def assert_exact(pool: Pool) -> None:
    for kept, counted in RECOUNT.values():
        assert sorted(await rows(pool, kept)) == sorted(await rows(pool, counted))


def jumble(dice: random.Random) -> str:
    paragraphs = [" ".join(dice.choices(WORDS, k=dice.randint(1, 120))) for _ in range(dice.randint(0, 6))]
    return "\n\n".join(paragraphs)


async def test_a_stored_document_is_known_and_readable(documents: PostgresDocuments) -> None:
    source_id = await documents.open_source("docs", "fake")
    document = prepared("a.md", "Text.")
    await documents.replace(source_id, document)

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

    await documents.touch(source_id, "a.md", "2")

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
        await documents.replace(source_id, broken(prepared("a.md", "The new text."), where))

    assert await documents.text("docs", "a.md") == "The old text."
    assert await rows(pool, "select id, text, terms from passage") == before
    await assert_exact(pool)


@pytest.mark.parametrize("seed", [1, 2])
async def test_statistics_are_exact_after_any_changes(documents: PostgresDocuments, pool: Pool, seed: int) -> None:
    dice = random.Random(seed)
    sources = [await documents.open_source(name, "fake") for name in ("one", "two")]

    for _ in range(60):
        source_id, path = dice.choice(sources), f"{dice.randint(0, 9)}.md"
        if dice.random() < 0.3:
            await documents.remove(source_id, [path])
        else:
            audience = dice.choice([(PUBLIC,), ("staff",), ("staff", "legal")])
            await documents.replace(source_id, prepared(path, jumble(dice), audience=audience))

    await assert_exact(pool)


async def test_a_long_passage_keeps_exact_counts(documents: PostgresDocuments, pool: Pool) -> None:
    document = prepared("a.md", "word")
    piece = document.passages[0]
    long = replace(piece, terms=Counter({1: 40_000, 2: 1}))
    source_id = await documents.open_source("docs", "fake")
    await documents.replace(source_id, replace(document, passages=(long,)))

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
            await documents.replace(source_id, prepared(path, jumble(dice)))
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
    await documents.finish(source_id, SyncCounts(deleted=1))
    gone = await rows(pool, COUNT_EMBEDDED)

    await store(pool, {"a.md": "Text."})

    assert (gone, await rows(pool, COUNT_EMBEDDED)) == ([(0,)], [(1,)])


async def test_a_vector_follows_a_change_of_its_audience(pool: Pool) -> None:
    await store(pool, {"a.md": "Text."})
    await embed_all(pool)

    await store(pool, {"a.md": "Text."}, audience=("staff",))

    tags = "select tags from embedding join audience on audience.id = audience_id where passage_id is not null"
    assert await rows(pool, tags) == [(["staff"],)]


async def test_finishing_records_the_counts_and_the_failures_of_this_run(
    documents: PostgresDocuments, pool: Pool
) -> None:
    source_id = await documents.open_source("docs", "fake")
    await documents.finish(source_id, SyncCounts(failed=2, failures={"a": "broken", "b": "broken"}))

    await documents.finish(source_id, SyncCounts(added=1, failed=1, failures={"b": "still broken"}))

    assert await rows(pool, "select path, reason from document_failure") == [("b", "still broken")]
    assert await rows(pool, "select counts ->> 'added', synced_at is not null from source") == [("1", True)]


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

    await documents.finish(source_id, SyncCounts())

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
