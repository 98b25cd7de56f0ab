"""Telegram as a channel of the core: it shows and sends, and never decides."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from telegram import Bot

from bot.channels.telegram.files import Downloads, reference_of
from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.readers.names import Names
from bot.channels.telegram.recordings import Recordings
from bot.channels.telegram.render.post import Named
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.desk import post_parcels, topic_parcel
from bot.channels.telegram.send.files import Fetch
from bot.channels.telegram.send.pacing import ChatPacing, is_group
from bot.channels.telegram.send.parcels import notice_parcel, number_of, reply_parcels
from bot.channels.telegram.send.sender import Sender
from bot.channels.telegram.send.stage import Means, Stage
from bot.channels.telegram.translate.values import PLATFORM
from bot.core.incoming import Incoming, Place, Question
from bot.core.messages import Reply, Turn
from bot.core.offered import Moves
from bot.core.outgoing import Button, Parcel, Readers, Showing, Sight, Trace, Traces
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Spot

RECORDING_S = 180


@dataclass(frozen=True, slots=True)
class Ports:
    """What a channel needs of others: where chats have moved to, and files from wherever they lie (None: from here)."""

    moves: Moves
    fetch: Fetch | None = None


class TelegramChannel:
    """All chats that the bot is in."""

    platform = PLATFORM

    def __init__(
        self,
        bot: Bot,
        *,
        audiences: Audiences,
        ports: Ports,
        means: Means | None = None,
        pacing: ChatPacing | None = None,
        recording_s: int = RECORDING_S,
    ) -> None:
        self._bot_id = bot.token.partition(":")[0]
        self._moves = ports.moves
        self._pacing = pacing or ChatPacing()
        calls = Calls(bot, self._pacing)
        self._audiences = audiences
        self._names = Names(bot)
        self._downloads = Downloads(bot)
        self._sender = Sender(calls, ports.moves, ports.fetch or self.file)
        self._stage = Stage(calls, means or Means())
        self._recordings = Recordings(self._downloads, most_s=recording_s)

    async def readers(self, incoming: Incoming) -> Readers:
        return await self._audiences.readers(incoming)

    async def history(self, incoming: Incoming) -> tuple[Turn, ...]:
        text = incoming.wire.get("reply_text")
        return (Turn("user", text),) if text else ()

    def render(self, reply: Reply, question: Question) -> Sequence[Parcel]:
        shown = self._stage.of(question.incoming.place, question.incoming.thread)
        if shown:
            shown.settle()
        return reply_parcels(reply, question)

    def notice(self, text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
        return notice_parcel(text, question, sight=sight, button=button)

    def post(self, post: Post, spot: Spot) -> Sequence[Parcel]:
        return post_parcels(post, spot, named=self._prompted(post, spot.place))

    def _prompted(self, post: Post, place: Place) -> Named | None:
        """Return whom a post asks for words, where others read it too."""
        platform, _, author = (post.prompts or "").partition(":")
        number = number_of(author) if platform == PLATFORM and is_group(place.channel) else None
        return None if number is None else Named(number, self._names.known(place, author))

    def topic(self, name: str, spot: Spot) -> Parcel | None:
        return topic_parcel(name, spot)

    async def place(self, channel: str) -> Place:
        moved = await self._moves.moved(PLATFORM, self._bot_id)
        # A group moves once, when it becomes a supergroup.
        return Place(PLATFORM, self._bot_id, next((chat for chat, was in moved.items() if was == channel), channel))

    async def name_of(self, place: Place, author: str) -> str | None:
        return await self._names.name_of(place, author)

    async def file(self, file: File) -> bytes:
        return await self._downloads.fetch(reference_of(file).file_id)

    async def turn(self, parcel: Parcel) -> None:
        await self._stage.calm(parcel)
        await self._pacing.ready(parcel.place.channel)

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        return await self._sender.send(parcel, over, await self._stage.calm(parcel))

    async def find(self, parcel: Parcel) -> str | None:
        return None

    def can_find(self, parcel: Parcel) -> bool:
        # Telegram lets a bot read nothing; what takes another's place may be sent as often as need be.
        return parcel.replaces is not None

    async def recording(self, incoming: Incoming) -> bytes | None:
        return await self._recordings.fetch(incoming)

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[Showing]:
        return self._stage.showing(question, traces)

    async def wipe(self, trace: Trace) -> None:
        await self._stage.wipe(trace)
