"""Finds the gaps: questions are read, embedded, grouped and named."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from bot.gaps.gap import Gap, Period, Status, gap_of
from bot.store.gaps import Asked
from knowledge.background import background_texts
from knowledge.cluster_labels import Question, distinguishing_words
from knowledge.clusters import cluster, most_typical
from knowledge.embed import BATCH_PASSAGES, Embedder, Vectors
from knowledge.progress import Progress

_ORDER: dict[Status, int] = {"open": 0, "answered": 1, "dismissed": 2}


class Backgrounds(Protocol):
    """Vectors of texts about everything."""

    async def vectors(self, language: str) -> Vectors:
        """Return those of a language; those of English for a language without any."""
        ...


async def find_gaps(
    asked: Sequence[Asked], period: Period, *, embedder: Embedder, backgrounds: Backgrounds, progress: Progress
) -> list[Gap]:
    """Return what was asked in this period without a good answer, in groups: the open ones first, then by size.

    `progress` is called with (done, to do), in questions.
    """
    same = _same_words(asked)
    questions = list(same)
    vectors = await _embedded(questions, embedder, progress)
    languages = [question.language for question in questions]
    background = {language: await backgrounds.vectors(language) for language in set(languages)}
    groups = await asyncio.to_thread(cluster, vectors, languages, background)
    named = [[questions[at] for at in most_typical(vectors, members)] for members in groups]
    words = await asyncio.to_thread(distinguishing_words, named, background_texts())
    gaps = [
        gap_of(_in_order(group, same), period, examples=_examples(group), words=told)
        for group, told in zip(named, words, strict=True)
    ]
    current = [gap for gap in gaps if gap.count]
    return sorted(current, key=lambda gap: (_ORDER[gap.status], -gap.count, -gap.last_at.timestamp(), gap.id))


def _same_words(asked: Sequence[Asked]) -> dict[Question, list[Asked]]:
    """Return what was asked by its words: copies of one question would crowd out its other wordings."""
    same: dict[Question, list[Asked]] = defaultdict(list)
    spelled: dict[tuple[str, str], Question] = {}
    for one in asked:
        key = (" ".join(one.question.casefold().split()), one.language)
        question = spelled.setdefault(key, Question(" ".join(one.question.split()), one.language))
        same[question].append(one)
    return same


async def _embedded(questions: Sequence[Question], embedder: Embedder, progress: Progress) -> Vectors:
    """Embed in batches; nothing is kept, so that what somebody lets us forget is gone."""
    parts = [np.empty((0, embedder.dimension), np.float32)]
    for start in range(0, len(questions), BATCH_PASSAGES):
        progress(start, len(questions))
        batch = [question.text for question in questions[start : start + BATCH_PASSAGES]]
        parts.append(await embedder.embed(batch, role="query"))
    progress(len(questions), len(questions))
    return np.concatenate(parts)


def _in_order(group: Sequence[Question], same: dict[Question, list[Asked]]) -> list[Asked]:
    return sorted((one for question in group for one in same[question]), key=lambda one: (one.asked_at, one.id))


def _examples(group: Sequence[Question]) -> dict[str, str]:
    """Return the most typical question of each language, that of all first."""
    examples: dict[str, str] = {}
    for question in group:
        examples.setdefault(question.language, question.text)
    return examples
