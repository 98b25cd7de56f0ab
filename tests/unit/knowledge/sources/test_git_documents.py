"""What a document of a repository holds, and what reading it costs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knowledge.errors import SourceProblem
from knowledge.listing import Entry
from knowledge.types import Document
from tests.wire.git import NOON, Content, Remote, make_remote, make_source, read_new, run_git, watched_git

POINTER = (
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32\nsize 12345\n"
)
TWO_THOUSAND: dict[str, Content] = {f"{n % 20}/{n}.md": f"# Document {n}\n\nText.\n" for n in range(2_000)}


async def read(tmp_path: Path, files: dict[str, Content], path: str, **settings: Any) -> Document:
    source = make_source(make_remote(tmp_path / "remote.git", files).url, tmp_path, **settings)
    try:
        (entry,) = [entry for entry in (await source.discover({})).entries if entry.path == path]
        return await source.fetch(entry)
    finally:
        await source.close()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"\xef\xbb\xbfa", "a"),
        ("é€😀".encode(), "é€😀"),
        (b"", ""),
        (b"\n\nblob 12\n", "\n\nblob 12\n"),
        (b"x" * 300_000, "x" * 300_000),
    ],
)
async def test_a_text_is_read_whole(tmp_path: Path, content: bytes, text: str) -> None:
    assert (await read(tmp_path, {"a.md": content}, "a.md")).text == text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"ok\xff", "byte 2 is not UTF-8"),
        ("Русский".encode("cp1251"), "is not UTF-8"),
        (b"a\0b", "NUL"),
        (POINTER, r"Git LFS pointer.*git lfs migrate export"),
    ],
)
async def test_what_is_no_text_is_refused(tmp_path: Path, content: str | bytes, problem: str) -> None:
    with pytest.raises(SourceProblem, match=problem):
        await read(tmp_path, {"a.md": content}, "a.md")


@pytest.mark.parametrize("has_filters", [True, False])
async def test_a_large_file_is_refused_for_itself_alone(tmp_path: Path, has_filters: bool) -> None:
    files: dict[str, Content] = {"a.md": "Text.", "b.md": b"\0" * 12 * 1024 * 1024}
    source = make_source(make_remote(tmp_path / "remote.git", files, has_filters=has_filters).url, tmp_path)
    good, bad = (await source.discover({})).entries

    with pytest.raises(SourceProblem, match="12 MB is over the limit of 10 MB"):
        await source.fetch(bad)

    assert (await source.fetch(good)).text == "Text."
    await source.close()


async def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    assert len((await read(tmp_path, {"a.md": "x" * 1024}, "a.md", max_file_mb=1 / 1024)).text) == 1024


async def test_a_document_carries_what_settings_and_history_say(tmp_path: Path) -> None:
    files: dict[str, Content] = {"b c/д.txt": "Text."}

    document = await read(tmp_path, files, "b c/д.txt", link="https://x.example/{path}#L{start_line}")

    assert (document.source, document.path, document.media_type) == ("docs", "b c/д.txt", "text/plain")
    assert document.url == "https://x.example/b%20c/%D0%B4.txt#L{start_line}"
    assert (document.author, document.updated_at) == ("Ann", datetime.fromtimestamp(NOON, UTC))


async def test_author_and_date_are_those_of_the_last_change(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": "1", "b.md": "1", "c.md": "1"})
    remote.commit({"b.md": "2"}, author="Бо", at=NOON + 60)
    remote.commit({"b.md": "3", "c.md": "2"}, author="Cy & Söhne", at=NOON + 120)
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    changes = {path: (document.author, document.updated_at) for path, document in documents.items()}
    assert changes == {
        "a.md": ("Ann", datetime.fromtimestamp(NOON, UTC)),
        "b.md": ("Cy & Söhne", datetime.fromtimestamp(NOON + 120, UTC)),
        "c.md": ("Cy & Söhne", datetime.fromtimestamp(NOON + 120, UTC)),
    }
    await source.close()


async def test_a_change_made_by_merging_is_a_change(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": "1\n"})
    work = tmp_path / "work"
    run_git("clone", "--quiet", remote.url, str(work), folder=tmp_path)
    as_bo = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
    remote.commit({"a.md": "2\n"}, branch="main")
    (work / "a.md").write_text("3\n", encoding="utf-8")
    run_git(*as_bo, "commit", "--quiet", "-am", "Three.", folder=work)
    run_git("fetch", "--quiet", folder=work)
    run_git(*as_bo, "merge", "--quiet", "-s", "ours", "--no-commit", "origin/main", folder=work)
    (work / "a.md").write_text("2 and 3\n", encoding="utf-8")
    run_git(*as_bo, "commit", "--quiet", "-am", "Both.", folder=work)
    run_git("push", "--quiet", "origin", "HEAD:main", folder=work)
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    assert documents["a.md"].author == "Bo"
    await source.close()


@pytest.mark.parametrize("at", [0, 4_000_000_000, 99_999_999_999_999])
async def test_an_odd_date_does_no_harm(tmp_path: Path, at: int) -> None:
    remote = make_remote(tmp_path / "remote.git")
    remote.commit({"a.md": "Text."}, at=at)
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    assert documents["a.md"].updated_at in (None, datetime.fromtimestamp(min(at, 4_000_000_000), UTC))
    await source.close()


async def test_an_entry_that_is_not_listed_is_refused(tmp_path: Path) -> None:
    source = make_source(make_remote(tmp_path / "remote.git", {"a.md": "Text."}).url, tmp_path)

    with pytest.raises(SourceProblem, match="not in the repository"):
        await source.fetch(Entry("a.md", "1"))
    await source.discover({})
    with pytest.raises(SourceProblem, match="not in the repository"):
        await source.fetch(Entry("none.md", "1"))


@pytest.fixture
def large(tmp_path: Path) -> Remote:
    return make_remote(tmp_path / "remote.git", TWO_THOUSAND)


async def test_two_thousand_files_are_fetched_with_a_dozen_calls_of_git(tmp_path: Path, large: Remote) -> None:
    environment, calls = watched_git(tmp_path)
    source = make_source(large.url, tmp_path, environment=environment)

    _, documents = await read_new(source, {})

    assert len(documents) == 2_000
    assert len(calls()) <= 12
    assert len([call for call in calls() if call.startswith("fetch")]) == 2
    await source.close()


async def test_an_unchanged_repository_costs_no_fetch_and_no_blob(tmp_path: Path, large: Remote) -> None:
    stored, _ = await read_new(make_source(large.url, tmp_path), {})
    environment, calls = watched_git(tmp_path)

    again, documents = await read_new(make_source(large.url, tmp_path, environment=environment), stored)

    assert (again, documents) == (stored, {})
    assert [call.split()[0] for call in calls()] == ["version", "ls-remote", "rev-parse", "ls-tree"]


async def test_one_change_of_two_thousand_costs_one_blob(tmp_path: Path, large: Remote) -> None:
    stored, _ = await read_new(make_source(large.url, tmp_path), {})
    large.commit({"7/7.md": "# Changed\n"}, author="Bo")
    source = make_source(large.url, tmp_path)

    _, documents = await read_new(source, stored)

    assert {path: (document.text, document.author) for path, document in documents.items()} == {
        "7/7.md": ("# Changed\n", "Bo")
    }
    await source.close()


async def test_contents_that_nobody_reads_are_not_fetched(tmp_path: Path) -> None:
    files: dict[str, Content] = {"a.md": "Text.", "film.mp4": bytes(range(256)) * 10_000}
    remote = make_remote(tmp_path / "remote.git", files)
    remote.commit({"a.md": "Another text."})
    source = make_source(remote.url, tmp_path / "home")

    await read_new(source, {})

    clone = next((tmp_path / "home/git").glob("*.git"))
    objects = run_git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)", folder=clone).split()
    assert objects.count("blob") == 1
    await source.close()


async def test_all_documents_can_be_read_again(tmp_path: Path, large: Remote) -> None:
    stored, _ = await read_new(make_source(large.url, tmp_path), {})
    source = make_source(large.url, tmp_path / "another home")
    entries = (await source.discover(stored)).entries

    texts = {entry.path: (await source.fetch(entry)).text for entry in entries[:50]}

    assert texts == {path: TWO_THOUSAND[path] for path in texts}
    await source.close()
