"""The life of a question, step by step: retrieve, decide, answer, cite; or hand over."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from bot.core.answer import Task
from bot.core.cache import AnswerCache, CachedAnswer, cache_key
from bot.core.decide import decide
from bot.core.errors import QuestionProblem
from bot.core.escalate import Handover, Tickets
from bot.core.journal import Journal
from bot.core.messages import Answer, Asked, Call, Reason, Reply
from bot.core.notes import notes_on
from bot.core.phrases import phrase
from bot.core.watchwords import mentions
from bot.core.wording import Watcher, Worded, Wording
from knowledge.language import language_of
from knowledge.retrieve import Retrieved, Retriever
from knowledge.types import Relevance

# The evidence that may be answered from.
EVIDENCE_FOR_ANSWER = 5
# What people type stays below; a longer text is a pasted document and no question.
MAX_QUESTION_CHARACTERS = 4_000
# What a question goes through until its answer is worded; each sentence is checked when it is there.
Step = Literal["retrieve", "read"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides, and under which configuration; `showing` stands for all else that an answer depends on."""

    threshold: Relevance
    fingerprint: str
    showing: str = ""
    # Askers are asked before a person gets their question.
    asks_first: bool = False
    # What only people answer, by the words in it.
    risky_words: tuple[str, ...] = ()

    def is_risky(self, question: str) -> bool:
        """Tell whether a rule of the operator gives a question to a person."""
        return mentions(question, self.risky_words)


@dataclass(frozen=True, slots=True)
class Draft:
    """The reply that would be given: an answer, or the reason for handing over."""

    question: str
    language: str
    retrieved: Retrieved
    worded: Worded
    timings_ms: dict[str, float]

    @property
    def answer(self) -> Answer | None:
        """The answer, None where a person has to be asked."""
        return self.worded.answer

    @property
    def reason(self) -> Reason | None:
        """Why a person has to be asked, None where an answer is given."""
        return self.worded.reason

    @property
    def relevance(self) -> Relevance | None:
        """How relevant the best passage is; None where nothing was found."""
        evidence = self.retrieved.evidence
        return evidence[0].relevance if evidence else None


async def _unseen(_step: Step) -> None:
    """Nobody is shown the steps."""


class Handler:
    """Turns a question into a reply."""

    def __init__(
        self,
        *,
        retriever: Retriever,
        wording: Wording,
        tickets: Tickets,
        journal: Journal,
        cache: AnswerCache,
        policy: Policy,
    ) -> None:
        self._retriever = retriever
        self._wording = wording
        self._tickets = tickets
        self._journal = journal
        self._cache = cache
        self._policy = policy

    async def handle(
        self, asked: Asked, watcher: Watcher | None = None, begin: Callable[[Step], Awaitable[None]] = _unseen
    ) -> Reply:
        """Answer with citations, or open a ticket and say so; QuestionProblem for what cannot be asked.

        `watcher` is shown the answer while it comes: only sentences that were checked. `begin` is told of each step.
        """
        started = time.perf_counter()
        question = clean_question(asked.question)
        language = asked.language or language_of(question)
        is_alone = not (asked.history and self._wording.uses_history) and not self._policy.is_risky(question)
        recipe = f"{self._policy.fingerprint} {self._threshold(asked)} {self._policy.showing} {asked.sources or ''}"
        key = cache_key(question, language, asked.reader, recipe) if is_alone else None
        if key and (found := await self._cache.find(key, asked.reader)):
            reply = self._again(asked, question, found, (time.perf_counter() - started) * 1e3)
            return replace(reply, number=await self._journal.record(reply, asked.reader))
        # Read before the search: what changes from here on makes the stored answer out of date.
        state = await self._cache.state() if key else None
        draft = await self.draft(asked, watcher, begin)
        reply = self._reply(asked, draft)
        if draft.answer is None and not asked.may_hand_over:
            return reply
        if draft.answer is None:
            return await self._hand_over(reply, _handover(reply, draft.reason or "unsupported", reply.calls))
        # What stood in for the model is not what the next one who asks should get.
        kept = draft.answer if draft.answer.answerer == self._wording.name else None
        number = await self._journal.record(reply, asked.reader, answer=kept, cache_key=key, knowledge=state)
        return replace(reply, number=number)

    async def would_answer(self, asked: Asked) -> bool:
        """Tell whether something relevant enough is there for these readers; nobody is told, and no model asked."""
        question = clean_question(asked.question)
        if self._policy.is_risky(question):
            return False
        retrieved = await self._retriever.retrieve(question, reader=asked.reader, sources=asked.sources)
        return decide(retrieved.evidence[:1], self._threshold(asked))[0] == "answer"

    def in_own_words(self) -> "Handler":
        """Return the same without a model; itself where there is none."""
        wording = self._wording.in_own_words()
        if wording is self._wording:
            return self
        return Handler(
            retriever=self._retriever,
            wording=wording,
            tickets=self._tickets,
            journal=self._journal,
            cache=self._cache,
            policy=self._policy,
        )

    def _threshold(self, asked: Asked) -> Relevance:
        return self._policy.threshold if asked.threshold is None else asked.threshold

    async def hand_over(self, reply: Reply) -> int:
        """Pass a question that was answered to a person, because the asker wants one; return the ticket's number."""
        # What its answer cost stands in the journal.
        return (await self._tickets.open(_handover(reply, "asked", ()))).number

    async def _hand_over(self, reply: Reply, handover: Handover) -> Reply:
        """Return what the asker is told; where they have to agree first, there is no ticket yet."""
        asks_first = self._policy.asks_first and reply.message is not None
        opened = await (self._tickets.suggest(handover) if asks_first else self._tickets.open(handover))
        is_risky = handover.reason == "risky"
        if opened is None:
            return replace(reply, text=phrase("may_i_risky" if is_risky else "may_i_hand_over", reply.language))
        name = "handed_over_risky" if is_risky else "handed_over"
        told = [phrase(name, reply.language, ticket=opened.number), opened.promise(reply.language)]
        return replace(reply, ticket=opened.number, text=" ".join(filter(None, told)))

    async def draft(
        self, asked: Asked, watcher: Watcher | None = None, begin: Callable[[Step], Awaitable[None]] = _unseen
    ) -> Draft:
        """Do everything but tell anybody: retrieve, decide, have an answer worded and checked."""
        started = time.perf_counter()
        question = clean_question(asked.question)
        await begin("retrieve")
        retrieved = await self._retriever.retrieve(question, reader=asked.reader, sources=asked.sources)
        language = asked.language or retrieved.language
        decision, reason = decide(retrieved.evidence[:1], self._threshold(asked))
        if self._policy.is_risky(question):
            decision, reason = "escalate", "risky"
        answering = time.perf_counter()
        worded = Worded(None, reason)
        if decision == "answer":
            await begin("read")
            evidence = retrieved.evidence[:EVIDENCE_FOR_ANSWER]
            is_widened = self._wording.reads_sections
            sections = await self._retriever.widened(evidence, reader=asked.reader) if is_widened else ()
            task = Task(question, language, evidence, asked.history, sections=sections)
            worded = await self._wording.word(task, reader=asked.reader, asker=asked.asker, watcher=watcher)
        ended = time.perf_counter()
        timings = {"answer": (ended - answering) * 1e3, "total": (ended - started) * 1e3}
        return Draft(question, language, retrieved, worded, {**retrieved.timings_ms, **timings})

    def _reply(self, asked: Asked, draft: Draft) -> Reply:
        """Return the answer as it is given; where there is none, all of the reply but its ticket."""
        answer = draft.answer
        return Reply(
            decision="answer" if answer else "escalate",
            question=draft.question,
            text=answer.text if answer else "",
            language=draft.language,
            relevance=draft.relevance,
            threshold=self._threshold(asked),
            reason=draft.reason,
            sentences=answer.sentences if answer else (),
            ticket=None,
            answerer=answer.answerer if answer else self._wording.name,
            evidence=draft.retrieved.evidence,
            timings_ms=draft.timings_ms,
            fingerprint=self._policy.fingerprint,
            notes=notes_on(answer, draft.language) if answer else (),
            calls=draft.worded.calls,
            rejected=draft.worded.rejected,
            message=asked.message,
            desk=asked.desk,
        )

    def _again(self, asked: Asked, question: str, found: CachedAnswer, took_ms: float) -> Reply:
        """Return the stored answer to the same question once more."""
        return Reply(
            decision="answer",
            question=question,
            text=found.text,
            language=found.language,
            relevance=found.relevance,
            threshold=self._threshold(asked),
            reason=None,
            sentences=found.answer.sentences,
            ticket=None,
            answerer=found.answer.answerer,
            evidence=(),
            timings_ms={"embed": 0.0, "search": 0.0, "rerank": 0.0, "answer": took_ms, "total": took_ms},
            fingerprint=self._policy.fingerprint,
            notes=found.notes,
            is_cached=True,
            message=asked.message,
            desk=asked.desk,
        )


def _handover(reply: Reply, reason: Reason, calls: tuple[Call, ...]) -> Handover:
    """Return what a person needs to take a question over."""
    return Handover(
        question=reply.question,
        language=reply.language,
        reason=reason,
        relevance=reply.relevance,
        threshold=reply.threshold,
        evidence=reply.evidence[:EVIDENCE_FOR_ANSWER],
        fingerprint=reply.fingerprint,
        calls=calls,
        message=reply.message,
        desk=reply.desk,
        rejected=reply.rejected,
    )


def clean_question(text: str) -> str:
    """Return the question without what no database stores; raise QuestionProblem where nothing can be asked."""
    question = text.replace("\0", "").encode("utf-8", "replace").decode("utf-8").strip()
    if not question:
        raise QuestionProblem("the question is empty; write it in words")
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise QuestionProblem(
            f"the question has {len(question):,} characters, and {MAX_QUESTION_CHARACTERS:,} is the limit;"
            " ask about one thing, without pasting whole documents"
        )
    return question
