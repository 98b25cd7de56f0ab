"""What stands around a quote today, for those who may read it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from knowledge.quotable import units_of
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.sections import PostgresSections
from knowledge.types import NOBODY, PUBLIC, Audience, Evidence, Hit, Reader, Relevance
from tests.database.stored_answers import quoting
from tests.fakes.knowledge_base import Searcher, embed_all, prepared, store

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


LONG = "# Doors\n\n## Front\n\n{}\n\n## Back\n\nKnock twice. <!-- the code is 7 -->\n\nThen wait 😀.\n".format(
    "\n\n".join(f"Sentence {number} of the front door. " * 20 for number in range(15))
)


async def widened(pool: Pool, *found: Hit, tags: Sequence[str] = (PUBLIC,)) -> Sequence[Evidence]:
    evidence = [Evidence(hit, Relevance(0.9 - number / 10)) for number, hit in enumerate(found)]
    return await PostgresSections(pool, sources=["docs"]).widened(evidence, Reader(frozenset(tags)))


async def passages_of(pool: Pool, text: str) -> Sequence[Hit]:
    await store(pool, {"long.md": text})
    space = await embed_all(pool)
    return sorted(await Searcher(pool, space).ask("sentence of the door knock wait"), key=lambda hit: hit.start_line)


async def test_a_passage_is_read_in_its_section_which_a_reader_could_read_on_the_page(pool: Pool) -> None:
    *_, back = await passages_of(pool, LONG)

    (piece,) = await widened(pool, back)

    lines = prepared("long.md", LONG).text.split("\n")[piece.hit.start_line - 1 : piece.hit.end_line]
    assert piece.hit.text == "\n".join(lines)
    assert piece.hit.text.startswith("## Back\n\nKnock twice.")
    assert "code" not in piece.hit.search_text
    assert [unit.text for unit in units_of(piece.hit)] == ["Knock twice.", "Then wait 😀."]


async def test_passages_of_one_section_are_read_once_at_the_place_of_the_best(pool: Pool) -> None:
    first, second, *_, last = await passages_of(pool, LONG)

    found = await widened(pool, last, second, first)

    assert [piece.hit.passage_id for piece in found] == [last.passage_id, second.passage_id]
    assert found[1].relevance == pytest.approx(0.8)
    assert first.text in found[1].hit.text


@pytest.mark.parametrize("is_gone", [True, False])
async def test_what_may_not_be_read_or_has_no_section_stays_a_passage(pool: Pool, is_gone: bool) -> None:
    (first, *_) = await passages_of(pool, LONG)
    if is_gone:
        first = replace(first, passage_id=first.passage_id + 1000)

    found = await widened(pool, first, tags=(PUBLIC,) if is_gone else ())

    assert [piece.hit for piece in found] == [first]


async def test_a_document_that_is_stored_again_has_only_its_new_sections(pool: Pool) -> None:
    await store(pool, {"long.md": LONG})

    await store(pool, {"long.md": "# Doors\n\nShort."})

    async with pool.connection() as connection:
        row = await (await connection.execute("select count(*), max(end_line) from section")).fetchone()
    assert row == (1, 3)
