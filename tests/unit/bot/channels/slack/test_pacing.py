import pytest

from bot.channels.pacing import Pace, Pacing
from bot.channels.slack.send.pacing import MethodPace, MethodPacing
from knowledge.errors import RateLimited
from tests.fakes.slack_sending import FakeClock

PACES = {"post": MethodPace(Pace(2, 2.0), is_per_channel=True), "start": MethodPace(Pace(2, 60.0))}


def paced(clock: FakeClock) -> MethodPacing:
    return MethodPacing(Pacing(now=clock.now, sleep=clock.sleep), paces=PACES)


async def called(pacing: MethodPacing, method: str, workspace: str = "T1", channel: str = "C1") -> None:
    async with pacing.turn(method, workspace, channel):
        pass


async def test_one_channel_does_not_wait_for_another_where_the_limit_is_one_of_channels() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for _ in range(2):
        await called(pacing, "post")

    await called(pacing, "post", channel="C2")

    assert clock.at_s == 1_000.0
    assert not pacing.has_room("post", "T1", "C1")


async def test_all_channels_of_a_workspace_share_the_limit_of_a_method() -> None:
    pacing = paced(FakeClock())
    for _ in range(2):
        await called(pacing, "start")

    with pytest.raises(RateLimited):
        await called(pacing, "start", channel="C2")

    assert pacing.has_room("start", "T2", "C3")


async def test_what_slack_wants_to_hear_nothing_of_is_not_called_there_and_goes_on_elsewhere() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("post", "T1", "C1", 30.0)

    with pytest.raises(RateLimited) as limited:
        await called(pacing, "post")
    await called(pacing, "post", channel="C2")

    assert (limited.value.retry_after_s, clock.at_s) == (30.0, 1_000.0)


async def test_a_method_without_a_known_limit_is_held_as_well() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("status", "T1", "C1", 2.0)

    await called(pacing, "status", channel="C9")

    assert clock.at_s == 1_002.0
