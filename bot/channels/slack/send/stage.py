"""What the asker sees of an answer before it is there; whatever becomes of it, nothing of that stays."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.channels.showing import clear
from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.growing import Growing, grown
from bot.channels.slack.send.parcels import thread_of
from bot.channels.slack.send.status import Status, StatusCalls
from bot.channels.slack.send.stream import StreamCalls
from bot.core.deliver import STREAM
from bot.core.errors import Undeliverable
from bot.core.handle import Step
from bot.core.incoming import Place, Question
from bot.core.messages import Sentence
from bot.core.outgoing import Trace, Traces

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Means:
    """What may be shown: a status, else a `reaction` (None: none), and the answer while it grows.

    An answer that is there within `stream_after_s` is one posting, with nothing to be seen growing.
    """

    has_status: bool = True
    reaction: str | None = "eyes"
    has_stream: bool = True
    stream_after_s: float = 0.7


class Shown:
    """What is shown of one question."""

    def __init__(self, status: Status, growing: Growing | None) -> None:
        self._status = status
        self._growing = growing

    async def step(self, step: Step) -> None:
        """Show which step has begun, without waiting for it to be seen."""
        self._status.begin(step)
        if self._growing:
            self._growing.begin()

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Let the answer grow by these sentences, without waiting for them to be seen."""
        if self._growing:
            self._growing.want(sentences)


class Stage:
    """All that is being shown."""

    def __init__(self, calls: Calls, streams: StreamCalls, finder: Finder, means: Means) -> None:
        self._status_calls = StatusCalls(calls)
        self._streams = streams
        self._finder = finder
        self._means = means
        self._growing: dict[tuple[Place, str], Growing] = {}

    def of(self, trace: Trace) -> Growing | None:
        """Return the answer that grows in a thread by the work of this process."""
        return self._growing.get((trace.place, trace.thread))

    def settle(self, question: Question) -> None:
        """Let nothing more be seen of an answer, for it is there: whatever is seen by now, is on its trace."""
        growing = self._growing.get((question.incoming.place, question.root))
        if growing:
            growing.settle()

    @asynccontextmanager
    async def showing(self, question: Question, traces: Traces) -> AsyncIterator[Shown]:
        """Show what is done about a question; in the end it all goes, but an answer whose job has failed.

        The next attempt completes that one in its place. Of what was not asked of us nothing is shown.
        """
        is_asked = question.incoming.is_addressed or question.is_follow_up
        means = self._means if is_asked else Means(has_status=False, reaction=None, has_stream=False)
        status = Status(self._status_calls, question, traces, has_status=means.has_status, reaction=means.reaction)
        growing = self._begun(question, traces) if means.has_stream else None
        running = [asyncio.create_task(status.run()), *([asyncio.create_task(growing.run())] if growing else [])]
        is_finished = False
        try:
            yield Shown(status, growing)
            is_finished = True
        finally:
            status.settle()
            self.settle(question)
            await clear(running, [status.clear, *([growing.take_back] if growing and is_finished else [])])
            self._growing.pop((question.incoming.place, question.root), None)

    def _begun(self, question: Question, traces: Traces) -> Growing | None:
        if question.incoming.origin == "command" or thread_of(question) is None:
            return None
        growing = Growing(self._streams, question, traces, after_s=self._means.stream_after_s)
        self._growing[question.incoming.place, question.root] = growing
        return growing

    async def wipe(self, trace: Trace) -> None:
        """Take back what a dead job left, whoever let it be seen; what Slack lets nobody take back stays."""
        try:
            await self._wiped(trace)
        except Undeliverable as exc:
            log.warning("it cannot be taken back: %s", exc, extra={"place": str(trace.place)})

    async def _wiped(self, trace: Trace) -> None:
        if trace.kind != STREAM:
            await self._status_calls.clear(trace)
            return
        if ts := await grown(trace, self._finder):
            await self._streams.remove(trace.place, ts)
