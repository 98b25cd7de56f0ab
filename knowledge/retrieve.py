"""A question becomes evidence: searched, fused, weighed."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from knowledge.embed import Embedder, Vectors
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.language import language_of
from knowledge.terms import question_terms
from knowledge.types import Evidence, Hit, Reader

CANDIDATES_FOR_RERANK = 50


class Index(Protocol):
    """The stored passages, searchable."""

    async def search(
        self, *, vector: Vectors | None, terms: Mapping[int, float], language: str, reader: Reader, limit: int
    ) -> list[Hit]:
        """Return the best passages that this reader may see, best first; without a vector by words alone.

        `language` is the question's: a passage in another one is not expected to share its words.
        """
        ...


class Reranker(Protocol):
    """Weighs hits against the question; `name` tells its configurations apart."""

    @property
    def name(self) -> str:
        """What the configuration's fingerprint records of it."""
        ...

    async def rerank(self, question: str, hits: Sequence[Hit]) -> list[Evidence]:
        """Return all hits as evidence, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence for one question, and how long each step took."""

    evidence: tuple[Evidence, ...]
    language: str
    timings_ms: Mapping[str, float]


class Retriever:
    """Finds and weighs passages."""

    def __init__(self, *, embedder: Embedder, index: Index, reranker: Reranker) -> None:
        self._embedder = embedder
        self._index = index
        self._reranker = reranker

    async def retrieve(self, question: str, *, reader: Reader, language: str | None = None) -> Retrieved:
        """Return the evidence for a question, most relevant first; when the embedder is down, by words alone."""
        language = language or language_of(question)
        started = time.perf_counter()
        vector = await self._question_vector(question)
        embedded = time.perf_counter()
        hits = await self._index.search(
            vector=vector,
            terms=question_terms(question, language),
            language=language,
            reader=reader,
            limit=CANDIDATES_FOR_RERANK,
        )
        searched = time.perf_counter()
        evidence = await self._reranker.rerank(question, hits)
        timings = {
            "embed": (embedded - started) * 1e3,
            "search": (searched - embedded) * 1e3,
            "rerank": (time.perf_counter() - searched) * 1e3,
        }
        return Retrieved(tuple(evidence), language, timings)

    async def _question_vector(self, question: str) -> Vectors | None:
        try:
            vectors = await self._embedder.embed([question], role="query")
        except (TransientError, EmbedderProblem):
            return None
        vector: Vectors = vectors[0]
        return vector
