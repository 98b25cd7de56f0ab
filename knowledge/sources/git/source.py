"""A branch of a Git repository as a source of documents."""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.listing import Entry, Listing
from knowledge.sources.file_text import FileText, read_file, with_title
from knowledge.sources.git.access import Access, open_access
from knowledge.sources.git.clone import Clone
from knowledge.sources.git.contents import Contents
from knowledge.sources.git.links import Links, links_to
from knowledge.sources.git.neighbours import LFS_POINTER, Neighbours
from knowledge.sources.git.program import INHERITED, Git, GitFailed, check_program, check_version
from knowledge.sources.git.remote import Remote, parse_remote
from knowledge.sources.git.renames import MAX_COMPARED, same_content, similar_content
from knowledge.sources.git.repository import Head, Repository
from knowledge.sources.git.settings import GitSettings
from knowledge.sources.git.tree import File, files_of
from knowledge.sources.text_files import MEBIBYTE
from knowledge.sources.watched import own_part, watched_by, watching
from knowledge.types import Audience, Document

# What we store: the blob, and a hash of what else counts.
_REVISION = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})-[0-9a-f]{8}")

log = logging.getLogger(__name__)


@asynccontextmanager
async def build(settings: GitSettings, *, base: Path, home: Path) -> AsyncIterator["GitSource"]:
    """Open one repository, cloned below `home`; relative paths in the settings start from `base`."""
    source = GitSource(settings, base=base, home=home, environment=os.environ)
    try:
        yield source
    finally:
        await source.close()


class GitSource:
    """The `Source` port over a branch; a document's id is its path in the repository."""

    kind = "git"

    def __init__(self, settings: GitSettings, *, base: Path, home: Path, environment: Mapping[str, str]) -> None:
        self.name = settings.name
        self._settings = _from(base, settings)
        self._environment = environment
        remote = _remote(base, settings.url)
        timeout_s = settings.timeout_minutes * 60
        clone = Clone.of(remote, home=home, max_mb=settings.max_repository_mb, lock_timeout_s=timeout_s)
        variables = {name: environment[name] for name in INHERITED & environment.keys()}
        self._repository = Repository(remote, clone, Git(clone.folder, timeout_s, variables))
        self._contents: Contents | None = None
        self._links = Links(None)

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        await self.close()
        try:
            return await self._discover(stored)
        except GitFailed as exc:
            raise SourceProblem(f"source {self.name!r}: git failed: {exc}") from exc
        except (SourceProblem, SourceUnavailable) as exc:
            raise type(exc)(f"source {self.name!r}: {exc}") from exc

    async def fetch(self, entry: Entry) -> Document:
        contents = self._contents
        if contents is None or entry.path not in contents.files:
            raise SourceProblem("it is not in the repository; sync again")
        file = contents.files[entry.path]
        if not file.has_text_name:
            raise SourceProblem("its name is not UTF-8; rename the file or exclude it")
        try:
            await self._prepare(contents, file.path)
            return await self._document(contents, file)
        except GitFailed as exc:
            await self._discard_clone()
            raise SourceUnavailable(
                f"source {self.name!r}: the clone was damaged and is thrown away; the next sync makes another ({exc})"
            ) from exc

    async def close(self) -> None:
        """End what the last listing's documents were read with."""
        if self._contents is not None:
            await self._contents.close()
        self._contents = None

    async def _discover(self, stored: Mapping[str, str]) -> Listing:
        repository, clone = self._repository, self._repository.clone
        check_program(self._environment)
        _check_local(repository.remote)
        access = await open_access(self._settings, repository.remote, self._environment)
        async with clone.alone():
            was_there = await asyncio.to_thread(clone.make)
            await check_version(repository.git)
            head = await repository.head(access, self._settings.branch)
            if head is None:
                return Listing([])
            try:
                return await self._list(access, head, stored)
            except GitFailed as exc:
                if not was_there:
                    raise
                log.warning("a clone is damaged and made anew", extra={"source": self.name, "reason": str(exc)})
            await asyncio.to_thread(clone.discard)
            await asyncio.to_thread(clone.make)
            return await self._list(access, head, stored)

    async def _list(self, access: Access, head: Head, stored: Mapping[str, str]) -> Listing:
        head = replace(head, commit=await self._repository.fetch(access, head))
        files = await files_of(
            self._repository.git,
            head.commit,
            self._settings.path,
            choose=self._settings.choose,
            max_files=self._settings.max_files,
        )
        self._links = links_to(self._settings, self._repository.remote, head.branch)
        renamed = await self._renamed(access, head, files, stored)
        neighbours = Neighbours(self._repository, access, head, root=self._settings.path)
        entries = await self._entries(neighbours, files, renamed, stored)
        self._contents = Contents(
            self._repository,
            access,
            head,
            files={file.path: file for file in files},
            stale={entry.path for entry in entries if stored.get(entry.path) != entry.revision},
            neighbours=neighbours,
        )
        return Listing(entries, revision=head.commit)

    async def _entries(
        self, neighbours: Neighbours, files: Sequence[File], renamed: Mapping[str, str], stored: Mapping[str, str]
    ) -> list[Entry]:
        audience = Audience.of(self._settings.audience)
        watched = {file.path: watched_by(stored.get(file.path, "")) for file in files}
        blobs = await neighbours.blobs({path for paths in watched.values() for path in paths})
        return [
            Entry(
                file.path,
                watching(self._revision(file), {path: blobs[path] for path in watched[file.path]}),
                audience,
                renamed_from=renamed.get(file.path),
            )
            for file in files
        ]

    def _revision(self, file: File) -> str:
        """Return what changes with a file's content, and with what else is stored of it or decides on it."""
        below = self._below(file.path)
        address = self._links.of(file.path, self._settings.media_type(below))
        return f"{file.blob}-{self._settings.told_of(below, file.path, address, file.sidecar)}"

    def _below(self, path: str) -> str:
        """Return the path that patterns are compared with."""
        return path.removeprefix(f"{self._settings.path}/") if self._settings.path else path

    async def _renamed(
        self, access: Access, head: Head, files: Sequence[File], stored: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the stored path of each file that is stored under another one."""
        paths = {file.path for file in files}
        known = (
            (path, _REVISION.fullmatch(own_part(revision))) for path, revision in stored.items() if path not in paths
        )
        gone = {path: found[1] for path, found in known if found}
        new = {file.path: file.blob for file in files if file.has_text_name and file.path not in stored}
        same = same_content(gone, new)
        left = set(same.values())
        gone = {path: blob for path, blob in gone.items() if path not in left}
        new = {path: blob for path, blob in new.items() if path not in same}
        if len(gone) > MAX_COMPARED or len(new) > MAX_COMPARED:
            return same
        # What was thrown away with a clone cannot be compared.
        gone = self._small(gone, await self._repository.sizes(gone.values()))
        if not gone or not new:
            return same
        new = self._small(new, await self._repository.bring(access, head, new.values()))
        return same | await similar_content(self._repository.git, gone, new)

    def _small(self, blobs: Mapping[str, str], sizes: Mapping[str, int]) -> dict[str, str]:
        limit = self._settings.max_file_mb * MEBIBYTE
        return {path: blob for path, blob in blobs.items() if sizes.get(blob, limit + 1) <= limit}

    async def _prepare(self, contents: Contents, path: str) -> None:
        try:
            await contents.prepare(path)
        except (SourceProblem, SourceUnavailable) as exc:
            # Not this document alone cannot be had now; if somebody must do something, the next listing says so.
            raise SourceUnavailable(f"source {self.name!r}: {exc}") from exc

    async def _document(self, contents: Contents, file: File) -> Document:
        content = await contents.read(file.path, max_mb=self._settings.max_file_mb)
        if content.startswith(LFS_POINTER):
            raise SourceProblem(
                "Git LFS pointer: the text itself is not in the repository; store it without LFS"
                " (git lfs migrate export) or exclude it"
            )
        kind = self._settings.media_type(self._below(file.path))
        shown = await self._shown(contents, file, content, kind)
        change = contents.last_change(file.path)
        return Document(
            source=self.name,
            path=file.path,
            text=shown.text,
            content=shown.content,
            files=shown.files,
            revision=watching(self._revision(file), await contents.neighbours.blobs(shown.asked)),
            title=shown.title,
            url=self._links.of(file.path, kind, has_lines=shown.keeps_lines),
            media_type=kind,
            author=change.author if change else None,
            updated_at=change.at if change else None,
            remark=shown.remark,
        )

    async def _shown(self, contents: Contents, file: File, content: bytes, kind: str) -> FileText:
        """Return what a file becomes, after the files that it includes have been fetched one depth after the other."""
        rules = self._settings.rules(*dict.fromkeys((self._settings.path, "")))
        fetched: dict[str, bytes | None] = {}
        while True:
            shown = await asyncio.to_thread(read_file, content, file.path, kind, rules, fetched.get)
            missing = [path for path in shown.asked if path not in fetched]
            if not missing:
                break
            fetched |= await self._neighbours(contents, missing)
        sidecar = await contents.read_sidecar(file.path, max_mb=self._settings.max_file_mb)
        return with_title(shown, sidecar, rules) if sidecar is not None else shown

    async def _neighbours(self, contents: Contents, paths: Sequence[str]) -> Mapping[str, bytes | None]:
        try:
            return await contents.neighbours.read(paths, max_mb=self._settings.max_file_mb)
        except (SourceProblem, SourceUnavailable) as exc:
            raise SourceUnavailable(f"source {self.name!r}: {exc}") from exc

    async def _discard_clone(self) -> None:
        async with self._repository.clone.alone():
            await asyncio.to_thread(self._repository.clone.discard)


def _from(base: Path, settings: GitSettings) -> GitSettings:
    """Return the settings with a path that leads from anywhere."""
    if settings.known_hosts is None:
        return settings
    return settings.model_copy(update={"known_hosts": base / settings.known_hosts.expanduser()})


def _remote(base: Path, url: str) -> Remote:
    remote = parse_remote(url)
    if remote.scheme != "file":
        return remote
    path = str((base / Path(remote.path).expanduser()).absolute())
    return replace(remote, path=path, url=path)


def _check_local(remote: Remote) -> None:
    try:
        is_there = remote.scheme != "file" or Path(remote.path).is_dir()
    except OSError:
        is_there = False
    if not is_there:
        raise SourceProblem(
            f"the folder {remote.path!r} does not exist; correct `url` (nothing already indexed was changed)"
        )
