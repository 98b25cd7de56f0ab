"""What a sync changes, and what it leaves alone."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest

from knowledge.errors import SourceProblem, TransientError
from knowledge.listing import FEW_DOCUMENTS, FIRST_PAUSE, PAUSE_GROWTH, Entry, Listing
from knowledge.prepare import Cutting, prepare
from knowledge.progress import unwatched
from knowledge.sync import SyncCounts, SyncOptions, sync
from knowledge.types import Audience, Document
from tests.fakes.documents import FakeDocuments
from tests.fakes.odd_texts import ODD
from tests.fakes.source import FakeSource

MANY = {f"{number}.md": f"Text {number}." for number in range(2 * FEW_DOCUMENTS)}


class UnreachableSource(FakeSource):
    """Lists its documents and is gone when they are fetched."""

    async def fetch(self, entry: Entry) -> Document:
        raise TransientError("no connection")


async def bring_in_step(source: FakeSource, documents: FakeDocuments, options: SyncOptions | None = None) -> SyncCounts:
    return await sync(source, documents, progress=unwatched, options=options)


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


@pytest.mark.parametrize(("before", "after"), [(20, 1), (40, 27)])
async def test_a_listing_that_lost_too_much_is_not_believed(documents: FakeDocuments, before: int, after: int) -> None:
    pages = {f"{number}.md": f"Text {number}." for number in range(before)}
    await bring_in_step(FakeSource(pages), documents)

    with pytest.raises(SourceProblem, match=f"{before - after} of {before} documents are missing.*--confirm-deletes"):
        await bring_in_step(FakeSource(dict(list(pages.items())[:after])), documents)

    assert documents.texts == pages


@pytest.mark.parametrize(("before", "after"), [(40, 28), (12, 3), (2, 1)])
async def test_a_listing_that_lost_little_is_believed(documents: FakeDocuments, before: int, after: int) -> None:
    pages = {f"{number}.md": f"Text {number}." for number in range(before)}
    await bring_in_step(FakeSource(pages), documents)

    counts = await bring_in_step(FakeSource(dict(list(pages.items())[:after])), documents)

    assert numbers(counts) == {"deleted": before - after, "unchanged": after}


async def test_mass_deletion_can_be_confirmed(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource(MANY), documents)

    counts = await bring_in_step(FakeSource({"0.md": "Text 0."}), documents, SyncOptions(confirm_deletes=True))

    assert numbers(counts) == {"deleted": 19, "unchanged": 1}


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("nul.md", "a\0b", "NUL"),
        ("half.md", "a\ud83d", "half a surrogate pair"),
        ("half-\udcff.md", "a", "half a surrogate pair"),
        (f"{'x' * 1_000}.md", "a", "its id is longer than 1,000 bytes"),
    ],
)
async def test_what_no_store_can_hold_fails_alone(documents: FakeDocuments, path: str, text: str, reason: str) -> None:
    counts = await bring_in_step(FakeSource({path: text, "good.md": "Good."}), documents)

    assert documents.texts == {"good.md": "Good."}
    assert [reason in failure for failure in counts.failures.values()] == [True]
    assert "".join([*counts.failures, *counts.failures.values()]).encode().count(b"\0") == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nupdated: 2026-09-14\n---\n\nText.", datetime(2026, 9, 14, tzinfo=UTC)),
        ("---\nupdated: soon\n---\n\nText.", datetime(2025, 1, 1, tzinfo=UTC)),
        ("Text.", datetime(2025, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_page_knows_best_when_it_was_updated(text: str, expected: datetime) -> None:
    document = Document("docs", "a.md", text, "1", updated_at=datetime(2025, 1, 1, tzinfo=UTC))

    assert prepare(document).updated_at == expected


async def test_another_recipe_means_cutting_again(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A"})
    await bring_in_step(source, documents)
    documents.forget_recipe("a.md")

    counts = await bring_in_step(source, documents)

    assert numbers(counts) == {"changed": 1}
    assert documents.stored["a.md"].recipe == Cutting().recipe


async def test_a_full_sync_trusts_no_revision(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    source.revisions = {"a.md": "1", "b.md": "1"}
    await bring_in_step(source, documents)
    source.texts["b.md"] = "B2"

    counts = await bring_in_step(source, documents, SyncOptions(full=True))

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


@pytest.mark.parametrize("title", ['"a\\0b"', '"\\ud800"'])
def test_a_title_that_no_store_can_hold_is_cleaned(title: str) -> None:
    prepared = prepare(Document("docs", "a.md", f"---\ntitle: {title}\n---\n\nText.", "1"))

    assert prepared.title.encode().count(b"\0") == 0


@pytest.mark.parametrize("day", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
def test_a_day_outside_of_time_is_no_day(day: str) -> None:
    assert prepare(Document("docs", "a.md", f"---\nupdated: {day}\n---\n\nText.", "1")).updated_at is None


class LateSource(FakeSource):
    """Lists its documents as they were before another process stored one more."""

    def __init__(self, documents: FakeDocuments) -> None:
        super().__init__({"a.md": "A"})
        self._documents = documents

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        listed = await super().discover(stored)
        await self._documents.replace(1, prepare(Document("docs", "new.md", "New.", "1")), Audience())
        return listed


async def test_what_another_process_just_stored_is_not_deleted(documents: FakeDocuments) -> None:
    await bring_in_step(LateSource(documents), documents)

    assert "new.md" in documents.texts


@pytest.mark.parametrize("is_confirmed", [False, True])
@pytest.mark.parametrize("before", [1, 2, 40])
async def test_a_source_that_lists_nothing_deletes_nothing_whatever_is_confirmed(
    documents: FakeDocuments, before: int, is_confirmed: bool
) -> None:
    pages = {f"{number}.md": f"Text {number}." for number in range(before)}
    await bring_in_step(FakeSource(pages), documents)

    with pytest.raises(SourceProblem, match=f"none of its {before} documents is listed"):
        await bring_in_step(FakeSource({}), documents, SyncOptions(confirm_deletes=is_confirmed))

    assert documents.texts == pages


async def test_who_may_read_changes_without_a_fetch(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await bring_in_step(source, documents)
    source.fetched.clear()
    source.audiences["a.md"] = Audience.of(["group:staff"])

    counts = await bring_in_step(source, documents)

    assert documents.audiences == {"a.md": Audience.of(["group:staff"]), "b.md": Audience()}
    assert source.fetched == []
    assert numbers(counts) == {"changed": 1, "unchanged": 1}


async def test_restrictions_hold_even_when_deletions_are_not_believed(documents: FakeDocuments) -> None:
    source = FakeSource(MANY)
    await bring_in_step(source, documents)
    source.texts = {"0.md": "Text 0."}
    source.audiences["0.md"] = Audience.of(["group:staff"])

    with pytest.raises(SourceProblem):
        await bring_in_step(source, documents)

    assert documents.audiences["0.md"] == Audience.of(["group:staff"])


async def test_a_renamed_document_is_the_same_document(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource({"old.md": "A", "b.md": "B"}), documents)
    source = FakeSource({"new.md": "A2", "b.md": "B"})
    source.renamed["new.md"] = "old.md"

    counts = await bring_in_step(source, documents)

    assert documents.texts == {"new.md": "A2", "b.md": "B"}
    assert numbers(counts) == {"changed": 1, "unchanged": 1}


async def test_what_fails_waits_longer_each_time_unless_it_changes_or_a_person_asks(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": None})
    by_the_clock = SyncOptions(retry_failed=False)
    before = datetime.now(UTC)
    first = await bring_in_step(source, documents, by_the_clock)
    waited = await bring_in_step(source, documents, by_the_clock)
    assert source.fetched == ["a.md"]
    assert [counts.failed for counts in (first, waited)] == [1, 1]
    assert "a.md cannot be read (next try" in waited.failures["a.md"]

    by_clock = documents.failed["a.md"]
    await bring_in_step(source, documents)
    by_hand = documents.failed["a.md"]
    documents.failed["a.md"] = replace(by_clock, next_try_at=before)
    await bring_in_step(source, documents, by_the_clock)
    again = documents.failed["a.md"]
    source.revisions["a.md"] = "another"
    await bring_in_step(source, documents, by_the_clock)

    assert source.fetched == ["a.md"] * 4
    assert by_hand == by_clock
    assert (again.attempts, documents.failed["a.md"].attempts) == (2, 1)
    assert again.next_try_at >= before + FIRST_PAUSE * PAUSE_GROWTH


async def test_a_document_that_recovers_leaves_quarantine(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": None})
    await bring_in_step(source, documents)
    source.texts["a.md"] = "A"

    await bring_in_step(source, documents)

    assert documents.failed == {}


class Bomb(str):
    """A text on which every parser stumbles."""

    __slots__ = ()

    def find(self, *arguments: object) -> int:
        raise RuntimeError("no parser survives this")


async def test_a_document_that_crashes_the_parser_is_quarantined_and_the_others_go_on(documents: FakeDocuments) -> None:
    """F36."""
    counts = await bring_in_step(FakeSource({"a.md": Bomb("A"), "b.md": "B"}), documents)

    assert documents.texts == {"b.md": "B"}
    assert counts.failures == {"a.md": "it could not be cut (RuntimeError); exclude it"}
    assert documents.failed["a.md"].attempts == 1


async def test_documents_without_text_are_named(documents: FakeDocuments) -> None:
    counts = await bring_in_step(FakeSource({"a.md": "A", **{f"{n}.md": f"<!-- {n} -->" for n in range(7)}}), documents)

    named = "0.md, 1.md, 2.md, 3.md, 4.md and 2 more"
    assert counts.notes == [f"documents without any text that could be found: {named}"]


async def test_the_old_text_never_gets_new_readers(documents: FakeDocuments) -> None:
    staff = Audience.of(["staff"])
    source = FakeSource({"a.md": "A secret.", "b.md": "B", "c.md": "C secret."})
    source.audiences = dict.fromkeys(source.texts, staff)
    await bring_in_step(source, documents)
    source.texts |= {"a.md": None, "c.md": "C"}
    source.audiences = {"b.md": Audience.of(["legal"])}

    await bring_in_step(source, documents)

    assert documents.texts == {"a.md": "A secret.", "b.md": "B", "c.md": "C"}
    assert documents.audiences == {"a.md": staff, "b.md": Audience.of(["legal"]), "c.md": Audience()}
    assert documents.closed == {"b.md": Audience.of(["legal"])}


async def test_the_same_content_gets_its_readers_and_the_revision_that_was_read(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A"})
    source.audiences["a.md"] = Audience.of(["staff"])
    await bring_in_step(source, documents)
    source.audiences.clear()
    source.revisions["a.md"] = "newer"

    await bring_in_step(source, documents)

    assert documents.audiences["a.md"] == Audience()
    assert documents.stored["a.md"].document.revision == "newer"


async def test_a_part_that_is_missing_stops_all_but_restrictions(documents: FakeDocuments) -> None:
    source = FakeSource({"a.md": "A", "b.md": "B"})
    await bring_in_step(source, documents)
    source.texts = {"a.md": "A2"}
    source.audiences["a.md"] = Audience.of(["staff"])
    source.problem = "space 'X' is not there"

    with pytest.raises(SourceProblem, match="space 'X' is not there"):
        await bring_in_step(source, documents)

    assert documents.texts == {"a.md": "A", "b.md": "B"}
    assert documents.audiences["a.md"] == Audience.of(["staff"])


async def test_all_paths_may_change_when_that_is_confirmed(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource({f"old/{path}": text for path, text in MANY.items()}), documents)
    moved = FakeSource({f"new/{path}": text for path, text in MANY.items()})

    with pytest.raises(SourceProblem, match="20 of 20 documents are missing"):
        await bring_in_step(moved, documents)
    await bring_in_step(moved, documents, SyncOptions(confirm_deletes=True))

    assert documents.texts == moved.texts


async def test_the_only_document_may_be_renamed(documents: FakeDocuments) -> None:
    await bring_in_step(FakeSource({"a.md": "A"}), documents)

    await bring_in_step(FakeSource({"b.md": "A"}), documents)

    assert documents.texts == {"b.md": "A"}


async def test_a_document_that_crashes_its_source_fails_alone(documents: FakeDocuments) -> None:
    """F36."""
    counts = await bring_in_step(CrashingSource({"a.md": "A", "b.md": "B"}), documents)

    assert documents.texts == {"b.md": "B"}
    assert counts.failures == {"a.md": "it could not be read (KeyError); exclude it"}


class CrashingSource(FakeSource):
    """Stumbles over one document."""

    async def fetch(self, entry: Entry) -> Document:
        if entry.path == "a.md":
            raise KeyError("x")
        return await super().fetch(entry)


async def test_a_path_that_no_index_holds_waits_like_any_other(documents: FakeDocuments) -> None:
    source = FakeSource({"д" * 2_000: "A", "b.md": "B"})
    by_the_clock = SyncOptions(retry_failed=False)

    await bring_in_step(source, documents, by_the_clock)
    counts = await bring_in_step(source, documents, by_the_clock)

    assert source.fetched == ["д" * 2_000, "b.md"]
    assert (counts.failed, counts.unchanged) == (1, 1)


def test_what_a_parser_leaves_that_no_database_stores_is_replaced_and_offsets_stay() -> None:
    document = Document(
        "docs", "a.html", "<h1 id='x&#xd800;'>T\ud800</h1><p>one \ud83d two</p>", "1", media_type="text/html"
    )

    prepared = prepare(document)

    (piece,) = prepared.passages
    assert piece.passage.text == prepared.text[piece.passage.start : piece.passage.end]
    assert "\ud83d" not in prepared.text + piece.passage.search_text + prepared.title + str(piece.passage.heading)
