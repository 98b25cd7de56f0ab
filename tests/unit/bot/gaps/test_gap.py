"""What follows from questions that ask the same: a count, a trend, the nearest page and a status."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.gaps.gap import Gap, Period, Status, gap_of, status_of
from bot.store.gaps import Asked, Page

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PERIOD = Period(NOW, days=6)
NEAR, FAR = Page("docs", "near.md", "Near", None, "Ada"), Page("docs", "far.md", "Far", None, None)


def asked(days_ago: float, *, name: str = "u1", answerable: float | None = None, dismissed: bool = False) -> Asked:
    """Return a question of so many days ago, that has an answer since so many days ago."""
    since = None if answerable is None else NOW - timedelta(days=answerable)
    at = NOW - timedelta(days=days_ago)
    return Asked(name, at, "Where?", "en", 0.3, None, None, since, NOW if dismissed else None)


def gap(*questions: Asked) -> Gap:
    return gap_of(questions, PERIOD, examples={"en": "Where?", "es": "¿Dónde?"}, words={})


def test_this_period_is_told_from_the_one_before() -> None:
    found = gap(asked(11.9), asked(11.5), asked(5), asked(1), asked(0))

    assert (found.count, found.before, found.label) == (3, 2, "Where?")
    assert found.trend == (2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2)


def test_people_count_once_and_none_is_not_zero() -> None:
    known = [replace(asked(day), asker=asker) for day, asker in ((10, "C"), (3, "A"), (2, "A"), (1, "B"))]

    assert (gap(*known).askers, gap(asked(1)).askers) == (2, None)


def test_the_nearest_page_is_the_one_that_most_questions_came_near_to() -> None:
    questions = [
        replace(asked(3), page=NEAR, relevance=0.2),
        replace(asked(2), page=FAR, relevance=0.6),
        replace(asked(1), page=NEAR, relevance=0.3),
    ]

    assert (gap(*questions).page, gap(asked(1)).page) == (NEAR, None)


@pytest.mark.parametrize(
    ("questions", "status"),
    [
        ([asked(3), asked(2)], "open"),
        ([asked(3, answerable=1), asked(2)], "open"),
        ([asked(3, answerable=1), asked(2, answerable=0.5)], "answered"),
        ([asked(3, answerable=1), asked(2, name="a1")], "answered"),
        ([asked(3, answerable=1), asked(0.5, name="a1")], "open"),
        ([asked(3, name="a1")], "open"),
        ([asked(3, dismissed=True), asked(2, dismissed=True), asked(1)], "dismissed"),
        ([asked(3, dismissed=True), asked(2), asked(1)], "open"),
    ],
)
def test_a_status_follows_from_the_questions(questions: list[Asked], status: Status) -> None:
    assert status_of(questions) == status


def test_an_answered_gap_tells_since_when() -> None:
    found = gap(asked(3, answerable=1), asked(2, answerable=0.5))

    assert found.answered_at == NOW - timedelta(days=0.5)
    assert gap(asked(3, answerable=1), asked(2)).answered_at is None
