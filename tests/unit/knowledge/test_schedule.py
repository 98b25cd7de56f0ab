"""When the clock wakes a source."""

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from knowledge.schedule import Schedule, cron_trigger, first_run, keep_time

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


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("every day", "has 2 fields; write five"),
        ("61 2 * * *", "no cron line .* mon-fri"),
        ("30 2 * * 8", "'8' is no weekday"),
        ("0 0 30 2 *", "never comes"),
        ("", "has 0 fields"),
    ],
)
def test_a_cron_line_without_sense_is_refused(line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        cron_trigger(line)


@pytest.mark.parametrize(
    ("weekday", "days"),
    [
        ("*", "mon tue wed thu fri sat sun"),
        ("0", "sun"),
        ("7", "sun"),
        ("1-5", "mon tue wed thu fri"),
        ("5-7", "fri sat sun"),
        ("sat-mon", "mon sat sun"),
        ("*/2", "tue thu sat sun"),
        ("1,3", "mon wed"),
    ],
)
def test_weekdays_are_those_of_cron(weekday: str, days: str) -> None:
    trigger = cron_trigger(f"0 12 * * {weekday}")
    # A Monday.
    week = [datetime(2026, 3, 2, tzinfo=UTC) + timedelta(days=day) for day in range(7)]

    rings = [day for day in week if _of(trigger.get_next_fire_time(None, day)) == day.date()]

    assert " ".join(f"{day:%a}".lower() for day in rings) == days


def _of(moment: datetime | None) -> date:
    assert moment is not None
    return moment.date()
