"""An answer that grows in a message of its own while it is worded.

Slack closes what grows after about five minutes, and its reader may stop it: then it stands still, and what is sent in
the end takes its place all the same.
"""

import asyncio
import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bot.channels.rhythm import Rhythm
from bot.channels.slack.errors import code_of
from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.render.reply import fits_one_message
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.parcels import after_of, language_for, thread_of
from bot.channels.slack.send.stream import APPEND, START, STOP, Chunk, Recipient, StreamCalls
from bot.channels.utf16 import length
from bot.core.deliver import STREAM
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Question
from bot.core.messages import Sentence
from bot.core.outgoing import Trace, Traces
from bot.core.phrases import phrase
from knowledge.errors import TransientError
from knowledge.faultpoint import faultpoint

APPEND_EVERY_S = 1.0
APPEND_CHARACTERS = 1_024
CALL_S = 5.0
# What its trace says until the name of the message is known, with that of the message that asked.
_AFTER = "after:"

# What is shown as done or being done.
TASKS = ("retrieve", "read", "check")

# "off": nothing was begun, nor will be. "unsure": it may have begun, or shows more than we know of. "closed": Slack
# takes no more of it.
State = Literal["idle", "growing", "closed", "unsure", "off"]

log = logging.getLogger(__name__)


class Growing:
    """The answer to one question, as far as it may be seen; `lock` is held while something of it is on its way."""

    def __init__(self, calls: StreamCalls, question: Question, traces: Traces, *, after_s: float) -> None:
        self._rhythm = Rhythm()
        self.lock = self._rhythm.lock
        self.state: State = "idle"
        self.ts: str | None = None
        self.shown = ""
        # Whether the trace of it is ours, and not that of an attempt before.
        self.has_left = False
        self._has_tasks = True
        self._calls = calls
        self._after_s = after_s
        self._question = question
        self._traces = traces
        self._place = question.incoming.place
        self._language = language_for(question)
        self._wanted = ""

    def begin(self) -> None:
        """Note that work on the answer has begun."""
        self._rhythm.begin(self._after_s)

    def want(self, sentences: Sequence[Sentence]) -> None:
        """Let these sentences be seen; what is taken back of them is put right in the end."""
        self._wanted = answer_markdown(sentences) if fits_one_message(sentences, self._language) else ""
        self._rhythm.wake()

    def settle(self) -> None:
        """Let nothing more of it be seen, for the answer is there, or there will be none."""
        self._rhythm.settle()

    async def run(self) -> None:
        """Let the answer grow until it is settled; whatever goes wrong, the answer itself comes all the same."""
        while not self._rhythm.is_settled:
            try:
                await self._rhythm.go_on(self._due_in_s(), self._show)
            except Exception:
                log.exception("an answer does not grow", extra={"number": self._question.number})
                self.state = "closed" if self.ts else "unsure"

    def _due_in_s(self) -> float:
        """Return when the next call is due, infinity where there is nothing to show."""
        unseen = self._unseen()
        if not unseen or self.state not in ("idle", "growing"):
            return math.inf
        if self.state == "growing" and length(unseen) >= APPEND_CHARACTERS and self._has_room(APPEND):
            return 0.0
        return self._rhythm.next_in_s

    def _unseen(self) -> str:
        return self._wanted.removeprefix(self.shown) if self._wanted.startswith(self.shown) else ""

    def _has_room(self, method: str) -> bool:
        return self._calls.has_room(method, self._place)

    async def _show(self) -> None:
        await (self._append() if self.ts else self._start())

    async def _start(self) -> None:
        """Begin, unless an earlier attempt has left something that has to be finished first."""
        thread = thread_of(self._question)
        has_room = self._has_room(START) and self._has_room(STOP)
        if thread is None or not has_room or await self._has_earlier():
            self.state = "off"
            return
        trace = Trace(self._place, thread, STREAM, f"{_AFTER}{after_of(self._question)}")
        self.has_left = True
        await self._traces.leave(self._question.number, trace)
        if self._rhythm.is_settled:
            self.state = "off"
            await self._traces.wipe(self._question.number, trace)
            return
        await self._begin(trace)

    async def _has_earlier(self) -> bool:
        return any(trace.kind == STREAM for trace in await self._left())

    async def _left(self) -> Sequence[Trace]:
        return await self._traces.of(self._question.number)

    async def _begin(self, trace: Trace) -> None:
        text = self._wanted
        try:
            async with asyncio.timeout(CALL_S):
                self.ts = await self._started(trace.thread, text)
        except (MaybeSent, TimeoutError):
            self.state = "unsure"
            return
        except (TransientError, Undeliverable) as exc:
            log.info("an answer does not grow: %s", exc, extra={"number": self._question.number})
            self.state = "off"
            await self._traces.wipe(self._question.number, trace)
            return
        faultpoint("growing")
        self.state, self.shown = "growing", text
        self._rhythm.pause(APPEND_EVERY_S)
        await self._traces.leave(self._question.number, replace(trace, reference=self.ts))

    async def _started(self, thread: str, text: str) -> str:
        said = markdown_chunk(text)
        tasks = [self._task(name, "complete" if name == "retrieve" else "in_progress") for name in TASKS]
        try:
            return await self._calls.start(self._place, thread, self._recipient(), [*tasks, said])
        except Undeliverable as exc:
            # Not every workspace takes tasks.
            if not code_of(exc).startswith(("invalid_", "streaming_mode")):
                raise
        self._has_tasks = False
        return await self._calls.start(self._place, thread, self._recipient(), [said])

    def _recipient(self) -> Recipient | None:
        incoming = self._question.incoming
        if incoming.company == "direct":
            return None
        return Recipient(incoming.author, self._place.workspace)

    def _task(self, name: str, status: str) -> Chunk:
        title = phrase(f"status_{name}", self._language)
        return {"type": "task_update", "id": name, "title": title, "status": status}

    async def _append(self) -> None:
        self._rhythm.pause(APPEND_EVERY_S)
        unseen = self._unseen()
        if not unseen or not self._has_room(APPEND):
            return
        assert self.ts, "it has begun"
        try:
            async with asyncio.timeout(CALL_S):
                await self._calls.append(self._place, self.ts, [markdown_chunk(unseen)])
        except (MaybeSent, TimeoutError):
            self.state = "unsure"
        except Undeliverable as exc:
            log.info("an answer grows no longer: %s", exc, extra={"number": self._question.number})
            self.state = "closed"
        except TransientError:
            return
        else:
            self.shown += unseen

    def closing_tasks(self) -> list[Chunk]:
        """Return what tells that all has been done."""
        return [self._task(name, "complete") for name in TASKS[1:]] if self._has_tasks else []

    async def take_back(self) -> None:
        """Delete what is still to be seen of it, for nothing has taken its place."""
        for trace in await self._left():
            if trace.kind == STREAM and self.ts:
                await self._calls.remove(self._place, self.ts)
                await self._traces.wipe(self._question.number, trace)


async def grown(trace: Trace, finder: Finder) -> str | None:
    """Return the message that the answer of a trace grew in, whoever let it grow; None where there is none."""
    if trace.reference.startswith(_AFTER):
        return await finder.unmarked(trace.place, trace.thread, trace.reference.removeprefix(_AFTER))
    return trace.reference


def markdown_chunk(text: str) -> Chunk:
    """Return what lets a message grow by some Markdown."""
    return {"type": "markdown_text", "text": text}
