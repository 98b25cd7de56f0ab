"""Reads blobs by their ids through one git process."""

import asyncio
from asyncio.subprocess import DEVNULL, Process
from contextlib import AsyncExitStack

from knowledge.sources.git.program import Git, GitFailed


class BlobReader:
    """Reads one blob after the other; the process starts at the first one and ends with `close`."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._turn = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._process: Process | None = None

    async def read(self, blob: str) -> bytes:
        """Return a blob's content; raise GitFailed if the clone does not give it within the time-out."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._git.timeout_s):
                    return await self._answer(blob)
            except TimeoutError as exc:
                await self.close()
                raise GitFailed(f"the clone did not give the blob {blob} in time") from exc
            except BaseException:
                # What it would say next is the rest of this blob.
                await self.close()
                raise

    async def close(self) -> None:
        """End the process; the next blob starts another."""
        self._process = None
        await self._stack.aclose()

    async def _answer(self, blob: str) -> bytes:
        if self._process is None:
            self._process = await self._stack.enter_async_context(
                self._git.started("cat-file", "--batch", stderr=DEVNULL)
            )
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(f"{blob}\n".encode("ascii"))
            await self._process.stdin.drain()
            _, kind, size = (await self._process.stdout.readline()).split()
            content = await self._process.stdout.readexactly(int(size) + 1)
        except (ValueError, asyncio.IncompleteReadError, ConnectionError) as exc:
            raise GitFailed(f"the clone does not give the blob {blob}") from exc
        if kind != b"blob":
            raise GitFailed(f"{blob} is no blob in the clone")
        return content[:-1]
