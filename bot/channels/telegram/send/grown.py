"""An answer that grows in a message, by edits, and becomes the reply: groups see no drafts."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bot.channels.telegram.render.text import Styled
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.growing import CALL_S
from bot.channels.telegram.send.message import Address, MessageCalls, Words
from bot.channels.telegram.send.parcels import number_of, reply_to, topic_of
from bot.core.deliver import STREAM
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Place, Question
from bot.core.outgoing import Trace, Traces
from knowledge.errors import TransientError
from knowledge.faultpoint import faultpoint

EDIT_EVERY_S = 3.0
# What its trace says until the number of the message is known.
UNKNOWN = "?"

# "off": nothing was begun, nor will be. "unsure": it may have begun. "closed": it grows no longer.
State = Literal["idle", "growing", "closed", "unsure", "off"]

log = logging.getLogger(__name__)


class GrownMessage:
    """The message that one answer grows in."""

    every_s = EDIT_EVERY_S

    def __init__(self, calls: Calls, question: Question, traces: Traces, *, after_s: float) -> None:
        self.after_s = after_s
        self.state: State = "idle"
        self.message: int | None = None
        # Whether the trace of it is ours, and not that of an attempt before.
        self.has_left = False
        self._calls = calls
        self._messages = MessageCalls(calls)
        self._number = question.number
        self._traces = traces
        incoming = question.incoming
        self._address = Address(incoming.place, topic_of(incoming.thread), reply_to(question))

    @property
    def is_open(self) -> bool:
        return self.state in ("idle", "growing")

    @property
    def has_room(self) -> bool:
        return self._calls.pacing.has_room(self._address.place.channel)

    async def show(self, text: Styled) -> bool:
        words = Words.of(text)
        if self.message is None:
            return await self._begin(words)
        return await self._go_on(self.message, words)

    async def _begin(self, words: Words) -> bool:
        """Begin, unless an earlier attempt has left something that has to be finished first."""
        if await self._left():
            self.state = "off"
            return False
        place = self._address.place
        trace = Trace(place, str(self._address.topic or ""), STREAM, UNKNOWN)
        self.has_left = True
        await self._traces.leave(self._number, trace)
        try:
            async with asyncio.timeout(CALL_S):
                self.message = int(await self._messages.send(self._address, words))
        except (MaybeSent, TimeoutError):
            self.state = "unsure"
            return False
        except (TransientError, Undeliverable) as exc:
            log.info("an answer does not grow: %s", exc, extra={"number": self._number})
            self.state = "off"
            await self._traces.wipe(self._number, trace)
            return False
        faultpoint("growing")
        self.state = "growing"
        await self._traces.leave(self._number, replace(trace, reference=f"{place.channel}/{self.message}"))
        return True

    async def _go_on(self, message: int, words: Words) -> bool:
        try:
            async with asyncio.timeout(CALL_S):
                await self._messages.edit(self._address, message, words)
        except (MaybeSent, TransientError, TimeoutError) as exc:
            log.info("an answer does not grow now: %s", exc, extra={"number": self._number})
            return False
        except Undeliverable as exc:
            log.info("an answer grows no longer: %s", exc, extra={"number": self._number})
            self.state = "closed"
            return False
        return True

    async def _left(self) -> Sequence[Trace]:
        return [trace for trace in await self._traces.of(self._number) if trace.kind == STREAM]

    async def take_back(self) -> None:
        """Delete what is still to be seen of it, for nothing has taken its place."""
        for trace in await self._left():
            if self.message is not None:
                await take_back(self._messages, self._address.place, self.message)
                await self._traces.wipe(self._number, trace)


async def take_back(messages: MessageCalls, place: Place, message: int) -> None:
    """Delete the beginning of an answer; where that may not be done, it stays."""
    try:
        await messages.remove(place, message)
    except Undeliverable as exc:
        log.warning("the beginning of an answer stays: %s", exc, extra={"place": str(place)})


def grown(trace: Trace) -> int | None:
    """Return the message that the answer of a trace grew in; None where that is not known, or its chat has moved."""
    chat, _, message = trace.reference.rpartition("/")
    return number_of(message) if chat == trace.place.channel else None
