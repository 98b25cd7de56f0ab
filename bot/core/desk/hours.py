"""When a desk works, in its own time zone: until when an answer can be promised."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Days may be cut short, but not further than this.
DAY_LETTERS = 3
DAY_MINUTES = 24 * 60
EXAMPLE = "Mon-Fri 09:00-18:00, Sat 10:00-14:00"
MINUTE = timedelta(minutes=1)
# Nobody is promised an answer later than this.
LONGEST_WAIT = timedelta(days=366)
# From and to, in minutes since the day's midnight; what ends on the next day ends behind its own last minute.
Span = tuple[int, int]
Week = tuple[tuple[Span, ...], ...]
ALWAYS: Week = (((0, DAY_MINUTES),),) * 7

_DASH = re.compile(r"\s*[-\u2010-\u2015]\s*")
_DAYS = re.compile(r"([^\W\d_]+)(?:-([^\W\d_]+))?")
_TIMES = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hours:
    """Working hours; none: always.

    What begins on a holiday is not worked, what began on the day before is. Working time is time that passes, whatever
    clocks are put to: of an hour that comes twice, what begins in it begins the first time and ends the first time.
    """

    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    week: Week = ALWAYS
    holidays: frozenset[date] = frozenset()

    def after(self, start: datetime, working: timedelta) -> datetime:
        """Return the moment when so much working time has passed since `start`, in the desk's zone."""
        end = start = start.astimezone(UTC)
        for begins, ends in self._spans(start):
            if working <= timedelta(0):
                break
            end = min(begins + working, ends)
            working -= end - begins
        return end.astimezone(self.zone)

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return the working time from one moment to another."""
        passed = timedelta(0)
        for begins, ends in self._spans(start.astimezone(UTC)):
            if begins >= end:
                break
            passed += min(ends, end) - begins
        return passed

    def is_open(self, at: datetime) -> bool:
        """Tell whether somebody works at a moment."""
        begins, _ = next(self._spans(at.astimezone(UTC)))
        return begins <= at

    def told(self, at: datetime) -> str:
        """Return a moment as people are told it, with the zone."""
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M} ({self.zone.key})"

    def _spans(self, start: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield what is worked from a moment on, in UTC, in order; it never ends."""
        day = start.astimezone(self.zone).date() - timedelta(days=1)
        while True:
            for begins, ends in () if day in self.holidays else self.week[day.weekday()]:
                begun = max(self._moment(day, begins), start)
                start = max(self._moment(day, ends), start)
                if begun < start:
                    yield begun, start
            day += timedelta(days=1)

    def _moment(self, day: date, minutes: int) -> datetime:
        """Return the first moment at which the clock on the wall shows so much, or more."""
        wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
        moment = wall.replace(tzinfo=self.zone).astimezone(UTC)
        if self._wall(moment) == wall:
            return moment
        # The clock was put forward over that time.
        before = wall.replace(tzinfo=self.zone, fold=1).astimezone(UTC)
        skipped = range((moment - before) // MINUTE)
        return before + MINUTE * bisect_left(skipped, wall, key=lambda passed: self._wall(before + passed * MINUTE))

    def _wall(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone).replace(tzinfo=None)


def working_hours(text: str, *, zone: ZoneInfo, holidays: Iterable[date] = ()) -> Hours:
    """Read working hours as people write them; ValueError with an example for what makes no sense.

    Times belong to the days before them, or to every day where none is named.
    """
    week: list[list[Span]] = [[] for _ in DAYS]
    named: list[int] = []
    is_told = True
    for word in _DASH.sub("-", text).replace(",", " ").replace(";", " ").split():
        if times := _TIMES.fullmatch(word):
            for day in named or range(7):
                week[day].append(_span(word, *map(int, times.groups())))
            is_told = True
        elif days := _DAYS.fullmatch(word):
            named = [*([] if is_told else named), *_days(word, *days.groups())]
            is_told = False
        else:
            raise ValueError(f'has {word!r}, neither days nor times; write for instance "{EXAMPLE}"')
    if not is_told:
        raise ValueError(f'has no times behind its last day; write for instance "{EXAMPLE}"')
    return Hours(zone, tuple(map(_ordered, week)) if any(week) else ALWAYS, frozenset(holidays))


def refusal(hours: Hours, working: timedelta, now: datetime) -> str | None:
    """Return why nobody can be promised an answer within so much working time; None where somebody can."""
    weekly = sum(ends - begins for day in hours.week for begins, ends in day) * MINUTE
    if working / weekly <= LONGEST_WAIT / timedelta(weeks=1) and hours.after(now, working) - now <= LONGEST_WAIT:
        return None
    return f"{working // MINUTE} working minutes would take more than {LONGEST_WAIT.days} days; give more hours"


def _span(word: str, hour: int, minute: int, last_hour: int, last_minute: int) -> Span:
    begins, ends = hour * 60 + minute, last_hour * 60 + last_minute
    if max(minute, last_minute) > 59 or begins >= DAY_MINUTES or ends > DAY_MINUTES:
        raise ValueError(f"has {word!r}, which no clock shows; write for instance 09:00-18:00 or 22:00-24:00")
    if begins == ends:
        raise ValueError(f"has {word!r}, which ends as it begins; write 00:00-24:00 for a whole day")
    return begins, ends + DAY_MINUTES if ends < begins else ends


def _days(word: str, first: str, last: str | None) -> list[int]:
    begin = _day(word, first)
    end = _day(word, last) if last else begin
    return [day % 7 for day in range(begin, end + 1 if end >= begin else end + 8)]


def _day(word: str, name: str) -> int:
    for day, whole in enumerate(DAYS):
        if len(name) >= DAY_LETTERS and whole.startswith(name.lower()):
            return day
    raise ValueError(f'has {word!r}, which is no day; write Mon, Tue, Wed, Thu, Fri, Sat, Sun, as in "{EXAMPLE}"')


def _ordered(spans: list[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans))
