"""When a desk works: what it promises holds over nights, weekends, holidays and changed clocks."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.desk.hours import ALWAYS, Hours, refusal, working_hours

KYIV = ZoneInfo("Europe/Kyiv")
OFFICE = "Mon-Fri 09:00-18:00, Sat 10:00-14:00"
HOUR = timedelta(hours=1)
# Clocks are put forward and back in these at unlike times of day, and by unlike amounts.
ZONES = ("UTC", "Europe/Kyiv", "America/Havana", "Australia/Lord_Howe", "Asia/Beirut", "Pacific/Apia")


def local(text: str, zone: ZoneInfo = KYIV) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("text", "start", "hours", "promised"),
    [
        ("", "2026-11-28 23:00", 4, "2026-11-29 03:00"),
        (OFFICE, "2026-12-01 10:00", 4, "2026-12-01 14:00"),
        (OFFICE, "2026-12-01 17:00", 4, "2026-12-02 12:00"),
        (OFFICE, "2026-12-01 03:00", 4, "2026-12-01 13:00"),
        # What ends as the day does is promised for that evening.
        (OFFICE, "2026-12-01 09:00", 9, "2026-12-01 18:00"),
        # Friday evening, Saturday's four hours, and Monday.
        (OFFICE, "2026-11-27 16:00", 7, "2026-11-30 10:00"),
        # Tuesday is a holiday.
        (OFFICE, "2026-12-07 17:00", 4, "2026-12-09 12:00"),
        ("Mon-Fri 09:00-13:00 14:00-18:00", "2026-12-01 12:00", 3, "2026-12-01 16:00"),
        ("Mon-Fri 09:00-13:00, 14:00-18:00", "2026-12-01 12:00", 3, "2026-12-01 16:00"),
        ("Fri 22:00-06:00", "2026-12-04 20:00", 8, "2026-12-05 06:00"),
        ("Fri 22:00-06:00", "2026-12-05 05:00", 2, "2026-12-11 23:00"),
        # The night that began before the holiday is worked to its end; the one that begins on it is not.
        ("Mon-Sun 22:00-06:00", "2026-12-07 23:00", 8, "2026-12-09 23:00"),
        # Overlapping times are worked once.
        ("Mon 09:00-12:00 11:00-13:00", "2026-11-30 09:00", 4, "2026-11-30 13:00"),
    ],
)
def test_a_promise_counts_working_time_only(text: str, start: str, hours: int, promised: str) -> None:
    desk = working_hours(text, zone=KYIV, holidays=[date(2026, 12, 8)])

    assert desk.after(local(start), hours * HOUR) == local(promised)


@pytest.mark.parametrize(
    ("text", "zone", "start", "hours", "promised"),
    [
        # The night of 28 March 2027 has no hour from 3 to 4 in Kyiv, that of 31 October has it twice.
        ("00:00-24:00", "Europe/Kyiv", "2027-03-28 02:00", 2, "2027-03-28 05:00"),
        ("00:00-24:00", "Europe/Kyiv", "2027-10-31 02:00", 4, "2027-10-31 05:00"),
        ("Sun 03:30-06:00", "Europe/Kyiv", "2027-03-28 00:00", 1, "2027-03-28 05:00"),
        ("Sun 02:00-06:00", "Europe/Kyiv", "2027-10-31 00:00", 5, "2027-10-31 06:00"),
        ("Sat 22:00-06:00", "Europe/Kyiv", "2027-03-27 22:00", 7, "2027-03-28 06:00"),
        # In Samoa there was no 30 December 2011.
        ("Mon-Fri 09:00-18:00", "Pacific/Apia", "2011-12-29 17:00", 2, "2012-01-02 10:00"),
    ],
)
def test_a_changed_clock_changes_no_working_time(text: str, zone: str, start: str, hours: int, promised: str) -> None:
    there = ZoneInfo(zone)

    moment = working_hours(text, zone=there).after(local(start, there), hours * HOUR)

    assert moment.astimezone(UTC) == local(promised, there).astimezone(UTC)


def test_a_promise_is_told_in_the_zone_of_the_desk() -> None:
    desk = working_hours(OFFICE, zone=KYIV)

    moment = desk.after(datetime(2026, 12, 1, 8, 0, tzinfo=UTC), 4 * HOUR)

    assert (moment.tzinfo, desk.told(moment)) == (KYIV, "2026-12-01 14:00 (Europe/Kyiv)")


@pytest.mark.parametrize(
    ("at", "is_open"),
    [
        ("2026-12-01 08:59", False),
        ("2026-12-01 09:00", True),
        ("2026-12-01 17:59", True),
        ("2026-12-01 18:00", False),
        ("2026-12-05 12:00", True),
        ("2026-12-06 12:00", False),
        ("2026-12-08 12:00", False),
    ],
)
def test_a_desk_is_open_while_it_works(at: str, is_open: bool) -> None:
    assert working_hours(OFFICE, zone=KYIV, holidays=[date(2026, 12, 8)]).is_open(local(at)) == is_open


@pytest.mark.parametrize(
    "text",
    ["mon - fri 9:00–18:00; sat 10:00—14:00", "Monday-Friday 09:00-18:00 Saturday 10:00-14:00", OFFICE.upper()],
)
def test_hours_are_read_however_they_are_written(text: str) -> None:
    assert working_hours(text, zone=KYIV) == working_hours(OFFICE, zone=KYIV)


@pytest.mark.parametrize(
    ("text", "days"),
    [("", "0123456"), ("08:00-09:00", "0123456"), ("Fri-Mon 08:00-09:00", "0456"), ("Mon, Wed 08:00-09:00", "02")],
)
def test_days_may_be_left_out_listed_or_go_over_the_weekend(text: str, days: str) -> None:
    week = working_hours(text, zone=KYIV).week

    assert "".join(str(day) for day in range(7) if week[day]) == days


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Mon-Fri", "no times behind its last day"),
        ("Mon-Fri 9-18", "'9-18', neither days nor times"),
        ("Mon-Fri 09:00-25:00", "'09:00-25:00', which no clock shows"),
        ("Mon-Fri 09:60-10:00", "'09:60-10:00', which no clock shows"),
        ("Mon-Fri 24:00-10:00", "which no clock shows"),
        ("Mon-Fri 09:00-09:00", "write 00:00-24:00 for a whole day"),
        ("Пн-Пт 09:00-18:00", "'Пн-Пт', which is no day; write Mon"),
        ("Monkey 09:00-18:00", "'Monkey', which is no day"),
        ("Mo 09:00-18:00", "'Mo', which is no day"),
        ("always", "'always', which is no day"),
    ],
)
def test_what_makes_no_sense_is_told_with_an_example(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r"\d\d:00") as raised:
        working_hours(text, zone=KYIV)

    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("text", "holidays", "minutes", "is_refused"),
    [
        ("Mon 09:00-10:00", [], 240, False),
        ("Mon 09:00-09:01", [], 240, True),
        ("", [], 365 * 24 * 60, False),
        ("Mon 09:00-18:00", [date(2026, 11, 30) + timedelta(weeks=week) for week in range(60)], 60, True),
        ("Mon 09:00-18:00", [date(2026, 11, 30) + timedelta(weeks=week) for week in range(40)], 60, False),
    ],
)
def test_a_desk_that_as_good_as_never_works_is_refused(
    text: str, holidays: list[date], minutes: int, is_refused: bool
) -> None:
    desk = working_hours(text, zone=KYIV, holidays=holidays)

    why = refusal(desk, timedelta(minutes=minutes), datetime(2026, 11, 30, tzinfo=UTC))

    assert (why is not None) == is_refused


spans = st.tuples(st.integers(0, 1439), st.integers(1, 1440)).map(lambda ends: (ends[0], ends[0] + ends[1]))
weeks = st.lists(st.lists(spans, max_size=3).map(tuple), min_size=7, max_size=7).map(tuple).filter(any)
# Near the nights in which clocks are changed.
moments = st.builds(
    lambda day, minutes: datetime.fromisoformat(f"{day}T00:00Z") + timedelta(minutes=minutes),
    st.sampled_from(["2027-03-13", "2027-03-27", "2027-10-30", "2027-11-06", "2027-04-03", "2011-12-29"]),
    st.integers(0, 3 * 24 * 60),
)


@settings(max_examples=200, deadline=None)
@given(week=weeks, zone=st.sampled_from(ZONES), start=moments, minutes=st.integers(1, 600))
def test_exactly_so_many_minutes_are_open_until_the_promise(
    week: tuple[tuple[tuple[int, int], ...], ...], zone: str, start: datetime, minutes: int
) -> None:
    desk = Hours(ZoneInfo(zone), week)

    end = desk.after(start, timedelta(minutes=minutes)).astimezone(UTC)

    last = end - timedelta(minutes=1)
    assert desk.between(start, end) == timedelta(minutes=minutes)
    assert (desk.is_open(last), desk.between(start, last)) == (True, timedelta(minutes=minutes - 1))


@settings(max_examples=100, deadline=None)
@given(week=weeks, zone=st.sampled_from(ZONES), start=moments)
def test_the_minutes_counted_are_those_in_which_the_desk_is_open(
    week: tuple[tuple[tuple[int, int], ...], ...], zone: str, start: datetime
) -> None:
    desk = Hours(ZoneInfo(zone), week)

    counted = desk.between(start, start + 6 * HOUR)

    opened = sum(desk.is_open(start + timedelta(minutes=minute)) for minute in range(360))
    assert counted == timedelta(minutes=opened)


def test_without_hours_a_desk_always_works() -> None:
    start = datetime(2027, 3, 27, 12, 0, tzinfo=UTC)

    assert (Hours().week, Hours(KYIV).after(start, 100 * HOUR)) == (ALWAYS, start + 100 * HOUR)
