"""Work that goes on side by side until one part of it ends."""

import asyncio
from collections.abc import Coroutine
from typing import Any

# A cancellation can be lost on the way (`asyncio.wait_for` of Python 3.11 swallows one that comes together with a
# result), so it is repeated until everything has ended.
# Longer than what is being closed takes in peace (the messages' `FINISH_WITHIN_S`), or an answer would be cut off while
# it is sent.
CANCEL_AGAIN_S = 6.0
ENDED_WITHIN_S = 18.0


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
    loop = asyncio.get_running_loop()
    given_up_at = loop.time() + ENDED_WITHIN_S
    told_again = False
    while _running(tasks) and loop.time() < given_up_at:
        for task in _running(tasks):
            task.cancel()
        told_again |= await _wait(tasks)
    # What failed beside the first is of no more interest, but it is looked at, or the loop would complain.
    await asyncio.gather(*(task for task in tasks if task.done()), return_exceptions=True)
    if told_again:
        raise asyncio.CancelledError


async def _wait(tasks: set[asyncio.Task[Any]]) -> bool:
    """Wait for the tasks to end, for a while; being told to stop meanwhile hurries nobody, and is returned."""
    loop = asyncio.get_running_loop()
    again_at = loop.time() + CANCEL_AGAIN_S
    told_again = False
    while (running := _running(tasks)) and (pause_s := again_at - loop.time()) > 0:
        try:
            await asyncio.wait(running, timeout=pause_s)
        except asyncio.CancelledError:
            told_again = True
    return told_again


def _running(tasks: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    return {task for task in tasks if not task.done()}
