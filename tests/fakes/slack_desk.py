"""A desk on the loopback Slack, and the channel that sends there by the real SDK."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.channels.slack.channel import SlackChannel
from bot.channels.slack.clients import open_clients
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.incoming import Incoming, Place
from bot.core.tickets.acts import Outcome
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press, Spot
from tests.fakes.book import FakeBook
from tests.fakes.slack_sending import readers_of
from tests.wire.slack import BOT_TOKEN, DESK, TEAM, SlackServer, slack_at_work

PLACE = Place("slack", TEAM, DESK)
CARD = Post(
    (Part("Ticket 12 · open", "title"), Part("How do I change my PIN?", "quote")),
    ((Press("claim", 12, "Take it", is_first=True),),),
    plain="Ticket 12",
)
PLAN = File("telegram", "7", "f-1", "plan.pdf", 4)
Fetch = Callable[[File], Awaitable[bytes]]


class HearingBook(FakeBook):
    """Keeps what was written at a desk."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def hear(self, incoming: Incoming) -> Outcome | None:
        self.heard.append(incoming.text)
        return Outcome("done")


async def fetched(file: File) -> bytes:
    """Return what is in every file."""
    return b"%PDF"


@asynccontextmanager
async def open_desk(fetch: Fetch | None = fetched) -> AsyncIterator[tuple[SlackServer, SlackChannel]]:
    """Open the workspace of `office`, and the channel that sends there."""
    with slack_at_work() as slack:
        async with sending(slack, fetch) as channel:
            yield slack, channel
        assert slack.alarms == []


@asynccontextmanager
async def sending(slack: SlackServer, fetch: Fetch | None = fetched) -> AsyncIterator[SlackChannel]:
    """Open a channel that sends to a server."""
    settings = SlackSettings(api_url=slack.api_url)
    async with open_clients(settings, SlackSecrets(bot_token=BOT_TOKEN)) as clients:
        yield SlackChannel(clients, reader_of=readers_of({}), fetch=fetch)


def spot(slack: SlackServer, **changes: object) -> Spot:
    """Return a place at the desk from now on."""
    usual: dict[str, object] = {"place": PLACE, "key": "ticket:12:card", "after": float(slack.clock.ts())}
    return Spot(**(usual | changes))  # type: ignore[arg-type]  # a field and its value


async def sent(channel: SlackChannel, post: Post, where: Spot) -> list[str | None]:
    """Send a post, and return what its parcels are called."""
    return [await channel.send(parcel) for parcel in channel.post(post, where)]
