"""Operators see whether Telegram reaches us, and if not, why."""

from collections.abc import Callable

import pytest

from bot.channels.telegram.listen.pulse import STANDS_BY, Pulse


def lost_and_found(pulse: Pulse) -> None:
    pulse.failed("no network")
    pulse.alive()


def unstored(pulse: Pulse) -> None:
    pulse.heard()
    pulse.not_stored("no database")
    pulse.alive()


def unstored_and_stored(pulse: Pulse) -> None:
    unstored(pulse)
    pulse.stored()


def standing_by(pulse: Pulse) -> None:
    pulse.failed("stopped")
    pulse.stands_by()


def leading_again(pulse: Pulse) -> None:
    standing_by(pulse)
    pulse.leads()


@pytest.mark.parametrize(
    ("happens", "is_healthy", "trouble"),
    [
        (lambda _: None, False, "not connected yet"),
        (lost_and_found, True, None),
        (unstored, False, "no database"),
        (unstored_and_stored, True, None),
        (standing_by, True, STANDS_BY),
        (leading_again, False, "stopped"),
    ],
)
def test_what_stands_in_the_way_is_told_until_it_is_gone(
    happens: Callable[[Pulse], None], is_healthy: bool, trouble: str | None
) -> None:
    pulse = Pulse()
    happens(pulse)

    reach = pulse.reach({"updates": 1})
    assert (reach.is_healthy, reach.trouble, reach.counts) == (is_healthy, trouble, {"updates": 1})


def test_bad_news_is_a_sign_of_life_too() -> None:
    now_s = [0.0]
    pulse = Pulse(clock=lambda: now_s[0])
    now_s[0] = 50.0
    pulse.failed("no network")
    now_s[0] = 70.0

    assert pulse.silent_s == 20.0
