import asyncio
from collections import Counter

import pytest

from bot.channels import pacing as pacing_module
from bot.channels.pacing import Lane, Pace, Pacing
from knowledge.errors import RateLimited
from tests.fakes.slack_sending import FakeClock

POST = Lane(("post", "C1"), Pace(2, 2.0))
START = Lane(("start",), Pace(2, 60.0))
STRICT = Lane(("chat", "1"), Pace(1, 1.0))
ALL = Lane(("all",), Pace(3, 1.0))


def paced(clock: FakeClock) -> Pacing:
    return Pacing(now=clock.now, sleep=clock.sleep)


async def called(pacing: Pacing, *lanes: Lane) -> None:
    async with pacing.turn(*lanes):
        pass


async def test_a_burst_goes_out_at_once_and_the_next_call_when_its_time_has_come() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    times = []
    for _ in range(5):
        async with pacing.turn(POST):
            times.append(clock.at_s - 1_000.0)

    assert times == [0.0, 0.0, 2.0, 2.0, 4.0]


async def test_a_call_counts_until_its_time_behind_its_end_is_over() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    async with pacing.turn(STRICT):
        clock.at_s += 0.4
    await called(pacing, STRICT)

    assert clock.at_s == 1_001.4


async def test_while_a_call_is_under_way_the_next_one_of_its_lane_waits() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    async with pacing.turn(STRICT):
        with pytest.raises(RateLimited):
            await called(pacing, STRICT)

    assert clock.at_s > 1_004.0


async def test_one_lane_does_not_wait_for_another() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for _ in range(2):
        await called(pacing, POST)

    await called(pacing, Lane(("post", "C2"), POST.pace))

    assert clock.at_s == 1_000.0


async def test_whoever_would_wait_too_long_is_told_for_how_long_and_uses_nothing_up() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for _ in range(2):
        await called(pacing, START)
    clock.at_s += 20.0

    for _ in range(3):
        with pytest.raises(RateLimited) as limited:
            await called(pacing, POST, START)

    assert limited.value.retry_after_s == 40.0
    assert not pacing.has_room(START)
    assert pacing.has_room(POST)


async def test_whoever_waits_for_one_lane_keeps_nobody_from_another() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    await called(pacing, STRICT, ALL)

    waiting = asyncio.create_task(called(pacing, STRICT, ALL))
    await asyncio.sleep(0)
    has_room = pacing.has_room(Lane(("chat", "2"), STRICT.pace), ALL)
    await waiting

    assert has_room


async def test_what_a_platform_wants_to_hear_nothing_of_goes_on_elsewhere() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold(POST, 30.0)

    with pytest.raises(RateLimited) as limited:
        await called(pacing, POST)
    await called(pacing, START)

    assert (limited.value.retry_after_s, clock.at_s) == (30.0, 1_000.0)
    assert (pacing.is_held(POST), pacing.has_room(POST)) == (True, False)


@pytest.mark.parametrize("lane", [POST, Lane(("status",), None)], ids=["with a limit", "without a known one"])
async def test_a_short_hold_is_waited_for(lane: Lane) -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold(lane, 3.0)

    await called(pacing, lane)

    assert clock.at_s == 1_003.0


async def test_those_who_wait_through_a_hold_do_not_all_go_at_once_behind_it() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold(STRICT, 1.0)

    times = []
    for _ in range(3):
        async with pacing.turn(STRICT):
            times.append(clock.at_s - 1_000.0)

    assert times == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(("used", "has_room"), [(0, True), (5, True), (6, False), (10, False)])
async def test_there_is_room_for_what_may_be_left_out_while_a_share_is_left(used: int, has_room: bool) -> None:
    pacing = paced(FakeClock())
    lane = Lane(("group",), Pace(10, 60.0))
    for _ in range(used):
        await called(pacing, lane)

    assert pacing.has_room(lane, spare=0.5) is has_room


async def test_no_window_has_more_calls_than_allowed_however_long_each_takes() -> None:
    pace = Pace(5, 0.1)
    pacing = Pacing()
    times: list[float] = []

    async def call(number: int) -> None:
        async with pacing.turn(Lane(("all",), pace)):
            await asyncio.sleep(0.003 * (number % 5))
            times.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.002 * (number % 3))

    await asyncio.gather(*(call(number) for number in range(40)))

    assert max(Counter(sum(at <= other < at + pace.seconds for other in times) for at in times)) <= pace.calls
    assert max(times) - min(times) < 2.0


async def test_lanes_that_are_not_used_any_more_are_forgotten() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold(Lane(("chat", "held"), STRICT.pace), 3_600.0)

    for number in range(pacing_module.MOST_LANES * 2):
        clock.at_s += 0.01
        await called(pacing, Lane(("chat", str(number)), STRICT.pace))

    assert len(pacing._allowances) <= pacing_module.MOST_LANES + 1
    assert pacing.is_held(Lane(("chat", "held"), STRICT.pace))


async def test_who_only_waits_until_there_is_room_uses_nothing_up() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    await called(pacing, STRICT, ALL)

    await pacing.ready(STRICT, ALL)
    await pacing.ready(STRICT, ALL)

    assert clock.at_s - 1_000.0 == 1.0
    assert pacing.has_room(STRICT, ALL)


async def test_who_would_wait_too_long_for_room_is_told_so() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold(STRICT, 60.0)

    with pytest.raises(RateLimited):
        await pacing.ready(STRICT)
