"""The runs of a sync: one a source at a time anywhere, each with a record of how far it is and how it ended."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from knowledge.errors import DatabaseUnavailable, KnowledgeError, SourceBusy
from knowledge.prepare import storable
from knowledge.store.locks import try_lock
from knowledge.store.pool import Pool
from knowledge.sync import SyncCounts

TELL_EVERY_S = 0.25
# Even a run that gets no further says that it lives.
HEARTBEAT_S = 5.0
RUNS_KEPT = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How far a run is, or how it ended; `counts` is there when it was completed."""

    step: str
    done: int
    total: int
    started_at: datetime
    finished_at: datetime | None
    counts: dict[str, Any] | None
    error: str | None


class Run:
    """A run that holds its source's lock."""

    def __init__(self, connection: AsyncConnection, run_id: int) -> None:
        self._connection = connection
        self._id = run_id
        self._latest: tuple[int, int] | None = None
        self._writer = asyncio.create_task(self._keep_writing())

    def tell(self, done: int, total: int) -> None:
        """Remember how far the run is (a `Progress`); raise DatabaseUnavailable when the lock is lost."""
        self._latest = (done, total)
        if self._writer.done():
            raise DatabaseUnavailable("the connection that held the source broke; the next sync goes on from there")

    async def finish(self, counts: SyncCounts) -> None:
        """Record what the run did."""
        await self._stop_writing()
        await self._connection.execute(_FINISH, {"id": self._id, "counts": Jsonb(asdict(counts))})

    async def fail(self, error: str) -> None:
        """Record why the run ended before its time."""
        await self._stop_writing()
        await self._connection.execute(_FAIL, {"id": self._id, "error": storable(error)})

    async def _keep_writing(self) -> None:
        written, silent_s = None, 0.0
        while True:
            await asyncio.sleep(TELL_EVERY_S)
            silent_s += TELL_EVERY_S
            if self._latest != written or silent_s >= HEARTBEAT_S:
                written, silent_s = self._latest, 0.0
                await self._write(written)

    async def _write(self, progress: tuple[int, int] | None) -> None:
        step = "documents" if progress else "listing"
        done, total = progress or (0, 0)
        await self._connection.execute(_TELL, {"id": self._id, "step": step, "done": done, "total": total})

    async def _stop_writing(self) -> None:
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)
        if self._latest:
            await self._write(self._latest)


_TELL = """
update sync_run set step = %(step)s, done = %(done)s, total = %(total)s, seen_at = now() where id = %(id)s
"""
_FINISH = "update sync_run set finished_at = now(), counts = %(counts)s where id = %(id)s"
_FAIL = "update sync_run set finished_at = now(), error = %(error)s where id = %(id)s"


class PostgresRuns:
    """Starts runs, and tells of them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @asynccontextmanager
    async def hold(self, source: str, source_id: int, *, job_id: int | None = None) -> AsyncIterator[Run]:
        """Hold a source for one run; SourceBusy says who else does. Whatever ends the block is recorded."""
        async with try_lock(self._pool, "sync", source_id) as connection:
            if connection is None:
                raise SourceBusy(await self.who_holds(source, source_id))
            parameters = {"source_id": source_id, "job_id": job_id, "kept": RUNS_KEPT}
            for statement in (_CLOSE_INTERRUPTED, _FORGET_OLD):
                await connection.execute(statement, parameters)
            row = await (await connection.execute(_BEGIN, parameters)).fetchone()
            assert row is not None, "an insert returns its row"
            run = Run(connection, int(row[0]))
            try:
                yield run
            except BaseException as exc:
                await _record(run, exc)
                raise

    async def of_job(self, job_id: int) -> RunRecord | None:
        """Return the last run that was done for a job."""
        return await self._one(_OF_JOB, {"job_id": job_id})

    async def last(self, source_id: int) -> RunRecord | None:
        """Return a source's last run."""
        return await self._one(_LAST, {"source_id": source_id})

    async def refuse(self, source_id: int, error: str) -> None:
        """Record that a source cannot even be opened."""
        async with self._pool.connection() as connection:
            await connection.execute(_REFUSE, {"source_id": source_id, "error": storable(error)})

    async def plan_next(self, source_id: int, at: datetime | None) -> None:
        """Remember when the clock wakes a source next."""
        async with self._pool.connection() as connection:
            await connection.execute(_PLAN_NEXT, {"source_id": source_id, "at": at})

    async def who_holds(self, source: str, source_id: int) -> str:
        """Return the sentence for a source that another process is syncing."""
        run = await self.last(source_id)
        far = f", {run.done} of {run.total} documents" if run and run.total else ""
        since = f" (since {run.started_at:%H:%M:%S} UTC{far})" if run and run.finished_at is None else ""
        return (
            f"source {source!r} is being synced by another process{since}; nothing was done here."
            " `answerdesk status --watch` shows how far it is"
        )

    async def _one(self, query: LiteralString, parameters: Mapping[str, int]) -> RunRecord | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(RunRecord))
            await cursor.execute(query, parameters)
            return await cursor.fetchone()


async def _record(run: Run, exc: BaseException) -> None:
    if isinstance(exc, KnowledgeError):
        error = str(exc)
    elif isinstance(exc, asyncio.CancelledError):
        error = "it was stopped before it was done; the next run goes on from there"
    else:
        error = f"a mistake of ours ({type(exc).__name__}); the log has the rest"
    try:
        await run.fail(error)
    except Exception:
        log.warning("the end of a run could not be recorded", exc_info=True)


_CLOSE_INTERRUPTED = """
update sync_run
set finished_at = seen_at, error = 'the process ended before it was done; the next run went on from there'
where source_id = %(source_id)s and finished_at is null
"""
_FORGET_OLD = """
delete from sync_run where source_id = %(source_id)s and id not in (
    select id from sync_run where source_id = %(source_id)s order by id desc limit %(kept)s
)
"""
_BEGIN = "insert into sync_run (source_id, job_id) values (%(source_id)s, %(job_id)s) returning id"
_REFUSE = "insert into sync_run (source_id, finished_at, error) values (%(source_id)s, now(), %(error)s)"
_OF_JOB = """
select step, done, total, started_at, finished_at, counts, error from sync_run
where job_id = %(job_id)s order by id desc limit 1
"""
_LAST = """
select step, done, total, started_at, finished_at, counts, error from sync_run
where source_id = %(source_id)s order by id desc limit 1
"""
_PLAN_NEXT = "update source set next_run_at = %(at)s where id = %(source_id)s"
