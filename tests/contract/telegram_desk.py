"""The channel that a desk in Telegram is shown things by: the real library at a Telegram on loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.channels.pacing import Pace
from bot.channels.telegram.channel import Ports, TelegramChannel
from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.send.pacing import ChatPacing, Paces
from bot.channels.telegram.settings import TelegramSettings
from bot.core.errors import Undeliverable
from bot.core.incoming import Place
from bot.core.outgoing import Parcel
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Spot
from knowledge.types import Reader
from tests.fakes.people import FakePeople
from tests.fakes.telegram_ports import FakeMoves
from tests.wire.telegram import (
    BOT,
    FORUM,
    TOKEN,
    Message,
    TelegramServer,
    telegram_at_work,
)

FAST = Paces(chat=Pace(1000, 1.0), group=Pace(1000, 1.0), overall=Pace(1000, 1.0))


@dataclass
class Desk:
    """The channel, the Telegram that it speaks to, and files that lie elsewhere."""

    telegram: TelegramServer
    channel: TelegramChannel
    moves: FakeMoves
    elsewhere: dict[str, bytes | Exception] = field(default_factory=dict)

    async def fetch(self, file: File) -> bytes:
        found = self.elsewhere.get(file.id, Undeliverable("gone"))
        if isinstance(found, Exception):
            raise found
        return found

    async def send(self, *parcels: Parcel) -> list[str | None]:
        return [await self.channel.send(parcel) for parcel in parcels]

    async def post(self, post: Post, to: Spot) -> list[Message]:
        """Send a post, and return its messages as they are seen."""
        names = await self.send(*self.channel.post(post, to))
        return [self.telegram.message(int(to.place.channel), int(name)) for name in names if name]


def at(chat: int = FORUM, **more: str | None) -> Spot:
    return Spot(Place("telegram", str(BOT), str(chat)), "ticket:7:card", 0.0, **more)


def elsewhere(name: str, media_type: str = "application/pdf", size: int = 0) -> File:
    return File("slack", "T1", name, name, size, media_type)


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    with telegram_at_work() as telegram:
        telegram.adds_bot(FORUM, as_admin=True)
        async with open_bot(TelegramSettings(api_url=telegram.url), TelegramSecrets(TOKEN)) as bot:
            moves = FakeMoves()
            held: list[Desk] = []
            channel = TelegramChannel(
                bot,
                audiences=Audiences(FakePeople(), _nothing, {}),
                ports=Ports(moves, lambda file: held[0].fetch(file)),
                pacing=ChatPacing(paces=FAST),
            )
            held.append(Desk(telegram, channel, moves))
            yield held[0]
        assert telegram.alarms == []


async def _nothing(email: str | None) -> Reader:
    return Reader()
