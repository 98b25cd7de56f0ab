"""Messages written in one go are found by when they were written."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.store.bursts import Sibling, burst_of

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def at(number: int, second: float, *, asks: bool = False) -> Sibling:
    return Sibling(number, START + timedelta(seconds=second), timedelta(), asks)


@pytest.mark.parametrize(
    ("siblings", "burst"),
    [
        ([at(1, 0)], [1]),
        ([at(1, 0), at(2, 1), at(3, 2)], [1, 2, 3]),
        ([at(1, 0), at(2, 1.01)], [1]),
        ([at(3, 2), at(1, 1.5), at(2, 5)], [1, 3]),
        ([at(2, 0), at(1, 0)], [1, 2]),
        ([at(2, -5), at(3, -1), at(1, 0), at(4, 3)], [3, 1]),
        # Two whole questions are two; what is said before or behind one belongs to it.
        ([at(1, 0, asks=True), at(2, 0, asks=True)], [1]),
        ([at(1, 0), at(2, 0.5, asks=True), at(3, 0.7), at(4, 9, asks=True)], [1, 2, 3]),
    ],
)
def test_a_burst_is_the_run_around_a_message(siblings: list[Sibling], burst: list[int]) -> None:
    assert [sibling.id for sibling in burst_of(1, siblings, timedelta(seconds=1))] == burst
