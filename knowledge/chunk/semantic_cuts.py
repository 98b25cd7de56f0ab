"""Where the meaning of a text changes, and where it is cut so that every piece has a fitting length."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.types import Span

# Distances are told apart by so many digits: an engine's rounding must not choose a border.
_DIGITS = 6
# A piece that is too short costs more than the cuts around it gain.
_TOO_SHORT = 1_000.0
# A cut that no border asks for costs so much, more than pieces of even length gain.
_NEEDLESS, _UNEVEN = 1e-3, 1e-4


@dataclass(frozen=True, slots=True)
class DistanceCurve:
    """How far each sentence's meaning is from the next one's.

    `distances[i]` is the cosine distance of `sentences[i]` and `sentences[i + 1]`; `borders` are the numbers of the
    distances that reach the threshold.
    """

    sentences: tuple[Span, ...]
    distances: tuple[float, ...]
    threshold: float
    borders: tuple[int, ...]


def distances_of(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine distance of each vector and the next one."""
    unit = np.asarray(vectors, np.float64)
    unit = unit / np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    distances: NDArray[np.float64] = np.round(1 - (unit[:-1] * unit[1:]).sum(axis=1), _DIGITS)
    return distances


def threshold_of(distances: Sequence[float] | NDArray[np.float64], percentile: float) -> float:
    """Return the percentile of the distances, interpolated linearly; 0 without any."""
    return float(np.percentile(distances, percentile, method="linear")) if len(distances) else 0.0


def borders(distances: Sequence[float] | NDArray[np.float64], percentile: float) -> list[int]:
    """Return the numbers of the distances that reach the percentile.

    Where many are the same, and reaching it would make borders of most places, only those beyond it are borders: a
    text whose sentences are all equally far from each other has none.
    """
    values = np.asarray(distances, np.float64)
    if not len(values) or values.min() == values.max():
        return []
    threshold = threshold_of(values, percentile)
    reaching = np.flatnonzero(values >= threshold)
    expected = max((1 - percentile / 100) * (len(values) - 1) + 1, len(values) / 2)
    return (reaching if len(reaching) <= expected else np.flatnonzero(values > threshold)).tolist()


def chosen_cuts(sizes: Sequence[int], curve: DistanceCurve, *, minimum: int, maximum: int) -> list[int]:
    """Return the numbers of the units that pieces begin with, the first one's too.

    Of all cuts into pieces from `minimum` to `maximum`, those that gain most: a cut gains what its distance is above
    the threshold. So a piece that is too short goes with its nearer neighbour, and one that is too long is cut at its
    largest distances. No piece is longer than `maximum` but a unit that is; shorter than `minimum` are the fewest.
    """
    reached = np.concatenate([[0], np.cumsum(sizes)])
    gains = _gains(curve)
    # What the best cuts gain of all that stands before each unit, the one there included; and where the last one is.
    best = np.zeros(len(sizes) + 1)
    previous = np.zeros(len(sizes) + 1, np.int64)
    for end in range(1, len(sizes) + 1):
        first = min(int(np.searchsorted(reached, reached[end] - maximum)), end - 1)
        lengths = reached[end] - reached[first:end]
        gained = best[first:end] - _TOO_SHORT * (lengths < minimum) - _UNEVEN * (lengths / maximum) ** 2
        chosen = int(np.argmax(gained))
        previous[end] = first + chosen
        best[end] = gained[chosen] + (gains[end - 1] if end < len(sizes) else 0)
    cuts = [int(previous[-1])]
    while cuts[-1]:
        cuts.append(int(previous[cuts[-1]]))
    return cuts[::-1]


def _gains(curve: DistanceCurve) -> NDArray[np.float64]:
    gains = np.asarray(curve.distances) - curve.threshold - _NEEDLESS
    gains[list(curve.borders)] += 2 * _NEEDLESS
    return gains
