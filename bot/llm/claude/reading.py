"""One answer while it is read: its sentences, its account and its end."""

from collections.abc import Iterator
from typing import Protocol

from bot.core.answer import Claim, Event, Finish, Task
from bot.core.messages import Call
from bot.llm.claude.asides import Asides
from bot.llm.claude.citations import CitedReader
from bot.llm.claude.events import Begun, Ending, Over, StreamEvent, Words
from bot.llm.claude.missing import named_in
from bot.llm.claude.numbered import NumberedReader
from bot.llm.claude.request import Request
from bot.llm.claude.text import tokens_in
from bot.llm.claude.usage import Account, Usage

_WHOLE = frozenset({"end_turn", "stop_sequence"})
_REFUSAL = "refusal"


class Reader(Protocol):
    """Makes sentences with their units of what a stream says."""

    asides: Asides

    def read(self, event: StreamEvent) -> Iterator[Claim]:
        """Yield the sentences that this event completed."""
        ...

    def rest(self) -> Iterator[Claim]:
        """Yield what is left of an answer that came to its end."""
        ...


class Reading:
    """Turns the events of one stream into those of the core."""

    def __init__(self, task: Task, request: Request, account: Account) -> None:
        self._task = task
        self._account = account
        self._reader = _reader(request, task.language)
        self._stop_reason: str | None = None
        self._has_claims = False
        self._has_begun = False
        self._heard = ""

    def read(self, event: StreamEvent, *, seconds: float) -> Iterator[Event]:
        """Yield what this event brought, `seconds` after the question."""
        match event:
            case Begun(usage):
                self._account = self._account.after(usage)
                self._has_begun = True
                yield self._account.call(seconds=seconds)
            case Ending(stop_reason, usage):
                self._account = self._account.after(usage)
                self._stop_reason = stop_reason
            case Over():
                # The last sentence of an answer that was cut may be half a one.
                yield from self._claims(self._reader.rest() if self._stop_reason in _WHOLE else iter(()))
                yield self._account.call(seconds=seconds, stop_reason=self._stop_reason)
                yield self._finish()
            case _:
                self._heard += event.text if isinstance(event, Words) else ""
                yield from self._claims(self._reader.read(event))

    def broken_off(self, *, seconds: float) -> Iterator[Call]:
        """Yield the account of an answer that never ended, with the words that came: they are paid for, too."""
        if self._has_begun:
            said = Usage(output_tokens=tokens_in(self._heard))
            yield self._account.after(said).call(seconds=seconds)

    def _claims(self, claims: Iterator[Claim]) -> Iterator[Claim]:
        for claim in claims:
            self._has_claims = True
            yield claim

    def _finish(self) -> Finish:
        asides = self._reader.asides
        missing = named_in(self._task.question, asides.missing, self._task.language)
        if self._stop_reason == _REFUSAL:
            return Finish("refused")
        if self._stop_reason not in _WHOLE:
            return Finish("cut", missing)
        if asides.is_absent and not self._has_claims:
            return Finish("absent", missing)
        return Finish("done", missing if missing is not None or not asides.is_absent else "")


def _reader(request: Request, language: str) -> Reader:
    if request.mode == "citations":
        return CitedReader(request.sources, language)
    return NumberedReader(request.numbered, language)
