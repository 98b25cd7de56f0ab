"""The queue of messages to be answered: each has a job until it is done with, whoever dies meanwhile."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.tasks import Task
from psycopg import AsyncConnection

from bot.core.errors import MaybeSent
from bot.core.incoming import Place
from bot.store.held_messages import HeldMessages, held_keys, is_among, open_held_messages
from bot.store.job_errors import translated
from bot.store.stored_message import conversation_lock
from knowledge.errors import DatabaseUnavailable, RateLimited, TransientError
from knowledge.store.pool import CONNECT_TIMEOUT_S, Pool

QUEUE = "messages"
TASK = "answer_message"
# What did not get through is tried again after so long, and so often until a day has passed.
TRIED_AGAIN_AFTER_S = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0)
TRIED_FOR_HOURS = 24
# What we stumbled over is tried again soon: after a few attempts it goes to a person.
STUMBLED_AGAIN_AFTER_S = 2.0
STUMBLES_IN_A_ROW = 10
# A worker that gave no sign for so long, and whose connection is gone, is dead; one of the syncs' gives its signs only
# every 10 s.
HEARTBEAT_S = 1.0
STALLED_AFTER_S = 4.0
PRUNED_AFTER_S = 120.0
# Nobody tells a worker that a debounced job's time has come, or that the job before it in its conversation is done.
LOOKED_FOR_JOBS_EVERY_S = 0.2
LOST_AFTER_S = 5.0
FINISH_WITHIN_S = 5.0
QUEUE_CONNECTIONS = 4

log = logging.getLogger(__name__)


class _Held(Exception):
    """Somebody else works on the message."""


class _TryAgain(BaseRetryStrategy):
    """Every job is tried again: when it is given up is decided by what becomes of its message."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=_wait_s(exception, job.attempts)))


def _wait_s(exception: BaseException, attempts: int) -> float:
    growing_s = TRIED_AGAIN_AFTER_S[min(attempts, len(TRIED_AGAIN_AFTER_S) - 1)]
    if isinstance(exception, RateLimited):
        return max(exception.retry_after_s, 0.0)
    if isinstance(exception, TransientError | MaybeSent):
        return growing_s
    if isinstance(exception, Exception):
        return STUMBLED_AGAIN_AFTER_S if attempts < STUMBLES_IN_A_ROW else growing_s
    # The process stops: another one goes on.
    return 0.0


class MessageQueue:
    """Enqueues messages, has them answered, and takes up what dead processes left."""

    def __init__(self, app: App, pool: Pool, task: Task[..., Any, ...]) -> None:
        self._app = app
        self._pool = pool
        self._task = task

    @translated()
    async def enqueue(self, connection: AsyncConnection, number: int, *, lock: str, wait_s: float) -> None:
        """Have a message answered `wait_s` from now, in the transaction of `connection`."""
        await _enqueue(self._task, connection, number, lock, wait_s)

    @translated()
    async def work(self, concurrency: int = 8) -> None:
        """Answer messages for ever, so many at once; DatabaseUnavailable when the database is gone."""
        await self._app.run_worker_async(
            queues=[QUEUE],
            concurrency=concurrency,
            install_signal_handlers=False,
            fetch_job_polling_interval=LOOKED_FOR_JOBS_EVERY_S,
            shutdown_graceful_timeout=FINISH_WITHIN_S,
            delete_jobs="successful",
            update_heartbeat_interval=HEARTBEAT_S,
            stalled_worker_timeout=PRUNED_AFTER_S,
        )
        # The worker says why in the log, and ends instead of raising it.
        raise DatabaseUnavailable("the queue of messages stopped; work goes on when the database is back")

    @translated()
    async def work_off(self) -> None:
        """Answer what waits now, one message after another."""
        await self._app.run_worker_async(
            queues=[QUEUE],
            wait=False,
            listen_notify=False,
            install_signal_handlers=False,
            shutdown_graceful_timeout=FINISH_WITHIN_S,
            delete_jobs="successful",
            stalled_worker_timeout=PRUNED_AFTER_S,
        )

    @translated()
    async def retry_stalled(self) -> int:
        """Put the jobs of dead workers back into the queue; return how many there were.

        A worker that only gave no sign, and holds its message still, is not dead.
        """
        manager = self._app.job_manager
        jobs = await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_AFTER_S)
        held = await held_keys(self._pool)
        dead = [job for job in jobs if not is_among(_number(job), held)]
        for job in dead:
            await self._revive(job)
        return len(dead)

    async def _revive(self, job: Job) -> None:
        log.warning("the worker of a message died; it is done again", extra={"number": _number(job)})
        try:
            await self._app.job_manager.retry_job(job)
        except UniqueViolation:
            await self._app.job_manager.finish_job(job, Status.FAILED, delete_job=True)

    async def lost(self) -> list[int]:
        """Return the messages that are not done with, and have no job."""
        async with self._pool.connection() as connection:
            return [number for number, _ in await _lost(connection)]

    @translated()
    async def enqueue_lost(self) -> list[int]:
        """Give the messages that have no job a new one; return which."""
        enqueued = []
        async with self._pool.connection() as connection, connection.transaction():
            # One process at a time: two would give a message two jobs, which does no harm, but is of no use either.
            await connection.execute(_ONE_AT_A_TIME)
            for number, lock in await _lost(connection):
                log.warning("a message had no job; it has one again", extra={"number": number})
                await _enqueue(self._task, connection, number, lock, 0.0)
                enqueued.append(number)
        return enqueued


@asynccontextmanager
async def open_message_queue(
    conninfo: str, pool: Pool, do: Callable[[int], Awaitable[None]]
) -> AsyncIterator[MessageQueue]:
    """Open the queue; `do` does the job of one message, and raises TransientError or MaybeSent to do it again later."""
    connector = PsycopgConnector(conninfo=conninfo, min_size=1, max_size=QUEUE_CONNECTIONS, timeout=CONNECT_TIMEOUT_S)
    app = App(connector=connector)
    async with open_held_messages(conninfo) as held:

        async def answer_message(number: int) -> None:
            await _do(number, do, held, pool)

        task = app.task(name=TASK, queue=QUEUE, retry=_TryAgain())(answer_message)
        async with translated(), app.open_async():
            yield MessageQueue(app, pool, task)


async def _do(number: int, do: Callable[[int], Awaitable[None]], held: HeldMessages, pool: Pool) -> None:
    async with held.hold(number) as is_mine:
        if not is_mine:
            raise _Held
        try:
            await do(number)
        except (TransientError, MaybeSent) as exc:
            log.info("a message waits: %s", exc, extra={"number": number})
            if not await _excuse(pool, number, exc):
                raise
        except Exception:
            log.exception("a message broke us", extra={"number": number})
            raise


async def _excuse(pool: Pool, number: int, exc: Exception) -> bool:
    """Do not count what was not the message's fault; after a day it counts, or its reply is given up (True)."""
    parameters = {"number": number, "hours": TRIED_FOR_HOURS, "reason": f"not delivered for a day: {exc}"}
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_EXCUSE, parameters)
        is_given_up = bool((await connection.execute(_GIVE_UP, parameters)).rowcount)
        if is_given_up:
            log.warning("undeliverable for a day: %s", exc, extra={"number": number})
            await connection.execute(_DROP, parameters)
    return is_given_up


async def _enqueue(
    task: Task[..., Any, ...], connection: AsyncConnection, number: int, lock: str, wait_s: float
) -> None:
    begins_at = datetime.now(UTC) + timedelta(seconds=wait_s) if wait_s else None
    await task.configure(connection=connection, lock=lock, schedule_at=begins_at).defer_async(number=number)


def _number(job: Job) -> int:
    given: dict[str, Any] = dict(job.task_kwargs)
    return int(given["number"])


async def _lost(connection: AsyncConnection) -> list[tuple[int, str]]:
    rows = await connection.execute(_LOST, {"queue": QUEUE, "seconds": LOST_AFTER_S})
    return [
        (int(number), conversation_lock(Place(platform, workspace, channel), root))
        for number, platform, workspace, channel, root in await rows.fetchall()
    ]


_EXCUSE = """
update message set attempts = attempts - 1
where id = %(number)s and state = 'answering' and attempts > 0
    and received_at > now() - make_interval(hours => %(hours)s)
"""
_GIVE_UP = """
update message set state = 'undeliverable', reason = %(reason)s, finished_at = now()
where id = %(number)s and state = 'replied' and received_at <= now() - make_interval(hours => %(hours)s)
"""
_DROP = "update parcel set state = 'dead' where message_id = %(number)s and state in ('planned', 'begun')"
_ONE_AT_A_TIME = "select pg_advisory_xact_lock(4104, 0)"
_LOST = """
select id, platform, workspace, channel, root from message
where (state in ('waiting', 'answering', 'replied') or is_revised)
    and received_at < now() - make_interval(secs => %(seconds)s)
    and not exists (
        select from procrastinate_jobs as job
        where job.queue_name = %(queue)s and job.status in ('todo', 'doing')
            and (job.args ->> 'number')::bigint = message.id
    )
order by id
"""
