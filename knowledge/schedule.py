"""The clock: says when a source is to be synced, and never does the work itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a source is synced: by a cron line (five fields, UTC) where there is one, else at an interval.

    `jitter_s` moves each time by up to so many seconds, so that many sources do not start together.
    """

    every_minutes: float
    cron: str | None = None
    jitter_s: int = 0

    def trigger(self, *, jitter_s: int | None = None) -> BaseTrigger:
        """Return it as the scheduler understands it; ValueError for a cron line without sense."""
        jitter = self.jitter_s if jitter_s is None else jitter_s
        if self.cron:
            trigger = CronTrigger.from_crontab(self.cron, timezone=UTC)
            trigger.jitter = jitter or None
            return trigger
        return IntervalTrigger(seconds=max(1, round(self.every_minutes * 60)), timezone=UTC, jitter=jitter or None)


def first_run(schedule: Schedule, *, last: datetime | None, now: datetime) -> datetime:
    """Return when the clock first wakes a source: at once where a planned time was missed, else at the next one.

    However many times were missed while nothing ran, one run catches up with all of them.
    """
    if last is None:
        return now
    due = schedule.trigger(jitter_s=0).get_next_fire_time(last, now)
    return now if due is None or due <= now else due


async def keep_time(
    schedules: Mapping[str, Schedule],
    firsts: Mapping[str, datetime],
    *,
    wake: Callable[[str], Awaitable[None]],
    planned: Callable[[str, datetime | None], Awaitable[None]],
) -> None:
    """Wake each source at its times until cancelled; `planned` is told each next time.

    A late time is never dropped, and several late ones are one.
    """
    scheduler = AsyncIOScheduler(timezone=UTC)

    async def ring(name: str) -> None:
        await wake(name)
        job = scheduler.get_job(name)
        await planned(name, job.next_run_time if job else None)

    for name, schedule in schedules.items():
        scheduler.add_job(
            ring,
            schedule.trigger(),
            args=[name],
            id=name,
            next_run_time=firsts[name],
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
        await planned(name, firsts[name])
    scheduler.start()
    try:
        await asyncio.Event().wait()
    finally:
        scheduler.shutdown(wait=False)
