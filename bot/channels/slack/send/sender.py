"""Sends parcels to Slack, each in the one way that its sight allows."""

from collections.abc import Callable
from datetime import UTC, datetime

from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.files import Uploader
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.growing import Growing
from bot.channels.slack.send.over import Overwriter
from bot.channels.slack.send.parcels import EPHEMERAL, FILES, INSTEAD, RESPONSE_URL
from bot.channels.slack.send.placing import Placing
from bot.channels.slack.send.post import Poster
from bot.channels.slack.send.private import Whisperer
from bot.channels.slack.send.stream import StreamCalls
from bot.core.errors import Undeliverable
from bot.core.outgoing import Parcel, Trace


class Sender:
    """Sends to all workspaces."""

    def __init__(
        self,
        calls: Calls,
        streams: StreamCalls,
        finder: Finder,
        poster: Poster,
        uploader: Uploader,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._poster = poster
        self._overwriter = Overwriter(streams, poster, finder)
        self._uploader = uploader
        self._placing = Placing(calls, finder)
        self._whisperer = Whisperer(calls, poster, self._placing, now)
        self._finder = finder

    async def find(self, parcel: Parcel) -> str | None:
        """Return the name of a parcel that was sent, None where it surely was not, or not all of it."""
        return await self._finder.find(await self._placing.placed(parcel))

    async def send(self, parcel: Parcel, over: Trace | None, growing: Growing | None) -> str | None:
        """Send a parcel, in place of what grew `over` there; `growing` is that, where this process let it grow."""
        if parcel.payload.get("method") in (EPHEMERAL, RESPONSE_URL):
            return await self._whisperer.send(parcel)
        parcel = await self._placing.placed(parcel)
        try:
            return await self._send(parcel, over, growing)
        except Undeliverable as exc:
            if INSTEAD not in parcel.payload:
                raise
            return await self._whisperer.write_directly(parcel, str(parcel.payload[INSTEAD]), exc)

    async def _send(self, parcel: Parcel, over: Trace | None, growing: Growing | None) -> str | None:
        if parcel.is_gone:
            await self._overwriter.remove(parcel, parcel.replaces or "")
            return None
        if parcel.payload.get("method") == FILES:
            return await self._uploader.send(parcel)
        if parcel.replaces:
            return await self._overwriter.replace(parcel, parcel.replaces)
        # What grew is how the reply begins: when its first parcel is sent, another one must not take its place.
        if over and parcel.position <= 1:
            return await self._overwriter.finish(parcel, over, growing)
        return await self._poster.post(parcel)
