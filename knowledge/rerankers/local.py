"""Relevance without a cross-encoder: a logistic combination of what the search already measured.

The signals are those of calibrated selective answering: the vector score above the level that any text of its language
would reach (`knowledge/background.py`); its margin over other documents; the fused standardised score; the share of the
question that the passage covers; and whether both legs agree. The weights were fitted over several languages by
`bench/fit_relevance.py`, none of them negative; they hold for the `local` embedder. A passage whose vector is not there
yet is judged by words alone, with weights of its own.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib import resources
from math import exp

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from knowledge.types import Evidence, Hit, Relevance

FEATURES = ("above_background", "margin", "fused", "coverage", "agreement")
LEXICAL_FEATURES = ("lexical_z", "coverage", "coverage_margin")
AGREEMENT_DEPTH = 5

Matrix = NDArray[np.float64]


class LocalSettings(BaseModel):
    """`[reranker]` of kind "local": there is nothing to choose."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Logistic(BaseModel):
    """Weights of one logistic model over standardised features."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    features: tuple[str, ...]
    mean: tuple[float, ...]
    spread: tuple[float, ...]
    weight: tuple[float, ...]
    bias: float

    def relevance(self, values: Matrix) -> Relevance:
        """Return the probability, in [0, 1], for one row of features."""
        score = self.bias + float(((values - self.mean) / self.spread) @ np.asarray(self.weight))
        return Relevance(1.0 / (1.0 + exp(-max(min(score, 50.0), -50.0))))


class Weights(BaseModel):
    """Both models, and the name of the fit for the configuration's fingerprint."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fit: str
    full: Logistic
    lexical: Logistic


@asynccontextmanager
async def build(settings: LocalSettings) -> AsyncIterator["LocalReranker"]:
    """Open the scorer; nothing is loaded but a few numbers."""
    yield LocalReranker(fixed_weights())


@cache
def fixed_weights() -> Weights:
    """Return the weights that ship with the project."""
    path = resources.files("knowledge.rerankers") / "local_weights.json"
    return Weights.model_validate_json(path.read_text(encoding="utf-8"))


class LocalReranker:
    """The `Reranker` port; hits keep their fused order, which ranks better than the relevance does."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    @property
    def name(self) -> str:
        """What the fingerprint records."""
        return f"local {self._weights.fit}"

    async def rerank(self, question: str, hits: Sequence[Hit]) -> list[Evidence]:
        full, words_only = features(hits), lexical_features(hits)
        return [
            Evidence(
                hit,
                self._weights.lexical.relevance(words_only[row])
                if hit.signals.dense is None
                else self._weights.full.relevance(full[row]),
            )
            for row, hit in enumerate(hits)
        ]


def features(hits: Sequence[Hit]) -> Matrix:
    """Return one row of `FEATURES` a hit, shape (len(hits), 5); rows of hits without a vector mean nothing."""
    dense = [hit.signals.dense or 0.0 for hit in hits]
    above = [value - hit.signals.level for value, hit in zip(dense, hits, strict=True)]
    columns = [
        above,
        _margins(hits, dense, alone=above),
        [hit.fused for hit in hits],
        [hit.signals.coverage for hit in hits],
        [_agreement(hits)] * len(hits),
    ]
    return np.array(columns, dtype=np.float64).T


def lexical_features(hits: Sequence[Hit]) -> Matrix:
    """Return one row of `LEXICAL_FEATURES` a hit, shape (len(hits), 3)."""
    coverage = [hit.signals.coverage for hit in hits]
    columns = [[hit.signals.lexical_z or 0.0 for hit in hits], coverage, _margins(hits, coverage, alone=coverage)]
    return np.array(columns, dtype=np.float64).T


def _margins(hits: Sequence[Hit], values: Sequence[float], *, alone: Sequence[float]) -> list[float]:
    """Return how far each value is above the best among other documents of its language; `alone` without such.

    A page's translation says the same thing: that it scores well too is no reason for doubt.
    """
    best: dict[str, dict[tuple[str, str], float]] = {}
    for hit, value in zip(hits, values, strict=True):
        documents = best.setdefault(hit.language, {})
        key = (hit.source, hit.document)
        documents[key] = max(value, documents.get(key, value))
    leaders = {language: sorted(found.items(), key=lambda item: -item[1])[:2] for language, found in best.items()}
    margins = []
    for hit, value, without_rival in zip(hits, values, alone, strict=True):
        rivals = [score for key, score in leaders[hit.language] if key != (hit.source, hit.document)]
        margins.append(value - rivals[0] if rivals else without_rival)
    return margins


def _agreement(hits: Sequence[Hit]) -> float:
    """Return the overlap of both legs' top five as a share, plus 1 if they agree on the first."""
    dense = {hit.signals.dense_rank: hit.passage_id for hit in hits if hit.signals.dense_rank}
    lexical = {hit.signals.lexical_rank: hit.passage_id for hit in hits if hit.signals.lexical_rank}
    top = range(1, AGREEMENT_DEPTH + 1)
    shared = {dense[rank] for rank in top if rank in dense} & {lexical[rank] for rank in top if rank in lexical}
    same_first = 1 in dense and dense[1] == lexical.get(1)
    return len(shared) / AGREEMENT_DEPTH + same_first
