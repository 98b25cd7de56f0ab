"""A remote repository through our clone of it: where a branch stands, which files it has, and their blobs."""

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice

from knowledge.errors import SourceProblem
from knowledge.sources.git.access import Access
from knowledge.sources.git.clone import Clone
from knowledge.sources.git.failures import explained
from knowledge.sources.git.program import Git, GitFailed
from knowledge.sources.git.remote import Remote, is_branch

MAX_NAMED_BRANCHES = 5
# As many ids make a request of half a megabyte.
MAX_BLOBS_A_FETCH = 10_000
_HEADS = "refs/heads/"
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
# All of a history, and where the remote's own begins: git then never looks for commits before that. Without it a fetch
# from a remote that lacks a part of its history asks for that part, in a fetch that does the same, and so on.
_ALL_HISTORY = "--depth=2147483647"
# With these a fetch brings commits and folders, and leaves the contents of files to later. Given to fetches only: all
# other commands then take a missing blob for missing, instead of asking the remote for one after the other.
_PARTIAL = {"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}
# What git says of a server that gives no blobs by their ids.
_ONLY_ADVERTISED = "unadvertised object"


@dataclass(frozen=True, slots=True)
class Head:
    """Where a branch stands; it is called "HEAD" when the remote does not say which one its main branch is."""

    branch: str
    commit: str

    @property
    def ours(self) -> str:
        """Where the clone keeps it; branches that come and go cannot be in each other's way, as "a/b" and "a" would."""
        return f"refs/answerdesk/{sha256(self.branch.encode()).hexdigest()[:16]}"

    @property
    def refspec(self) -> str:
        """What a fetch of it asks for; whatever history was rewritten, the remote is right."""
        return f"+{'HEAD' if self.branch == 'HEAD' else _HEADS + self.branch}:{self.ours}"


@dataclass(frozen=True, slots=True)
class Repository:
    """The clone, and git on it; `git` reaches no network, only what has `access` does."""

    remote: Remote
    clone: Clone
    git: Git

    async def head(self, access: Access, branch: str | None) -> Head | None:
        """Ask the remote where a branch (its main one, if none is named) stands; None says that it has no branch.

        Raise SourceProblem or SourceUnavailable, as `fetch` and `bring` do.
        """
        wanted = f"{_HEADS}{branch}" if branch else "HEAD"
        async with self._explained():
            git = self._reaching(access)
            named, commit = _answer(await git.run("ls-remote", "--symref", "--", "origin", wanted), wanted)
            if commit:
                return Head(branch or named, commit)
            others = list(islice(_branches(await git.run("ls-remote", "--heads", "--", "origin")), MAX_NAMED_BRANCHES))
        if not others:
            return None
        raise SourceProblem(
            f"{self.remote.url} has no {f'branch {branch!r}' if branch else 'main branch'}; it has {', '.join(others)}:"
            " correct `branch` (nothing already indexed was changed)"
        )

    async def fetch(self, access: Access, head: Head) -> str:
        """Bring what is new of a branch, and return the commit at which it stands now."""
        if await self._commit(head.ours) == head.commit:
            return head.commit
        await self._fetch(access, _ALL_HISTORY, "--", "origin", head.refspec)
        commit = await self._commit(head.ours)
        if commit is None:
            raise GitFailed(f"the clone has no {head.ours} after it was fetched")
        if self.clone.has_many_packs:
            await self.git.also(config=_PARTIAL).run("gc", "--quiet")
        return commit

    async def sizes(self, blobs: Collection[str]) -> dict[str, int]:
        """Return the bytes of those blobs that are in the clone."""
        if not blobs:
            return {}
        asked = "".join(f"{blob}\n" for blob in blobs).encode("ascii")
        out = await self.git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
        answers = (line.split() for line in out.decode("ascii").splitlines())
        return {blob: int(size) for blob, size in answers if size != "missing"}

    async def bring(self, access: Access, head: Head, blobs: Collection[str]) -> dict[str, int]:
        """Fetch those blobs that are not in the clone, all at once; return the sizes of all of them."""
        sizes = await self.sizes(blobs)
        missing = sorted(set(blobs) - sizes.keys())
        if not missing:
            return sizes
        try:
            for start in range(0, len(missing), MAX_BLOBS_A_FETCH):
                ids = "\n".join(missing[start : start + MAX_BLOBS_A_FETCH])
                await self._fetch(access, "--stdin", "--", "origin", stdin=ids.encode("ascii"))
        except GitFailed as exc:
            if _ONLY_ADVERTISED not in str(exc):
                raise
            self.clone.want_whole()
            await self._fetch(access, "--refetch", _ALL_HISTORY, "--", "origin", head.refspec)
        return sizes | await self.sizes(missing)

    async def _fetch(self, access: Access, *arguments: str, stdin: bytes = b"") -> None:
        """Fetch, but no more bytes than the clone may still grow by."""
        git = replace(self._reaching(access), max_written_bytes=max(self.clone.max_bytes - self.clone.size(), 0))
        is_by_id = "--stdin" in arguments
        if not self.clone.is_whole:
            git = git.also(config=_PARTIAL)
            arguments = ("--filter=blob:none", *arguments)
        if is_by_id:
            # What we have tells the server nothing about blobs that we lack.
            git = git.also(config={"fetch.negotiationAlgorithm": "noop"})
        async with self._explained():
            await git.run(*_FETCH, *arguments, stdin=stdin)

    async def _commit(self, ref: str) -> str | None:
        try:
            found = await self.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        except GitFailed:
            return None
        return found.decode("ascii").strip()

    def _reaching(self, access: Access) -> Git:
        reaching = self.git.also(variables=access.variables, config=access.config)
        return replace(reaching, secrets=access.secrets)

    @asynccontextmanager
    async def _explained(self) -> AsyncIterator[None]:
        """Raise what a failed call of the remote means; leave GitFailed as it is if it means nothing we know."""
        try:
            yield
        except GitFailed as exc:
            problem = explained(exc, self.remote)
            if problem is None:
                raise
            raise problem from exc


def _answer(lines: bytes, wanted: str) -> tuple[str, str | None]:
    """Return the name of the branch that HEAD stands for, and the commit of what was asked for, if there is one."""
    branch, commit = "HEAD", None
    for line in lines.decode("utf-8", "replace").splitlines():
        value, _, ref = line.partition("\t")
        if ref != wanted:
            continue
        if not value.startswith("ref: "):
            commit = value
        elif is_branch(name := value.removeprefix(f"ref: {_HEADS}")) and name != value:
            branch = name
    return branch, commit


def _branches(lines: bytes) -> Iterator[str]:
    for line in lines.decode("utf-8", "replace").splitlines():
        yield line.partition("\t")[2].removeprefix(_HEADS)
