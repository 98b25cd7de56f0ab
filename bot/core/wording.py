"""Has an answer worded, and judges it sentence by sentence while it comes.

First by the model, once more when its first answer is no good, then in the documents' own words: a model that is down,
over budget, refuses or does not keep to its sources changes how an answer reads, never whether it is borne out.
"""

import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from bot.core.answer import Answerer, Claim, Event, Finish, Task
from bot.core.budget import Budget
from bot.core.cite import CitePolicy, Citer
from bot.core.conflicts import show_conflicts
from bot.core.errors import AnswererDown
from bot.core.messages import Answer, Call, Reason, Rejected, Sentence
from bot.core.missing import is_absence, missing_part
from bot.core.standing import Standing
from bot.core.verify.check import Verifier
from knowledge.language import is_written_in
from knowledge.types import Reader

ATTEMPTS = 2
# An answer that lost more than this share of its sentences to the verifier is not the one that was meant.
MOST_REJECTED = 0.5

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """Whoever shows an answer while it is being worded."""

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Show these sentences, all of them checked, in place of all that were shown before."""
        ...


@dataclass(frozen=True, slots=True)
class Worded:
    """An answer, or why there is none; with what the model used, and what was not fit to be shown."""

    answer: Answer | None
    reason: Reason | None = None
    calls: tuple[Call, ...] = ()
    rejected: tuple[Rejected, ...] = ()


@dataclass(slots=True)
class _Attempt:
    """How one wording went."""

    citer: Citer
    call: Call | None = None
    finish: Finish | None = None
    claims: int = 0
    kept: int = 0
    says_absent: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it came to its end, with most of its sentences borne out and in the right language."""
        is_whole = self.finish is not None and self.finish.stop in ("done", "absent")
        return is_whole and self.kept > 0 and self.kept >= self.claims * (1 - MOST_REJECTED)


class Wording:
    """Turns evidence into an answer; `own_words` answers without a model, and is the only one where none is chosen."""

    def __init__(
        self,
        *,
        model: Answerer | None,
        own_words: Answerer,
        verifier: Verifier,
        standing: Standing,
        budget: Budget,
        policy: CitePolicy,
    ) -> None:
        self._model = model
        self._own_words = own_words
        self._verifier = verifier
        self._standing = standing
        self._budget = budget
        self._policy = policy

    def in_own_words(self) -> "Wording":
        """Return the same without a model."""
        if self._model is None:
            return self
        return Wording(
            model=None,
            own_words=self._own_words,
            verifier=self._verifier,
            standing=self._standing,
            budget=self._budget,
            policy=self._policy,
        )

    @property
    def name(self) -> str:
        """Who words answers when all is well."""
        return (self._model or self._own_words).name

    @property
    def version(self) -> str:
        """The version of what its model is told; "" without a model."""
        return (self._model or self._own_words).prompt_version

    @property
    def uses_history(self) -> bool:
        """Whether earlier messages of a conversation change the answer."""
        return self._model is not None

    @property
    def reads_sections(self) -> bool:
        """Whether what stands around the passages is read, too."""
        return self._model is not None

    async def word(self, task: Task, *, reader: Reader, asker: str, watcher: Watcher | None = None) -> Worded:
        """Return a checked answer, or the reason why a person has to be asked."""
        worded = Worded(None, "unsupported")
        if self._model:
            worded = await self._by_model(self._model, task, reader=reader, asker=asker, watcher=watcher)
            if worded.answer or worded.reason == "absent":
                return worded
        attempt = await self._attempt(self._own_words, task, reader=reader, watcher=watcher)
        if not attempt.kept:
            return replace(worded, rejected=(*worded.rejected, *attempt.citer.rejected))
        answer = await self._answer(attempt, task, self._own_words, watcher)
        return Worded(answer, None, worded.calls, worded.rejected)

    async def _by_model(
        self, model: Answerer, task: Task, *, reader: Reader, asker: str, watcher: Watcher | None
    ) -> Worded:
        task = replace(task, evidence=task.sections or task.evidence)
        calls: list[Call] = []
        rejected: list[Rejected] = []
        reason: Reason = "unsupported"
        for number in range(1, ATTEMPTS + 1):
            reservation = await self._budget.reserve(asker, model.most_usd)
            if reservation is None:
                break
            attempt = await self._attempt(model, replace(task, attempt=number), reader=reader, watcher=watcher)
            await self._budget.settle(reservation, attempt.call.usd if attempt.call else 0.0)
            calls += [attempt.call] if attempt.call else []
            rejected += attempt.citer.rejected
            if attempt.is_good:
                answer = await self._answer(attempt, task, model, watcher)
                return Worded(answer, None, tuple(calls), tuple(rejected))
            if attempt.says_absent and not attempt.kept:
                return Worded(None, "absent", tuple(calls), tuple(rejected))
            if watcher and attempt.citer.sentences:
                await watcher.show(())
            reason = _reason(attempt)
            if reason != "unsupported":
                break
        return Worded(None, reason, tuple(calls), tuple(rejected))

    async def _attempt(self, answerer: Answerer, task: Task, *, reader: Reader, watcher: Watcher | None) -> _Attempt:
        """Let one answerer word the answer; every sentence is judged before anybody sees it."""
        citer = Citer(
            task.evidence,
            verifier=self._verifier,
            standing=self._standing,
            reader=reader,
            policy=self._policy,
            now=datetime.now(UTC),
        )
        attempt = _Attempt(citer)
        try:
            async with aclosing(answerer.answer(task)) as events:
                async for event in events:
                    is_new = await self._heed(attempt, event, task, by_model=answerer is self._model)
                    await _show(watcher if is_new else None, citer)
        except AnswererDown as exc:
            log.warning("%s does not answer, the documents' own words do: %s", answerer.name, exc)
        return attempt

    async def _heed(self, attempt: _Attempt, event: Event, task: Task, *, by_model: bool) -> bool:
        """Take in what came; tell whether there is something new to be shown."""
        match event:
            case Claim():
                return await self._take(attempt, event, task, by_model=by_model)
            case Call():
                attempt.call = event
            case Finish():
                attempt.finish = event
                attempt.says_absent |= event.stop == "absent"
        return False

    async def _take(self, attempt: _Attempt, claim: Claim, task: Task, *, by_model: bool) -> bool:
        """Judge one sentence; tell whether it, or the passages' own words in its place, may be shown."""
        if by_model and not claim.cited and is_absence(claim.text, task.language):
            attempt.says_absent = True
            return False
        attempt.claims += 1
        if by_model and not claim.is_code and not is_written_in(claim.text, task.language):
            return False
        is_kept = await attempt.citer.take(claim, task.language)
        attempt.kept += is_kept
        return is_kept

    async def _answer(self, attempt: _Attempt, task: Task, answerer: Answerer, watcher: Watcher | None) -> Answer:
        """Return the answer with what it leaves open and where its sources disagree."""
        are_conflicting = await show_conflicts(attempt.citer, task.evidence)
        await _show(watcher if are_conflicting else None, attempt.citer)
        missing = attempt.finish.missing if attempt.finish else None
        if attempt.says_absent and missing is None:
            missing = ""
        return Answer(
            tuple(attempt.citer.sentences),
            answerer.name,
            missing=None if missing is None else missing_part(missing, task.question, task.language),
            conflicting=are_conflicting,
        )


async def _show(watcher: Watcher | None, citer: Citer) -> None:
    if watcher:
        await watcher.show(tuple(citer.sentences))


def _reason(attempt: _Attempt) -> Reason:
    if attempt.finish is None:
        return "outage"
    return "refused" if attempt.finish.stop == "refused" else "unsupported"
