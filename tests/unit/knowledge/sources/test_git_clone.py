"""The clone is ours: damage is mended, limits hold, nothing of a remote is run, and two processes do not meet."""

import asyncio
import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.sources.git.clone import MAX_PACKS
from tests.wire.git import Remote, make_remote, make_source, read_new, run_git


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return make_remote(tmp_path / "remote.git", {"a.md": "Text.", "b.md": "Another text."})


def clone_of(home: Path) -> Path:
    return next((home / "git").glob("*.git"))


def remove_trees(clone: Path) -> None:
    for pack in (clone / "objects/pack").glob("*"):
        pack.unlink()


def cut_packs(clone: Path) -> None:
    for pack in (clone / "objects/pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:40])


def give_settings(clone: Path) -> None:
    with (clone / "config").open("a", encoding="ascii") as file:
        file.write("[core]\n\tsshCommand = touch canary\n")


def give_alternates(clone: Path) -> None:
    (clone / "objects/info").mkdir(exist_ok=True)
    (clone / "objects/info/alternates").write_text("/nowhere\n", encoding="ascii")


def leave_locks(clone: Path) -> None:
    for ref in clone.glob("refs/answerdesk/*"):
        ref.with_suffix(".lock").touch()
    (clone / "packed-refs.lock").touch()


def empty_head(clone: Path) -> None:
    (clone / "HEAD").write_text("", encoding="ascii")


def become_file(clone: Path) -> None:
    clone.rename(clone.with_suffix(".old"))
    clone.touch()


@pytest.mark.parametrize(
    "damage", [remove_trees, cut_packs, give_settings, give_alternates, leave_locks, empty_head, become_file]
)
async def test_a_damaged_clone_is_made_anew(tmp_path: Path, remote: Remote, damage: Callable[[Path], None]) -> None:
    stored, _ = await read_new(make_source(remote.url, tmp_path), {})
    damage(clone_of(tmp_path))
    remote.commit({"b.md": "Changed."})
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, stored)

    assert {path: document.text for path, document in documents.items()} == {"b.md": "Changed."}
    await source.close()


async def test_a_clone_damaged_while_it_is_read_stops_this_sync_and_not_the_next(
    tmp_path: Path, remote: Remote
) -> None:
    source = make_source(remote.url, tmp_path)
    entry, _ = (await source.discover({})).entries
    remove_trees(clone_of(tmp_path))

    with pytest.raises(SourceUnavailable, match="the clone was damaged"):
        await source.fetch(entry)
    await source.discover({})
    assert (await source.fetch(entry)).text == "Text."
    await source.close()


async def test_a_repository_over_the_limit_is_refused(tmp_path: Path) -> None:
    """S41: what was known stays, and no more than the limit is ever written."""
    remote = make_remote(tmp_path / "remote.git", {"a.md": os.urandom(3_000_000)}, has_filters=False)

    with pytest.raises(SourceProblem, match="larger than `max_repository_mb` allows: raise the limit"):
        await make_source(remote.url, tmp_path, max_repository_mb=1).discover({})

    files = [file for file in (tmp_path / "git").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 100_000


async def test_contents_over_the_limit_stop_the_sync(tmp_path: Path) -> None:
    remote = make_remote(tmp_path / "remote.git", {"a.md": os.urandom(3_000_000)})
    source = make_source(remote.url, tmp_path, max_repository_mb=1)
    (entry,) = (await source.discover({})).entries

    with pytest.raises(SourceUnavailable, match="larger than `max_repository_mb` allows"):
        await source.fetch(entry)


async def test_a_tree_without_end_stops_at_the_limit(tmp_path: Path) -> None:
    """S41: eight folders, each ten times in the next, are a hundred million files."""
    remote = make_remote(tmp_path / "remote.git")
    blob = run_git("hash-object", "-w", "--stdin", folder=remote.folder, stdin=b"Text.")
    tree = run_git("mktree", folder=remote.folder, stdin=f"100644 blob {blob}\ta.md\n".encode())
    for _ in range(8):
        lines = "".join(f"040000 tree {tree}\t{number}\n" for number in range(10))
        tree = run_git("mktree", folder=remote.folder, stdin=lines.encode())
    person = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    commit = run_git(*person, "commit-tree", "-m", "Bomb.", tree, folder=remote.folder)
    run_git("update-ref", "refs/heads/main", commit, folder=remote.folder)

    with pytest.raises(SourceProblem, match="more than 1,000 files are chosen"):
        await make_source(remote.url, tmp_path, max_files=1_000).discover({})


async def test_a_tree_that_is_too_deep_stops_the_listing(tmp_path: Path) -> None:
    """S41."""
    remote = make_remote(tmp_path / "remote.git", {"d/" * 1_500 + "a.md": "Text.", "b.md": "Text."})

    with pytest.raises(SourceProblem, match="a file lies in more than 200 folders"):
        await make_source(remote.url, tmp_path).discover({})


async def test_a_deep_tree_is_listed(tmp_path: Path) -> None:
    path = "d/" * 200 + "a.md"
    remote = make_remote(tmp_path / "remote.git", {path: "Text."})
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    assert [document.path for document in documents.values()] == [path]
    await source.close()


async def test_nothing_that_a_repository_holds_is_run(tmp_path: Path) -> None:
    """S39: hooks, settings, filters and attributes of the remote are never used."""
    canary = tmp_path / "canary"
    files = {
        "a.md": "Text.",
        ".gitattributes": "* filter=evil diff=evil text working-tree-encoding=UTF-16\n",
        "hooks/post-checkout.md": f"#!/bin/sh\ntouch {canary}\n",
    }
    remote = make_remote(tmp_path / "remote.git", dict(files))
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-update", "pre-receive"):
        (remote.folder / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {canary}\n", encoding="ascii")
        (remote.folder / "hooks" / hook).chmod(0o700)
    for name in ("core.fsmonitor", "core.sshCommand", "uploadpack.packObjectsHook", "core.alternateRefsCommand"):
        run_git("config", name, f"touch {canary};", folder=remote.folder)
    for name in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "diff.evil.command"):
        run_git("config", name, f"touch {canary};", folder=remote.folder)
    source = make_source(remote.url, tmp_path)

    _, documents = await read_new(source, {})

    assert documents["a.md"].text == "Text."
    assert not canary.exists()
    await source.close()


async def test_settings_of_this_machine_are_not_used(tmp_path: Path, remote: Remote) -> None:
    canary = tmp_path / "canary"
    (tmp_path / ".gitconfig").write_text(f"[core]\n\thooksPath = {tmp_path}\n[gc]\n\tauto = 1\n", encoding="utf-8")
    (tmp_path / "reference-transaction").write_text(f"#!/bin/sh\ntouch {canary}\n", encoding="ascii")
    (tmp_path / "reference-transaction").chmod(0o700)
    environment = {
        "HOME": str(tmp_path),
        "GIT_CONFIG_GLOBAL": str(tmp_path / ".gitconfig"),
        "GIT_DIR": "/nowhere",
        "GIT_TRACE": str(canary),
    }

    await make_source(remote.url, tmp_path, environment=environment).discover({})

    assert not canary.exists()


async def test_two_listings_at_once_take_turns(tmp_path: Path, remote: Remote) -> None:
    sources = [make_source(remote.url, tmp_path) for _ in range(4)]

    results = await asyncio.gather(*(read_new(source, {}) for source in sources))

    assert [sorted(documents) for _, documents in results] == [["a.md", "b.md"]] * 4
    for source in sources:
        await source.close()


async def test_whoever_finds_the_clone_in_use_says_so(tmp_path: Path, remote: Remote) -> None:
    source = make_source(remote.url, tmp_path, timeout_minutes=0.005)
    await source.discover({})
    lock = os.open(clone_of(tmp_path).with_suffix(".lock"), os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)

    with pytest.raises(SourceUnavailable, match="another process is still busy"):
        await source.discover({})
    os.close(lock)


async def test_a_home_that_cannot_be_written_is_a_problem(tmp_path: Path, remote: Remote) -> None:
    (tmp_path / "git").touch()

    with pytest.raises(SourceProblem, match=r"cannot be changed .*let this user write there"):
        await make_source(remote.url, tmp_path).discover({})


async def test_many_packs_are_put_together(tmp_path: Path, remote: Remote) -> None:
    source = make_source(remote.url, tmp_path)
    stored, _ = await read_new(source, {})
    packs = clone_of(tmp_path) / "objects/pack"
    (pack, *_) = packs.glob("*.pack")
    for number in range(MAX_PACKS):
        for suffix in (".pack", ".idx", ".promisor"):
            shutil.copy(pack.with_suffix(suffix), packs / f"pack-{number:040x}{suffix}")
    remote.commit({"a.md": "Changed."})

    _, documents = await read_new(source, stored)

    assert documents["a.md"].text == "Changed."
    assert len(list(packs.glob("*.pack"))) < 5
    await source.close()


async def test_two_sources_share_a_clone_and_keep_their_documents_apart(tmp_path: Path, remote: Remote) -> None:
    """S45."""
    remote.commit({"a.md": "Work."}, branch="work", from_scratch=True)
    sources = [make_source(remote.url, tmp_path, name=branch, branch=branch) for branch in ("main", "work")]

    results = await asyncio.gather(*(read_new(source, {}) for source in sources))

    found = {
        (document.source, document.path, document.text) for _, documents in results for document in documents.values()
    }
    assert found == {("main", "a.md", "Text."), ("main", "b.md", "Another text."), ("work", "a.md", "Work.")}
    assert len(list((tmp_path / "git").glob("*.git"))) == 1
    for source in sources:
        await source.close()
