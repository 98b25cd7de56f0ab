"""Whatever a wiki does between two syncs, and whatever fails in one: no text reaches readers who may not see it."""

from collections.abc import Iterator
from typing import Any

import pytest

from knowledge.errors import KnowledgeError
from knowledge.progress import unwatched
from knowledge.store.audiences import PostgresReaders
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import sync
from tests.fakes.knowledge_base import Searcher, embed_all
from tests.unit.knowledge.sources.confluence_sites import a_wiki, opened
from tests.wire.confluence import ConfluenceServer, Wiki
from tests.wire.confluence.faults import Fault

SECRET = "<p>The alarm code of the archive is AX77.</p>"
INCLUDE = (
    '<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link><ri:page ri:content-title="{}"/>'
    "</ac:link></ac:parameter></ac:structured-macro>"
)
EXTENSION = (
    '<ac:adf-extension><ac:adf-node type="extension"><ac:adf-attribute key="extension-key">excerpt-include'
    "</ac:adf-attribute></ac:adf-node></ac:adf-extension>"
)
Served = tuple[Wiki, ConfluenceServer]


@pytest.fixture
def served() -> Iterator[Served]:
    with a_wiki() as site:
        yield site


async def bring_in_step(server: ConfluenceServer, pool: Pool, **settings: Any) -> None:
    async with opened(server, **settings) as source:
        try:
            await sync(source, PostgresDocuments(pool), progress=unwatched)
        except KnowledgeError:
            return


async def sees_the_secret(pool: Pool, name: str) -> bool:
    space = await embed_all(pool)
    reader = await PostgresReaders(pool, sources=["wiki"]).reader(f"{name}@example.com")
    found = await Searcher(pool, space, sources=["wiki"]).ask("alarm code archive", tags=sorted(reader.tags))
    return any("AX77" in hit.text for hit in found)


async def test_text_restricted_since_leaves_the_page_that_includes_it_even_unread(pool: Pool, served: Served) -> None:
    wiki, server = served
    other = wiki.add_page("DOCS", "Other", SECRET)
    page = wiki.add_page("DOCS", "Page", "<p>Intro.</p>" + INCLUDE.format("Other"))
    await bring_in_step(server, pool)
    before = await sees_the_secret(pool, "bob")
    wiki.restrict(other, users=["ann"])
    server.inject(f"/api/v2/pages/{page}", Fault(status=404), times=None)

    await bring_in_step(server, pool)

    assert before
    assert not await sees_the_secret(pool, "bob")


async def test_a_page_opened_to_more_readers_is_read_before_they_find_it(pool: Pool, served: Served) -> None:
    wiki, server = served
    other = wiki.add_page("DOCS", "Other", SECRET)
    page = wiki.add_page("DOCS", "Page", "<p>Intro.</p>" + INCLUDE.format("Other"))
    for restricted in (other, page):
        wiki.restrict(restricted, users=["ann"])
    await bring_in_step(server, pool)
    before = await sees_the_secret(pool, "ann")
    wiki.unrestrict(page)
    server.inject(f"/api/v2/pages/{page}", Fault(status=404), times=None)

    await bring_in_step(server, pool)

    assert before
    assert not await sees_the_secret(pool, "bob")


async def test_text_that_moved_to_a_page_further_off_is_still_watched(pool: Pool, served: Served) -> None:
    wiki, server = served
    other = wiki.add_page("DOCS", "Other", SECRET)
    wiki.add_page("DOCS", "Page", "<p>Intro.</p>" + INCLUDE.format("Other"))
    await bring_in_step(server, pool)
    third = wiki.add_page("DOCS", "Third", SECRET)
    wiki.edit(other, INCLUDE.format("Third"))
    await bring_in_step(server, pool)
    before = await sees_the_secret(pool, "bob")
    wiki.restrict(third, users=["ann"])

    await bring_in_step(server, pool)

    assert before
    assert not await sees_the_secret(pool, "bob")


@pytest.mark.parametrize("is_excluded", [False, True])
async def test_a_decoy_of_almost_the_same_title_opens_nothing(pool: Pool, served: Served, is_excluded: bool) -> None:
    wiki, server = served
    secret = wiki.add_page("DOCS", "Straße", SECRET)
    wiki.restrict(secret, users=["ann"])
    wiki.add_page("DOCS", "Strasse", "<p>Decoy.</p>")
    wiki.add_page("DOCS", "Page", INCLUDE.format("Straße"))

    await bring_in_step(server, pool, exclude=[secret] if is_excluded else [])

    assert not await sees_the_secret(pool, "bob")


PAGE = '<ac:link><ri:page ri:content-title="{}"/></ac:link>'
MACRO = '<ac:structured-macro ac:name="{}">{}</ac:structured-macro>'
OPEN = PAGE.format("Open")
NAMED_ASIDE = '<ac:parameter ac:name="x">' + OPEN + "</ac:parameter>"


@pytest.mark.parametrize(
    "beside",
    [
        EXTENSION,
        INCLUDE.format("Secr&eacute;t"),
        MACRO.format("include", '<ac:parameter ac:name="">Secrét</ac:parameter>' + NAMED_ASIDE),
        MACRO.format(
            "include", '<ac:parameter ac:name=""><ri:blog-post ri:content-title="B"/></ac:parameter>' + NAMED_ASIDE
        ),
        MACRO.format("include", f'<ac:parameter ac:name="">Secrét</ac:parameter>{INCLUDE.format("Open")}'),
        MACRO.format("include", f'<ac:parameter ac:name="">{OPEN}</ac:parameter>{NAMED_ASIDE}'),
        MACRO.format("attachments", '<ac:parameter ac:name="page">' + PAGE.format("Secrét") + "</ac:parameter>"),
    ],
)
async def test_what_nobody_can_judge_is_not_rendered(pool: Pool, served: Served, beside: str) -> None:
    wiki, server = served
    for title in ("Open", "Secrt", "Secrt "):
        wiki.add_page("DOCS", title, "<p>Open.</p>")
    wiki.restrict(wiki.add_page("DOCS", "Secrét", "<p>x</p>"), users=["cid"])
    wiki.add_page("DOCS", "Page", INCLUDE.format("Open") + beside, view=f"<p>Open.</p>{SECRET}")

    await bring_in_step(server, pool)

    assert not await sees_the_secret(pool, "ann")


async def test_a_space_that_vanished_keeps_no_restriction_of_another_waiting(pool: Pool, served: Served) -> None:
    wiki, server = served
    wiki.add_space("OLD", groups=["g-staff"])
    wiki.add_page("OLD", "Old", "<p>Old.</p>")
    page = wiki.add_page("DOCS", "Page", SECRET)
    await bring_in_step(server, pool, spaces=["DOCS", "OLD"])
    before = await sees_the_secret(pool, "bob")
    wiki.deny_space("OLD")
    wiki.restrict(page, users=["ann"])

    await bring_in_step(server, pool, spaces=["DOCS", "OLD"])

    assert before
    assert not await sees_the_secret(pool, "bob")


async def test_a_page_that_stopped_including_is_open_again_in_the_same_sync(pool: Pool, served: Served) -> None:
    wiki, server = served
    other = wiki.add_page("DOCS", "Other", "<p>Closed.</p>")
    page = wiki.add_page("DOCS", "Page", SECRET + INCLUDE.format("Other"))
    await bring_in_step(server, pool)
    wiki.restrict(other, users=["ann"])
    wiki.edit(page, SECRET)

    await bring_in_step(server, pool)

    assert await sees_the_secret(pool, "bob")
