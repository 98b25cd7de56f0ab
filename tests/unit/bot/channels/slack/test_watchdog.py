"""A socket that only seems to be open is noticed."""

from bot.channels.slack.listen.watchdog import Watchdog


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def watched() -> tuple[Watchdog, Clock]:
    clock = Clock()
    watchdog = Watchdog(silent_s=60, deaf_s=1_800, clock=clock)
    watchdog.opened()
    watchdog.connected()
    return watchdog, clock


def test_a_socket_that_answers_pings_and_brings_events_is_well() -> None:
    watchdog, clock = watched()
    clock.now += 59
    watchdog.pong(5.0)
    clock.now += 59

    assert watchdog.trouble() is None
    assert watchdog.health.healthy


def test_without_any_sign_of_life_it_is_silent() -> None:
    watchdog, clock = watched()
    clock.now += 61

    assert watchdog.trouble() == "silent"
    assert not watchdog.health.healthy


def test_the_same_old_answer_to_a_ping_is_no_sign_of_life() -> None:
    watchdog, clock = watched()
    watchdog.pong(5.0)
    clock.now += 61
    watchdog.pong(5.0)
    watchdog.pong(None)

    assert watchdog.trouble() == "silent"


def test_answers_to_pings_alone_are_not_enough_for_ever() -> None:
    watchdog, clock = watched()
    for ping in range(40):
        clock.now += 50
        watchdog.pong(float(ping))

    assert watchdog.trouble() == "deaf"


def test_anything_that_it_brings_starts_the_time_anew() -> None:
    watchdog, clock = watched()
    clock.now += 50
    watchdog.frame(is_event=True)
    clock.now += 50

    assert watchdog.trouble() is None
    assert watchdog.health.last_event_at is not None


def test_a_connection_without_slacks_greeting_is_none_however_it_answers_pings() -> None:
    watchdog, clock = watched()
    watchdog.opened()
    clock.now += 59
    watchdog.pong(7.0)
    clock.now += 2
    watchdog.pong(8.0)

    assert watchdog.trouble() == "silent"
    assert watchdog.health.trouble == "Slack has not greeted us yet"


def test_reconnects_are_counted_from_the_second_greeting_on() -> None:
    watchdog, _ = watched()

    assert watchdog.health.reconnects == 0
    watchdog.connected()
    assert watchdog.health.reconnects == 1


def test_what_stands_in_the_way_is_told() -> None:
    watchdog, _ = watched()
    watchdog.disconnected("Slack did not answer")

    assert (watchdog.health.healthy, watchdog.health.trouble) == (False, "Slack did not answer")
