"""How much of a sentence stands in the text that it cites, as a value whose cut is 0.5.

By words within a language: the share of the sentence's content words, weighted by how much each tells. By vectors
across languages: the cosine above what any two texts of these languages have in common, for multilingual models give
every pair some likeness (the margin of Artetxe and Schwenk, 2019, against a fixed background), less a share of what
texts on one topic gain in these two languages, for some pairs of languages lie nearer than others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.messages import SUPPORTED_FROM
from bot.core.verify.polarity.align import Places, align, words_in_place
from bot.core.verify.polarity.reading import Reading


@dataclass(frozen=True, slots=True)
class Cuts:
    """What a sentence must reach to be supported (0.5), and what is full support (1).

    `words`: the share of its weight found in the text. `run_words`: so many telling words in a row, none of them
    found, are a clause of their own that nothing supports; `loose_words`: so are as many in a row that stand in the
    text, but none beside its neighbour. `vectors`: the cosine above the background and `gain_share` of the gain.
    """

    words: float = 0.8
    full_words: float = 1.0
    run_words: int = 2
    loose_words: int = 3
    telling_weight: float = 0.6
    vectors: float = 0.035
    full_vectors: float = 0.095
    gain_share: float = 0.5


CUTS = Cuts()


def word_support(sentence: Places, text: Places, above: Sequence[Places], cuts: Cuts = CUTS) -> float:
    """Return the support in [0, 1] of a sentence whose numbers are known to stand in the text or the headings above."""
    reading = sentence.reading
    numbers = frozenset(index for index in reading.content if reading.tokens[index].is_number)
    in_headings = numbers | found_words(reading, above)
    found = in_headings | found_words(reading, [text])
    total = sum(reading.tokens[index].weight for index in reading.content)
    if (
        not total
        or _has_own_clause(sentence, text, (found, in_headings), cuts)
        or _has_more(sentence, text, found, cuts)
    ):
        return 0.0
    share = sum(reading.tokens[index].weight for index in found) / total
    return scaled(share, cut=cuts.words, full=cuts.full_words)


def found_words(sentence: Reading, texts: Sequence[Places]) -> frozenset[int]:
    """Return the indexes of the sentence's content words that stand in one of the texts."""
    return frozenset(index for index in sentence.content if any(text.of(sentence.tokens[index]) for text in texts))


def scaled(value: float, *, cut: float, full: float) -> float:
    """Return the value mapped so that `cut` becomes 0.5 and `full` 1."""
    if value < cut:
        return max(0.0, SUPPORTED_FROM * value / cut)
    return min(1.0, SUPPORTED_FROM + (1 - SUPPORTED_FROM) * (value - cut) / (full - cut))


def _has_own_clause(sentence: Places, text: Places, known: tuple[frozenset[int], frozenset[int]], cuts: Cuts) -> bool:
    """Tell whether several words in a row are missing, or gathered from all over the text."""
    found, in_headings = known
    reading = sentence.reading
    missing = [
        index not in found if reading.tokens[index].weight >= cuts.telling_weight or index in found else None
        for index in reading.content
    ]
    beside = words_in_place(sentence, text, align(sentence, text))
    loose = [index not in beside and index not in in_headings for index in reading.content]
    return _longest_run(missing) >= cuts.run_words or _longest_run(loose) >= cuts.loose_words


def _has_more(sentence: Places, text: Places, found: frozenset[int], cuts: Cuts) -> bool:
    """Tell whether the last word is missing though the text has no word left in whose place it could stand."""
    ours, theirs = sentence.reading, text.reading
    last = ours.tokens[ours.content[-1]]
    if ours.content[-1] in found or last.is_unit or last.weight < cuts.telling_weight:
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
