"""The life of a question, step by step: retrieve, decide, answer, cite; or hand over."""

import time
from dataclasses import dataclass

from bot.core.answer import Answerer
from bot.core.cite import cite
from bot.core.decide import decide
from bot.core.errors import QuestionProblem
from bot.core.escalate import Handover, Tickets
from bot.core.journal import Journal
from bot.core.messages import Answer, Asked, Reason, Reply
from bot.core.phrases import phrase
from knowledge.retrieve import Retrieved, Retriever
from knowledge.types import Relevance

# The evidence that may be answered from.
EVIDENCE_FOR_ANSWER = 5
# What people type stays below; a longer text is a pasted document and no question.
MAX_QUESTION_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides, and under which configuration."""

    threshold: Relevance
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Draft:
    """The reply that would be given: an answer, or the reason for handing over."""

    question: str
    language: str
    retrieved: Retrieved
    answer: Answer | None
    reason: Reason | None
    timings_ms: dict[str, float]


class Handler:
    """Turns a question into a reply."""

    def __init__(
        self, *, retriever: Retriever, answerer: Answerer, tickets: Tickets, journal: Journal, policy: Policy
    ) -> None:
        self._journal = journal
        self._retriever = retriever
        self._answerer = answerer
        self._tickets = tickets
        self._policy = policy

    async def handle(self, asked: Asked) -> Reply:
        """Answer with citations, or open a ticket and say so; QuestionProblem for what cannot be asked."""
        draft = await self.draft(asked)
        ticket = None if draft.answer else await self._tickets.open(self._handover(draft))
        reply = self._reply(draft, ticket)
        if draft.answer:
            await self._journal.record(reply, asked.reader)
        return reply

    async def draft(self, asked: Asked) -> Draft:
        """Do everything but tell anybody: retrieve, decide, answer, check the citations."""
        started = time.perf_counter()
        question = clean_question(asked.question)
        retrieved = await self._retriever.retrieve(question, reader=asked.reader)
        decision, reason = decide(retrieved.evidence[:1], self._policy.threshold)
        answering = time.perf_counter()
        answer = await self._answer(question, retrieved) if decision == "answer" else None
        if decision == "answer" and answer is None:
            reason = "unsupported"
        ended = time.perf_counter()
        timings = {"answer": (ended - answering) * 1e3, "total": (ended - started) * 1e3}
        language = asked.language or retrieved.language
        return Draft(question, language, retrieved, answer, reason, {**retrieved.timings_ms, **timings})

    async def _answer(self, question: str, retrieved: Retrieved) -> Answer | None:
        evidence = retrieved.evidence[:EVIDENCE_FOR_ANSWER]
        answer = await self._answerer.answer(question, evidence, language=retrieved.language)
        return answer and cite(answer, evidence)

    def _handover(self, draft: Draft) -> Handover:
        return Handover(
            question=draft.question,
            language=draft.language,
            reason=draft.reason or "unsupported",
            relevance=_relevance(draft),
            threshold=self._policy.threshold,
            evidence=draft.retrieved.evidence[:EVIDENCE_FOR_ANSWER],
            fingerprint=self._policy.fingerprint,
        )

    def _reply(self, draft: Draft, ticket: int | None) -> Reply:
        answer = draft.answer
        return Reply(
            decision="answer" if answer else "escalate",
            question=draft.question,
            text=answer.text if answer else phrase("handed_over", draft.language, ticket=ticket),
            language=draft.language,
            relevance=_relevance(draft),
            threshold=self._policy.threshold,
            reason=draft.reason,
            sentences=answer.sentences if answer else (),
            ticket=ticket,
            answerer=answer.answerer if answer else self._answerer.name,
            evidence=draft.retrieved.evidence,
            timings_ms=draft.timings_ms,
            fingerprint=self._policy.fingerprint,
        )


def _relevance(draft: Draft) -> Relevance | None:
    evidence = draft.retrieved.evidence
    return evidence[0].relevance if evidence else None


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
