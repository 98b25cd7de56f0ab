import pytest

from bot.channels.pacing import Pacing
from bot.channels.telegram.send.pacing import ChatPacing
from knowledge.errors import RateLimited
from tests.fakes.slack_sending import FakeClock

PERSON, GROUP = "700", "-4000"


def paced(clock: FakeClock) -> ChatPacing:
    return ChatPacing(Pacing(now=clock.now, sleep=clock.sleep), now=clock.now)


async def sent(pacing: ChatPacing, chat: str) -> None:
    async with pacing.turn(chat):
        pass


async def test_a_chat_gets_a_message_a_second() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    for _ in range(4):
        await sent(pacing, PERSON)

    assert clock.at_s == 1_003.0


async def test_a_group_gets_twenty_messages_a_minute_and_a_person_more() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    for _ in range(20):
        await sent(pacing, GROUP)
    with pytest.raises(RateLimited) as limited:
        await sent(pacing, GROUP)
    await sent(pacing, PERSON)

    assert limited.value.retry_after_s == 41.0
    assert clock.at_s == 1_019.0


async def test_what_may_be_left_out_leaves_half_of_a_groups_minute() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    shown = 0
    for _ in range(20):
        clock.at_s += 1.0
        if pacing.has_room(GROUP):
            shown += 1
            await sent(pacing, GROUP)

    assert shown == 11


async def test_all_chats_together_get_no_more_than_telegram_lets_pass() -> None:
    clock = FakeClock()
    pacing = paced(clock)

    for number in range(56):
        await sent(pacing, str(number))

    assert clock.at_s == 1_001.0


async def test_a_chat_that_is_held_holds_up_no_other() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    pacing.hold("1", 30.0)
    pacing.hold("2", 30.0)

    await sent(pacing, "3")

    assert clock.at_s == 1_000.0
    assert [pacing.is_held(chat) for chat in "123"] == [True, True, False]


async def test_when_many_chats_are_refused_at_once_all_wait() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for chat, wait_s in (("1", 30.0), ("2", 30.0), ("3", 137.0)):
        pacing.hold(chat, wait_s)

    with pytest.raises(RateLimited) as limited:
        await sent(pacing, "4")

    assert limited.value.retry_after_s == 30.0


async def test_chats_that_are_refused_one_after_another_hold_up_no_other() -> None:
    clock = FakeClock()
    pacing = paced(clock)
    for chat in "123":
        clock.at_s += 1.0
        pacing.hold(chat, 30.0)

    await sent(pacing, "4")

    assert clock.at_s == 1_003.0
