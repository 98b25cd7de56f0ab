"""Slack as a channel of the core: it shows and sends, and never decides."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager

from bot.channels.slack.clients import Clients
from bot.channels.slack.readers.audiences import Audiences
from bot.channels.slack.readers.files import Files
from bot.channels.slack.readers.history import History
from bot.channels.slack.readers.people import People
from bot.channels.slack.readers.places import Places
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.files import Fetch, Uploader
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.pacing import MethodPacing
from bot.channels.slack.send.parcels import method_of, notice_parcel, reply_parcels
from bot.channels.slack.send.post import Poster
from bot.channels.slack.send.posts import post_parcels
from bot.channels.slack.send.sender import Sender
from bot.channels.slack.send.stage import Means, Stage
from bot.channels.slack.send.stream import StreamCalls
from bot.channels.slack.translate.values import PLATFORM
from bot.core.incoming import Incoming, Place, Question
from bot.core.messages import Reply, Turn
from bot.core.outgoing import Button, Parcel, Readers, Showing, Sight, Trace, Traces
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Spot
from knowledge.types import Reader


class SlackChannel:
    """All workspaces that the bot is in; `fetch` brings files from any channel, by default only from here."""

    platform = PLATFORM

    def __init__(
        self,
        clients: Clients,
        *,
        reader_of: Callable[[str | None], Awaitable[Reader]],
        fetch: Fetch | None = None,
        means: Means | None = None,
        workspace_tags: Collection[str] = (),
        pacing: MethodPacing | None = None,
    ) -> None:
        self._pacing = pacing or MethodPacing()
        calls = Calls(clients, self._pacing)
        streams = StreamCalls(calls)
        self._people = People(calls)
        self._audiences = Audiences(self._people, reader_of, tags=workspace_tags)
        self._history = History(calls)
        self._files = Files(calls, clients)
        self._places = Places(calls, clients)
        self._finder = Finder(calls)
        poster = Poster(calls, self._finder)
        uploader = Uploader(calls, clients, poster, fetch or self._files.read)
        self._sender = Sender(calls, streams, self._finder, poster, uploader)
        self._stage = Stage(calls, streams, self._finder, means or Means())

    async def readers(self, incoming: Incoming) -> Readers:
        return await self._audiences.readers(incoming)

    def forget(self, channel: str) -> None:
        """Ask anew who reads along in a channel, for somebody came or went."""
        self._people.forget(channel)

    async def history(self, incoming: Incoming) -> tuple[Turn, ...]:
        return await self._history.before(incoming)

    def render(self, reply: Reply, question: Question) -> Sequence[Parcel]:
        self._stage.settle(question)
        return reply_parcels(reply, question)

    def notice(self, text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
        return notice_parcel(text, question, sight=sight, button=button)

    def post(self, post: Post, spot: Spot) -> Sequence[Parcel]:
        return post_parcels(post, spot)

    def topic(self, name: str, spot: Spot) -> Parcel | None:
        return None

    async def place(self, channel: str) -> Place:
        return await self._places.place(channel)

    async def name_of(self, place: Place, author: str) -> str | None:
        return await self._people.name_of(place, author)

    async def file(self, file: File) -> bytes:
        return await self._files.read(file)

    async def turn(self, parcel: Parcel) -> None:
        await self._pacing.ready(method_of(parcel), parcel.place.workspace, parcel.place.channel)

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        return await self._sender.send(parcel, over, self._stage.of(over) if over else None)

    async def find(self, parcel: Parcel) -> str | None:
        return await self._sender.find(parcel)

    def can_find(self, parcel: Parcel) -> bool:
        return self._finder.can_find(parcel)

    async def recording(self, incoming: Incoming) -> bytes | None:
        return None

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[Showing]:
        return self._stage.showing(question, traces)

    async def wipe(self, trace: Trace) -> None:
        await self._stage.wipe(trace)
