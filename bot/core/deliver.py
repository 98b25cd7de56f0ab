"""Sends what is planned: each parcel is noted before, looked for when nobody knows, and never sent blindly again."""

import logging

from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Question
from bot.core.outgoing import Channel, Outbox, Parcel, Trace, Traces
from knowledge.errors import TransientError
from knowledge.faultpoint import faultpoint

# The kind of trace that an answer grows in: what is sent takes its place.
STREAM = "stream"
# What nobody can find again is sent so often at most, when nobody confirms it.
MOST_UNCONFIRMED = 2

log = logging.getLogger(__name__)


class _TakenBack(Exception):
    """What was planned is not to be said any more."""


class Deliverer:
    """Delivers the replies that the outbox holds."""

    def __init__(self, outbox: Outbox, traces: Traces) -> None:
        self._outbox = outbox
        self._traces = traces

    async def deliver(self, question: Question, channel: Channel) -> bool:
        """Send all that is not known to be sent, in order; TransientError where the rest has to wait.

        False where it was taken back: a person has taken the conversation over.
        """
        stream = next((trace for trace in await self._traces.of(question.number) if trace.kind == STREAM), None)
        for parcel in await self._outbox.unsent(question.number):
            over = stream if parcel.sight == "open" else None
            try:
                sent_as = await self._send(question, parcel, channel, over)
            except Undeliverable as exc:
                log.warning("undeliverable: %s", exc, extra={"number": question.number})
                await self._outbox.give_up(question.number, str(exc))
                return True
            except _TakenBack:
                return False
            if over:
                await self._forget_stream(question.number)
                stream = None
            await self._outbox.sent(question.number, parcel, sent_as)
            faultpoint("noted", question.incoming.kind)
        return True

    async def _forget_stream(self, number: int) -> None:
        """Leave what grew alone from now on: it is the reply, and whoever found a trace of it would take it back.

        That trace may have another reference by now than it had when the sending began.
        """
        for trace in await self._traces.of(number):
            if trace.kind == STREAM:
                await self._traces.wipe(number, trace)

    async def _send(self, question: Question, parcel: Parcel, channel: Channel, over: Trace | None) -> str | None:
        number = question.number
        if parcel.was_begun and (found := await channel.find(parcel)):
            return found
        if over is None and parcel.attempts >= MOST_UNCONFIRMED and not channel.can_find(parcel):
            log.warning("sent twice, never confirmed", extra={"number": number})
            return None
        # Whoever is stopped while it waits has surely sent nothing.
        await channel.turn(parcel)
        if not await self._outbox.begin(number, parcel):
            raise _TakenBack
        faultpoint("begun", question.incoming.kind)
        try:
            sent_as = await channel.send(parcel, over=over)
        except MaybeSent:
            # It is looked for at once: most of what was lost on the way back has arrived.
            if found := await channel.find(parcel):
                return found
            raise
        except TransientError:
            await self._outbox.release(number, parcel)
            raise
        faultpoint("sent", question.incoming.kind)
        return sent_as
