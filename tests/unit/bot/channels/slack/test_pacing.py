import pytest

from bot.channels.slack.send.pacing import Pace, Pacing
from knowledge.errors import RateLimited
from tests.fakes.slack_sending import FakeClock

PACES = {"post": Pace(2, 2.0, is_per_channel=True), "start": Pace(2, 60.0)}


def paced(clock: FakeClock) -> Pacing:
    return Pacing(PACES, now=clock.now, sleep=clock.sleep)


async def test_a_burst_goes_out_at_once_and_the_next_call_when_its_time_has_come() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    times = []
    for _ in range(5):
        await pacing.turn("post", "T1", "C1")
        times.append(clock.at_s - 1_000.0)

    assert times == [0.0, 0.0, 2.0, 2.0, 4.0]


async def test_one_channel_does_not_wait_for_another() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for _ in range(2):
        await pacing.turn("post", "T1", "C1")

    await pacing.turn("post", "T1", "C2")

    assert clock.at_s == 1_000.0


async def test_whoever_would_wait_too_long_is_told_for_how_long() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for _ in range(2):
        await pacing.turn("start", "T1", "C1")
    clock.at_s += 20.0

    with pytest.raises(RateLimited) as limited:
        await pacing.turn("start", "T1", "C2")

    assert limited.value.retry_after_s == 40.0
    assert not pacing.has_room("start", "T1", "C2")
    assert pacing.has_room("start", "T2", "C3")


async def test_what_slack_wants_to_hear_nothing_of_is_not_called_there_and_goes_on_elsewhere() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("post", "T1", "C1", 30.0)

    with pytest.raises(RateLimited) as limited:
        await pacing.turn("post", "T1", "C1")
    await pacing.turn("post", "T1", "C2")

    assert (limited.value.retry_after_s, clock.at_s) == (30.0, 1_000.0)


async def test_a_short_hold_is_waited_for() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("post", "T1", "C1", 3.0)

    await pacing.turn("post", "T1", "C1")

    assert clock.at_s == 1_003.0


async def test_a_method_without_a_known_limit_is_held_as_well() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("status", "T1", "C1", 2.0)

    await pacing.turn("status", "T1", "C9")

    assert clock.at_s == 1_002.0
