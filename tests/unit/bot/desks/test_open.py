"""Desks are opened together, and found wherever they turn out to be."""

from dataclasses import dataclass

from bot.core.desk.desks import Desks
from bot.core.incoming import Place
from bot.desks.chat import ChatDeskSettings, build
from bot.desks.configured import desks_of
from bot.desks.open import OpenDesks, open_desks
from knowledge.errors import TransientError
from tests.fakes.channel import FakeChannel
from tests.unit.bot.desks.tables import table


@dataclass
class LateChannel(FakeChannel):
    """Does not know where anything is so many times; a channel may be called otherwise meanwhile."""

    lost_times: int = 0
    moved_to: str | None = None

    async def place(self, channel: str) -> Place:
        if self.lost_times:
            self.lost_times -= 1
            raise TransientError("the platform does not answer")
        return await super().place(self.moved_to or channel)


async def opened(*tables: ChatDeskSettings, channels: dict[str, FakeChannel]) -> tuple[Desks, OpenDesks]:
    desks = desks_of(tables)
    async with open_desks(desks, {one.name: build(one, channels=channels) for one in tables}) as found:
        return desks, found


async def test_a_desk_that_cannot_be_opened_stops_no_other_and_its_fallback_stands_in() -> None:
    tables = [
        table("it", fallback="hr"),
        table("hr", platform="telegram", fallback="boss", channel="C2"),
        table("boss", channel="C3"),
    ]

    desks, found = await opened(*tables, channels={"slack": FakeChannel("slack")})

    assert [(desk.name, desk.fallback) for desk in desks] == [("it", "boss"), ("boss", None)]
    assert (list(found.opened), list(found.closed)) == (["it", "boss"], ["hr"])
    assert "TELEGRAM_BOT_TOKEN" in found.closed["hr"]


async def test_where_a_desk_is_is_found_out_later() -> None:
    desks, found = await opened(table(), channels={"slack": LateChannel("slack", lost_times=2)})
    places = [desk.place for desk in desks]

    for _ in range(2):
        await found.find_places()
        places += [desk.place for desk in desks]

    assert places == [None, None, Place("slack", "T1", "C1")]
    assert desks.rooms == {("slack", "C1")}


async def test_a_desk_that_moves_is_followed() -> None:
    channel = LateChannel("telegram")
    desks, found = await opened(table(platform="telegram"), channels={"telegram": channel})

    channel.moved_to = "C100"
    await found.find_places()

    assert desks.rooms == {("telegram", "C100")}


async def test_where_a_desk_was_still_counts_while_nobody_can_say_more() -> None:
    channel = LateChannel("slack")
    desks, found = await opened(table(), channels={"slack": channel})

    channel.lost_times = 1
    await found.find_places()

    assert desks.rooms == {("slack", "C1")}


async def test_desks_stay_in_the_order_of_the_file() -> None:
    tables = [table("hr", channel="C2"), table("it")]

    desks, _ = await opened(*tables, channels={"slack": FakeChannel("slack")})

    assert [desk.name for desk in desks] == ["hr", "it"]
