"""Which files of a branch are listed, and what a change of the branch changes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knowledge.errors import SourceProblem
from tests.wire.git import Content, Link, Remote, Submodule, make_remote, make_source, read_new, run_git

TEXT = "".join(f"Line {number} of a text that is long enough to be compared.\n" for number in range(20))


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return make_remote(tmp_path / "remote.git", {"a.md": "# A\n"})


async def listed(remote: Remote, home: Path, **settings: Any) -> list[str]:
    return [entry.path for entry in (await make_source(remote.url, home, **settings).discover({})).entries]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ["a.md", "b/a.md", "b/c/a.md", "b/c/d.txt"]),
        ({"include": ["*.md"]}, ["a.md"]),
        ({"include": ["b/**/*.md"]}, ["b/a.md", "b/c/a.md"]),
        ({"exclude": ["**/c/**"]}, ["a.md", "b/a.md"]),
        ({"path": "b"}, ["b/a.md", "b/c/a.md", "b/c/d.txt"]),
        ({"path": "b/c/", "include": ["*.md"]}, ["b/c/a.md"]),
        ({"include": ["**/.hidden/*.md"]}, [".hidden/a.md"]),
    ],
)
async def test_patterns_choose_below_the_folder(tmp_path: Path, settings: dict[str, Any], expected: list[str]) -> None:
    paths = ("a.md", "b/a.md", "b/c/a.md", "b/c/d.txt", "b/c/e.png", ".hidden/a.md")
    remote = make_remote(tmp_path / "remote.git", dict.fromkeys(paths, "Text."))

    assert await listed(remote, tmp_path, **settings) == expected


async def test_links_and_submodules_are_not_listed(tmp_path: Path) -> None:
    """S38, S39: a link may lead out of the tree, to itself or to a folder; a submodule is another repository."""
    files: dict[str, Content] = {
        "a.md": "Text.",
        "outside.md": Link("/etc/passwd"),
        "itself.md": Link("itself.md"),
        "inside.md": Link("a.md"),
        "folder.md": Link("."),
        "module.md": Submodule("1" * 40),
        ".gitmodules": '[submodule "module.md"]\n\tpath = module.md\n\turl = ext::sh -c "touch /tmp/canary"\n',
    }
    remote = make_remote(tmp_path / "remote.git", files)

    assert await listed(remote, tmp_path, include=["**/*"]) == ["a.md"]


async def test_a_name_that_is_no_text_fails_for_its_file_alone(tmp_path: Path, remote: Remote) -> None:
    remote.commit({b"caf\xe9.md": "Text."})
    source = make_source(remote.url, tmp_path)

    good, bad = (await source.discover({})).entries

    assert (good.path, bad.path) == ("a.md", "caf\\xe9.md")
    with pytest.raises(SourceProblem, match="name is not UTF-8"):
        await source.fetch(bad)


async def test_odd_names_are_taken_as_they_are(tmp_path: Path) -> None:
    names = ["-x.md", "a\tb.md", "quo'te.md", "{path}.md", "кот 😀.md", "*.md", ":(top)a.md"]
    remote = make_remote(tmp_path / "remote.git", {name: name for name in names})
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    assert {path: document.text for path, document in documents.items()} == {name: name for name in names}
    assert {document.author for document in documents.values()} == {"Ann"}
    await source.close()


async def test_a_repository_without_commits_is_empty(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git")

    assert await listed(remote, tmp_path) == []
    assert await listed(remote, tmp_path, branch="main") == []


async def test_a_commit_without_files_is_empty(tmp_path: Path, remote: Remote) -> None:
    remote.commit({"a.md": None})

    assert await listed(remote, tmp_path) == []


@pytest.mark.parametrize("branch", ["gone", "ma"])
async def test_a_branch_that_is_not_there_is_a_problem_and_no_empty_listing(
    tmp_path: Path, remote: Remote, branch: str
) -> None:
    with pytest.raises(SourceProblem, match=f"no branch '{branch}'; it has main: correct `branch`"):
        await listed(remote, tmp_path, branch=branch)


async def test_a_branch_that_was_removed_is_a_problem(tmp_path: Path, remote: Remote) -> None:
    remote.commit({"b.md": "Text."}, branch="work")
    source = make_source(remote.url, tmp_path, branch="work")
    await source.discover({})
    remote.git("branch", "-D", "work")

    with pytest.raises(SourceProblem, match=r"'docs'.*no branch 'work'"):
        await source.discover({})


async def test_a_branch_may_take_the_place_of_another(tmp_path: Path, remote: Remote) -> None:
    remote.commit({"b.md": "Text."}, branch="work")
    assert "b.md" in await listed(remote, tmp_path, branch="work")
    remote.git("branch", "-m", "work", "work/new")

    assert "b.md" in await listed(remote, tmp_path, branch="work/new")


async def test_a_main_branch_that_is_missing_is_a_problem(tmp_path: Path, remote: Remote) -> None:
    remote.git("branch", "-m", "main", "trunk")
    remote.git("symbolic-ref", "HEAD", "refs/heads/main")

    with pytest.raises(SourceProblem, match="no main branch; it has trunk"):
        await listed(remote, tmp_path)


async def test_another_main_branch_is_followed_and_changes_links(tmp_path: Path, remote: Remote) -> None:
    link = "https://docs.example/{branch}/{path}"
    source = make_source(remote.url, tmp_path, link=link)
    stored, _ = await read_new(source, {})
    remote.git("branch", "-m", "main", "trunk")

    _, documents = await read_new(source, stored)

    assert documents["a.md"].url == "https://docs.example/trunk/a.md"
    await source.close()


async def test_a_folder_that_is_not_there_is_a_problem(tmp_path: Path, remote: Remote) -> None:
    with pytest.raises(SourceProblem, match="no folder 'docs'; correct `path`"):
        await listed(remote, tmp_path, path="docs")
    with pytest.raises(SourceProblem, match=r"no folder 'a\.md'"):
        await listed(remote, tmp_path, path="a.md")


async def test_too_many_files_stop_the_listing(tmp_path: Path, remote: Remote) -> None:
    remote.commit({f"{number}.md": "Text." for number in range(5)})

    with pytest.raises(SourceProblem, match=r"more than 5 files are chosen.*`max_files`"):
        await listed(remote, tmp_path, max_files=5)


async def test_a_history_that_was_rewritten_is_no_special_case(tmp_path: Path, remote: Remote) -> None:
    """F35: what changed is judged by what is stored, not by a commit that is no more."""
    remote.commit({"b.md": "Stays.", "c.md": "Goes."})
    source = make_source(remote.url, tmp_path)
    stored, _ = await read_new(source, {})
    remote.commit({"a.md": "New text.", "b.md": "Stays."}, from_scratch=True)
    remote.git("reflog", "expire", "--expire=now", "--all")
    remote.git("gc", "--quiet", "--prune=now")

    now, documents = await read_new(source, stored)

    assert {path: document.text for path, document in documents.items()} == {"a.md": "New text."}
    assert (sorted(now), now["b.md"]) == (["a.md", "b.md"], stored["b.md"])
    await source.close()


@pytest.mark.parametrize("has_filters", [True, False])
async def test_a_remote_that_lacks_a_part_of_its_history_is_read(
    tmp_path: Path, remote: Remote, has_filters: bool
) -> None:
    remote.commit({"b.md": "Text."})
    folder = tmp_path / "shallow.git"
    run_git("clone", "--quiet", "--bare", "--depth=1", f"file://{remote.folder}", str(folder), folder=tmp_path)
    run_git("config", "uploadpack.allowFilter", str(has_filters).lower(), folder=folder)
    source = make_source(str(folder), tmp_path, timeout_minutes=0.2)
    stored, before = await read_new(source, {})
    Remote(folder).commit({"c.md": "Text."})

    _, after = await read_new(source, stored)

    assert (sorted(before), sorted(after)) == (["a.md", "b.md"], ["c.md"])
    await source.close()


async def test_a_listing_names_its_commit(tmp_path: Path, remote: Remote) -> None:
    source = make_source(remote.url, tmp_path)
    commit = remote.commit({"b.md": "Text."})

    assert (await source.discover({})).revision == commit


async def renamed(remote: Remote, home: Path, change: Mapping[str, str | None]) -> dict[str, str | None]:
    """Read a remote, change it, and return what each file was called before."""
    source = make_source(remote.url, home)
    stored, _ = await read_new(source, {})
    await source.close()
    remote.commit(change)
    return {entry.path: entry.renamed_from for entry in (await source.discover(stored)).entries}


@pytest.mark.parametrize("has_filters", [True, False])
async def test_a_moved_file_is_the_same_document(tmp_path: Path, has_filters: bool) -> None:
    before = {"a.md": TEXT, "same/b.md": "One.\n", "c.md": "Three.\n"}
    remote = make_remote(tmp_path / "remote.git", before, has_filters=has_filters)
    change = {"a.md": None, "new/a.md": TEXT + "More.\n", "same/b.md": None, "other/b.md": "One.\n", "d.md": "Four.\n"}

    found = await renamed(remote, tmp_path, change)

    assert found == {"c.md": None, "d.md": None, "new/a.md": "a.md", "other/b.md": "same/b.md"}


async def test_of_files_with_one_content_each_is_one_document(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"x/a.md": TEXT, "x/b.md": TEXT, "x/c.md": TEXT})
    change = {"x/a.md": None, "x/b.md": None, "y/b.md": TEXT, "y/z.md": TEXT, "y/y.md": TEXT}

    found = await renamed(remote, tmp_path, change)

    assert found == {"x/c.md": None, "y/b.md": "x/b.md", "y/y.md": "x/a.md", "y/z.md": None}


async def test_another_text_under_another_name_is_another_document(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": TEXT})

    found = await renamed(remote, tmp_path, {"a.md": None, "b.md": TEXT.upper()[::-1]})

    assert found == {"b.md": None}


async def test_renames_without_the_old_content_are_told_by_equal_blobs(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": TEXT, "b.md": "One.\n"})
    source = make_source(remote.url, tmp_path)
    stored, _ = await read_new(source, {})
    await source.close()
    remote.commit({"new/a.md": TEXT + "More.\n", "new/b.md": "One.\n"}, from_scratch=True)
    fresh = make_source(remote.url, tmp_path / "another home")

    found = {entry.path: entry.renamed_from for entry in (await fresh.discover(stored)).entries}

    assert found == {"new/a.md": None, "new/b.md": "b.md"}
