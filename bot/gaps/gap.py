"""One gap: questions that ask the same and had no good answer, and what follows from them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.store.gaps import Asked, Page

Status = Literal["open", "answered", "dismissed"]

# Of both periods together: half of the marks are this period.
TREND_MARKS = 12


@dataclass(frozen=True, slots=True)
class Period:
    """This period, from `start` to `end`; the one before it is as long."""

    end: datetime
    days: int

    @property
    def start(self) -> datetime:
        """When this period began."""
        return self.end - timedelta(days=self.days)

    @property
    def before(self) -> datetime:
        """When the period before it began."""
        return self.start - timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Gap:
    """What several people miss, in their own words.

    `id` is that of its oldest question, but each of its questions' names it. `label` is the most typical question,
    `examples` is that for each language, `words` are those that set it apart from other gaps. `count` are the questions
    of this period and `before` those of the one before it; `askers` is None where nobody is known. `trend` counts the
    questions of both periods in marks of equal length, oldest first. `answered_at` is since when it is answered.
    """

    id: str
    label: str
    status: Status
    count: int
    before: int
    askers: int | None
    trend: tuple[int, ...]
    examples: dict[str, str]
    words: dict[str, list[str]]
    page: Page | None
    first_at: datetime
    last_at: datetime
    answered_at: datetime | None
    questions: tuple[str, ...]


def gap_of(asked: Sequence[Asked], period: Period, *, examples: dict[str, str], words: dict[str, list[str]]) -> Gap:
    """Return what questions come to that ask the same; they are given oldest first, the examples best first."""
    now = [one for one in asked if one.asked_at >= period.start]
    askers = {one.asker for one in now if one.asker}
    status = status_of(asked)
    return Gap(
        id=asked[0].id,
        label=next(iter(examples.values())),
        status=status,
        count=len(now),
        before=len(asked) - len(now),
        askers=len(askers) or None,
        trend=_trend(asked, period),
        examples=examples,
        words=words,
        page=_nearest(asked),
        first_at=asked[0].asked_at,
        last_at=asked[-1].asked_at,
        answered_at=max(filter(None, (one.answerable_at for one in asked))) if status == "answered" else None,
        questions=tuple(one.id for one in asked),
    )


def status_of(asked: Sequence[Asked]) -> Status:
    """Return what is to be done about questions that ask the same.

    They are answered once all that had no answer could have one today, and none had a weak one since. They stay
    dismissed until more were asked afterwards than were dismissed.
    """
    if 2 * sum(one.dismissed_at is not None for one in asked) >= len(asked):
        return "dismissed"
    answered = [one.answerable_at for one in asked if one.answerable_at]
    waiting = [one for one in asked if not one.answerable_at]
    if answered and all(_had_answer(one) and one.asked_at < max(answered) for one in waiting):
        return "answered"
    return "open"


def _had_answer(one: Asked) -> bool:
    return one.id.startswith("a")


def _nearest(asked: Sequence[Asked]) -> Page | None:
    """Return the page that most of them were nearest to; of several the one that came nearest."""
    found = [(one.page, one.relevance or 0.0) for one in asked if one.page]
    if not found:
        return None
    times = Counter(page for page, _ in found)
    return max(found, key=lambda pair: (times[pair[0]], pair[1]))[0]


def _trend(asked: Sequence[Asked], period: Period) -> tuple[int, ...]:
    mark = (period.end - period.before) / TREND_MARKS
    marks = Counter(min(int((one.asked_at - period.before) / mark), TREND_MARKS - 1) for one in asked)
    return tuple(marks[at] for at in range(TREND_MARKS))
