"""Which pieces of the passages answer a question: values in, values out."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge.embed import Vectors
from knowledge.quotable import Unit
from knowledge.terms import question_terms

Scores = NDArray[np.float64]

COSINE_WEIGHT = 0.5
# Where no piece holds this share of the question, as across languages, words count for less.
FULL_COVERAGE = 0.3
# A further piece must come this near to the first one (in standard deviations), or it only distracts.
WITHIN = 1.0
# Pieces more alike than this say the same thing, perhaps in two languages.
SAME_MEANING = 0.96
# A list that its introduction was chosen for is shown as a whole up to this length.
MAX_LIST_CHARACTERS = 400
# A line of running text up to this length, without any of these signs, is a heading.
MAX_HEADING_CHARACTERS = 80
_SIGNS_OF_A_STATEMENT = frozenset(".!:;,…。！：；、")
_CLOSING = " *_\"'»”’)"
_QUESTION_MARKS = ("?", "？", "؟")


def states_something(unit: Unit) -> bool:
    """Tell whether a piece can answer: a question (as in a FAQ) and a heading alone cannot."""
    if _asks(unit):
        return False
    if unit.is_code or unit.is_item:
        return True
    folded = unit.text.casefold()
    if folded in {above.casefold() for above in (unit.hit.title, *unit.hit.heading)}:
        return False
    has_sign = any(character.isdigit() or character in _SIGNS_OF_A_STATEMENT for character in unit.text)
    return has_sign or len(unit.text) > MAX_HEADING_CHARACTERS


def _asks(unit: Unit) -> bool:
    return unit.text.rstrip(_CLOSING).endswith(_QUESTION_MARKS)


def candidates(units: Sequence[Unit]) -> list[int]:
    """Return the units that can answer, each text once; the lines that look like headings only where all do."""
    first = {unit.text.casefold(): row for row, unit in reversed(list(enumerate(units)))}
    once = sorted(first.values())
    return [row for row in once if states_something(units[row])] or [row for row in once if not _asks(units[row])]


def coverage(question: str, units: Sequence[Unit], language: str) -> Scores:
    """Return the share of the question's words in each unit, rare words (among these units) counting more."""
    asked = question_terms(question, language)
    if not asked or not units:
        return np.zeros(len(units))
    found = [set(question_terms(unit.text, unit.hit.language)) for unit in units]
    present = np.array([[term in terms for term in asked] for terms in found], dtype=np.float64)
    rarity = np.log(1 + len(units) / (present.sum(axis=0) + 0.5)) * np.array(list(asked.values()))
    shares: Scores = present @ rarity / rarity.sum()
    return shares


def combined(covered: Scores, cosines: Scores | None) -> Scores:
    """Return how well each unit answers, in standard deviations; by words alone where there are no vectors."""
    if cosines is None or not len(covered):
        return _standardised(covered)
    trust = min(1.0, float(covered.max()) / FULL_COVERAGE)
    return COSINE_WEIGHT * _standardised(cosines) + (1 - COSINE_WEIGHT) * trust * _standardised(covered)


def _standardised(values: Scores) -> Scores:
    spread = float(values.std()) if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros_like(values)


def choose(units: Sequence[Unit], scores: Scores, vectors: Mapping[int, Vectors], *, most: int) -> list[int]:
    """Return the units that answer: the best one, what belongs to it, and others that come near to it.

    What says again what is already chosen is left out (`vectors` of units help to tell it), and so is a further
    introduction. The score of what cannot answer is minus infinity.
    """
    best = int(np.argmax(scores))
    chosen = [best, *_belonging(units, scores, best)]
    for row in (int(index) for index in np.argsort(-scores, kind="stable")):
        if len(chosen) >= most or scores[row] < scores[best] - WITHIN:
            break
        if row not in chosen and not _introduces(units, row) and not _is_said(row, chosen, units, vectors):
            chosen.append(row)
    return chosen


def _belonging(units: Sequence[Unit], scores: Scores, row: int) -> list[int]:
    """Return what a unit is not complete without: the code or list that it introduces, or what introduces its code."""
    if units[row].is_code and _introduces(units, row - 1):
        return [row - 1]
    if not _introduces(units, row):
        return []
    if units[row + 1].is_code:
        return [row + 1]
    items = list(_items_from(units, row + 1))
    is_short = sum(len(units[item].text) for item in items) <= MAX_LIST_CHARACTERS
    return items if is_short else [max(items, key=lambda item: float(scores[item]))]


def _items_from(units: Sequence[Unit], row: int) -> Iterator[int]:
    while row < len(units) and units[row].is_item and _follows(units, row - 1, row):
        yield row
        row += 1


def _introduces(units: Sequence[Unit], row: int) -> bool:
    """Tell whether a unit announces the code or list that follows; without such it may well say all itself."""
    if not _follows(units, row, row + 1) or not units[row].text.rstrip(_CLOSING).endswith((":", "：")):
        return False
    return units[row + 1].is_code or units[row + 1].is_item


def _follows(units: Sequence[Unit], first: int, second: int) -> bool:
    is_inside = first >= 0 and second < len(units)
    return is_inside and units[first].hit.passage_id == units[second].hit.passage_id


def _is_said(row: int, chosen: Sequence[int], units: Sequence[Unit], vectors: Mapping[int, Vectors]) -> bool:
    text = units[row].text
    if any(text in units[other].text or units[other].text in text for other in chosen):
        return True
    others = [vectors[other] for other in chosen if other in vectors]
    return row in vectors and any(float(vectors[row] @ other) >= SAME_MEANING for other in others)


def in_reading_order(units: Sequence[Unit]) -> list[Unit]:
    """Return the units as their documents have them; the documents keep the order in which they were first given."""
    documents = list(dict.fromkeys((unit.hit.source, unit.hit.document) for unit in units))
    return sorted(
        units,
        key=lambda unit: (documents.index((unit.hit.source, unit.hit.document)), unit.hit.start_line, unit.offset),
    )
