"""Jobs that stop where a step ends, so that anything may happen before they go on, or never do."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

from psycopg import AsyncConnection

from bot.core.errors import MaybeSent
from bot.core.incoming import Question
from bot.core.outgoing import Parcel, Trace
from bot.store.inbox import PostgresInbox
from bot.store.outbox import PostgresOutbox
from knowledge.errors import TransientError
from tests.database.tickets_at_work import Chat

Watch = Callable[[str, int], Awaitable[None]]


@dataclass
class Job:
    """The job of one message; while it runs, it waits at the end of each step until it is let go on."""

    number: int
    lock: str
    task: asyncio.Task[None] | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    has_stopped: asyncio.Event = field(default_factory=asyncio.Event)


_RUNNING: ContextVar[Job] = ContextVar("job")


async def stop() -> None:
    """Wait until the job goes on."""
    job = _RUNNING.get(None)
    if job:
        job.gate.clear()
        job.has_stopped.set()
        await job.gate.wait()


class Jobs:
    """The jobs in the order in which they were enqueued: of those with one lock the first one runs, as in the queue."""

    def __init__(self) -> None:
        self.waiting: list[Job] = []
        self.do: Callable[[int], Awaitable[None]] | None = None

    async def enqueue(self, connection: AsyncConnection, number: int, *, lock: str, wait_s: float) -> None:
        """Keep a job."""
        self.waiting.append(Job(number, lock))

    @property
    def runnable(self) -> list[Job]:
        """The jobs that could go on now."""
        first: dict[str, Job] = {}
        for job in self.waiting:
            first.setdefault(job.lock, job)
        return [*first.values()]

    async def go_on(self, job: Job) -> None:
        """Let a job do its next step; what failed in passing is tried again from its beginning."""
        job.has_stopped.clear()
        if job.task is None:
            job.task = asyncio.create_task(self._run(job))
        job.gate.set()
        stopped = asyncio.create_task(job.has_stopped.wait())
        await asyncio.wait([job.task, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if job.task.done():
            task, job.task = job.task, None
            if not isinstance(task.exception(), TransientError | MaybeSent):
                task.result()
                self.waiting.remove(job)

    async def kill(self, job: Job) -> None:
        """End a job in the midst of it; another worker begins with it anew."""
        if job.task:
            job.task.cancel()
            await asyncio.gather(job.task, return_exceptions=True)
            job.task = None

    async def _run(self, job: Job) -> None:
        _RUNNING.set(job)
        assert self.do is not None, "somebody works here"
        await self.do(job.number)


class PacedInbox(PostgresInbox):
    """Stops when a message is taken."""

    async def take(self, number: int) -> Question | None:
        question = await super().take(number)
        await stop()
        return question


class PacedOutbox(PostgresOutbox):
    """Stops before and after a reply is planned, and when a parcel is about to be sent; `watch` sees all of it."""

    watch: Watch | None = None

    async def plan(self, question: Question, parcels: Sequence[Parcel], *, asker: str) -> bool:
        await stop()
        is_planned = await super().plan(question, parcels, asker=asker)
        if is_planned and parcels and self.watch:
            await self.watch("planned", question.number)
        await stop()
        return is_planned

    async def begin(self, number: int, parcel: Parcel) -> bool:
        await stop()
        has_begun = await super().begin(number, parcel)
        if has_begun and self.watch:
            await self.watch("begun", number)
        await stop()
        return has_begun


@dataclass
class PacedChat(Chat):
    """Stops when something has arrived, and nobody has noted it."""

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        name = await super().send(parcel, over=over)
        await stop()
        return name
