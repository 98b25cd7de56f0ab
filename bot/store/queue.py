"""The queue of sync jobs, in the same database: any process that has a source configured may do its jobs."""

import hashlib
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.tasks import Task

from bot.store.job_errors import translated
from knowledge.errors import DatabaseUnavailable, RateLimited, TransientError
from knowledge.store.pool import CONNECT_TIMEOUT_S, Pool
from knowledge.sync import SyncOptions

# A source that does not answer is asked again after so long, or as long as it asks for; then its next time comes.
TRIED_AGAIN_AFTER_S = (60, 300, 540)
LONGEST_WAIT_S = 3_600
# A worker that has given no sign for so long is dead.
STALLED_AFTER_S = 30.0
CONFIRMED_FOR_S = 300.0
# What runs at shutdown gets this long to come to a place where it can stop.
STOP_WITHIN_S = 1.0
SOURCES_AT_ONCE = 4
QUEUE_CONNECTIONS = 4
FINISHED_JOBS_KEPT_HOURS = 7 * 24

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SyncJob:
    """One sync to be done; `by_clock` when nobody waits for it, so that it may be tried again later."""

    id: int
    source: str
    options: SyncOptions
    by_clock: bool
    attempt: int = 0


class SyncQueue:
    """Enqueues syncs and has them done; that only one at a time works on a source is the business of its lock."""

    def __init__(self, app: App, pool: Pool, task: Task[..., Any, ...]) -> None:
        self._app = app
        self._pool = pool
        self._task = task

    @translated()
    async def enqueue(self, source: str, options: SyncOptions, *, by_clock: bool = False) -> int:
        """Enqueue a sync and return its number; an equal one that waits already is returned instead."""
        named = {"full": options.full, "confirm_deletes": options.confirm_deletes, "by_clock": by_clock}
        waiting = ":".join([_queue(source), *sorted(name for name, is_set in named.items() if is_set)])
        # No lock of the queue's own: it would let a job that waits for another try hold up all that come after it.
        deferred = self._task.configure(queue=_queue(source), queueing_lock=waiting)
        try:
            return int(await deferred.defer_async(source=source, asked_at=time.time(), **named))
        except AlreadyEnqueued:
            (job, *_) = [*await self._app.job_manager.list_jobs_async(queueing_lock=waiting, status="todo"), None]
            # Somebody has just taken the one that was in the way.
            return int(job.id) if job and job.id else await self.enqueue(source, options, by_clock=by_clock)

    @translated()
    async def try_again(self, job: SyncJob, exc: TransientError) -> None:
        """Enqueue a job that failed once more, for later; a few times only, and one such job a source."""
        if job.attempt >= len(TRIED_AGAIN_AFTER_S):
            return
        wait_s = TRIED_AGAIN_AFTER_S[job.attempt]
        if isinstance(exc, RateLimited):
            wait_s = max(wait_s, math.ceil(min(exc.retry_after_s, LONGEST_WAIT_S)))
        lock = f"{_queue(job.source)}:again"
        later = self._task.configure(queue=_queue(job.source), queueing_lock=lock, schedule_in={"seconds": wait_s})
        arguments = {"full": job.options.full, "confirm_deletes": False, "by_clock": True, "attempt": job.attempt + 1}
        try:
            await later.defer_async(source=job.source, asked_at=time.time(), **arguments)
        except AlreadyEnqueued:
            log.debug("another try waits already", extra={"source": job.source})

    @translated()
    async def work(self, sources: Sequence[str], *, forever: bool) -> None:
        """Do the jobs of these sources: those that wait now, or for ever also those to come."""
        await self._app.run_worker_async(
            queues=[_queue(source) for source in sources],
            wait=forever,
            listen_notify=forever,
            concurrency=SOURCES_AT_ONCE if forever else 1,
            install_signal_handlers=False,
            shutdown_graceful_timeout=STOP_WITHIN_S,
            delete_jobs="successful",
            stalled_worker_timeout=STALLED_AFTER_S,
        )
        if forever:
            # The worker says why in the log, and ends instead of raising it.
            raise DatabaseUnavailable("the job queue stopped; work goes on when the database is back")

    @translated()
    async def retry_stalled(self) -> int:
        """Put the jobs of dead workers back into the queue; return how many there were."""
        manager = self._app.job_manager
        stalled = list(await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER_S))
        for job in stalled:
            await self._revive(job)
        await manager.delete_old_jobs(FINISHED_JOBS_KEPT_HOURS, include_failed=True)
        return len(stalled)

    async def _revive(self, job: Job) -> None:
        try:
            await self._app.job_manager.retry_job(job)
            log.warning("the worker of a job died; it is done again", extra={"job": job.id, **job.task_kwargs})
        except UniqueViolation:
            # An equal one waits already, and does it.
            await self._app.job_manager.finish_job(job, Status.FAILED, delete_job=True)

    async def is_over(self, job_id: int) -> bool:
        """Tell whether a job has come to an end, good or bad."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_IS_OPEN, {"id": job_id})).fetchone()
        return row is None

    @translated()
    async def cancel(self, job_id: int) -> None:
        """Take a job out of the queue, if nobody has begun it."""
        await self._app.job_manager.cancel_job_by_id_async(job_id, delete_job=True)


@asynccontextmanager
async def open_queue(conninfo: str, pool: Pool, do: Callable[[SyncJob], Awaitable[None]]) -> AsyncIterator[SyncQueue]:
    """Open the queue; `do` does one job, and raises TransientError for what is worth another try later."""
    # Connections of its own: it configures them in its own way, and keeps one to listen on.
    connector = PsycopgConnector(conninfo=conninfo, min_size=1, max_size=QUEUE_CONNECTIONS, timeout=CONNECT_TIMEOUT_S)
    app = App(connector=connector)

    async def sync_source(context: JobContext, /, **_arguments: Any) -> None:
        job = _job(context.job)
        try:
            await do(job)
        except TransientError as exc:
            await queue.try_again(job, exc)

    task = app.task(name="sync_source", pass_context=True)(sync_source)
    queue = SyncQueue(app, pool, task)
    async with translated(), app.open_async():
        yield queue


def _job(job: Job) -> SyncJob:
    assert job.id is not None, "a job that runs has a number"
    given: dict[str, Any] = dict(job.task_kwargs)
    # Whoever confirmed deletions has seen which; what is missing later, after a crash, is another matter.
    is_fresh = job.attempts == 0 and time.time() - given["asked_at"] < CONFIRMED_FOR_S
    options = SyncOptions(given["full"], given["confirm_deletes"] and is_fresh, retry_failed=not given["by_clock"])
    return SyncJob(job.id, given["source"], options, given["by_clock"], given.get("attempt", 0))


def _queue(source: str) -> str:
    """Return a short name, for PostgreSQL tells listeners of a queue under names of at most 63 bytes."""
    return f"sync:{hashlib.sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


_IS_OPEN = "select 1 from procrastinate_jobs where id = %(id)s and status in ('todo', 'doing')"
