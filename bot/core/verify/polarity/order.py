"""Tells whether names or numbers were exchanged: each must stand beside the words it stands beside in the text."""

from bot.core.verify.polarity.align import Alignment, Places
from bot.core.verify.polarity.reading import PIECE, SENTENCE, Reading
from bot.core.verify.polarity.weights import TELLING_WEIGHT

# How many neighbours on each side tell one place from another; the nearest weighs most.
NEIGHBOURS = 4
# How many of the following names and numbers each is compared with.
PARTNERS = 8
# By how much two places must fit better exchanged than as they are.
MARGIN = 2
# How well another place must fit at least: the nearest two words on one side, or the nearest on both.
FRAME = 7
# How many names and numbers of a text are looked at in this way.
MOST_FACTS = 40
MOST_JOINED = 8
# The same for two words that are no names: they must fit well exchanged, and much worse as they are.
ROLE_FRAME = 12
ROLE_MARGIN = 6
# How far the piece around a number is looked for.
MOST_TOKENS = 100
# Share of the words between two places that must have stayed there when only the two were exchanged.
KEPT_FRAME = 0.75


def exchanged(ours: Reading, theirs: Reading, alignment: Alignment) -> bool:
    """Tell whether two names or numbers of a sentence stand in each other's place."""
    facts = [
        (index, place)
        for index, place in alignment.there.items()
        if (ours.tokens[index].is_number or theirs.tokens[place].is_name or ours.tokens[index].is_name)
        and ours.tokens[index].stem == theirs.tokens[place].stem
    ]
    return _are_roles_exchanged(ours, theirs, alignment) or any(
        first_place > place and _is_exchange(ours, theirs, alignment, (first, first_place), (index, place))
        for start, (first, first_place) in enumerate(facts)
        for index, place in facts[start + 1 : start + 1 + PARTNERS]
    )


def _are_roles_exchanged(ours: Reading, theirs: Reading, alignment: Alignment) -> bool:
    """Tell whether two telling words of one clause stand in each other's place, with the same words around them."""
    words = [
        (index, place)
        for index, place in alignment.there.items()
        if ours.tokens[index].weight >= TELLING_WEIGHT and not ours.tokens[index].is_number
    ][:MOST_FACTS]
    return any(
        first_place > place
        and any(token.weight for token in ours.tokens[first + 1 : index])
        and _likeness(ours, theirs, first, place) + _likeness(ours, theirs, index, first_place)
        >= max(
            ROLE_FRAME,
            ROLE_MARGIN + _likeness(ours, theirs, first, first_place) + _likeness(ours, theirs, index, place),
        )
        for start, (first, first_place) in enumerate(words)
        for index, place in words[start + 1 : start + 1 + PARTNERS]
    )


def misplaced(ours: Reading, theirs: Reading, alignment: Alignment) -> bool:
    """Tell whether a name or number stands where the text has another one, which the sentence does not have."""
    unused = [
        index
        for index in theirs.content
        if _is_fact(theirs, index) and index not in alignment.back and not theirs.tokens[index].is_aside
    ][:MOST_FACTS]
    facts = [index for index in ours.content if _is_fact(ours, index)][:MOST_FACTS]
    return any(
        _likeness(ours, theirs, index, other)
        >= max(FRAME, _likeness(ours, theirs, index, alignment.there[index]) + MARGIN)
        for index in facts
        if index in alignment.there
        for other in unused
        if not _are_joined(theirs, alignment.there[index], other)
    )


def _are_joined(reading: Reading, one: int, other: int) -> bool:
    """Tell whether only "and" or "or" stands between two words: a sentence may keep either."""
    first, last = sorted((one, other))
    return last - first <= MOST_JOINED and all(
        token.word in _JOINING or _is_fact(reading, index)
        for index, token in enumerate(reading.tokens[first + 1 : last], first + 1)
    )


def mixed(ours: Places, theirs: Places, alignment: Alignment) -> bool:
    """Tell whether a number is said of a name of another piece, while the number's own speaks of something else."""
    tokens = ours.reading.tokens
    name: int | None = None
    for index in ours.reading.content[:MOST_FACTS]:
        if tokens[index].pause >= SENTENCE:
            name = None
        if tokens[index].is_name and index in alignment.there:
            name = index
        elif tokens[index].is_number and name is not None and index in alignment.there:
            start, end = _piece_around(theirs.reading, alignment.there[index])
            is_elsewhere = not any(start <= place < end for place in theirs.of(tokens[name]))
            if is_elsewhere and _speaks_of_other(theirs.reading, start, alignment.there[index], alignment):
                return True
    return False


def spliced(ours: Places, theirs: Places, alignment: Alignment) -> bool:
    """Tell whether a sentence goes on, in the middle of a clause of one piece, with the middle of another piece."""
    content = ours.reading.content[:MOST_FACTS]
    for before, one, following in zip(content, content[1:], content[2:], strict=False):
        places = [alignment.there.get(index) for index in (before, one, following)]
        if None in places or any(ours.reading.tokens[index].pause for index in range(one + 1, following + 1)):
            continue
        first, last, other = (place or 0 for place in places)
        start, end = _piece_around(theirs.reading, last)
        if start <= first < end and not start <= other < end:
            begin, _ = _piece_around(theirs.reading, other)
            is_cut = _is_unused(theirs, range(last + 1, end), alignment, is_nearest_first=True)
            if is_cut and _is_unused(theirs, range(begin, other), alignment, is_nearest_first=False):
                return True
    return False


def _is_unused(theirs: Places, span: range, alignment: Alignment, *, is_nearest_first: bool) -> bool:
    """Tell whether the content word of a span that is nearest to the splice is none of the sentence's."""
    words = [index for index in span if theirs.reading.tokens[index].weight]
    return bool(words) and words[0 if is_nearest_first else -1] not in alignment.back


def _piece_around(reading: Reading, place: int) -> tuple[int, int]:
    start, end = place, place + 1
    while start > max(0, place - MOST_TOKENS) and reading.tokens[start].pause < PIECE:
        start -= 1
    while end < min(len(reading.tokens), place + MOST_TOKENS) and reading.tokens[end].pause < PIECE:
        end += 1
    return start, end


def _speaks_of_other(reading: Reading, start: int, place: int, alignment: Alignment) -> bool:
    """Tell whether a telling word before a place is none of the sentence's."""
    words = [index for index in range(start, place) if not reading.tokens[index].is_number]
    return any(reading.tokens[index].weight >= TELLING_WEIGHT and index not in alignment.back for index in words)


def _is_fact(reading: Reading, index: int) -> bool:
    return reading.tokens[index].is_number or reading.tokens[index].is_name


def _is_exchange(
    ours: Reading, theirs: Reading, alignment: Alignment, first: tuple[int, int], second: tuple[int, int]
) -> bool:
    if not any(token.weight and not (token.is_number or token.is_name) for token in ours.tokens[first[0] : second[0]]):
        between = ours.tokens[first[0] + 1 : second[0]]
        if all(token.word in _JOINING or token.weight for token in between):
            return False
    kept = _likeness(ours, theirs, first[0], first[1]) + _likeness(ours, theirs, second[0], second[1])
    crossed = _likeness(ours, theirs, first[0], second[1]) + _likeness(ours, theirs, second[0], first[1])
    return crossed >= kept + MARGIN or _is_frame_kept(ours, alignment, first, second)


def _is_frame_kept(ours: Reading, alignment: Alignment, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Tell whether the words between two places are the same in both texts, though the two have changed sides."""
    between = [index for index in range(first[0] + 1, second[0]) if ours.tokens[index].weight]
    words = [index for index in between if not (ours.tokens[index].is_number or ours.tokens[index].is_name)]
    kept = [index for index in between if second[1] < alignment.there.get(index, -1) < first[1]]
    return bool(words) and len(kept) >= KEPT_FRAME * len(between)


_JOINING = frozenset({"and", "or", "и", "или", "і", "й", "та", "або", "y", "e", "o", "u"})


def _likeness(ours: Reading, theirs: Reading, index: int, place: int) -> float:
    """Return how alike the neighbours of two tokens are, side by side."""
    return sum(_shared(_neighbours(ours, index, step), _neighbours(theirs, place, step)) for step in (-1, 1))


def _shared(one: dict[int | str, int], other: dict[int | str, int]) -> int:
    return sum(min(weight, other.get(stem, 0)) for stem, weight in one.items())


def _neighbours(reading: Reading, index: int, step: int) -> dict[int | str, int]:
    """Return the stems on one side with a weight that falls with distance; the border of the sentence is one."""
    found: dict[int | str, int] = {}
    tokens = reading.tokens
    for distance in range(1, NEIGHBOURS + 1):
        place = index + step * distance
        border = place + 1 if step < 0 else place
        is_border = not 0 <= place < len(tokens) or tokens[border].pause >= SENTENCE
        found.setdefault("^" if is_border else tokens[place].stem, NEIGHBOURS + 1 - distance)
        if is_border:
            break
    return found
