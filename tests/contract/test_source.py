"""What every source promises."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from knowledge.errors import SourceProblem
from knowledge.listing import Entry
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sources.git.source import GitSource
from knowledge.sync import Source
from tests.fakes.source import FakeSource
from tests.wire.git import Remote, make_remote, make_source

TEXTS = {"a.md": "# A\n\nText.\n", "deep/er/б.md": "Привіт 😀\n"}


def fake(texts: dict[str, str], folder: Path) -> Source:
    return FakeSource(texts)


def folder(texts: dict[str, str], folder: Path) -> Source:
    folder.mkdir(exist_ok=True)
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / path).exists() or (folder / path).read_text(encoding="utf-8") != text:
            (folder / path).write_text(text, encoding="utf-8")
    return FolderSource(FolderSettings(name="docs", path=folder), root=folder)


def git(texts: dict[str, str], folder: Path) -> Source:
    remote = Remote(folder / "remote.git") if folder.exists() else make_remote(folder / "remote.git")
    if texts:
        remote.commit(texts, from_scratch=True)
    return make_source(remote.url, folder)


Make = Callable[[dict[str, str]], Source]


@pytest.fixture(params=[fake, folder, git])
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    """Make a source of documents given by path; called again, the same source with others in it."""
    made: list[Source] = []

    def make_one(texts: dict[str, str]) -> Source:
        made.append(request.param(texts, tmp_path / "docs"))
        return made[-1]

    yield make_one
    for source in made:
        if isinstance(source, GitSource):
            await source.close()


async def test_lists_every_document_once(make: Make) -> None:
    entries = (await make(TEXTS).discover({})).entries

    assert sorted(entry.path for entry in entries) == sorted(TEXTS)


async def test_gives_each_document_whole_and_as_it_was_listed(make: Make) -> None:
    source = make(TEXTS)

    for entry in (await source.discover({})).entries:
        document = await source.fetch(entry)
        assert (document.source, document.path, document.text) == (source.name, entry.path, TEXTS[entry.path])
        assert document.revision == entry.revision
        assert entry.audience.clauses


async def test_an_empty_source_is_an_empty_listing(make: Make) -> None:
    assert list((await make({}).discover({})).entries) == []


async def test_a_revision_changes_with_its_document_only(make: Make) -> None:
    source = make(TEXTS)
    before, again = await source.discover({}), await source.discover({})
    changed = await make({**TEXTS, "a.md": "# Another\n"}).discover({})

    assert again == before
    assert {entry.path for entry in set(before.entries) - set(changed.entries)} == {"a.md"}


async def test_a_document_that_cannot_be_had_says_so(make: Make) -> None:
    with pytest.raises(SourceProblem):
        await make(TEXTS).fetch(Entry("none.md", "1"))
