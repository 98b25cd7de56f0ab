"""Telegram as a channel of the core: it shows and sends, and never decides."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from telegram import Bot

from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.recordings import Recordings
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.message import MessageCalls
from bot.channels.telegram.send.pacing import ChatPacing
from bot.channels.telegram.send.parcels import notice_parcel, reply_parcels
from bot.channels.telegram.send.sender import Sender
from bot.channels.telegram.send.stage import Means, Stage
from bot.channels.telegram.translate.values import PLATFORM
from bot.core.incoming import Incoming, Question
from bot.core.messages import Reply, Turn
from bot.core.offered import Moves
from bot.core.outgoing import Button, Parcel, Readers, Showing, Sight, Trace, Traces

RECORDING_S = 180


class TelegramChannel:
    """All chats that the bot is in."""

    platform = PLATFORM

    def __init__(
        self,
        bot: Bot,
        *,
        audiences: Audiences,
        moves: Moves,
        means: Means | None = None,
        pacing: ChatPacing | None = None,
        recording_s: int = RECORDING_S,
    ) -> None:
        self._pacing = pacing or ChatPacing()
        calls = Calls(bot, self._pacing)
        self._audiences = audiences
        self._sender = Sender(MessageCalls(calls), moves)
        self._stage = Stage(calls, means or Means())
        self._recordings = Recordings(bot, most_s=recording_s)

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
