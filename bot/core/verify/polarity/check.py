"""Tells whether a sentence agrees with its text in negation, modality, limits, conditions, order and opposites.

Each small word is tied to the content words next to it; those of the sentence and of the text are paired where they
change the same word. What finds no partner was added or dropped, what finds an unlike one was changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.verify.polarity.align import Alignment, Places, align
from bot.core.verify.polarity.order import exchanged, misplaced, mixed, spliced
from bot.core.verify.polarity.reading import SENTENCE, Cue, Reading, read
from bot.core.verify.polarity.wording import opposite, replaced

# Share of a condition's words that a sentence must keep to have kept it without its "if".
KEPT_CONDITION = 0.6
# Share of the rest of a text's sentence that must stand in a sentence for the condition to concern it.
USED_MAIN = 0.4
# Share of a clause's words that must stand in another for both to be the same one.
SAME_CLAUSE = 0.9
# A clause is at most so long, and so many cues without partners are compared with each other.
CLAUSE_TOKENS = 60
MOST_CUES = 40
CATEGORIES = (
    *("negation", "modality", "frequency", "quantity", "degree"),
    *("only", "except", "limit", "order", "condition", "identity", "tense"),
)
# A limit or an order counts by itself only where it stands before a number; elsewhere only where they contradict.
_NEVER_DROPPED = ("all", "same", "other")
_BEFORE_NUMBERS = ("limit", "order")


def disagreement(sentence: str, text: str, language: str) -> str | None:
    """Return how a sentence differs from the text in what it asserts (a label for operators); None if it does not."""
    ours, theirs = Places(read(sentence, language)), Places(read(text, language))
    alignment = align(ours, theirs)
    return (
        cue_disagreement(ours, theirs, alignment, CATEGORIES)
        or opposite(ours, theirs, alignment, language)
        or replaced(ours, theirs, alignment)
        or ("order" if exchanged(ours.reading, theirs.reading, alignment) else None)
        or ("place" if misplaced(ours.reading, theirs.reading, alignment) else None)
        or ("mixed" if mixed(ours, theirs, alignment) else None)
        or ("spliced" if spliced(ours, theirs, alignment) else None)
    )


def cue_disagreement(ours: Places, theirs: Places, alignment: Alignment, categories: Sequence[str]) -> str | None:
    """Return the first difference in the cues of these categories: "negation added", "modality: may/must"."""
    pair = _Pair(ours.reading, theirs.reading, alignment)
    for category in categories:
        our_cues = [cue for cue in pair.ours.cues if cue.category == category]
        their_cues = [cue for cue in pair.theirs.cues if cue.category == category]
        label = _compared(pair, our_cues, their_cues) if our_cues or their_cues else None
        if label:
            return label
    return None


@dataclass(frozen=True, slots=True)
class _Pair:
    ours: Reading
    theirs: Reading
    alignment: Alignment

    def mapped(self, cue: Cue) -> list[int]:
        """Return where the words that our cue changes stand in the text."""
        return [self.alignment.there[anchor] for anchor in cue.anchors if anchor in self.alignment.there]


def _compared(pair: _Pair, ours: list[Cue], theirs: list[Cue]) -> str | None:
    """Pair cues of one category, the surest first, and return what is wrong with the first that is left."""
    ours, theirs = _without_partners(pair, ours, theirs, is_exact=True)
    ours, theirs = _without_partners(pair, ours, theirs, is_exact=False)
    for cue in ours[:MOST_CUES]:
        other = next((other for other in theirs[:MOST_CUES] if set(pair.mapped(cue)) & set(other.anchors)), None)
        if other and not _is_equal(other, cue):
            return f"{cue.category}: {other.value}/{cue.value}"
    ours, theirs = _without_reworded(pair, ours, theirs)
    if any(_is_added(pair, cue) for cue in ours):
        return f"{ours[0].category} added"
    if any(_is_dropped(pair, cue) for cue in theirs):
        return f"{theirs[0].category} dropped"
    return None


def _without_partners(
    pair: _Pair, ours: list[Cue], theirs: list[Cue], *, is_exact: bool
) -> tuple[list[Cue], list[Cue]]:
    """Return the cues that find no equal partner at the same word (at a neighbouring one, if not `is_exact`)."""
    at: dict[int, list[Cue]] = {}
    for cue in theirs:
        for anchor in cue.anchors[:1] if is_exact else cue.anchors:
            at.setdefault(anchor, []).append(cue)
    taken: set[int] = set()
    left: list[Cue] = []
    for cue in ours:
        anchors = pair.mapped(cue)[:1] if is_exact else pair.mapped(cue)
        partner = next(
            (
                other
                for anchor in anchors
                for other in at.get(anchor, ())
                if _is_equal(other, cue) and id(other) not in taken
            ),
            None,
        )
        if partner:
            taken.add(id(partner))
        else:
            left.append(cue)
    return left, [cue for cue in theirs if id(cue) not in taken]


def _without_reworded(pair: _Pair, ours: list[Cue], theirs: list[Cue]) -> tuple[list[Cue], list[Cue]]:
    """Pair what is left where our cue changes a word that the text does not have: it was worded anew."""
    left: list[Cue] = []
    rest = list(theirs)
    for cue in ours:
        partner = next((other for other in rest[:MOST_CUES] if _is_equal(other, cue)), None)
        is_reworded = not cue.anchors or cue.anchors[0] not in pair.alignment.there
        if partner and (is_reworded or _are_in_one_clause(pair, cue, partner)):
            rest.remove(partner)
        else:
            left.append(cue)
    return left, rest


def _are_in_one_clause(pair: _Pair, cue: Cue, other: Cue) -> bool:
    """Tell whether two cues stand in clauses with the same words: word order has moved one of them."""
    start, end = _whole_clause(pair.ours, cue.start)
    words = [index for index in range(start, end) if pair.ours.tokens[index].weight]
    first, last = _whole_clause(pair.theirs, other.start)
    kept = sum(first <= pair.alignment.there.get(index, -1) < last for index in words)
    return bool(words) and kept >= SAME_CLAUSE * len(words)


def _whole_clause(reading: Reading, index: int) -> tuple[int, int]:
    start = index
    while start > max(0, index - CLAUSE_TOKENS) and not reading.tokens[start].pause:
        start -= 1
    return start, _clause(reading, index)[1]


def _is_equal(one: Cue, other: Cue) -> bool:
    return one.value == other.value or {one.value, other.value} == {"can", "may"}


def _is_added(pair: _Pair, cue: Cue) -> bool:
    """Tell whether a cue that has no partner says more than the text; "you can" before what one does says no more."""
    if cue.value == "can" or cue.category == "identity":
        return False
    if cue.category in _BEFORE_NUMBERS:
        return _is_before_number(pair.ours, cue)
    if cue.category == "quantity":
        return cue.value == "all"
    if cue.category == "condition" and not _words_of(pair.ours, cue):
        return False
    return cue.category != "condition" or not _is_kept(pair.ours, cue, pair.alignment.there)


def _is_dropped(pair: _Pair, cue: Cue) -> bool:
    back = pair.alignment.back
    if not cue.anchors or (cue.is_aside and not _is_aside_used(pair, cue)) or cue.value in _NEVER_DROPPED:
        return False
    if cue.category in _BEFORE_NUMBERS:
        return _is_before_number(pair.theirs, cue) and cue.anchors[0] in back
    if cue.category == "only":
        return cue.anchors[0] in back or _is_main_used(pair, cue)
    if cue.category in ("condition", "except"):
        return _is_main_used(pair, cue) and not _is_kept(pair.theirs, cue, back)
    return cue.anchors[0] in back and not (cue.value == "can" and back[cue.anchors[0]] == 0)


def _is_aside_used(pair: _Pair, cue: Cue) -> bool:
    """Tell whether the sentence keeps the brackets that a cue of the text stands in."""
    place = pair.alignment.back.get(cue.anchors[0])
    return place is not None and pair.ours.tokens[place].is_aside


def _is_before_number(reading: Reading, cue: Cue) -> bool:
    return bool(cue.anchors) and reading.tokens[cue.anchors[0]].is_number


def _is_kept(reading: Reading, cue: Cue, aligned: dict[int, int]) -> bool:
    """Tell whether most words of a condition stand in the other text as well."""
    words = _words_of(reading, cue)
    return bool(words) and sum(index in aligned for index in words) >= KEPT_CONDITION * len(words)


def _words_of(reading: Reading, cue: Cue) -> list[int]:
    """Return the content words of the clause that begins with a cue."""
    return [index for index in range(*_clause(reading, cue.start)) if reading.tokens[index].weight]


def _is_main_used(pair: _Pair, cue: Cue) -> bool:
    """Tell whether the sentence says what the condition is a condition of."""
    tokens = pair.theirs.tokens
    main = [i for i in _main(pair.theirs, cue) if tokens[i].weight and not tokens[i].is_aside]
    return bool(main) and sum(index in pair.alignment.back for index in main) >= USED_MAIN * len(main)


def _main(reading: Reading, cue: Cue) -> list[int]:
    """Return where a condition's main clause is: before it in its clause, else behind it, else in the clause before.

    Words between a pause and the condition that carry no content ("but if") begin it.
    """
    tokens = reading.tokens
    start, end = _clause(reading, cue.start)
    first = start
    while first > max(0, start - CLAUSE_TOKENS) and not tokens[first].pause:
        first -= 1
    before = list(range(first, start))
    if any(tokens[index].weight for index in before):
        return before
    last = end
    while last < min(len(tokens), end + CLAUSE_TOKENS) and tokens[last].pause < SENTENCE:
        last += 1
    if last > end:
        return list(range(end, last))
    earlier = first - 1 if tokens[first].pause < SENTENCE else -1
    while earlier > max(0, first - CLAUSE_TOKENS) and not tokens[earlier].pause:
        earlier -= 1
    return list(range(max(earlier, 0), first)) if earlier >= 0 else []


def _clause(reading: Reading, start: int) -> tuple[int, int]:
    """Return from where to where a clause goes that begins with a cue."""
    end = start + 1
    while end < min(len(reading.tokens), start + CLAUSE_TOKENS) and not reading.tokens[end].pause:
        end += 1
    return start, end
