"""What is stored, in numbers."""

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """One source as it is stored."""

    name: str
    kind: str
    documents: int
    passages: int
    failures: int
    state: str
    step: str | None
    done: int | None
    total: int | None
    started_at: datetime | None
    synced_at: datetime | None
    next_run_at: datetime | None
    error: str | None
    failed_at: datetime | None
    revision: str | None
    notes: list[str]
    counts: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class SpaceOverview:
    """One embedding space as it is stored."""

    model: str
    dimension: int
    vectors: int
    missing: int


async def sources_overview(pool: Pool) -> list[SourceOverview]:
    """Return every stored source, by name."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(SourceOverview))
        await cursor.execute(_SOURCES)
        return await cursor.fetchall()


# A run without an end whose source nobody holds was interrupted.
_SOURCES = """
select source.name, kind, passages,
       (select count(*) from document where source_id = source.id) as documents,
       (select count(*) from document_failure where source_id = source.id) as failures,
       case
           when exists (select from held_source where id = source.id) then 'running'
           when exists (select from procrastinate_jobs
                        where task_name = 'sync_source' and status = 'todo' and scheduled_at is null
                          and args ->> 'source' = source.name) then 'queued'
           when run.error is not null then 'failed'
           when run.id is not null and run.finished_at is null then 'interrupted'
           when synced_at is null then 'never synced'
           else 'in step'
       end as state,
       run.step, run.done, run.total, run.started_at, synced_at, next_run_at,
       failed.error, failed.finished_at as failed_at, source.revision,
       array(select jsonb_array_elements_text(coalesce(source.counts -> 'notes', '[]'))) as notes,
       source.counts - 'notes' - 'failures' as counts
from source
left join lateral (select * from sync_run where source_id = source.id order by id desc limit 1) as run on true
left join lateral (
    select error, finished_at from sync_run where source_id = source.id and error is not null order by id desc limit 1
) as failed on true
order by source.name
"""


@dataclass(frozen=True, slots=True)
class FailureOverview:
    """One document that is not in step, and when it is tried again."""

    source: str
    path: str
    reason: str
    attempts: int
    next_try_at: datetime


async def failures_overview(pool: Pool, limit: int) -> list[FailureOverview]:
    """Return the documents that failed last, by source."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(FailureOverview))
        await cursor.execute(_FAILURES, {"limit": limit})
        return await cursor.fetchall()


_FAILURES = """
select source.name as source, path, reason, attempts, next_try_at
from document_failure join source on source.id = source_id
order by failed_at desc, path limit %(limit)s
"""


async def spaces_overview(pool: Pool) -> list[SpaceOverview]:
    """Return every embedding space, by model."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(SpaceOverview))
        await cursor.execute(_SPACES)
        return await cursor.fetchall()


_SPACES = """
select model, dimension, vectors, (select count(*) from passage) - vectors as missing
from (
    select model, dimension,
           (select count(*) from embedding where space_id = space.id and passage_id is not null) as vectors
    from embedding_space as space
) as counted
order by model
"""
