"""Sends parcels to Slack, each in the one way that its sight allows."""

from collections.abc import Callable
from datetime import UTC, datetime

from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.growing import Growing
from bot.channels.slack.send.over import Overwriter
from bot.channels.slack.send.parcels import INSTEAD
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
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._poster = Poster(calls, finder)
        self._whisperer = Whisperer(calls, self._poster, now)
        self._overwriter = Overwriter(streams, self._poster, finder)

    async def send(self, parcel: Parcel, over: Trace | None, growing: Growing | None) -> str | None:
        """Send a parcel, in place of what grew `over` there; `growing` is that, where this process let it grow."""
        if parcel.sight == "private":
            return await self._whisperer.send(parcel)
        try:
            # What grew is how the reply begins: when its first parcel is sent, another one must not take its place.
            if over and parcel.position <= 1:
                return await self._overwriter.finish(parcel, over, growing)
            return await self._poster.post(parcel)
        except Undeliverable as exc:
            if INSTEAD not in parcel.payload:
                raise
            return await self._whisperer.write_directly(parcel, str(parcel.payload[INSTEAD]), exc)
