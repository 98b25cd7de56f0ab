"""What stands around a quote today, for those who may read it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.sections import PostgresSections
from knowledge.types import NOBODY, PUBLIC, Audience, Hit, Reader
from tests.database.stored_answers import quoting
from tests.fakes.knowledge_base import prepared, store

STAFF, LEGAL = Audience.of(["staff"]), Audience.of(["legal"])
KNOCK = "Knock twice."
TEXT = f"# Doors\n\nThe code is 7.\n\n{KNOCK}\n\n# Двері\n\nНе стукайте 😀. The code is 7."


@pytest.fixture
async def documents(pool: Pool) -> PostgresDocuments:
    await store(pool, {"a.md": TEXT, "b.md": "Other."})
    return PostgresDocuments(pool)


async def around(pool: Pool, *quotes: str, tags: Sequence[str] = (PUBLIC,), line: int = 1) -> Sequence[Hit | None]:
    cited = [replace(quoting(quote), start_line=line) for quote in quotes or (KNOCK,)]
    return await PostgresSections(pool, sources=["docs"]).around(cited, Reader(frozenset(tags)))


async def test_each_quote_has_the_passage_that_it_stands_in(documents: PostgresDocuments, pool: Pool) -> None:
    found = await around(pool, KNOCK, "Knock thrice.", "Не стукайте 😀", "", "a\0b", "\ud800")

    assert [hit and hit.heading for hit in found] == [("Doors",), None, ("Двері",), None, None, None]
    assert found[0] is not None
    assert KNOCK in found[0].text
    assert (found[0].source, found[0].document, found[0].media_type) == ("docs", "a.md", "text/markdown")


@pytest.mark.parametrize(("line", "heading"), [(3, "Doors"), (9, "Двері")])
async def test_of_the_same_words_those_on_the_nearest_lines_are_meant(
    documents: PostgresDocuments, pool: Pool, line: int, heading: str
) -> None:
    (found,) = await around(pool, "The code is 7.", line=line)

    assert found is not None
    assert found.heading == (heading,)


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
async def test_who_may_not_read_it_gets_nothing(
    documents: PostgresDocuments, pool: Pool, audience: Audience, tags: Sequence[str], may: bool, way: str
) -> None:
    if way == "closed":
        await documents.close(1, {"a.md": audience})
    else:
        await documents.reopen(1, "a.md", audience)

    (found,) = await around(pool, tags=tags)

    assert (found is not None) == may


async def test_what_another_configuration_stored_is_not_shown(documents: PostgresDocuments, pool: Pool) -> None:
    (found,) = await PostgresSections(pool, sources=["other"]).around([quoting(KNOCK)], Reader())

    assert found is None


async def test_a_changed_document_gives_nothing(documents: PostgresDocuments, pool: Pool) -> None:
    await documents.replace(1, prepared("a.md", "Knock thrice."), Audience())

    assert list(await around(pool)) == [None]
