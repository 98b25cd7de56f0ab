"""What the asker sees of an answer before it is there; whatever becomes of it, nothing of that stays."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from bot.channels.showing import SETTLE_S, clear
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.draft import Draft
from bot.channels.telegram.send.growing import Growing, Way
from bot.channels.telegram.send.grown import GrownMessage, grown, take_back
from bot.channels.telegram.send.message import MessageCalls
from bot.channels.telegram.send.pacing import is_group
from bot.channels.telegram.send.typing import Typing
from bot.core.deliver import STREAM
from bot.core.handle import Step
from bot.core.incoming import Place, Question
from bot.core.messages import Sentence
from bot.core.outgoing import Parcel, Trace, Traces


@dataclass(frozen=True, slots=True)
class Means:
    """What may be shown: that the bot types, and the answer while it grows.

    In a group, an answer that is there within `stream_after_s` is one message, with nothing to be seen growing.
    """

    has_typing: bool = True
    has_stream: bool = True
    stream_after_s: float = 1.5


class Shown:
    """What is shown of one question."""

    def __init__(self, typing: Typing | None, growing: Growing | None) -> None:
        self._growing = growing
        self._parts = [part for part in (typing, growing) if part]

    @property
    def message(self) -> GrownMessage | None:
        """The message that the answer grows in, None where it grows in none."""
        way = self._growing.way if self._growing else None
        return way if isinstance(way, GrownMessage) else None

    async def step(self, step: Step) -> None:
        """Note that a step has begun."""
        if self._growing:
            self._growing.begin()

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Let the answer grow by these sentences, without waiting for them to be seen."""
        if self._growing:
            self._growing.want(sentences)

    def run(self) -> list[asyncio.Task[None]]:
        """Begin to show it all, until it is settled; whoever calls waits for the tasks in the end."""
        return [asyncio.create_task(part.run()) for part in self._parts]

    def settle(self) -> None:
        """Let nothing more be seen."""
        for part in self._parts:
            part.settle()

    async def still(self) -> None:
        """Wait until nothing of it is on its way."""
        for part in self._parts:
            async with part.lock:
                continue


class Stage:
    """All that is being shown."""

    def __init__(self, calls: Calls, means: Means) -> None:
        self._calls = calls
        self._messages = MessageCalls(calls)
        self._means = means
        self._shown: dict[tuple[Place, str], Shown] = {}

    def of(self, place: Place, topic: str | None) -> Shown | None:
        """Return what is shown in a chat or topic by the work of this process."""
        return self._shown.get((place, topic or ""))

    async def calm(self, parcel: Parcel) -> Shown | None:
        """Let nothing more be seen where a parcel goes, for it must be the last; return what was shown there."""
        shown = self.of(parcel.place, parcel.thread)
        if shown:
            shown.settle()
            with suppress(TimeoutError):
                async with asyncio.timeout(SETTLE_S):
                    await shown.still()
        return shown

    @asynccontextmanager
    async def showing(self, question: Question, traces: Traces) -> AsyncIterator[Shown]:
        """Show what is done about a question; in the end it all goes, but an answer whose job has failed.

        The next attempt completes that one in its place. Of what was not asked of us nothing is shown.
        """
        incoming = question.incoming
        is_asked = incoming.is_addressed or question.is_follow_up
        means = self._means if is_asked else Means(has_typing=False, has_stream=False)
        growing = self._growing(question, traces) if means.has_stream else None
        # A revised answer comes by an edit, which would leave the bot typing for a while.
        has_typing = means.has_typing and not question.shown and "guest" not in incoming.wire
        shown = Shown(Typing(self._calls, question, lambda: is_seen(growing)) if has_typing else None, growing)
        key = (incoming.place, incoming.thread or "")
        self._shown[key] = shown
        running = shown.run()
        is_finished = False
        try:
            yield shown
            is_finished = True
        finally:
            shown.settle()
            await clear(running, [shown.message.take_back] if shown.message and is_finished else [])
            if self._shown.get(key) is shown:
                del self._shown[key]

    def _growing(self, question: Question, traces: Traces) -> Growing | None:
        """Return how the answer grows; a revised one does not, for its message stands there already."""
        way = self._way(question, traces)
        return Growing(way, question) if way else None

    def _way(self, question: Question, traces: Traces) -> Way | None:
        incoming = question.incoming
        if question.shown or incoming.wire.keys() & {"business", "guest"}:
            return None
        if is_group(incoming.place.channel):
            return GrownMessage(self._calls, question, traces, after_s=self._means.stream_after_s)
        return Draft(self._calls, question)

    async def wipe(self, trace: Trace) -> None:
        """Take back what a dead job left, whoever let it be seen; what nobody can find stays."""
        message = grown(trace) if trace.kind == STREAM else None
        if message is not None:
            await take_back(self._messages, trace.place, message)


def is_seen(growing: Growing | None) -> bool:
    """Tell whether an answer is seen growing in a message."""
    return growing is not None and isinstance(growing.way, GrownMessage) and growing.way.message is not None
