"""The bot is seen typing while it works, and no longer."""

import asyncio
from dataclasses import replace

import pytest

from bot.channels.telegram.send.stage import Means
from tests.scenario.telegram_office import (
    QUICK,
    Office,
    open_office,
    whole,
)
from tests.wire.telegram import ASKER, FORUM, GROUP, TOPIC, Fault


@pytest.mark.parametrize(("chat", "topic"), [(ASKER, None), (GROUP, None), (FORUM, TOPIC)])
async def test_the_bot_types_until_its_reply_is_there_and_no_longer(
    office: Office, chat: int, topic: int | None
) -> None:
    question = office.asks(chat, topic=topic)

    async with office.channel.showing(question, office.traces):
        await office.telegram.until(lambda: office.telegram.is_typing(chat, topic=topic))
        await office.reply(question)
        is_typing = office.telegram.is_typing(chat, topic=topic)

    assert (is_typing, office.called("sendChatAction")) == (False, 1)
    assert office.telegram.actions[-1].at_s < office.ours(chat)[-1].moments[0].at_s


async def test_typing_that_is_still_on_its_way_is_waited_for(office: Office) -> None:
    question = office.asks()
    office.telegram.inject("sendChatAction", Fault.delayed(0.3))

    async with office.channel.showing(question, office.traces):
        await office.telegram.until(lambda: office.called("sendChatAction"))
        await office.reply(question)

    (action,) = office.telegram.calls_of("sendChatAction")
    (sending,) = office.telegram.calls_of("sendMessage")
    assert action.answered_at_s
    assert action.answered_at_s <= sending.at_s


async def test_typing_ends_with_a_job_that_fails(office: Office) -> None:
    question = office.asks()

    with pytest.raises(ValueError, match="broken"):
        async with office.channel.showing(question, office.traces):
            await office.telegram.until(lambda: office.called("sendChatAction"))
            raise ValueError("broken")

    assert asyncio.all_tasks() == {asyncio.current_task()}


TYPING_TROUBLES = {
    "limited": Fault.flood(30),
    "forbidden": Fault.refused(403, "Forbidden: bot was blocked by the user"),
    "a gateway's page": Fault.html_502(),
    "slow": Fault.hang(1.3),
}


@pytest.mark.parametrize("fault", TYPING_TROUBLES.values(), ids=TYPING_TROUBLES)
async def test_a_reply_never_fails_with_typing(office: Office, fault: Fault) -> None:
    question = office.asks()
    office.telegram.inject("sendChatAction", fault, times=None)

    await asyncio.wait_for(office.words(question), 4.0)

    assert whole(office.shown())


async def test_what_is_not_asked_of_us_shows_nothing(office: Office) -> None:
    question = office.asks()
    overheard = replace(question, incoming=replace(question.incoming, is_addressed=False))

    await office.words(overheard, every_s=0.1)

    assert [call.method for call in office.telegram.calls] == ["sendMessage"]


async def test_what_is_switched_off_is_not_shown() -> None:
    async with open_office(means=Means(has_typing=False, has_stream=False), paces=QUICK) as office:
        await office.words(office.asks(), every_s=0.1)

        assert [call.method for call in office.telegram.calls] == ["sendMessage"]
