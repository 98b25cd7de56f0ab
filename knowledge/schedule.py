"""The clock: says when a source is to be synced, and never does the work itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

CRON_FIELDS = ("minute", "hour", "day", "month", "weekday")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a source is synced: by a cron line (five fields, UTC) where there is one, else at an interval.

    `jitter_s` moves each time by up to so many seconds, so that many sources do not start together.
    """

    every_minutes: float
    cron: str | None = None
    jitter_s: int = 0

    def trigger(self) -> BaseTrigger:
        """Return it as the scheduler understands it; ValueError for a cron line without sense."""
        if self.cron:
            return cron_trigger(self.cron, jitter_s=self.jitter_s)
        seconds = max(1, round(self.every_minutes * 60))
        return IntervalTrigger(seconds=seconds, timezone=UTC, jitter=self.jitter_s or None)


def cron_trigger(line: str, *, jitter_s: int = 0) -> CronTrigger:
    """Read the five fields of a cron line, in UTC, weekdays as cron has them: 0 and 7 are Sunday.

    Raise ValueError with the remedy for what is none, or what never comes.
    """
    fields = line.split()
    if len(fields) != len(CRON_FIELDS):
        raise ValueError(f"has {len(fields)} fields; write five ({', '.join(CRON_FIELDS)}), as in 30 2 * * mon-fri")
    minute, hour, day, month, weekday = fields
    try:
        days = {"day": day, "month": month, "day_of_week": _named(weekday)}
        trigger = CronTrigger(minute=minute, hour=hour, **days, timezone=UTC, jitter=jitter_s or None)
    except ValueError as exc:
        raise ValueError(f"is no cron line ({exc}); write for instance 30 2 * * mon-fri") from exc
    if trigger.get_next_fire_time(None, datetime.now(UTC)) is None:
        raise ValueError("never comes; correct the day or the month")
    return trigger


def _named(weekday: str) -> str:
    """Return the days of a weekday field by their names: the scheduler's own numbers begin on Monday."""
    return ",".join(day for part in weekday.lower().split(",") for day in _days(part))


def _days(part: str) -> list[str]:
    days, _, step = part.partition("/")
    first, dash, last = days.partition("-")
    begin = 0 if first == "*" else _number(first)
    end = 6 if first == "*" or (step and not dash) else _number(last) if dash else begin
    if end < begin:
        end += 7
    return [WEEKDAYS[day % 7] for day in range(begin, end + 1, int(step or 1))]


def _number(day: str) -> int:
    if day in WEEKDAYS:
        return WEEKDAYS.index(day)
    if not day.isdecimal() or int(day) > 7:
        raise ValueError(f"{day!r} is no weekday")
    return int(day)


def first_run(schedule: Schedule, *, last: datetime | None, now: datetime) -> datetime:
    """Return when the clock first wakes a source: at once where a planned time was missed, else at the next one.

    However many times were missed while nothing ran, one run catches up with all of them.
    """
    if last is None:
        return now
    due = replace(schedule, jitter_s=0).trigger().get_next_fire_time(last, now)
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
