"""A past answer is marked when what it cited would not be given to its readers any more."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.store.journal import PostgresJournal
from knowledge.listing import Listing
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import SyncCounts
from knowledge.types import PUBLIC, Audience, Reader
from tests.fakes.core import reply_citing
from tests.fakes.knowledge_base import prepared, store

STAFF = Audience.of(["staff"])


async def marks(pool: Pool) -> list[Any]:
    async with pool.connection() as connection:
        rows = await (await connection.execute("select retracted from citation order by answer_id, marker")).fetchall()
    return [mark for (mark,) in rows]


async def answer(pool: Pool, quote: str, *, tags: Sequence[str] = (PUBLIC,), document: str = "a.md") -> int:
    return await PostgresJournal(pool).record(reply_citing(quote, document=document), Reader(frozenset(tags)))


@pytest.fixture
async def documents(pool: Pool) -> PostgresDocuments:
    await store(pool, {"a.md": "The door code is 7. Knock twice.", "b.md": "Other."})
    return PostgresDocuments(pool)


async def test_what_still_stands_is_not_marked(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "Knock twice.")

    await documents.replace(1, prepared("a.md", "Knock twice. The door is green."), Audience())

    assert await marks(pool) == [None]


async def test_a_removed_document_retracts_what_cited_it(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "Knock twice.")
    await answer(pool, "Other.", document="b.md")

    await documents.remove(1, ["a.md"])

    assert await marks(pool) == ["removed", None]


async def test_a_changed_text_retracts_the_quotes_that_it_lost(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "The door code is 7.")
    await answer(pool, "Knock twice.")

    await documents.replace(1, prepared("a.md", "The door code is 8. Knock twice."), Audience())

    assert await marks(pool) == ["changed", None]


async def test_a_restriction_retracts_what_was_said_to_those_it_shuts_out(
    documents: PostgresDocuments, pool: Pool
) -> None:
    await answer(pool, "Knock twice.")
    await answer(pool, "Knock twice.", tags=(PUBLIC, "staff"))

    await documents.reopen(1, "a.md", STAFF)

    assert await marks(pool) == ["restricted", None]


async def test_a_document_that_comes_back_lifts_the_mark(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "Knock twice.")
    await documents.remove(1, ["a.md"])

    await documents.replace(1, prepared("a.md", "Knock twice."), Audience())

    assert await marks(pool) == [None]


async def test_a_citation_follows_a_renamed_document(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "Knock twice.")

    await documents.rename(1, "a.md", "c.md")
    await documents.remove(1, ["c.md"])

    assert await marks(pool) == ["removed"]


async def test_what_went_while_the_answer_was_given_is_marked_at_once(documents: PostgresDocuments, pool: Pool) -> None:
    await documents.remove(1, ["a.md"])

    await answer(pool, "Knock twice.")

    assert await marks(pool) == ["removed"]


async def test_who_leaves_a_group_was_answered_what_they_may_not_read_any_more(
    documents: PostgresDocuments, pool: Pool
) -> None:
    group = "group:docs/staff"
    await documents.set_members(1, {group: ["ann@x.org", "bob@x.org"]})
    await documents.reopen(1, "a.md", Audience.of([group]))
    for name in ("ann", "bob"):
        await answer(pool, "Knock twice.", tags=(PUBLIC, f"user:{name}@x.org", group))

    await documents.set_members(1, {group: ["bob@x.org"]})
    after_leaving = await marks(pool)
    await documents.set_members(1, {group: ["ann@x.org", "bob@x.org"]})

    assert after_leaving == ["restricted", None]
    assert await marks(pool) == [None, None]


async def test_a_group_that_is_named_only_later_counts_for_what_was_answered(
    documents: PostgresDocuments, pool: Pool
) -> None:
    await answer(pool, "Knock twice.", tags=(PUBLIC, "user:ann@x.org", "group:other/x"))

    await documents.set_members(1, {"group:docs/staff": ["ann@x.org"]})
    await documents.reopen(1, "a.md", Audience.of(["group:docs/staff"]))

    assert await marks(pool) == [None]


async def test_what_was_stored_beside_a_sync_is_judged_by_its_end(documents: PostgresDocuments, pool: Pool) -> None:
    await answer(pool, "Knock twice.")
    await answer(pool, "Other.", tags=(PUBLIC, "user:ann@x.org", "group:docs/staff"), document="b.md")
    await documents.remove(1, ["a.md"])
    await documents.reopen(1, "b.md", Audience.of(["group:docs/staff"]))
    async with pool.connection() as connection:
        # As if they had been stored while the documents changed and the reader left: each saw nothing of the other.
        await connection.execute("update citation set retracted = null, retracted_at = null")

    await documents.finish(1, Listing([]), SyncCounts())

    assert await marks(pool) == ["removed", "restricted"]
