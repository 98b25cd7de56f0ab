"""Shows in a thread that something is done about a question: by a status, or where that is refused by a reaction.

All of it is best effort: the answer never waits for it, and never fails with it.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress

from bot.channels.slack.errors import REMEDIES, code_of
from bot.channels.slack.send.calls import Call, Calls
from bot.channels.slack.send.parcels import language_for, message_of, thread_of
from bot.core.errors import CoreError, Undeliverable
from bot.core.handle import Step
from bot.core.incoming import Question
from bot.core.outgoing import Trace, Traces
from bot.core.phrases import phrase
from knowledge.errors import KnowledgeError, TransientError

STATUS = "status"
REACTION = "reaction"

CALL_S = 3.0
# Slack takes a status away after two minutes (docs.slack.dev/reference/methods/assistant.threads.setStatus).
REFRESH_S = 100.0
_ALREADY = frozenset({"already_reacted", "no_reaction", "message_not_found", "channel_not_found", "thread_not_found"})

log = logging.getLogger(__name__)


class StatusCalls:
    """The calls that show and clear a status or a reaction; none of them may take long."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def show(self, trace: Trace, text: str = "") -> None:
        """Let what a trace stands for be seen."""
        if trace.kind == STATUS:
            await self._set(trace, text)
        else:
            await self._react(trace, is_added=True)

    async def clear(self, trace: Trace) -> None:
        """Take back what a trace stands for; what is gone already is no problem."""
        if trace.kind == STATUS:
            await self._set(trace, "")
        else:
            await self._react(trace, is_added=False)

    async def _set(self, trace: Trace, text: str) -> None:
        await self._soon(
            "assistant.threads.setStatus",
            trace,
            lambda client: client.assistant_threads_setStatus(
                channel_id=trace.place.channel,
                thread_ts=trace.thread,
                status=text,
                loading_messages=[text] if text else None,
            ),
        )

    async def _react(self, trace: Trace, *, is_added: bool) -> None:
        name, _, message = trace.reference.partition("@")
        channel = trace.place.channel
        try:
            await self._soon(
                "reactions.add" if is_added else "reactions.remove",
                trace,
                lambda client: (client.reactions_add if is_added else client.reactions_remove)(
                    channel=channel, name=name, timestamp=message
                ),
            )
        except Undeliverable as exc:
            if code_of(exc) not in _ALREADY:
                raise

    async def _soon(self, method: str, trace: Trace, call: Call) -> None:
        try:
            async with asyncio.timeout(CALL_S):
                await self._calls.read(method, trace.place, call)
        except TimeoutError as exc:
            raise TransientError(f"Slack does not answer {method} within {CALL_S:g} s") from exc


class Status:
    """What is shown of the work on one question."""

    def __init__(
        self, calls: StatusCalls, question: Question, traces: Traces, *, has_status: bool, reaction: str | None
    ) -> None:
        self._calls = calls
        self._number = question.number
        self._traces = traces
        self._language = language_for(question)
        # What may be shown, in the order in which it is tried.
        self._kinds = [*_possible(question, has_status=has_status, reaction=reaction)]
        self._left: list[Trace] = []
        self._step: Step | None = None
        self._is_settled = False
        self._woken = asyncio.Event()

    def begin(self, step: Step) -> None:
        """Show another step from now on."""
        self._step = step
        self._woken.set()

    def settle(self) -> None:
        """Show no other step."""
        self._is_settled = True
        self._woken.set()

    async def run(self) -> None:
        """Keep to be seen what is being done until it is settled."""
        while not self._is_settled:
            self._woken.clear()
            try:
                await self._show()
            except Exception:
                log.exception("a status is not shown", extra={"number": self._number})
            with suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_S):
                    await self._woken.wait()

    async def _show(self) -> None:
        while self._step and self._kinds and not self._is_settled:
            trace = self._kinds[0]
            if trace.kind == REACTION and trace in self._left:
                return
            if await self._is_shown(trace, phrase(f"status_{self._step}", self._language)):
                return
            self._kinds.pop(0)

    async def _is_shown(self, trace: Trace, text: str) -> bool:
        is_first = trace not in self._left
        if is_first:
            self._left.append(trace)
            await self._traces.leave(self._number, trace)
        try:
            await self._calls.show(trace, text)
        except (KnowledgeError, CoreError) as exc:
            log.info("not shown: %s", exc, extra={"number": self._number})
            if is_first and (isinstance(exc, Undeliverable) or code_of(exc) in REMEDIES):
                # Surely nothing is to be seen: who has no right to show it could not clear it either, ever.
                self._left.remove(trace)
                await self._traces.wipe(self._number, trace)
            return False
        return True

    async def clear(self) -> None:
        """Take back all that is shown; what cannot be taken back now keeps its trace."""
        for trace in self._left:
            try:
                await self._calls.clear(trace)
            except Undeliverable as exc:
                log.info("there is nothing to clear: %s", exc, extra={"number": self._number})
            except (KnowledgeError, CoreError) as exc:
                log.warning("not cleared: %s", exc, extra={"number": self._number})
                continue
            await self._traces.wipe(self._number, trace)


def _possible(question: Question, *, has_status: bool, reaction: str | None) -> Iterator[Trace]:
    place, thread, message = question.incoming.place, thread_of(question), message_of(question)
    if has_status and thread:
        yield Trace(place, thread, STATUS, thread)
    if reaction and message:
        yield Trace(place, thread or message, REACTION, f"{reaction}@{message}")
