"""How surely two questions ask the same, in whatever languages, by vectors of one multilingual model.

The vector of a question is half about its language. Less what all texts of its language have in common, two questions
are compared by what they ask; and since translations of one text do not come to the same vector either, the cosine is
measured by theirs. Both are learned from the same texts in each language (`knowledge/background.py`).
"""

from collections.abc import Sequence
from math import exp
from typing import Protocol

import numpy as np

from knowledge.embed import Embedder, Vectors
from knowledge.language import language_of
from knowledge.types import Relevance

# Recorded in the configuration's fingerprint.
VERSION = "likeness-1"
# How much the languages' distance counts: of 0, 0.5, 0.75 and 1 the best both on the same questions in three languages
# (XQuAD) and on entries of a help desk in four.
LANGUAGE_SHARE = 0.75
# However far two languages lie apart: what is measured over a few dozen texts is not trusted further.
LEAST_SHARED = 0.4
# The logistic over the likeness; docs/decisions.md has what it was fitted on.
EVEN_AT, STEEPNESS = 0.672, 13.0
# So sure, both ask the same: at the usual threshold an answer to one is given for the other.
SAME_QUESTION = Relevance(0.65)


class Backgrounds(Protocol):
    """Vectors of texts about everything, on the same topics in each language."""

    async def vectors(self, language: str) -> Vectors:
        """Return those of a language by topic; those of English for a language without any."""
        ...


class Likeness:
    """Compares questions; what the embedder raises is passed on."""

    def __init__(self, embedder: Embedder, background: Backgrounds) -> None:
        self._embedder = embedder
        self._background = background

    async def compare(self, question: str, others: Sequence[str]) -> list[Relevance]:
        """Return for each other question how surely it asks the same, in [0, 1]."""
        if not others:
            return []
        asked, *vectors = await self._embedder.embed([question, *others], role="query")
        ours = await self._background.vectors(language_of(question))
        theirs = [await self._background.vectors(language_of(other)) for other in others]
        return [
            _same(likeness(asked, vector, ours, background)) for vector, background in zip(vectors, theirs, strict=True)
        ]


def likeness(one: Vectors, other: Vectors, ours: Vectors, theirs: Vectors) -> float:
    """Return how alike two texts are, given what others are in the language of each: about 1 for translations."""
    cosine = float(_centred(one, ours) @ _centred(other, theirs))
    shared = float(np.mean(np.sum(_centred(ours, ours) * _centred(theirs, theirs), axis=1)))
    return cosine / float(max(shared, LEAST_SHARED) ** LANGUAGE_SHARE)


def _centred(vectors: Vectors, background: Vectors) -> Vectors:
    moved = vectors - background.mean(axis=0)
    return np.asarray(moved / np.maximum(np.linalg.norm(moved, axis=-1, keepdims=True), 1e-9), np.float32)


def _same(alike: float) -> Relevance:
    return Relevance(1.0 / (1.0 + exp(-STEEPNESS * (alike - EVEN_AT))))
