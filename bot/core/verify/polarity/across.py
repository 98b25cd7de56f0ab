"""Tells whether a sentence agrees in what it asserts with a text in another language.

Only what translations keep counts. Measured on the parallel pages of four languages, a negation, an "only" or a
modality that contradicts the other's stands in 1 to 4 true pairs of a hundred; who says "when", "before" or "all"
differs from language to language.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from bot.core.verify.polarity.lists import word_list
from bot.core.verify.polarity.reading import CONCORD_TOKENS, Cue, Reading, read

# A word that may be a negation has so many letters at least.
SHORTEST_SOFT = 4

# What one language says with "should" another says with "must".
_LEVELS = {"must": "must", "should": "must", "may": "may", "can": "may", "must not": "must not", "need not": "need not"}
# Where one text holds two of a pair's values, the other may have kept either.
_CONTRADICTING = ("order", "limit", "quantity", "frequency")
# "--no-cache-dir": the words of an identifier say nothing.
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+){2,}")


@dataclass(frozen=True, slots=True)
class _Text:
    """What a text asserts: how many negations it has, how many words that may be one elsewhere, its other cues."""

    negations: int
    soft: int
    cues: tuple[Cue, ...]

    def values(self, *categories: str) -> Counter[str]:
        return Counter(cue.value for cue in self.cues if cue.category in categories)


def disagreement_across(sentence: str, language: str, text: str, text_language: str) -> str | None:
    """Return how a sentence differs from a foreign text in what it asserts; None if that cannot be seen."""
    if not (word_list(language).function and word_list(text_language).function):
        return None
    our_reading, their_reading = read(_prose(sentence), language), read(_prose(text), text_language)
    ours, theirs = _text(our_reading, their_reading, language), _text(their_reading, our_reading, text_language)
    return _negation(ours, theirs) or _only(ours, theirs) or _modality(ours, theirs) or _other(ours, theirs)


def _prose(text: str) -> str:
    return _IDENTIFIER.sub("_", text)


def _text(reading: Reading, other: Reading, language: str) -> _Text:
    soft = {cue.start for cue in reading.cues if cue.category == "soft"}
    denials = sorted({cue.start for cue in reading.cues if cue.category in ("negation", "denial")} - soft)
    hard = [index for index in denials if not _is_kept(reading.tokens[index].word, other)]
    # "No ... ni", "не ... ни": the second may be an "or" elsewhere; "никогда не мог" has one negation.
    concord = {cue.start for cue in reading.cues if cue.category == "concord"}
    joined = {start for start in hard[1:] if start in concord}
    doubled = {
        start
        for start, following in pairwise(hard)
        if start in concord - joined and following - start <= CONCORD_TOKENS
    }
    optional = {cue.start for cue in reading.cues if cue.value == "need not"}
    denying = {index for index, token in enumerate(reading.tokens) if _may_deny(token.word, language)}
    loose = (soft | joined | optional | denying) - (set(hard) - joined)
    return _Text(len(hard) - len(joined) - len(doubled), len(loose), reading.cues)


def _is_kept(word: str, other: Reading) -> bool:
    """Tell whether a word stands in the other text as well, where it is no small word: "403 Forbidden"."""
    return any(token.word == word and token.weight for token in other.tokens)


def _may_deny(word: str, language: str) -> bool:
    return len(word) >= SHORTEST_SOFT and word_list(language).may_deny(word)


def _negation(ours: _Text, theirs: _Text) -> str | None:
    """Compare how often each denies; a word that may stand for a negation explains one."""
    surplus, explained = ours.negations - theirs.negations, theirs.soft - ours.soft
    if surplus > max(0, explained):
        return "negation added"
    return "negation dropped" if -surplus > max(0, -explained) else None


def _only(ours: _Text, theirs: _Text) -> str | None:
    """Compare "only"; a language's "just" may or may not be one."""
    our_words, their_words = ours.values("only", "just"), theirs.values("only", "just")
    if "only" in our_words and not their_words:
        return "only added"
    return "only dropped" if "only" in their_words and not our_words else None


def _modality(ours: _Text, theirs: _Text) -> str | None:
    """Compare "must" with "may" where nothing is denied: a denied "must" may be a "cannot"."""
    if ours.negations or theirs.negations:
        return None
    our_levels, their_levels = _levels(ours), _levels(theirs)
    if our_levels and their_levels and not our_levels.keys() & their_levels.keys():
        return f"modality: {min(their_levels)}/{min(our_levels)}"
    more = our_levels["may"] - their_levels["may"], their_levels["must"] - our_levels["must"]
    return "modality weakened" if min(more) > 0 else "modality strengthened" if max(more) < 0 else None


def _levels(text: _Text) -> Counter[str]:
    levels: Counter[str] = Counter()
    for value, count in text.values("modality").items():
        levels[_LEVELS[value]] += count
    return levels


def _other(ours: _Text, theirs: _Text) -> str | None:
    for category in _CONTRADICTING:
        our_values, their_values = ours.values(category), theirs.values(category)
        if our_values and their_values and not our_values.keys() & their_values.keys():
            return f"{category}: {min(their_values)}/{min(our_values)}"
    return None
