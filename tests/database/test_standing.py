"""A quote stands while its document holds it unchanged and its reader may read it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.standing import PostgresStanding
from knowledge.types import NOBODY, PUBLIC, Audience, Reader
from tests.database.stored_answers import quoting
from tests.fakes.knowledge_base import prepared, store

STAFF, LEGAL = Audience.of(["staff"]), Audience.of(["legal"])
KNOCK = "Knock twice."
TEXT = f"# Doors\n\nThe code is 7.\n{KNOCK} Не стукайте 😀."


@pytest.fixture
async def documents(pool: Pool) -> PostgresDocuments:
    await store(pool, {"a.md": TEXT, "b.md": "Other."})
    return PostgresDocuments(pool)


async def stand(pool: Pool, *quotes: str, tags: Sequence[str] = (PUBLIC,), source: str = "docs") -> list[bool]:
    cited = [quoting(quote) for quote in quotes or (KNOCK,)]
    return await PostgresStanding(pool, sources=[source]).standing(cited, Reader(frozenset(tags)))


async def test_quotes_are_judged_in_their_order(documents: PostgresDocuments, pool: Pool) -> None:
    quotes = ["The code is 7.\nKnock", "knock twice.", "Не стукайте 😀", "The code is 8.", "", "a\0b", "\ud800", KNOCK]

    assert await stand(pool, *quotes) == [True, False, True, False, False, False, False, True]


async def test_no_quotes_are_no_answers(documents: PostgresDocuments, pool: Pool) -> None:
    assert await PostgresStanding(pool, sources=["docs"]).standing([], Reader()) == []


@pytest.mark.parametrize("other", [{"document": "b.md"}, {"document": "gone.md"}, {"source": "other"}])
async def test_a_quote_stands_in_its_own_document_only(
    documents: PostgresDocuments, pool: Pool, other: dict[str, str]
) -> None:
    await store(pool, {"x.md": KNOCK}, source="other")
    cited = replace(quoting(KNOCK), **other)  # type: ignore[arg-type]  # a table of keyword arguments

    assert await PostgresStanding(pool, sources=["docs", "other"]).standing([cited], Reader()) == [False]


async def test_a_source_that_is_not_configured_bears_nothing_out(documents: PostgresDocuments, pool: Pool) -> None:
    assert await stand(pool, source="other") == [False]


async def test_a_changed_or_removed_document_bears_its_quotes_out_no_more(
    documents: PostgresDocuments, pool: Pool
) -> None:
    await documents.replace(1, prepared("a.md", "Knock thrice."), Audience())
    changed = await stand(pool, KNOCK, "Knock thrice.")
    await documents.remove(1, ["a.md"])

    assert changed == [False, True]
    assert await stand(pool, "Knock thrice.") == [False]


@pytest.mark.parametrize(
    ("audience", "tags", "may"),
    [
        (STAFF, (PUBLIC,), False),
        (STAFF, (PUBLIC, "staff"), True),
        (STAFF & LEGAL, (PUBLIC, "staff"), False),
        (STAFF & LEGAL, (PUBLIC, "legal", "staff"), True),
        (NOBODY, (PUBLIC, "staff"), False),
        (Audience(), (), False),
    ],
)
@pytest.mark.parametrize("way", ["closed", "reopened"])
async def test_who_may_not_read_is_told_that_it_does_not_stand(
    documents: PostgresDocuments, pool: Pool, audience: Audience, tags: Sequence[str], may: bool, way: str
) -> None:
    if way == "closed":
        await documents.close(1, {"a.md": audience})
    else:
        await documents.reopen(1, "a.md", audience)

    assert await stand(pool, tags=tags) == [may]


async def test_a_wider_audience_that_is_pending_opens_nothing_yet(documents: PostgresDocuments, pool: Pool) -> None:
    await documents.reopen(1, "a.md", STAFF)

    await documents.close(1, {"a.md": Audience()})

    assert await stand(pool) == [False]
