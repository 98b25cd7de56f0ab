"""A question becomes evidence: searched, fused, weighed."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from knowledge.embed import Embedder, Vectors
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.language import language_of
from knowledge.terms import question_terms
from knowledge.types import Evidence, Hit, Reader

CANDIDATES_FOR_RERANK = 50


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the index takes it.

    `terms` holds a weight for each term. Without a `vector` words alone are searched. `levels` tells, by language, what
    vector score any text reaches. A passage in another `language` than the question's is not expected to share words.
    `sources` are searched, None: all that are configured.
    """

    terms: Mapping[int, float]
    language: str
    vector: Vectors | None = None
    levels: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] | None = None


class Index(Protocol):
    """The stored passages, searchable."""

    async def search(self, query: Query, *, reader: Reader, limit: int) -> list[Hit]:
        """Return the best passages that this reader may see, best first."""
        ...


class Sections(Protocol):
    """What stands around passages."""

    async def widened(self, evidence: Sequence[Evidence], reader: Reader) -> Sequence[Evidence]:
        """Return the evidence with its section in each passage's place, each section once, best first.

        A passage that this reader may no longer read, or that has no section, stays as it is.
        """
        ...


class Levels(Protocol):
    """What vector score any text reaches, by language."""

    async def levels(self, vector: Vectors) -> Mapping[str, float]:
        """Return a question vector's level for each language, and for any other one under ANY_LANGUAGE."""
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
    """Finds and weighs passages; without `sections` nothing around them is read."""

    def __init__(
        self,
        *,
        embedder: Embedder,
        levels: Levels,
        index: Index,
        reranker: Reranker,
        sections: Sections | None = None,
    ) -> None:
        self._embedder = embedder
        self._levels = levels
        self._index = index
        self._reranker = reranker
        self._sections = sections

    async def retrieve(self, question: str, *, reader: Reader, sources: tuple[str, ...] | None = None) -> Retrieved:
        """Return the evidence for a question, best first; when the embedder is down, by words alone."""
        language = language_of(question)
        started = time.perf_counter()
        query = replace(await self.query(question, language), sources=sources)
        embedded = time.perf_counter()
        hits = await self._index.search(query, reader=reader, limit=CANDIDATES_FOR_RERANK)
        searched = time.perf_counter()
        evidence = await self._reranker.rerank(question, hits)
        timings = {
            "embed": (embedded - started) * 1e3,
            "search": (searched - embedded) * 1e3,
            "rerank": (time.perf_counter() - searched) * 1e3,
        }
        return Retrieved(tuple(evidence), language, timings)

    async def widened(self, evidence: Sequence[Evidence], *, reader: Reader) -> Sequence[Evidence]:
        """Return the evidence with each passage in its section: small pieces are found, whole ones are read."""
        return await self._sections.widened(evidence, reader) if self._sections and evidence else evidence

    async def query(self, question: str, language: str) -> Query:
        """Return the question as the index takes it."""
        terms = question_terms(question, language)
        try:
            vector = (await self._embedder.embed([question], role="query"))[0]
            levels = await self._levels.levels(vector)
        except (TransientError, EmbedderProblem):
            return Query(terms, language)
        return Query(terms, language, vector, levels)
