"""One sync job, from the queue to the record of its run."""

from collections.abc import Mapping

import pytest

from bot.jobs import SyncWorker
from bot.store.queue import SyncJob
from knowledge.errors import SourceUnavailable
from knowledge.listing import Listing
from knowledge.store.documents import PostgresDocuments
from knowledge.store.overview import SourceOverview, failures_overview, sources_overview
from knowledge.store.pool import Pool
from knowledge.store.runs import PostgresRuns
from knowledge.sync import SyncOptions
from tests.fakes.source import FakeSource

BY_HAND = SyncJob(1, "docs", SyncOptions(), by_clock=False)
BY_CLOCK = SyncJob(2, "docs", SyncOptions(retry_failed=False), by_clock=True)


class UnreachableSource(FakeSource):
    """Does not answer."""

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        raise SourceUnavailable("no connection")


def worker(pool: Pool, source: FakeSource) -> SyncWorker:
    return SyncWorker({"docs": source}, documents=PostgresDocuments(pool), runs=PostgresRuns(pool))


async def overview(pool: Pool) -> SourceOverview:
    (source,) = await sources_overview(pool)
    return source


async def test_a_job_leaves_documents_a_record_and_the_failures(pool: Pool) -> None:
    subject = worker(pool, FakeSource({"a.md": "A", "b.md": None}))

    await subject.do(BY_HAND)

    run = await PostgresRuns(pool).of_job(BY_HAND.id)
    assert run is not None
    assert run.counts is not None
    assert (run.counts["added"], run.counts["failed"], run.done, run.total) == (1, 1, 2, 2)
    source = await overview(pool)
    assert (source.state, source.documents) == ("in step", 1)
    assert source.counts == {"added": 1, "changed": 0, "unchanged": 0, "deleted": 0, "failed": 1}
    assert [(one.path, one.reason, one.attempts) for one in await failures_overview(pool, 10)] == [
        ("b.md", "b.md cannot be read", 1)
    ]
    assert subject.has_stored.is_set()


async def test_a_source_that_does_not_answer_is_remembered_and_keeps_its_documents(pool: Pool) -> None:
    await worker(pool, FakeSource({"a.md": "A"})).do(BY_HAND)

    await worker(pool, UnreachableSource({})).do(BY_HAND)

    source = await overview(pool)
    assert (source.state, source.error, source.documents) == ("failed", "no connection", 1)
    assert source.synced_at is not None


async def test_only_the_clocks_jobs_are_tried_again(pool: Pool) -> None:
    with pytest.raises(SourceUnavailable):
        await worker(pool, UnreachableSource({})).do(BY_CLOCK)


async def test_a_run_longer_than_the_interval_is_never_doubled(pool: Pool) -> None:
    """F32."""
    source = FakeSource({"a.md": "A"})
    source_id = await PostgresDocuments(pool).open_source("docs", "fake")

    async with PostgresRuns(pool).hold("docs", source_id):
        await worker(pool, source).do(BY_CLOCK)

    assert source.fetched == []
    assert await PostgresRuns(pool).of_job(BY_CLOCK.id) is None
