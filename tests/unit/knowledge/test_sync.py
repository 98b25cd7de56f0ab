"""What a sync changes, and what it leaves alone."""

from dataclasses import asdict

import pytest

from knowledge.errors import SourceProblem, TransientError
from knowledge.sync import FEW_DOCUMENTS, RECIPE, Entry, SyncCounts, prepare, sync
from knowledge.types import Document
from tests.fakes.documents import FakeDocuments
from tests.fakes.odd_texts import ODD
from tests.fakes.source import FakeSource

MANY = {f"{number}.md": f"Text {number}." for number in range(2 * FEW_DOCUMENTS)}


class UnreachableSource(FakeSource):
    """Lists its documents and is gone when they are fetched."""

    async def fetch(self, entry: Entry) -> Document:
        raise TransientError("no connection")


async def bring_in_step(
    source: FakeSource, documents: FakeDocuments, *, full: bool = False, accept_removals: bool = False
) -> SyncCounts:
    return await sync(source, documents, progress=lambda done, total: None, full=full, accept_removals=accept_removals)


def numbers(counts: SyncCounts) -> dict[str, int]:
    return {name: value for name, value in asdict(counts).items() if isinstance(value, int) and value}


@pytest.fixture
def documents() -> FakeDocuments:
    return FakeDocuments()


async def test_new_documents_are_stored(documents: FakeDocuments) -> None:
    counts = await bring_in_step(FakeSource({"a.md": "A", "b.md": "B"}), documents)

    assert documents.texts == {"a.md": "A", "b.md": "B"}
    assert numbers(counts) == {"added": 2}
    assert documents.finished == counts


async def test_what_did_not_change_is_not_fetched(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await bring_in_step(source, documents)
    source.fetched.clear()
    source.texts["b.md"] = "B2"

    counts = await bring_in_step(source, documents)

    assert source.fetched == ["b.md"]
    assert documents.texts == {"a.md": "A", "b.md": "B2"}
    assert numbers(counts) == {"changed": 1, "unchanged": 1}


async def test_a_new_revision_of_the_same_content_is_only_remembered(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A"})
    await bring_in_step(source, documents)
    passages = documents.stored["a.md"].passages
    source.revisions["a.md"] = "newer"

    counts = await bring_in_step(source, documents)

    assert numbers(counts) == {"unchanged": 1}
    assert documents.stored["a.md"].document.revision == "newer"
    assert documents.stored["a.md"].passages is passages


async def test_what_left_the_source_is_removed(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await bring_in_step(source, documents)
    del source.texts["a.md"]

    counts = await bring_in_step(source, documents)

    assert documents.texts == {"b.md": "B"}
    assert numbers(counts) == {"deleted": 1, "unchanged": 1}


async def test_a_document_that_fails_keeps_its_last_version_and_stops_no_other(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await bring_in_step(source, documents)
    source.texts |= {"a.md": None, "b.md": "B2", "c.md": None, "d.md": "D"}

    counts = await bring_in_step(source, documents)

    assert documents.texts == {"a.md": "A", "b.md": "B2", "d.md": "D"}
    assert numbers(counts) == {"added": 1, "changed": 1, "failed": 2}
    assert counts.failures == {"a.md": "a.md cannot be read", "c.md": "c.md cannot be read"}


async def test_a_document_that_failed_is_tried_again(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": None})
    await bring_in_step(source, documents)
    source.texts["a.md"] = "A"

    counts = await bring_in_step(source, documents)

    assert numbers(counts) == {"added": 1}


async def test_a_listing_that_lost_most_documents_is_not_believed(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource(MANY), documents)

    with pytest.raises(SourceProblem, match="19 of 20 documents are missing"):
        await bring_in_step(FakeSource({"0.md": "changed"}), documents)

    assert documents.texts == MANY


async def test_mass_removal_can_be_accepted(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource(MANY), documents)

    counts = await bring_in_step(FakeSource({"0.md": "Text 0."}), documents, accept_removals=True)

    assert numbers(counts) == {"deleted": 19, "unchanged": 1}


async def test_another_recipe_means_cutting_again(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A"})
    await bring_in_step(source, documents)
    documents.forget_recipe("a.md")

    counts = await bring_in_step(source, documents)

    assert numbers(counts) == {"changed": 1}
    assert documents.stored["a.md"].recipe == RECIPE


async def test_a_full_sync_trusts_no_revision(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    source.revisions = {"a.md": "1", "b.md": "1"}
    await bring_in_step(source, documents)
    source.texts["b.md"] = "B2"

    counts = await bring_in_step(source, documents, full=True)

    assert documents.texts == {"a.md": "A", "b.md": "B2"}
    assert numbers(counts) == {"changed": 1, "unchanged": 1}


async def test_progress_runs_to_the_end(documents: FakeDocuments) -> None:
    told: list[tuple[int, int]] = []

    await sync(FakeSource(MANY), documents, progress=lambda done, total: told.append((done, total)))

    assert told == sorted(told)
    assert told[-1] == (len(MANY), len(MANY))


async def test_an_error_that_is_not_the_documents_own_ends_the_sync(documents: FakeDocuments) -> None:
    with pytest.raises(TransientError):
        await bring_in_step(UnreachableSource(MANY), documents)

    assert documents.finished is None


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("# Heading\n\nText.", "Given", "Given"),
        ("---\ntitle: Front\n---\n# Heading", None, "Front"),
        ("Text.\n\n## Heading", None, "Heading"),
        ("Text.", None, "a/b.md"),
    ],
)
def test_a_document_has_a_title(text: str, title: str | None, expected: str) -> None:
    assert prepare(Document("docs", "a/b.md", text, "1", title=title)).title == expected


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain"])
def test_any_text_can_be_prepared(media_type: str) -> None:
    for text in ODD:
        prepared = prepare(Document("docs", "a.md", text, "1", media_type=media_type))
        assert all(piece.passage.text in text for piece in prepared.passages), text
