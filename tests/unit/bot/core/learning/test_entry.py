"""What may become of an entry."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.learning.entry import Entry, State, may_become, reworded

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ENTRY = Entry(
    1, "approved", "Q", "A", "en", (), ("public",), "slack:U1", "Ann", "slack:U1", None, 1, NOW, NOW, None, None, NOW
)
FOLLOWS: list[tuple[State, State, bool]] = [
    ("draft", "approved", True),
    ("draft", "rejected", True),
    ("draft", "unlearned", False),
    ("approved", "rejected", False),
    ("approved", "unlearned", True),
    ("approved", "expired", True),
    ("rejected", "approved", True),
    ("unlearned", "approved", True),
    ("unlearned", "expired", False),
    ("expired", "approved", True),
]


@pytest.mark.parametrize(("state", "after", "may"), FOLLOWS)
def test_what_may_follow(state: State, after: State, may: bool) -> None:
    assert may_become(state, after) is may


def test_what_was_given_up_is_a_draft_once_it_is_worded_anew() -> None:
    assert [reworded(state) for state in ("draft", "approved", "rejected", "unlearned", "expired")] == [
        "draft",
        "approved",
        "draft",
        "draft",
        "draft",
    ]


def test_an_approved_entry_is_due_when_its_day_has_come() -> None:
    tomorrow = replace(ENTRY, review_at=NOW + timedelta(days=1))

    assert [one.is_due(NOW) for one in (ENTRY, tomorrow, replace(ENTRY, review_at=NOW))] == [False, False, True]
    assert not replace(ENTRY, review_at=NOW, state="draft").is_due(NOW)
