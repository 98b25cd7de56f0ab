"""Tells whether one word of a text was put in place of another: its opposite, or any other telling word."""

from collections.abc import Iterable, Sequence

from bot.core.verify.polarity.align import Alignment, Places, resembles
from bot.core.verify.polarity.lists import antonyms_of
from bot.core.verify.polarity.reading import SENTENCE, Reading, Token
from bot.core.verify.polarity.weights import TELLING_WEIGHT


def opposite(ours: Places, theirs: Places, alignment: Alignment, language: str) -> str | None:
    """Return "opposite: word/word" where the text has, in the same surroundings, the opposite of our word."""
    for index in ours.reading.content:
        token = ours.reading.tokens[index]
        places = [place for pattern in antonyms_of(token.word, language) for place in theirs.like(pattern)]
        places = [place for place in places if place not in alignment.back]
        if places and _fit(ours, theirs, index, places) > _fit(ours, theirs, index, alignment.there.get(index)):
            return f"opposite: {theirs.reading.tokens[places[0]].word}/{token.word}"
    return None


def _fit(ours: Places, theirs: Places, index: int, places: Sequence[int] | int | None) -> int:
    """Return how many words around ours stand around the best of some places; -1 without a place."""
    around = ours.surroundings(index)
    candidates: Iterable[int] = [places] if isinstance(places, int) else places or ()
    return max((len(around & theirs.surroundings(place)) for place in candidates), default=-1)


def replaced(ours: Places, theirs: Places, alignment: Alignment) -> str | None:
    """Return "wording: word/word" where one telling word stands between the same two words in place of another."""
    for rank, index in enumerate(ours.reading.content):
        if index not in alignment.there and _is_telling(ours.reading.tokens[index]):
            place = _place_between(ours.reading, rank, theirs, alignment)
            if place is None or place in alignment.back or not _can_stand_for(theirs, place, ours, index):
                continue
            word, other = ours.reading.tokens[index].word, theirs.reading.tokens[place].word
            if not resembles(word, other):
                return f"wording: {other}/{word}"
    return None


def _place_between(ours: Reading, rank: int, theirs: Places, alignment: Alignment) -> int | None:
    """Return the one content word of the text between the places of our word's neighbours, if it is one."""
    content = theirs.reading.content
    before, after = _neighbour(ours, rank, -1), _neighbour(ours, rank, 1)
    left = theirs.ranks.get(alignment.there.get(before, -1)) if before is not None else None
    right = theirs.ranks.get(alignment.there.get(after, -1)) if after is not None else None
    if left is not None and right is not None:
        return content[left + 1] if right - left == 2 else None
    if left is not None and after is None:
        is_last = left + 1 < len(content) and _neighbour(theirs.reading, left + 1, 1) is None
        return content[left + 1] if is_last else None
    if right is not None and before is None:
        is_first = right > 0 and _neighbour(theirs.reading, right - 1, -1) is None
        return content[right - 1] if is_first else None
    return None


def _neighbour(reading: Reading, rank: int, step: int) -> int | None:
    """Return the content word next to the one of this rank in the same sentence."""
    if not 0 <= rank + step < len(reading.content):
        return None
    first, last = sorted((reading.content[rank], reading.content[rank + step]))
    is_cut = any(reading.tokens[index].pause >= SENTENCE for index in range(first + 1, last + 1))
    return None if is_cut else reading.content[rank + step]


def _is_telling(token: Token) -> bool:
    return token.weight >= TELLING_WEIGHT or token.is_unit


def _can_stand_for(theirs: Places, place: int, ours: Places, index: int) -> bool:
    other = theirs.reading.tokens[place]
    return _is_telling(other) and (not other.is_aside or ours.reading.tokens[index].is_aside)
