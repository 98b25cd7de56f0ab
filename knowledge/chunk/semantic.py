"""Pieces whose sentences belong together: cut where neighbouring sentences differ most in meaning.

The whole document is read in order, headings included: they open the sentence that follows them, so a change of
subject shows whether or not a heading marks it. Code, table rows and list items of one line count as one sentence.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from knowledge.chunk.ruler import Measure
from knowledge.chunk.semantic_cuts import DistanceCurve, borders, chosen_cuts, distances_of, threshold_of
from knowledge.chunk.semantic_fit import Limits, fitted
from knowledge.chunk.semantic_units import Unit, units_of
from knowledge.chunk.token_estimate import estimated_tokens
from knowledge.types import Parsed, Span

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
# So many sentences are embedded at once.
BATCH_SENTENCES = 64


class SemanticSettings(BaseModel):
    """Which distances are borders, and how short and long pieces may be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    percentile: float = Field(default=90.0, ge=0, le=100)
    min_tokens: int = Field(default=80, ge=1)
    max_tokens: int = Field(default=600, ge=2, le=100_000)

    @model_validator(mode="after")
    def _both_can_hold(self) -> Self:
        if self.max_tokens < 2 * self.min_tokens:
            raise ValueError(
                f"max_tokens {self.max_tokens} must be at least twice min_tokens {self.min_tokens}, "
                "or some pieces would be too short or too long; raise the one or lower the other"
            )
        return self


@asynccontextmanager
async def build(
    settings: SemanticSettings, *, vectors: Embed, tokens: Measure | None = None
) -> AsyncIterator["Semantic"]:
    """Yield the chunker; `tokens` counts as the embedder does, without it tokens are estimated."""
    yield Semantic(settings, vectors=vectors, tokens=tokens)


class Semantic:
    """Cuts where the meaning changes; every sentence is embedded once."""

    def __init__(self, settings: SemanticSettings, *, vectors: Embed, tokens: Measure | None) -> None:
        self._settings = settings
        self._vectors = vectors
        self._measure = tokens or estimated_tokens
        unit = "tokens" if tokens else "estimated-tokens"
        self.name = f"semantic-{settings.percentile:g}-{settings.min_tokens}-{settings.max_tokens}-{unit}"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the pieces; they cover the document's text but for the white space around them."""
        text, settings = parsed.text, self._settings
        units = self._units(parsed, language)
        if not units:
            return []
        # A unit goes up to the next one: what stands between blocks belongs to a piece too.
        starts = [0, *(unit.start for unit in units[1:]), len(text)]
        curve = distance_curve(units, self._vectors, percentile=settings.percentile)
        sizes = [self._measure(text[start:end].rstrip()) for start, end in pairwise(starts)]
        chosen = chosen_cuts(sizes, curve, minimum=settings.min_tokens, maximum=settings.max_tokens)
        limits = Limits(settings.min_tokens, settings.max_tokens, self._measure, language)
        distances = dict(zip(starts[1:-1], curve.distances, strict=True))
        cuts = fitted(text, [*(starts[number] for number in chosen), len(text)], distances, limits)
        return [span for start, end in pairwise(cuts) if (span := _without_space(text, start, end))]

    def curve(self, parsed: Parsed, *, language: str) -> DistanceCurve:
        """Return what the document is cut by."""
        return distance_curve(self._units(parsed, language), self._vectors, percentile=self._settings.percentile)

    def _units(self, parsed: Parsed, language: str) -> list[Unit]:
        return units_of(parsed, language, limit=self._settings.max_tokens, measure=self._measure)


def distance_curve(units: Sequence[Unit], embed: Embed, *, percentile: float) -> DistanceCurve:
    """Embed each unit once, in their order, and tell how far each is from the next one."""
    seen = [unit.seen for unit in units]
    batches = [embed(seen[start : start + BATCH_SENTENCES]) for start in range(0, len(seen), BATCH_SENTENCES)]
    distances = distances_of(np.concatenate(batches)) if len(units) > 1 else np.zeros(0)
    return DistanceCurve(
        sentences=tuple((unit.start, unit.end) for unit in units),
        distances=tuple(distances.tolist()),
        threshold=threshold_of(distances, percentile),
        borders=tuple(borders(distances, percentile)),
    )


def _without_space(text: str, start: int, end: int) -> Span | None:
    words = text[start:end].strip()
    if not words:
        return None
    first = text.index(words[0], start)
    return first, first + len(words)
