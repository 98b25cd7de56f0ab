"""How what was shown of an answer goes in the end, in time and whatever becomes of its job."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

# For so long the end of a job waits for what is still on its way to be seen, and for all of it to go.
SETTLE_S = 1.0
CLEAR_S = 3.0

log = logging.getLogger(__name__)


async def clear(running: Sequence[asyncio.Task[None]], steps: Sequence[Callable[[], Awaitable[None]]]) -> None:
    """Wait for what is `running`, then take the `steps` that clear it away, even where the caller is cancelled.

    What takes too long is left as it is, and what fails is logged.
    """
    task = asyncio.create_task(_cleared(running, steps))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


async def _cleared(running: Sequence[asyncio.Task[None]], steps: Sequence[Callable[[], Awaitable[None]]]) -> None:
    if running:
        _, late = await asyncio.wait(running, timeout=SETTLE_S)
        for task in late:
            task.cancel()
    work = [_within(CLEAR_S, step()) for step in steps]
    for end in await asyncio.gather(*running, *work, return_exceptions=True):
        if isinstance(end, Exception):
            log.warning("not all that was shown is cleared", exc_info=end)


async def _within(seconds: float, work: Awaitable[None]) -> None:
    async with asyncio.timeout(seconds):
        await work
