"""Puts a message where another one is: in the end one message shows exactly what was to be sent."""

import logging

from bot.channels.slack.render.metadata import metadata
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.growing import Growing, grown, markdown_chunk
from bot.channels.slack.send.parcels import blocks_of, text_of
from bot.channels.slack.send.plain import plain_parts
from bot.channels.slack.send.post import Poster, about, is_refused_form
from bot.channels.slack.send.stream import StreamCalls
from bot.core.errors import Undeliverable
from bot.core.outgoing import Parcel, Trace
from knowledge.errors import TransientError

log = logging.getLogger(__name__)


class Overwriter:
    """Finishes messages that grow, whoever began them; replaces and removes those that stand."""

    def __init__(self, streams: StreamCalls, poster: Poster, finder: Finder) -> None:
        self._streams = streams
        self._poster = poster
        self._finder = finder

    async def finish(self, parcel: Parcel, over: Trace, growing: Growing | None) -> str:
        """Send a parcel in place of what grew `over` there; `growing` is that, where this process let it grow."""
        if growing is None or not growing.has_left:
            return await self._replace(parcel, over)
        growing.settle()
        async with growing.lock:
            if growing.state == "off":
                return await self._poster.post(parcel)
            if growing.ts is None:
                return await self._replace(parcel, over)
            if growing.state == "growing" and await self._complete(parcel, growing):
                return growing.ts
            return await self._put(parcel, growing.ts)

    async def replace(self, parcel: Parcel, ts: str) -> str:
        """Let a message that stands show a parcel; where it is gone, or stays as it is, the parcel is posted."""
        text, blocks = text_of(parcel.payload), blocks_of(parcel.payload)
        try:
            await self._streams.update(parcel.place, ts, text, blocks, about(parcel))
        except Undeliverable as exc:
            if is_refused_form(exc):
                log.exception("a message is changed to plain text instead", extra={"place": str(parcel.place)})
                plain = next(iter(plain_parts(parcel.payload)), text)
                await self._streams.update(parcel.place, ts, plain, [], metadata(parcel.marker))
                return ts
            log.info("a message is posted anew: %s", exc, extra={"place": str(parcel.place)})
            return await self._poster.post(parcel)
        return ts

    async def remove(self, parcel: Parcel, ts: str) -> None:
        """Delete a message, where Slack lets us."""
        await self._remove(parcel, ts)

    async def _replace(self, parcel: Parcel, over: Trace) -> str:
        """Send a parcel in place of what another process began."""
        ts = await grown(over, self._finder)
        return await self._put(parcel, ts) if ts else await self._poster.post(parcel)

    async def _complete(self, parcel: Parcel, growing: Growing) -> bool:
        """Add what is missing, where what is shown is how the reply begins; False where it has to be put right."""
        answer, *below = blocks_of(parcel.payload) or [{}]
        whole = str(answer.get("text") or "") if answer.get("type") == "markdown" else ""
        is_beginning = whole.startswith(growing.shown) and not any(block["type"] == "markdown" for block in below)
        if not is_beginning or growing.ts is None:
            return False
        rest = whole.removeprefix(growing.shown)
        chunks = [*growing.closing_tasks(), *([markdown_chunk(rest)] if rest else [])]
        growing.state = "unsure"
        try:
            await self._streams.stop(
                parcel.place, growing.ts, chunks=chunks, blocks=below, about=metadata(parcel.marker)
            )
        except Undeliverable as exc:
            log.info("an answer is put right in the end: %s", exc)
            return False
        except TransientError:
            growing.state = "growing"
            raise
        growing.state = "closed"
        return True

    async def _put(self, parcel: Parcel, ts: str) -> str:
        """Let a message show a parcel and nothing else; where it may be changed no longer, another one does."""
        text, blocks = text_of(parcel.payload), blocks_of(parcel.payload)
        try:
            await self._streams.update(parcel.place, ts, text, blocks, metadata(parcel.marker))
        except Undeliverable as exc:
            log.warning("the reply comes in a message of its own: %s", exc, extra={"place": str(parcel.place)})
            await self._remove(parcel, ts)
            return await self._poster.post(parcel)
        return ts

    async def _remove(self, parcel: Parcel, ts: str) -> None:
        try:
            await self._streams.remove(parcel.place, ts)
        except Undeliverable as exc:
            log.warning("a message stays: %s", exc, extra={"place": str(parcel.place)})
