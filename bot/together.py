"""Work that goes on side by side until one part of it ends."""

import asyncio
from collections.abc import Coroutine
from typing import Any

# A cancellation can be lost on the way (`asyncio.wait_for` of Python 3.11 swallows one that comes together with a
# result), so it is repeated until everything has ended.
CANCEL_AGAIN_S = 1.0
ENDED_WITHIN_S = 15.0


async def until_one_ends(*work: Coroutine[Any, Any, Any]) -> None:
    """Run everything until one part ends or fails or we are cancelled; then end the others, and raise what failed."""
    tasks = {asyncio.create_task(part) for part in work}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _end(tasks)
    for task in done:
        task.result()


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    waited_s = 0.0
    while (running := {task for task in tasks if not task.done()}) and waited_s < ENDED_WITHIN_S:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=CANCEL_AGAIN_S)
        waited_s += CANCEL_AGAIN_S
    # What failed beside the first is of no more interest, but it is looked at, or the loop would complain.
    await asyncio.gather(*(task for task in tasks if task.done()), return_exceptions=True)
