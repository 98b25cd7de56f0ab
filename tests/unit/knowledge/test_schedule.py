"""When the clock wakes a source."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from knowledge.schedule import Schedule, first_run, keep_time

NOW = datetime(2026, 3, 4, 10, 7, tzinfo=UTC)
HOURLY = Schedule(60)
NIGHTLY = Schedule(60, cron="30 2 * * *")


@pytest.mark.parametrize(
    ("schedule", "last", "expected"),
    [
        (HOURLY, None, NOW),
        (HOURLY, NOW - timedelta(minutes=20), NOW + timedelta(minutes=40)),
        (HOURLY, NOW - timedelta(minutes=60), NOW),
        (HOURLY, NOW - timedelta(days=3), NOW),
        (NIGHTLY, None, NOW),
        (NIGHTLY, datetime(2026, 3, 4, 2, 30, tzinfo=UTC), datetime(2026, 3, 5, 2, 30, tzinfo=UTC)),
        (NIGHTLY, datetime(2026, 3, 3, 2, 30, tzinfo=UTC), NOW),
        (NIGHTLY, datetime(2026, 2, 1, 2, 30, tzinfo=UTC), NOW),
    ],
)
def test_a_missed_time_is_caught_up_with_at_once_and_one_to_come_is_waited_for(
    schedule: Schedule, last: datetime | None, expected: datetime
) -> None:
    assert first_run(schedule, last=last, now=NOW) == expected


async def test_the_clock_wakes_each_source_and_tells_its_next_time() -> None:
    woken: list[str] = []
    told: dict[str, list[datetime | None]] = {"a": [], "b": []}
    start = datetime.now(UTC)
    has_rung = asyncio.Event()

    async def wake(name: str) -> None:
        woken.append(name)

    async def planned(name: str, at: datetime | None) -> None:
        told[name].append(at)
        if len(told["a"]) == 2:
            has_rung.set()

    firsts = {"a": start - timedelta(hours=5), "b": start + timedelta(hours=1)}
    clock = asyncio.create_task(keep_time({"a": HOURLY, "b": HOURLY}, firsts, wake=wake, planned=planned))
    await has_rung.wait()
    clock.cancel()
    await asyncio.gather(clock, return_exceptions=True)

    assert woken == ["a"]
    assert told["b"] == [firsts["b"]]
    assert told["a"][1] is not None
    assert told["a"][1] > start


def test_a_cron_line_without_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="fields"):
        Schedule(15, cron="every day").trigger()
