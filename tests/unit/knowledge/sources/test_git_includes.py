"""What a file of a repository may include, and what fetching that costs."""

from pathlib import Path

import pytest

from tests.wire.git import Content, make_remote, make_source, read_new, watched_git

TEXT = "".join(f"Line {number} of a text that is long enough to be compared.\n" for number in range(20))


async def test_what_lies_outside_of_the_sources_folder_is_included_by_nobody(tmp_path: Path) -> None:
    files: dict[str, Content] = {
        "docs/a.md": "A.\n{include(../staff/x.md)}\n{include(/staff/x.md)}\n"
        "{include(/_includes/y.md)}\n{* ../code.py *}",
        "docs/_includes/y.md": "Below the folder.",
        "docs-of-staff/z.md": "Beside the folder.",
        "staff/x.md": "Secret.",
        "code.py": "run()",
    }
    remote = make_remote(tmp_path / "remote.git", files)
    source = make_source(remote.url, tmp_path, path="docs", include=["*.md"])
    _, documents = await read_new(source, {})
    stored = {path: document.revision for path, document in documents.items()}

    remote.commit({"docs/_includes/y.md": "Changed.", "staff/x.md": "Still secret."})
    _, changed = await read_new(source, stored)

    assert documents["docs/a.md"].text.split() == ["A.", "Below", "the", "folder."]
    assert changed["docs/a.md"].text.split() == ["A.", "Changed."]
    assert "staff/x.md" in str(documents["docs/a.md"].remark)
    await source.close()


@pytest.mark.parametrize("has_filters", [True, False])
async def test_included_files_are_fetched_together(tmp_path: Path, has_filters: bool) -> None:
    pages: dict[str, Content] = {f"{n}.md": f"{{include(_includes/{n}.md)}}" for n in range(50)}
    parts: dict[str, Content] = {f"_includes/{n}.md": f"Part {n}." for n in range(50)}
    remote = make_remote(
        tmp_path / "remote.git", {**pages, **parts, "_includes/film.mp4": b"\0"}, has_filters=has_filters
    )
    environment, calls = watched_git(tmp_path)
    source = make_source(remote.url, tmp_path, environment=environment, include=["*.md"])

    _, documents = await read_new(source, {})

    assert [documents[f"{n}.md"].text for n in range(50)] == [f"Part {n}." for n in range(50)]
    assert len([call for call in calls() if call.startswith("fetch")]) <= 3
    await source.close()


async def test_what_has_not_changed_costs_one_call_more(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": "{include(b.md)}\n{include(c.md)}", "b.md": "B."})
    _, documents = await read_new(make_source(remote.url, tmp_path), {})
    environment, calls = watched_git(tmp_path)
    stored = {path: document.revision for path, document in documents.items()}

    again, changed = await read_new(make_source(remote.url, tmp_path, environment=environment), stored)

    assert (again, changed) == (stored, {})
    assert [call.split()[0] for call in calls()] == ["version", "ls-remote", "rev-parse", "ls-tree", "ls-tree"]


async def test_a_file_with_includes_that_was_moved_is_the_same_document(tmp_path: Path) -> None:
    text = TEXT + "{include(/x.md)}\n"
    remote = make_remote(tmp_path / "remote.git", {"a.md": text, "b.md": "One.\n{include(x.md)}", "x.md": "X."})
    source = make_source(remote.url, tmp_path)
    _, documents = await read_new(source, {})
    stored = {path: document.revision for path, document in documents.items()}
    remote.commit({"a.md": None, "new/a.md": text + "More.\n", "b.md": None, "new/b.md": "One.\n{include(x.md)}"})

    found = {entry.path: entry.renamed_from for entry in (await source.discover(stored)).entries}

    assert found == {"new/a.md": "a.md", "new/b.md": "b.md", "x.md": None}
    await source.close()


@pytest.mark.parametrize("part", ["x" * 20_000, b"a\0b", "version https://git-lfs.github.com/spec/v1\nsize 1\n"])
async def test_a_part_that_is_no_text_of_a_fair_size_is_missing(tmp_path: Path, part: Content) -> None:
    files: dict[str, Content] = {"a.md": "A.\n{include(b.md)}", "b.md": part}
    source = make_source(make_remote(tmp_path / "remote.git", files).url, tmp_path, include=["a.md"], max_file_mb=0.01)

    _, documents = await read_new(source, {})

    assert documents["a.md"].remark == "an included file is missing: b.md"
    await source.close()


async def test_a_page_with_included_lines_is_linked_as_readers_see_it(tmp_path: Path) -> None:
    files: dict[str, Content] = {"a.md": "{include(b.md)}", "b.md": "One.\n\nTwo."}
    remote = make_remote(tmp_path / "remote.git", files)
    source = make_source(remote.url, tmp_path, link="https://docs.example/{path}#{anchor}")

    _, documents = await read_new(source, {})

    assert documents["a.md"].url == "https://docs.example/a.md#{anchor}"
    await source.close()
