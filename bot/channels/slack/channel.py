"""Slack as a channel of the core: it shows and sends, and never decides."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager

from bot.channels.slack.clients import Clients
from bot.channels.slack.readers.audiences import Audiences
from bot.channels.slack.readers.history import History
from bot.channels.slack.readers.people import People
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.pacing import MethodPacing
from bot.channels.slack.send.parcels import notice_parcel, reply_parcels
from bot.channels.slack.send.sender import Sender
from bot.channels.slack.send.stage import Means, Stage
from bot.channels.slack.send.stream import StreamCalls
from bot.channels.slack.translate.values import PLATFORM
from bot.core.incoming import Incoming, Question
from bot.core.messages import Reply, Turn
from bot.core.outgoing import Button, Parcel, Readers, Showing, Sight, Trace, Traces
from knowledge.types import Reader


class SlackChannel:
    """All workspaces that the bot is in."""

    platform = PLATFORM

    def __init__(
        self,
        clients: Clients,
        *,
        reader_of: Callable[[str | None], Awaitable[Reader]],
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
        self._finder = Finder(calls)
        self._sender = Sender(calls, streams, self._finder)
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

    async def turn(self, parcel: Parcel) -> None:
        await self._pacing.ready(str(parcel.payload.get("method")), parcel.place.workspace, parcel.place.channel)

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        return await self._sender.send(parcel, over, self._stage.of(over) if over else None)

    async def find(self, parcel: Parcel) -> str | None:
        return await self._finder.find(parcel)

    def can_find(self, parcel: Parcel) -> bool:
        return self._finder.can_find(parcel)

    async def recording(self, incoming: Incoming) -> bytes | None:
        return None

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[Showing]:
        return self._stage.showing(question, traces)

    async def wipe(self, trace: Trace) -> None:
        await self._stage.wipe(trace)
