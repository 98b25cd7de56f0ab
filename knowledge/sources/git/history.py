"""Who changed a file last, and when."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from knowledge.sources.git.program import Git

# With more paths than this git compares each of them with each changed file; reading all changes is then faster.
MAX_PATHSPECS = 30
# Longer names are cut.
MAX_AUTHOR_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Change:
    """The last commit that touched a file; a date that no calendar has is None."""

    author: str
    at: datetime | None


async def last_changes(git: Git, commit: str, paths: Collection[str]) -> dict[str, Change]:
    """Return the last change of each path that history tells of, in one walk that ends when all are found."""
    # Nobody can write this into a commit or a file's name.
    mark = secrets.token_hex(16)
    walk = _Walk(mark.encode(), set(paths))
    arguments = ["log", "--no-renames", "--diff-merges=combined", "--name-only", "-z"]
    arguments += [
        f"--format={mark}%at %<({MAX_AUTHOR_COLUMNS},trunc)%an",
        "--encoding=UTF-8",
        "--no-show-signature",
        commit,
        "--",
    ]
    if len(paths) <= MAX_PATHSPECS:
        arguments += paths
    if paths:
        await git.each(walk.take, *arguments)
    return walk.found


class _Walk:
    """Takes the log's records, the newest first: a commit, then the files that it changed."""

    def __init__(self, mark: bytes, wanted: set[str]) -> None:
        self.found: dict[str, Change] = {}
        self._mark = mark
        self._wanted = wanted
        self._commit = b""
        self._is_first = False

    def take(self, record: bytes) -> bool:
        """Tell whether more is wanted."""
        if record.startswith(self._mark):
            self._commit, self._is_first = record[len(self._mark) :], True
            return True
        # A line feed parts the files from their commit.
        name = record.removeprefix(b"\n") if self._is_first else record
        self._is_first = False
        path = name.decode("utf-8", "backslashreplace")
        if path in self._wanted:
            self._wanted.remove(path)
            self.found[path] = _change(self._commit)
        return bool(self._wanted)


def _change(commit: bytes) -> Change:
    seconds, _, author = commit.decode("utf-8", "replace").partition(" ")
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        at = None
    return Change(author.rstrip(), at)
