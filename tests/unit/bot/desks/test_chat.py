"""A desk in a chat opens on its platform's channel, as its table says."""

from datetime import timedelta
from typing import Any

import pytest

from bot.core.incoming import Place
from bot.desks.chat import ChatDeskSettings, build
from bot.desks.configured import OpenDesk, times_of
from bot.tables import HandoverSettings
from knowledge.errors import SettingsProblem
from tests.fakes.channel import FakeChannel
from tests.unit.bot.desks.tables import table


async def only(settings: ChatDeskSettings, channel: FakeChannel) -> OpenDesk:
    async with build(settings, channels={channel.platform: channel}) as desk:
        return desk


async def test_a_desk_is_what_its_table_says() -> None:
    values: dict[str, Any] = {
        "title": "IT support",
        "language": "ru-RU",
        "only_people": True,
        "people": {"slack:U1": "Ann"},
    }

    desk = (await only(table(**values, reads=["group:staff"]), FakeChannel("slack"))).desk

    assert (desk.name, desk.title, desk.language) == ("it", "IT support", "ru")
    assert (desk.place, desk.answer_within) == (Place("slack", "T1", "C1"), timedelta(hours=4))
    assert (desk.may_act("slack:U1"), desk.may_act("slack:U2")) == (True, False)
    assert desk.reads.tags == {"public", "group:staff"}


@pytest.mark.parametrize(
    ("platform", "topics", "expected"), [("telegram", True, True), ("telegram", False, False), ("slack", True, False)]
)
async def test_topics_are_where_a_platform_has_them(platform: str, topics: bool, expected: bool) -> None:
    desk = (await only(table(platform=platform, topics=topics), FakeChannel(platform))).desk

    assert desk.with_topics == expected


async def test_a_desk_on_a_platform_that_is_not_open_names_the_remedy() -> None:
    with pytest.raises(SettingsProblem, match=r"it: is on slack, which is not open here; set SLACK_BOT_TOKEN"):
        await only(table(), FakeChannel("telegram"))


@pytest.mark.parametrize(("hours", "expected"), [(24.0, timedelta(hours=24)), (0.0, None)])
def test_an_owner_may_be_silent_as_long_as_it_is_configured(hours: float, expected: timedelta | None) -> None:
    assert times_of(HandoverSettings(return_after_hours=hours)).return_after == expected
