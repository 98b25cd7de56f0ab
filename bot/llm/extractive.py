"""Answers in the documents' own words: the sentences, list items, table rows or code that answer, verbatim."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from bot.core.answer import OWN_WORDS, Claim, Event, Finish, Task
from bot.llm.extractive_choice import candidates, choose, combined, coverage, in_reading_order
from knowledge.embed import Embedder, Vectors
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.language import language_of
from knowledge.quotable import Unit, units_of
from knowledge.types import CURATED, Evidence, Hit

# Two pieces hold the answer in about 89 of 100 cases where the passages do, one in 82, three in 91.
MAX_SENTENCES = 2
# Passages this much less relevant than the best one are not quoted beside it.
RELEVANCE_STEP = 0.15
MAX_PASSAGES = 3
# Of more pieces than this only those that share the most words with the question are embedded.
MAX_EMBEDDED = 24


class ExtractiveSettings(BaseModel):
    """`[answer]` of kind "extractive"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_sentences: int = Field(default=MAX_SENTENCES, ge=1, le=5)


@asynccontextmanager
async def build(settings: ExtractiveSettings, *, embedder: Embedder) -> AsyncIterator["ExtractiveAnswerer"]:
    """Open the answerer over the embedder that also serves the search."""
    yield ExtractiveAnswerer(embedder, max_sentences=settings.max_sentences)


class ExtractiveAnswerer:
    """The `Answerer` port without a model: it chooses, it never words."""

    name = OWN_WORDS
    prompt_version = ""
    most_usd = 0.0

    def __init__(self, embedder: Embedder, *, max_sentences: int = MAX_SENTENCES) -> None:
        self._embedder = embedder
        self._max_sentences = max_sentences

    async def answer(self, task: Task) -> AsyncGenerator[Event, None]:
        chosen = _taught(task.evidence)
        if not chosen:
            units = [unit for hit in _quotable(task.evidence) for unit in units_of(hit)]
            chosen = in_reading_order(await self._chosen(task.question, units))
        for unit in chosen:
            yield Claim(unit.text, (unit,), unit.is_code)
        yield Finish("done")

    async def _chosen(self, question: str, units: Sequence[Unit]) -> list[Unit]:
        rows = candidates(units)
        covered = coverage(question, [units[row] for row in rows], language_of(question))
        nearest = np.sort(np.argsort(-covered, kind="stable")[:MAX_EMBEDDED])
        rows, covered = [rows[index] for index in nearest], covered[nearest]
        vectors = await self._vectors(question, [units[row] for row in rows]) if rows else None
        if vectors is None and not covered.any():
            return []
        scores = np.full(len(units), -np.inf)
        scores[rows] = combined(covered, None if vectors is None else vectors[1:] @ vectors[0])
        known = {} if vectors is None else dict(zip(rows, vectors[1:], strict=True))
        return [units[row] for row in choose(units, scores, known, most=self._max_sentences)]

    async def _vectors(self, question: str, units: Sequence[Unit]) -> Vectors | None:
        """Return the question's vector and then the units'; None when the embedder is down."""
        try:
            asked = await self._embedder.embed([question], role="query")
            found = await self._embedder.embed([_with_context(unit) for unit in units], role="passage")
        except (TransientError, EmbedderProblem):
            return None
        return np.concatenate([asked, found])


def _taught(evidence: Sequence[Evidence]) -> list[Unit]:
    """Return all of an entry's answer where the best evidence is one: a person has worded it for this question."""
    if not evidence or evidence[0].hit.source != CURATED:
        return []
    entry = evidence[0].hit.document
    hits = [piece.hit for piece in evidence if (piece.hit.source, piece.hit.document) == (CURATED, entry)]
    return [unit for hit in sorted(hits, key=lambda hit: hit.start_line) for unit in units_of(hit)]


def _quotable(evidence: Sequence[Evidence]) -> list[Hit]:
    """Return the best passages: those about as relevant as the first."""
    floor = evidence[0].relevance - RELEVANCE_STEP if evidence else 0.0
    return [piece.hit for piece in evidence if piece.relevance >= floor][:MAX_PASSAGES]


def _with_context(unit: Unit) -> str:
    """Return the unit with the heading it stands under: few sentences name what they are about."""
    return "\n".join([*unit.hit.heading[-1:], unit.text])
