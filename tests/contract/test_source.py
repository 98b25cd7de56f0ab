"""What every source promises."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from knowledge.errors import SourceProblem
from knowledge.listing import Entry
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import Source
from tests.fakes.source import FakeSource
from tests.unit.knowledge.sources.confluence_sites import a_wiki, opened
from tests.wire.confluence import Wiki
from tests.wire.git import Remote, make_remote, make_source

# By path; a wiki's pages have ids in their place.
TEXTS = {"a.md": "# A\n\nText.\n", "deep/er/б.md": "Привіт 😀\n"}
IDS = {"a.md": "101", "deep/er/б.md": "102"}

Texts = dict[str, str]
Make = Callable[[Texts], Awaitable[Source]]


async def fake(stack: AsyncExitStack, folder: Path) -> Make:
    async def make(texts: Texts) -> Source:
        return FakeSource(texts)

    return make


async def folder(stack: AsyncExitStack, folder: Path) -> Make:
    async def make(texts: Texts) -> Source:
        _write_files(folder, texts)
        return FolderSource(FolderSettings(name="docs", path=folder), root=folder)

    return make


def _write_files(folder: Path, texts: Texts) -> None:
    folder.mkdir(exist_ok=True)
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / path).exists() or (folder / path).read_text(encoding="utf-8") != text:
            (folder / path).write_text(text, encoding="utf-8")


async def git(stack: AsyncExitStack, folder: Path) -> Make:
    async def make(texts: Texts) -> Source:
        if texts:
            Remote(folder / "remote.git").commit(texts, from_scratch=True)
        source = make_source(str(folder / "remote.git"), folder)
        stack.push_async_callback(source.close)
        return source

    make_remote(folder / "remote.git")
    return make


async def confluence(stack: AsyncExitStack, folder: Path, *, kind: str) -> Make:
    wiki, server = stack.enter_context(a_wiki("cloud" if kind == "cloud" else "data_center"))

    async def make(texts: Texts) -> Source:
        _write_pages(wiki, texts)
        return await stack.enter_async_context(opened(server))

    return make


def _write_pages(wiki: Wiki, texts: Texts) -> None:
    for path, text in texts.items():
        page = wiki.pages.get(IDS[path])
        if page is None:
            wiki.add_page("DOCS", path, text, page_id=IDS[path])
        elif page.body != text:
            wiki.edit(page.id, text)


@pytest.fixture(
    params=[fake, folder, git, partial(confluence, kind="cloud"), partial(confluence, kind="data_center")],
    ids=["fake", "folder", "git", "confluence cloud", "confluence data center"],
)
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    """Make a source of documents given by path; called again, the same source with others in it."""
    async with AsyncExitStack() as stack:
        yield await request.param(stack, tmp_path / "docs")


def named(path: str) -> str:
    """Return the path that a document was given, whatever its source calls it."""
    return {number: given for given, number in IDS.items()}.get(path, path)


async def test_lists_every_document_once(make: Make) -> None:
    entries = (await (await make(TEXTS)).discover({})).entries

    assert sorted(named(entry.path) for entry in entries) == sorted(TEXTS)


async def test_gives_each_document_whole_and_as_it_was_listed(make: Make) -> None:
    source = await make(TEXTS)

    for entry in (await source.discover({})).entries:
        document = await source.fetch(entry)
        assert (document.source, document.path, document.text) == (source.name, entry.path, TEXTS[named(entry.path)])
        assert document.revision == entry.revision
        assert entry.audience.clauses


async def test_an_empty_source_is_an_empty_listing(make: Make) -> None:
    assert list((await (await make({})).discover({})).entries) == []


async def test_a_revision_changes_with_its_document_only(make: Make) -> None:
    source = await make(TEXTS)
    before, again = await source.discover({}), await source.discover({})
    changed = await (await make({**TEXTS, "a.md": "# Another\n"})).discover({})

    assert again == before
    assert {named(entry.path) for entry in set(before.entries) - set(changed.entries)} == {"a.md"}


async def test_what_was_stored_is_listed_unchanged(make: Make) -> None:
    source = await make(TEXTS)
    stored = {entry.path: (await source.fetch(entry)).revision for entry in (await source.discover({})).entries}

    again = await source.discover(stored)

    assert {entry.path: entry.revision for entry in again.entries} == stored


async def test_a_document_that_cannot_be_had_says_so(make: Make) -> None:
    with pytest.raises(SourceProblem):
        await (await make(TEXTS)).fetch(Entry("none.md", "1"))
