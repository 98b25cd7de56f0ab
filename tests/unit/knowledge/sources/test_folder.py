"""Which files a folder source lists, and which it refuses to read."""

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from knowledge.errors import SourceProblem
from knowledge.listing import Entry
from knowledge.sources.folder import FolderSettings, FolderSource, build
from knowledge.types import Audience, Document


def source(root: Path, **settings: object) -> FolderSource:
    return FolderSource(FolderSettings.model_validate({"name": "docs", "path": root, **settings}), root=root)


def write(root: Path, path: str, content: bytes = b"Text.") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


async def listed(root: Path, **settings: object) -> list[str]:
    return [entry.path for entry in (await source(root, **settings).discover({})).entries]


async def fetched(root: Path, path: str, **settings: object) -> Document:
    subject = source(root, **settings)
    (entry,) = [entry for entry in (await subject.discover({})).entries if entry.path == path]
    return await subject.fetch(entry)


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["**/*.md"], [], ["a.md", "b/a.md", "b/c/a.md"]),
        (["*.md"], [], ["a.md"]),
        (["b/*.md"], [], ["b/a.md"]),
        (["b/**/*.md"], [], ["b/a.md", "b/c/a.md"]),
        (["**/c/*"], ["**/*.png"], ["b/c/a.md", "b/c/d.txt"]),
        (["**/*.md", "**/*.txt"], ["b/a.md"], ["a.md", "b/c/a.md", "b/c/d.txt"]),
        (["**/*.md"], ["b/**"], ["a.md"]),
        (["**/*.md"], ["**/c/**"], ["a.md", "b/a.md"]),
        (["**/[a-b].md"], ["a.md"], ["b/a.md", "b/c/a.md"]),
        (["nothing/**"], [], []),
    ],
)
async def test_patterns_choose_at_any_depth(
    tmp_path: Path, include: list[str], exclude: list[str], expected: list[str]
) -> None:
    for path in ("a.md", "b/a.md", "b/c/a.md", "b/c/d.txt", "b/c/e.png"):
        write(tmp_path, path)

    assert await listed(tmp_path, include=include, exclude=exclude) == expected


async def test_links_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    write(root, "a.md")
    secret = write(tmp_path, "secret/s.md")
    (root / "file.md").symlink_to(secret)
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "folder").symlink_to(secret.parent)
    (root / "loop").symlink_to(root)
    (root / "dangling.md").symlink_to(root / "nowhere")

    assert await listed(root) == ["a.md"]


async def test_what_is_hidden_or_no_file_is_not_listed(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, ".git/b.md")
    write(tmp_path, "c/.cache/d.md")
    write(tmp_path, ".e.md")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")

    assert await listed(tmp_path) == ["a.md"]


@pytest.mark.parametrize("exchange", ["pipe", "link", "folder", "nothing"])
async def test_a_file_exchanged_after_it_was_listed_is_refused(tmp_path: Path, exchange: str) -> None:
    root = tmp_path / "docs"
    file = write(root, "a.md")
    subject = source(root)
    (entry,) = (await subject.discover({})).entries
    file.unlink()
    if exchange == "pipe":
        os.mkfifo(file)
    elif exchange == "link":
        file.symlink_to(write(tmp_path, "secret.md"))
    elif exchange == "folder":
        file.mkdir()

    with pytest.raises(SourceProblem):
        await subject.fetch(entry)


async def test_a_folder_exchanged_for_a_link_after_it_was_listed_leads_nowhere(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    file = write(root, "b/a.md")
    write(tmp_path, "secret/a.md", b"Secret.")
    subject = source(root)
    (entry,) = (await subject.discover({})).entries
    file.unlink()
    (root / "b").rmdir()
    (root / "b").symlink_to(tmp_path / "secret")

    with pytest.raises(SourceProblem, match="cannot be read"):
        await subject.fetch(entry)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"ok\xff", "byte 2 is not UTF-8"),
        ("Русский".encode("cp1251"), "is not UTF-8"),
        (b"\xff\xfeT", "begins like UTF-16, but byte 2 is none"),
        ("Text".encode("utf-16-le"), "NUL"),
        (b"a\0b", "NUL"),
    ],
)
async def test_what_is_no_utf8_text_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    write(tmp_path, "a.md", content)

    with pytest.raises(SourceProblem, match=problem):
        await fetched(tmp_path, "a.md")


async def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    with write(tmp_path, "a.md").open("wb") as file:
        file.truncate(200 * 1024 * 1024)

    with pytest.raises(SourceProblem, match="200 MB is over the limit of 10 MB"):
        await fetched(tmp_path, "a.md")


async def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    write(tmp_path, "a.md", b"x" * 1024)

    assert len((await fetched(tmp_path, "a.md", max_file_mb=1 / 1024)).text) == 1024


@pytest.mark.parametrize("path", ["missing", "a.md"])
async def test_a_root_that_is_no_folder_is_a_problem_of_the_source(tmp_path: Path, path: str) -> None:
    write(tmp_path, "a.md")

    with pytest.raises(SourceProblem, match="does not exist"):
        await listed(tmp_path / path)


async def test_a_name_that_is_no_text_fails_for_its_file_alone(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    os.close(os.open(os.fsencode(tmp_path) + b"/caf\xe9.md", os.O_CREAT))
    subject = source(tmp_path)

    good, bad = (await subject.discover({})).entries

    assert (good.path, bad.path) == ("a.md", "caf\\xe9.md")
    with pytest.raises(SourceProblem, match="name is not UTF-8"):
        await subject.fetch(bad)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb", "a\nb"),
        (b"\xef\xbb\xbfa", "a"),
        ("é€😀".encode(), "é€😀"),
        ("é\r\n😀".encode("utf-16"), "é\n😀"),
        (b"", ""),
    ],
)
async def test_text_has_plain_line_ends_and_no_mark(tmp_path: Path, content: bytes, text: str) -> None:
    write(tmp_path, "a.md", content)

    assert (await fetched(tmp_path, "a.md")).text == text


async def test_a_document_carries_what_its_settings_say(tmp_path: Path) -> None:
    write(tmp_path, "b c/д?.txt")

    document = await fetched(tmp_path, "b c/д?.txt", audience=["group:hr/staff"], link="https://x.example/{path}?v={1}")

    assert document.url == "https://x.example/b%20c/%D0%B4%3F.txt?v={1}"
    assert (document.source, document.media_type) == ("docs", "text/plain")
    assert document.updated_at is not None
    assert document.updated_at.tzinfo is not None


async def test_a_changed_file_has_another_revision(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md")
    before = (await source(tmp_path).discover({})).entries
    unchanged = (await source(tmp_path).discover({})).entries
    file.write_text("Longer text.", encoding="utf-8")

    assert before == unchanged
    assert (await source(tmp_path).discover({})).entries != before


@pytest.mark.parametrize(
    "table",
    [
        {"link": "https://x.example/"},
        {"audience": []},
        {"audience": ["everyone"]},
        {"audience": ["bob@example.org"]},
        {"max_file_mb": 0},
        {"x": 1},
    ],
)
def test_a_setting_without_sense_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        FolderSettings.model_validate({"name": "docs", "path": "docs", **table})


async def test_a_relative_path_starts_at_the_configuration(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    settings = FolderSettings(name="docs", path=Path("docs"))

    async with build(settings, base=tmp_path) as opened:
        entries = (await opened.discover({})).entries

    assert [entry.path for entry in entries] == ["a.md"]


async def test_an_entry_that_was_never_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceProblem, match="No such file"):
        await source(tmp_path).fetch(Entry("none.md", "1"))


async def test_who_may_read_is_listed_and_no_part_of_the_revision(tmp_path: Path) -> None:
    write(tmp_path, "a.md")

    (everybody,) = (await source(tmp_path).discover({})).entries
    (staff,) = (await source(tmp_path, audience=[" group:hr/staff"]).discover({})).entries

    assert (everybody.audience, staff.audience) == (Audience(), Audience.of(["group:hr/staff"]))
    assert everybody.revision == staff.revision


async def test_groups_keep_their_names_and_addresses_are_compared_in_lower_case(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    tags = ["group:Wiki/Engineering", " User:Ann@Example.org"]

    (entry,) = (await source(tmp_path, audience=tags).discover({})).entries

    assert entry.audience == Audience.of(["group:Wiki/Engineering", "user:ann@example.org"])
