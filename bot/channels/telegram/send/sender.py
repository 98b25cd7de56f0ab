"""Sends parcels to Telegram: as messages of their own, or in place of messages that stand there."""

import logging
from dataclasses import replace

from bot.channels.telegram.errors import ChatMoved
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.files import Fetch, FileSender
from bot.channels.telegram.send.grown import grown
from bot.channels.telegram.send.message import MessageCalls
from bot.channels.telegram.send.parcels import FILE_METHOD, TOPIC_METHOD, is_there_still, number_of
from bot.channels.telegram.send.post import Poster
from bot.channels.telegram.send.stage import Shown
from bot.core.errors import Undeliverable
from bot.core.offered import Moves
from bot.core.outgoing import Parcel, Trace

log = logging.getLogger(__name__)


class Sender:
    """Sends to all chats."""

    def __init__(self, calls: Calls, moves: Moves, fetch: Fetch) -> None:
        self._messages = MessageCalls(calls)
        self._poster = Poster(self._messages)
        self._files = FileSender(calls, self._poster, fetch)
        self._moves = moves

    async def send(self, parcel: Parcel, over: Trace | None, shown: Shown | None) -> str | None:
        """Send a parcel, in place of what grew `over` there; `shown` is that, where this process let it grow."""
        try:
            return await self._send(parcel, over, shown)
        except ChatMoved as exc:
            log.info("%s", exc, extra={"place": str(parcel.place)})
            await self._moves.move(parcel.place, exc.chat)
            return await self._send(replace(parcel, place=replace(parcel.place, channel=exc.chat)), None, None)

    async def _send(self, parcel: Parcel, over: Trace | None, shown: Shown | None) -> str | None:
        if parcel.payload.get("method") == TOPIC_METHOD:
            return await self._messages.open_topic(parcel.place, str(parcel.payload["name"]))
        if parcel.payload.get("method") == FILE_METHOD:
            return await self._files.send(parcel)
        replaced = number_of(parcel.replaces) if is_there_still(parcel) else None
        if parcel.is_gone:
            await self._remove(parcel, replaced)
            return None
        if replaced is not None:
            return await self._poster.put(parcel, replaced)
        # What grew is how the reply begins: when its first parcel is sent, another one must not take its place.
        if over and parcel.position <= 1:
            return await self._finish(parcel, over, shown)
        return await self._poster.post(parcel)

    async def _remove(self, parcel: Parcel, message: int | None) -> None:
        if message is None:
            return
        try:
            await self._messages.remove(parcel.place, message)
        except Undeliverable as exc:
            log.warning("what was answered before stays: %s", exc, extra={"place": str(parcel.place)})

    async def _finish(self, parcel: Parcel, over: Trace, shown: Shown | None) -> str | None:
        """Send a parcel in place of its beginning; where nobody knows which that is, both may be there."""
        message = shown.message if shown else None
        if shown is None or message is None or not message.has_left:
            return await self._put(parcel, grown(over))
        await shown.still()
        if message.state == "off":
            return await self._poster.post(parcel)
        return await self._put(parcel, message.message)

    async def _put(self, parcel: Parcel, message: int | None) -> str | None:
        if message is None:
            return await self._poster.post(parcel, may_be_there=True)
        return await self._poster.put(parcel, message)
