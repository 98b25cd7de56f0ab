"""What is done after a delivery is stored, which nobody waits for: it may be left out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.core.errors import CoreError
from knowledge.errors import KnowledgeError

log = logging.getLogger(__name__)

Afterwards = Callable[[], Awaitable[None]]


class UnderWay:
    """The tasks that are waited for when the bot stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def begin(self, then: Afterwards, *, within_s: float) -> None:
        """Try to do something without waiting for it."""
        self.watch(asyncio.create_task(_tried(then, within_s)))

    def watch(self, task: asyncio.Task[object] | asyncio.Task[None] | None) -> None:
        """Count a task among those under way until it is done."""
        if task and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def settle(self, within_s: float) -> int:
        """Wait until all is done, but not for ever; return how many were cut off."""
        if not self._tasks:
            return 0
        _, late = await asyncio.wait(self._tasks, timeout=within_s)
        for task in late:
            task.cancel()
        return len(late)


async def _tried(then: Afterwards, within_s: float) -> None:
    try:
        async with asyncio.timeout(within_s):
            await then()
    except (KnowledgeError, CoreError, TimeoutError) as exc:
        log.info("left out: %s", exc or "it took too long")
