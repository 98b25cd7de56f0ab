"""What the files of one listing hold: fetched from the remote all at once, when the first of them is read."""

import asyncio
from collections.abc import Collection, Mapping

from knowledge.sources.git.access import Access
from knowledge.sources.git.blobs import BlobReader
from knowledge.sources.git.history import Change, last_changes
from knowledge.sources.git.neighbours import Neighbours
from knowledge.sources.git.program import GitFailed
from knowledge.sources.git.repository import Head, Repository
from knowledge.sources.git.tree import File
from knowledge.sources.text_files import MEBIBYTE, too_large


class Contents:
    """Reads files of one commit. `stale` are those that will probably be read; to read another one prepares them all.

    GitFailed says that the clone is damaged, other errors of `read` but SourceProblem concern all files.
    """

    def __init__(
        self,
        repository: Repository,
        access: Access,
        head: Head,
        *,
        files: Mapping[str, File],
        stale: Collection[str],
        neighbours: Neighbours,
    ) -> None:
        self.files = files
        self.neighbours = neighbours
        self._repository = repository
        self._access = access
        self._head = head
        self._stale = stale
        self._preparing = asyncio.Lock()
        self._reader = BlobReader(repository.git)
        self._sizes: dict[str, int] = {}
        self._changes: dict[str, Change] = {}
        self._prepared: set[str] = set()

    async def prepare(self, path: str) -> None:
        """Fetch what is missing of all that will be read, and look up who changed it last; done once."""
        async with self._preparing:
            if path in self._prepared:
                return
            paths = [one for one in (self._stale if path in self._stale else self.files) if one not in self._prepared]
            files = [self.files[one] for one in paths]
            blobs = {blob for file in files for blob in (file.blob, file.sidecar) if blob}
            async with self._repository.clone.alone():
                self._sizes |= await self._repository.bring(self._access, self._head, blobs)
            self._changes |= await last_changes(self._repository.git, self._head.commit, paths)
            self._prepared.update(paths)

    async def read(self, path: str, *, max_mb: float) -> bytes:
        """Return what a prepared file holds; raise SourceProblem if that is too much."""
        return await self._blob(self.files[path].blob, max_mb)

    async def read_sidecar(self, path: str, *, max_mb: float) -> bytes | None:
        """Return what the file beside a prepared one holds that may say its title; None if there is none so small."""
        blob = self.files[path].sidecar
        return await self._blob(blob, max_mb) if blob and self._sizes.get(blob, 0) <= max_mb * MEBIBYTE else None

    async def _blob(self, blob: str, max_mb: float) -> bytes:
        if blob not in self._sizes:
            raise GitFailed(f"the clone lacks the blob {blob}")
        if self._sizes[blob] > max_mb * MEBIBYTE:
            raise too_large(self._sizes[blob], max_mb)
        return await self._reader.read(blob)

    def last_change(self, path: str) -> Change | None:
        """Return who changed a prepared file last, if history tells."""
        return self._changes.get(path)

    async def close(self) -> None:
        """End the processes that read."""
        await self._reader.close()
        await self.neighbours.close()
