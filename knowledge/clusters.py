"""Groups questions by what they ask, in any number and in several languages, without being told how many groups.

Vectors of one model lie in a narrow cone: all questions are alike, most of all those of one language. So they are
compared in two ways, and the larger likeness counts: by what distinguishes them from the other questions here (less
the mean of all, that of their language, and most of the direction in which they differ most), and by what
distinguishes them from text of their language in general, which also works for a handful of them. Each is tied to its
nearest, and a tie weighs as much as the two have neighbours in common (Jarvis and Patrick, 1973). Groups are
communities of that graph (modularity by the Louvain method: Blondel et al., 2008), split again while their questions
have little in common. docs/gaps.md has what this was measured against.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.cluster_communities import communities
from knowledge.embed import Vectors
from knowledge.likeness import LANGUAGE_SHARE, LEAST_SHARED

# All constants were chosen on half of the intents of BANKING77 and on XQuAD; docs/gaps.md has the other half.
NEIGHBOURS = 8
# The cosine from which two questions are tied, against the other questions and against text in general.
TIED_HERE, TIED_ANYWHERE = 0.4, 0.7
# The mean cosine under which a group is split again.
COHERENT = 0.25
# With fewer questions their own mean tells what they ask rather than what questions have in common.
LEAST_QUESTIONS = 30
# How many questions of a language weigh as much as the assumption that their mean is that of all.
LANGUAGE_PRIOR = 5.0
# How many questions weigh as much as the assumption that the direction they differ most in is a topic.
TOPIC_PRIOR = 200.0
# Rows of likenesses in memory at once.
ROWS_AT_ONCE = 1024

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Unit vectors as they are compared in one way, and how much a cosine counts for two of the languages."""

    vectors: Vectors
    spoken: Indices
    gains: Vectors
    less: float = 0.0

    def likenesses(self, start: int, end: int) -> Vectors:
        """Return how like these rows are to all."""
        found: Vectors = self.vectors[start:end] @ self.vectors.T
        return found * self.gains[self.spoken[start:end]][:, self.spoken] - np.float32(self.less)

    def coherence(self, members: Sequence[int]) -> float:
        """Return the mean likeness of the pairs among several rows."""
        sums = np.zeros((len(self.gains), self.vectors.shape[1]), np.float32)
        np.add.at(sums, self.spoken[members], self.vectors[members])
        count = len(members)
        pairs = float((sums @ sums.T * self.gains).sum()) - count
        return pairs / (count * (count - 1)) - self.less


def cluster(vectors: Vectors, languages: Sequence[str], background: Mapping[str, Vectors]) -> list[list[int]]:
    """Return groups of row numbers, the largest first; each question is in one of them, alone or in company.

    `background` has for each of the languages vectors of texts about everything, on the same topics in the same order.
    The same questions in the same order always come to the same groups. Time grows with the square of their number, by
    one matrix product (docs/gaps.md has figures), memory in proportion to it.
    """
    if not len(vectors):
        return []
    frames = _frames(vectors, languages, background)
    neighbours, likenesses = _nearest(frames)
    ties = list(_ties(neighbours, likenesses))

    def is_coherent(members: Sequence[int]) -> bool:
        return max(frame.coherence(members) for frame in frames) >= COHERENT

    groups = communities(len(vectors), ties, is_coherent=is_coherent)
    return sorted(groups, key=lambda members: (-len(members), members))


def most_typical(vectors: Vectors, members: Sequence[int]) -> list[int]:
    """Return a group's rows with the one nearest to all the others first."""
    rows = list(members)
    nearness = vectors[rows] @ vectors[rows].mean(axis=0)
    return [rows[at] for at in np.argsort(-nearness, kind="stable")]


def _frames(vectors: Vectors, languages: Sequence[str], background: Mapping[str, Vectors]) -> list[_Frame]:
    """Return the vectors in each way that they are compared; what ties in one, ties by the same likeness in the other.

    The cosine of two languages is measured by that of translations, as in knowledge/likeness.py.
    """
    names = sorted(set(languages))
    spoken = np.array([names.index(language) for language in languages], np.int64)
    ordinary = [_unit(background[name] - background[name].mean(axis=0)) for name in names]
    shared = np.array([[float((one * other).sum(axis=1).mean()) for other in ordinary] for one in ordinary])
    gains = np.asarray(np.maximum(shared, LEAST_SHARED) ** -LANGUAGE_SHARE, np.float32)
    anywhere = vectors - np.stack([background[name].mean(axis=0) for name in names])[spoken]
    frames = [_Frame(_unit(anywhere), spoken, gains, TIED_ANYWHERE - TIED_HERE)]
    if len(vectors) >= LEAST_QUESTIONS:
        here = _unit(_without_widest(_centred(vectors, languages)))
        frames.append(_Frame(here, spoken, np.ones_like(gains)))
    return frames


def _centred(vectors: Vectors, languages: Sequence[str]) -> Vectors:
    """Take away the mean of all, then of each language as far as it has questions enough to know it."""
    centred: Vectors = vectors - vectors.mean(axis=0)
    spoken = np.array(languages)
    for language in sorted(set(languages)):
        rows = spoken == language
        centred[rows] -= centred[rows].sum(axis=0) / (rows.sum() + LANGUAGE_PRIOR)
    return centred


def _without_widest(vectors: Vectors) -> Vectors:
    """Narrow the direction in which they differ most: of many questions that is length and manner rather than topic."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    widest = directions[:, -1:]
    share = len(vectors) / (len(vectors) + TOPIC_PRIOR)
    narrowed: Vectors = vectors - share * (vectors @ widest) @ widest.T
    return narrowed


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)


def _nearest(frames: Sequence[_Frame]) -> tuple[Indices, Vectors]:
    """Return each question's nearest others and how like they are, nearest first."""
    count = len(frames[0].vectors)
    kept = min(NEIGHBOURS, count - 1)
    neighbours, likenesses = np.empty((count, kept), np.int64), np.empty((count, kept), np.float32)
    for start in range(0, count, ROWS_AT_ONCE):
        block = np.maximum.reduce([frame.likenesses(start, start + ROWS_AT_ONCE) for frame in frames])
        rows = np.arange(len(block))
        block[rows, start + rows] = -np.inf
        # Equals are taken in their order, so that copies of a question do not make the outcome a matter of chance.
        best = np.argpartition(-block, kept - 1, axis=1)[:, :kept] if kept else np.empty((len(block), 0), np.int64)
        order = np.lexsort((best, -np.take_along_axis(block, best, axis=1)))
        neighbours[start + rows] = np.take_along_axis(best, order, axis=1)
        likenesses[start + rows] = np.take_along_axis(block, neighbours[start + rows], axis=1)
    return neighbours, likenesses


def _ties(neighbours: Indices, likenesses: Vectors) -> Iterator[tuple[int, int, float]]:
    """Yield (one, other, weight) once for each pair that is tied: likeness times the share of common neighbours."""
    near = [
        {one, *others[close].tolist()}
        for one, (others, close) in enumerate(zip(neighbours, likenesses >= TIED_HERE, strict=True))
    ]
    for one, others in enumerate(neighbours.tolist()):
        for other, likeness in zip(others, likenesses[one].tolist(), strict=True):
            is_told = other < one and one in near[other]
            if likeness >= TIED_HERE and not is_told:
                shared = len(near[one] & near[other]) / len(near[one] | near[other])
                yield one, other, min(likeness, 1.0) * shared
