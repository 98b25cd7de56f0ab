"""Tells whether two sentences of different documents contradict each other.

Only sentences about one thing can: each must have nearly all words of the other, the same names and codes, and the same
conditions. What then differs, a value or a negation, is a contradiction.
"""

from collections.abc import Mapping

from bot.core.verify.facts.check import Fact, facts_of
from bot.core.verify.polarity.align import Places, align
from bot.core.verify.polarity.check import cue_disagreement
from bot.core.verify.polarity.reading import Reading, read
from bot.core.verify.polarity.wording import opposite

# Share of each sentence's weight that the other must have, and so many words at least, to be about the same thing (one
# is enough where the sentence begins with what it speaks of).
SAME_SUBJECT = 0.8
MIN_SHARED_WORDS = 2
# A number this near the beginning belongs to the name of what is spoken of: "Step 3 asks ...", "The error 404 ...".
SUBJECT_TOKENS = 3
_STANCES = ("negation", "modality")
_CIRCUMSTANCES = ("condition", "except", "only", "limit", "order", "frequency", "quantity", "degree")
_VALUES = ("number", "date")
_ARTICLES = frozenset({"the", "el", "la", "los", "las"})
_YEARS = range(1800, 2200)


def contradicts(one: str, other: str, language: str) -> bool:
    """Tell whether two sentences about the same thing differ in a value or in what they allow or deny."""
    if one == other or _names(facts_of(one, language)) != _names(facts_of(other, language)):
        return False
    ours, theirs = Places(read(one, language)), Places(read(other, language))
    alignment, back = align(ours, theirs), align(theirs, ours)
    if any(_cues(ours.reading, category) != _cues(theirs.reading, category) for category in _CIRCUMSTANCES):
        return False
    if not (ours.reading.content and theirs.reading.content):
        return False
    missing, missing_there = _unshared(ours.reading, alignment.there), _unshared(theirs.reading, back.there)
    if len(missing) == len(missing_there) == 1 and opposite(ours, theirs, alignment, language):
        return True
    is_same = _is_same_subject(ours.reading, missing) and _is_same_subject(theirs.reading, missing_there)
    if not is_same or (missing and missing_there):
        return False
    stance = cue_disagreement(ours, theirs, alignment, _STANCES)
    is_denied = stance is not None and ("negation" in stance or ":" in stance)
    return is_denied or _is_other_value(ours.reading, facts_of(one, language), facts_of(other, language))


def _names(facts: tuple[Fact, ...]) -> frozenset[str]:
    return frozenset(fact.value for fact in facts if fact.kind not in _VALUES)


def _cues(reading: Reading, category: str) -> list[str]:
    return sorted(cue.value for cue in reading.cues if cue.category == category)


def _unshared(reading: Reading, aligned: Mapping[int, int]) -> list[int]:
    """Return the words, numbers and units apart, that the other sentence does not have."""
    return [index for index in _subject_words(reading) if index not in aligned]


def _subject_words(reading: Reading) -> list[int]:
    return [i for i in reading.content if not (reading.tokens[i].is_number or reading.tokens[i].is_unit)]


def _is_same_subject(reading: Reading, missing: list[int]) -> bool:
    words = _subject_words(reading)
    is_named = reading.tokens[0].weight > 0 or reading.tokens[0].word in _ARTICLES
    total = sum(reading.tokens[index].weight for index in words)
    lost = sum(reading.tokens[index].weight for index in missing)
    return len(words) - len(missing) >= (1 if is_named else MIN_SHARED_WORDS) and total - lost >= SAME_SUBJECT * total


def _is_other_value(reading: Reading, ours: tuple[Fact, ...], theirs: tuple[Fact, ...]) -> bool:
    """Tell whether each has a value of one kind that the other lacks, and no other difference explains it."""
    kinds = {_kind(fact) for fact in _only(ours, theirs)}
    is_named = _has_numbered_subject(reading) and "number" in kinds
    return len(kinds) == 1 and kinds == {_kind(fact) for fact in _only(theirs, ours)} and not is_named


def _has_numbered_subject(reading: Reading) -> bool:
    position = next((index for index, token in enumerate(reading.tokens) if token.is_number), SUBJECT_TOKENS)
    return position < SUBJECT_TOKENS - bool(reading.tokens[0].weight)


def _only(facts: tuple[Fact, ...], others: tuple[Fact, ...]) -> list[Fact]:
    known = {fact.value for fact in others}
    return [fact for fact in facts if fact.kind in _VALUES and fact.value not in known]


def _kind(fact: Fact) -> str:
    """Return "date", "number" for a bare one, or "quantity" for one with a unit."""
    is_year = fact.value.isdecimal() and len(fact.value) == 4 and int(fact.value) in _YEARS
    if fact.kind == "date" or is_year:
        return "date"
    return "quantity" if " " in fact.value else "number"
