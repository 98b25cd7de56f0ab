"""Real repositories on this machine, made by the real git, and what the tests see of the git that reads them."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge.sources.git.settings import GitSettings
from knowledge.sources.git.source import GitSource
from knowledge.types import Document

NOON = 1_700_000_000
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "LC_ALL": "C",
}


def run_git(*arguments: str, folder: Path, stdin: bytes = b"") -> str:
    """Run git in a folder, with no settings of this machine."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=ENVIRONMENT, input=stdin, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in a repository."""

    target: str


@dataclass(frozen=True, slots=True)
class Submodule:
    """A commit of another repository in a repository."""

    commit: str


Content = str | bytes | Link | Submodule | None
Files = Mapping[str, Content] | Mapping[bytes, Content]


@dataclass(frozen=True, slots=True)
class Remote:
    """A bare repository that a source reads."""

    folder: Path

    @property
    def url(self) -> str:
        return str(self.folder)

    def git(self, *arguments: str) -> str:
        return run_git(*arguments, folder=self.folder)

    def commit(
        self,
        files: Files,
        *,
        branch: str = "main",
        author: str = "Ann",
        at: int = NOON,
        from_scratch: bool = False,
    ) -> str:
        """Change files (None removes one) in a new commit, or in a history that knows nothing of the one before."""
        person = f"{author} <ann@example.org> {at} +0000\n"
        lines = [f"commit refs/heads/{branch}\nauthor {person}committer {person}data 7\nChange.\n".encode()]
        if not from_scratch and self.git("for-each-ref", f"refs/heads/{branch}"):
            lines.append(f"from refs/heads/{branch}^0\n".encode())
        lines += [
            _change(path if isinstance(path, bytes) else path.encode(), content) for path, content in files.items()
        ]
        run_git("fast-import", "--quiet", "--force", folder=self.folder, stdin=b"".join(lines))
        return self.git("rev-parse", branch)


def make_remote(folder: Path, files: Files | None = None, *, has_filters: bool = True) -> Remote:
    """Make a bare repository; without files it has no commit."""
    folder.mkdir(parents=True)
    run_git("init", "--quiet", "--bare", "--initial-branch=main", folder=folder)
    run_git("config", "uploadpack.allowFilter", str(has_filters).lower(), folder=folder)
    remote = Remote(folder)
    if files is not None:
        remote.commit(files)
    return remote


def _change(path: bytes, content: Content) -> bytes:
    if content is None:
        return b"D " + path + b"\n"
    if isinstance(content, Submodule):
        return b"M 160000 " + content.commit.encode() + b" " + path + b"\n"
    mode, data = (b"120000", content.target) if isinstance(content, Link) else (b"100644", content)
    data = data.encode() if isinstance(data, str) else data
    return b"M " + mode + b" inline " + path + b"\ndata " + str(len(data)).encode() + b"\n" + data + b"\n"


def make_source(url: str, home: Path, *, environment: Mapping[str, str] | None = None, **settings: object) -> GitSource:
    """Open a source; unlike a real one it has only the given environment, and PATH."""
    table = {"name": "docs", "url": url, **settings}
    given = {"PATH": os.environ["PATH"], **(environment or {})}
    return GitSource(GitSettings.model_validate(table), base=home, home=home, environment=given)


async def read_new(source: GitSource, stored: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Document]]:
    """List, and read what is not stored yet, as a sync does; return what is stored then, and what was read."""
    listing = await source.discover(stored)
    stale = [entry for entry in listing.entries if stored.get(entry.path) != entry.revision]
    documents = {entry.path: await source.fetch(entry) for entry in stale}
    return {entry.path: entry.revision for entry in listing.entries}, documents


def fake_program(folder: Path, name: str, script: str) -> dict[str, str]:
    """Put a program before the real one, and return the environment in which it is found."""
    (folder / "bin").mkdir()
    (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "bin" / name).chmod(0o700)
    return {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}


def watched_git(folder: Path) -> tuple[dict[str, str], Callable[[], list[str]]]:
    """Return an environment in which each call of git is noted, and what shows the notes: arguments, a line a call."""
    notes = folder / "calls"
    environment = fake_program(folder, "git", f'echo "$@" >>"{notes}"; exec {shutil.which("git")} "$@"')
    return environment, lambda: notes.read_text(encoding="utf-8").splitlines()


def command_lines() -> str:
    """Return what every user of this machine can see of all processes; nothing where there is no /proc."""
    lines = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            lines.append((process / "cmdline").read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    return "\n".join(lines)
