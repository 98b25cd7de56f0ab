"""Files of a commit that documents include, whether they are documents themselves or not."""

from collections.abc import Collection, Mapping
from itertools import accumulate
from pathlib import PurePosixPath

from knowledge.sources.git.access import Access
from knowledge.sources.git.blobs import BlobReader
from knowledge.sources.git.repository import Head, Repository
from knowledge.sources.git.tree import blobs_at
from knowledge.sources.text_files import MEBIBYTE

# What a repository holds in the place of a file that is stored elsewhere.
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
# What lies beside an included file is probably included as well, and one fetch costs as much as many.
MAX_BESIDE = 1_000


class Neighbours:
    """Reads files of one commit by their paths from the repository's root; raises as `Repository.bring` does.

    Outside of the folder `root` there are none: what another source keeps from its readers could be there.
    """

    def __init__(self, repository: Repository, access: Access, head: Head, *, root: str) -> None:
        self._root = PurePosixPath(root)
        self._repository = repository
        self._access = access
        self._head = head
        self._reader = BlobReader(repository.git)
        self._blobs: dict[str, str | None] = {}

    async def blobs(self, paths: Collection[str]) -> Mapping[str, str | None]:
        """Return the blob at each path; None where there is no regular file."""
        unknown = set(paths) - self._blobs.keys()
        if unknown:
            inside = {path for path in unknown if PurePosixPath(path).is_relative_to(self._root)}
            found = await blobs_at(self._repository.git, self._head.commit, inside) if inside else {}
            self._blobs |= {path: found.get(path) for path in unknown}
        return {path: self._blobs[path] for path in paths}

    async def read(self, paths: Collection[str], *, max_mb: float) -> dict[str, bytes | None]:
        """Return what the files at these paths hold; None for one that is missing or in Git LFS.

        Of files that are larger than `max_mb` together, those are left out that follow where the limit is reached.
        """
        blobs = {path: blob for path, blob in (await self.blobs(paths)).items() if blob is not None}
        sizes = await self._sizes(blobs)
        limit = max_mb * MEBIBYTE
        small = [path for path, blob in blobs.items() if sizes.get(blob, limit) <= limit]
        totals = accumulate(sizes.get(blobs[path], 0) for path in small)
        fitting = [path for path, total in zip(small, totals, strict=True) if total <= limit]
        contents = {path: await self._reader.read(blobs[path]) for path in fitting}
        there = {path: content for path, content in contents.items() if not content.startswith(LFS_POINTER)}
        return {path: there.get(path) for path in paths}

    async def close(self) -> None:
        """End the process that reads."""
        await self._reader.close()

    async def _sizes(self, blobs: Mapping[str, str]) -> Mapping[str, int]:
        sizes = await self._repository.sizes(blobs.values())
        missing = [path for path, blob in blobs.items() if blob not in sizes]
        if not missing:
            return sizes
        wanted = {*blobs.values(), *await self._beside(missing)}
        async with self._repository.clone.alone():
            return await self._repository.bring(self._access, self._head, wanted)

    async def _beside(self, paths: Collection[str]) -> list[str]:
        """Return the blobs of files of the same kinds in the same folders."""
        folders = {f"{folder}/" for path in paths if (folder := path.rpartition("/")[0])}
        kinds = {PurePosixPath(path).suffix for path in paths}
        beside = await blobs_at(self._repository.git, self._head.commit, folders) if folders else {}
        return [blob for path, blob in sorted(beside.items()) if PurePosixPath(path).suffix in kinds][:MAX_BESIDE]
