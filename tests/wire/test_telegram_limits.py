"""Telegram's rate limits as a rule: no clock but the one that is given."""

import pytest

from tests.wire.telegram.limits import FloodRefusal, Limits


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def waits(
    limits: Limits, clock: Clock, at_s: list[float], *, chat: int = 1, is_group: bool = False
) -> list[int | None]:
    found = []
    for moment in at_s:
        clock.now_s = 1000.0 + moment
        found.append(limits.wait_s("sendMessage", chat, is_group=is_group))
    return found


@pytest.mark.parametrize(
    ("at_s", "expected"),
    [
        ([0.0, 1.0, 2.0], [None, None, None]),
        ([0.0, 0.96], [None, None]),
        ([0.0, 0.5, 1.0], [None, 1, None]),
    ],
)
def test_a_chat_takes_one_a_second_and_a_refused_one_does_not_count(
    at_s: list[float], expected: list[int | None]
) -> None:
    clock = Clock()

    assert waits(Limits(enforced=True, clock=clock), clock, at_s) == expected


def test_a_group_takes_twenty_a_minute_and_a_person_more() -> None:
    moments = [float(number) for number in range(21)]
    clock = Clock()

    assert waits(Limits(enforced=True, clock=clock), clock, moments)[-1] is None
    assert waits(Limits(enforced=True, clock=clock), clock, moments, is_group=True)[-2:] == [None, 40]
    assert waits(Limits(enforced=True, clock=clock), clock, [*moments[:20], 60.1], is_group=True)[-1] is None


def test_all_chats_together_take_thirty_a_second() -> None:
    clock = Clock()
    limits = Limits(enforced=True, clock=clock)
    found = [limits.wait_s("sendMessage", chat, is_group=False) for chat in range(31)]
    clock.now_s += 1

    assert found == [None] * 30 + [1]
    assert limits.refused == [FloodRefusal(30, 1000.0, "overall", "sendMessage", 1)]
    assert limits.wait_s("sendMessage", 30, is_group=False) is None


def test_nothing_is_refused_where_the_limits_are_off() -> None:
    clock = Clock()

    assert waits(Limits(clock=clock), clock, [0.0, 0.0, 0.0]) == [None, None, None]
