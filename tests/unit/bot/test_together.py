"""Work side by side ends together, even where a cancellation is lost."""

import asyncio

import pytest

from bot.store.message_queue import FINISH_WITHIN_S
from bot.together import CANCEL_AGAIN_S, until_one_ends


async def fail() -> None:
    await asyncio.sleep(0)
    raise ValueError("broken")


class Deaf:
    """Goes on when it is cancelled for the first time."""

    def __init__(self) -> None:
        self.cancelled = 0

    async def work(self) -> None:
        while self.cancelled < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled += 1


async def test_what_fails_ends_the_others_and_is_raised() -> None:
    deaf = Deaf()

    with pytest.raises(ValueError, match="broken"):
        await until_one_ends(fail(), deaf.work(), asyncio.Event().wait())

    assert deaf.cancelled == 2


async def test_a_stop_ends_everything() -> None:
    deaf = Deaf()
    running = asyncio.create_task(until_one_ends(deaf.work(), asyncio.Event().wait()))
    await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running

    assert deaf.cancelled == 2


async def test_being_told_twice_leaves_nobody_behind() -> None:
    ended = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.1)
            ended.set()

    running = asyncio.create_task(until_one_ends(slow()))
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.sleep(0.02)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running

    assert ended.is_set()


def test_the_queue_stops_in_peace_before_it_is_told_again() -> None:
    assert CANCEL_AGAIN_S > FINISH_WITHIN_S
