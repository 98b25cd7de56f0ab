"""How much of a sentence stands in the text that it cites, as a value whose cut is 0.5.

By words within a language: the share of the sentence's content words, weighted by how much each tells. By vectors
across languages: the cosine above what any two texts of these languages have in common, for multilingual models give
every pair some likeness (the margin of Artetxe and Schwenk, 2019, against a fixed background), less a share of what
texts on one topic gain in these two languages, for some pairs of languages lie nearer than others.
"""

from collections.abc import Sequence

from bot.core.messages import SUPPORTED_FROM
from bot.core.verify.polarity.align import Places, align, words_in_place
from bot.core.verify.polarity.reading import Reading
from bot.core.verify.polarity.weights import TELLING_WEIGHT

# The share of a sentence's weight found in the text from which it is supported (0.5), and fully (1).
WORDS_CUT, FULL_WORDS = 0.8, 1.0
# So many telling words in a row, none of them found, are a clause of their own that nothing supports; so are as many
# loose ones, which stand in the text, but none beside its neighbour.
RUN_WORDS, LOOSE_WORDS = 2, 3


def word_support(sentence: Places, text: Places, above: Sequence[Places]) -> float:
    """Return the support in [0, 1] of a sentence whose numbers are known to stand in the text or the headings above."""
    reading = sentence.reading
    numbers = frozenset(index for index in reading.content if reading.tokens[index].is_number)
    in_headings = numbers | found_words(reading, above)
    found = in_headings | found_words(reading, [text])
    total = sum(reading.tokens[index].weight for index in reading.content)
    if not total or _has_own_clause(sentence, text, (found, in_headings)) or _has_more(sentence, text, found):
        return 0.0
    share = sum(reading.tokens[index].weight for index in found) / total
    return scaled(share, cut=WORDS_CUT, full=FULL_WORDS)


def found_words(sentence: Reading, texts: Sequence[Places]) -> frozenset[int]:
    """Return the indexes of the sentence's content words that stand in one of the texts."""
    return frozenset(index for index in sentence.content if any(text.of(sentence.tokens[index]) for text in texts))


def scaled(value: float, *, cut: float, full: float) -> float:
    """Return the value mapped so that `cut` becomes 0.5 and `full` 1."""
    if value < cut:
        return max(0.0, SUPPORTED_FROM * value / cut)
    return min(1.0, SUPPORTED_FROM + (1 - SUPPORTED_FROM) * (value - cut) / (full - cut))


def _has_own_clause(sentence: Places, text: Places, known: tuple[frozenset[int], frozenset[int]]) -> bool:
    """Tell whether several words in a row are missing, or gathered from all over the text."""
    found, in_headings = known
    reading = sentence.reading
    missing = [
        index not in found if reading.tokens[index].weight >= TELLING_WEIGHT or index in found else None
        for index in reading.content
    ]
    beside = words_in_place(sentence, text, align(sentence, text))
    loose = [index not in beside and index not in in_headings for index in reading.content]
    return _longest_run(missing) >= RUN_WORDS or _longest_run(loose) >= LOOSE_WORDS


def _has_more(sentence: Places, text: Places, found: frozenset[int]) -> bool:
    """Tell whether the last word is missing though the text has no word left in whose place it could stand."""
    ours, theirs = sentence.reading, text.reading
    last = ours.tokens[ours.content[-1]]
    if ours.content[-1] in found or last.is_unit or last.weight < TELLING_WEIGHT:
        return False
    return all(sentence.of(theirs.tokens[index]) for index in theirs.content)


def _longest_run(marks: Sequence[bool | None]) -> int:
    """Return the length of the longest row of True; None neither counts nor ends it."""
    longest = run = 0
    for mark in marks:
        if mark is not None:
            run = run + 1 if mark else 0
        longest = max(longest, run)
    return longest
