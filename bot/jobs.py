"""Does one sync job: the same for the clock, for `answerdesk sync`, and whoever else enqueues one."""

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import asdict

from bot.store.queue import SyncJob
from knowledge.errors import KnowledgeError, SourceBusy, TransientError
from knowledge.prepare import Cutting
from knowledge.store.runs import PostgresRuns
from knowledge.sync import Documents, Source, sync

log = logging.getLogger(__name__)


class SyncWorker:
    """Brings sources in step, each cut in its way, under its lock, with a record of the run."""

    def __init__(
        self,
        sources: Mapping[str, Source],
        *,
        documents: Documents,
        runs: PostgresRuns,
        cuttings: Mapping[str, Cutting] | None = None,
    ) -> None:
        self._sources = sources
        self._cuttings = cuttings or {}
        self._documents = documents
        self._runs = runs
        self.has_stored = asyncio.Event()
        self.begun: set[int] = set()

    async def do(self, job: SyncJob) -> None:
        """Sync the job's source; what goes wrong is in the run's record, and raised where another try may help."""
        self.begun.add(job.id)
        source = self._sources[job.source]
        started = time.monotonic()
        try:
            source_id = await self._documents.open_source(source.name, source.kind)
            async with self._runs.hold(source.name, source_id, job_id=job.id) as run:
                cutting = self._cuttings.get(job.source)
                counts = await sync(source, self._documents, progress=run.tell, options=job.options, cutting=cutting)
                await run.finish(counts)
        except SourceBusy as exc:
            log.info("%s", exc)
        except KnowledgeError as exc:
            log.log(_level(job), "not synced: %s", exc, extra={"source": source.name})
            if job.by_clock and isinstance(exc, TransientError):
                raise
        except Exception:
            log.exception("a sync failed by a mistake of ours", extra={"source": source.name})
        else:
            level = _level(job) if counts.failed or counts.notes else logging.INFO
            took_s = round(time.monotonic() - started, 3)
            log.log(level, "synced", extra={"source": source.name, "seconds": took_s, **asdict(counts)})
        finally:
            self.has_stored.set()


def _level(job: SyncJob) -> int:
    """Return how loudly to say what went wrong: who asked by hand is told by the command."""
    return logging.WARNING if job.by_clock else logging.INFO
