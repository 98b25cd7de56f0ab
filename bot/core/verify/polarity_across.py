"""Tells whether a sentence agrees in what it asserts with a text in another language.

Only what translations keep counts. Measured on the parallel pages of four languages, a negation, an "only" or a
modality that contradicts the other's stands in 1 to 4 true pairs of a hundred; who says "when", "before" or "all"
differs from language to language.
"""

from bot.core.verify.polarity_lists import word_list
from bot.core.verify.polarity_reading import Reading, read

# What one language says with "should" another says with "must".
_LEVELS = {"must": "must", "should": "must", "may": "may", "can": "may", "must not": "must not", "need not": "need not"}
# Where one text holds two of a pair's values, the other may have kept either.
_CONTRADICTING = ("order", "limit", "quantity", "frequency")


def disagreement_across(sentence: str, language: str, text: str, text_language: str) -> str | None:
    """Return how a sentence differs from a foreign text in what it asserts; None if that cannot be seen."""
    if not (word_list(language).function and word_list(text_language).function):
        return None
    ours, theirs = read(sentence, language), read(text, text_language)
    return _negation(ours, theirs) or _only(ours, theirs) or _modality(ours, theirs) or _other(ours, theirs)


def _negation(ours: Reading, theirs: Reading) -> str | None:
    our_count, their_count = _negations(ours), _negations(theirs)
    if our_count == their_count:
        return None
    return "negation added" if our_count > their_count else "negation dropped"


def _negations(reading: Reading) -> int:
    return sum(cue.category in ("negation", "denial") for cue in reading.cues)


def _only(ours: Reading, theirs: Reading) -> str | None:
    """Compare "only"; a language's "just" may or may not be one."""
    our_words, their_words = _values(ours, "only", "just"), _values(theirs, "only", "just")
    if "only" in our_words and not their_words:
        return "only added"
    return "only dropped" if "only" in their_words and not our_words else None


def _modality(ours: Reading, theirs: Reading) -> str | None:
    our_levels = {_LEVELS[value] for value in _values(ours, "modality")}
    their_levels = {_LEVELS[value] for value in _values(theirs, "modality")}
    if our_levels and their_levels and not our_levels & their_levels:
        return f"modality: {min(their_levels)}/{min(our_levels)}"
    return None


def _other(ours: Reading, theirs: Reading) -> str | None:
    for category in _CONTRADICTING:
        our_values, their_values = _values(ours, category), _values(theirs, category)
        if our_values and their_values and not our_values & their_values:
            return f"{category}: {min(their_values)}/{min(our_values)}"
    return None


def _values(reading: Reading, *categories: str) -> set[str]:
    return {cue.value for cue in reading.cues if cue.category in categories}
