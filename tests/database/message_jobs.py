"""The jobs of messages, as tests wait for them and look at them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.store.message_queue import MessageQueue
from knowledge.store.pool import Pool
from tests.database.recount import rows

Do = Callable[[int], Awaitable[None]]


@asynccontextmanager
async def working(queue: MessageQueue) -> AsyncIterator[None]:
    """Have the jobs done meanwhile."""
    work = asyncio.create_task(queue.work())
    yield
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.05)


def keep(done: list[int], *, at_least: int) -> tuple[Do, asyncio.Event]:
    """Return a `do` that only remembers, and what tells that it has been called so often."""
    enough = asyncio.Event()

    async def do(number: int) -> None:
        done.append(number)
        if len(done) >= at_least:
            enough.set()

    return do, enough


async def due(pool: Pool) -> list[tuple[str, int]]:
    """Return the status of each job, and in how many seconds its time comes."""
    return [
        (str(status), int(seconds))
        for status, seconds in await rows(
            pool,
            "select status, greatest(0, round(coalesce(extract(epoch from scheduled_at - now()), 0))::int)"
            " from procrastinate_jobs order by id",
        )
    ]


async def hurry(pool: Pool) -> None:
    """Let the time of all jobs have come."""
    await rows(pool, "update procrastinate_jobs set scheduled_at = now() where status = 'todo' returning id")


async def is_empty(pool: Pool) -> bool:
    """Tell whether no job is left."""
    return await due(pool) == []
