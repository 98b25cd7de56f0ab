"""Pieces made to fit as they stand in the text: units add up to their length only nearly."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from knowledge.chunk.borders import Borders
from knowledge.chunk.characters import last_border
from knowledge.chunk.recursive import spans
from knowledge.chunk.ruler import Measure, Ruler

# Where no cut between units fits, one is torn: so far from both limits, as a share of what lies between them.
_MARGIN = 0.25


@dataclass(frozen=True, slots=True)
class Limits:
    """The lengths that pieces may have."""

    minimum: int
    maximum: int
    measure: Measure
    language: str


def fitted(text: str, cuts: list[int], distances: Mapping[int, float], limits: Limits) -> list[int]:
    """Return where pieces begin, and where the last one ends, so that none is too long and none too short.

    `distances` tells how far apart what meets at a cut is; a piece that is too short goes with the nearer neighbour,
    and where both would be too long with it, the nearer one gives some of its words.
    """
    cuts = _shortened(text, cuts, limits)
    index = 0
    while index < len(cuts) - 1 and len(cuts) > 2:
        if _length(text, cuts, index, index + 1, limits) >= limits.minimum:
            index += 1
            continue
        inner = [cut for cut in (index, index + 1) if 0 < cut < len(cuts) - 1]
        inner.sort(key=lambda cut: distances.get(cuts[cut], 0.0))
        joined = [cut for cut in inner if _length(text, cuts, cut - 1, cut + 1, limits) <= limits.maximum]
        if joined:
            del cuts[joined[0]]
        else:
            cuts[inner[0]] = _evened(text, cuts[inner[0] - 1], cuts[inner[0] + 1], limits)
            index += 1
    return cuts


def _length(text: str, cuts: list[int], first: int, last: int, limits: Limits) -> int:
    return limits.measure(text[cuts[first] : cuts[last]].strip())


def _shortened(text: str, cuts: list[int], limits: Limits) -> list[int]:
    shortened = [cuts[0]]
    for start, end in pairwise(cuts):
        piece = text[start:end]
        if limits.measure(piece.strip()) > limits.maximum:
            inner = spans(piece, size=limits.maximum, overlap=0, measure=limits.measure, language=limits.language)
            shortened += [start + at for at, _ in inner[1:]]
        shortened.append(end)
    return shortened


def _evened(text: str, start: int, end: int, limits: Limits) -> int:
    """Return where to cut what is too long for one piece, so that both fit: at a strong border near the middle."""
    both = text[start:end]
    ruler = Ruler(both, limits.measure)
    minimum, maximum = limits.minimum - ruler.constant, limits.maximum - ruler.constant
    total = limits.measure(both) - ruler.constant
    least, most = max(minimum, total - maximum), min(maximum, total - minimum)
    margin = _MARGIN * (most - least)
    after, upto = ruler.behind(0, least + margin), ruler.behind(0, most - margin)
    border = Borders(both, limits.language).strongest(after, upto) or last_border(both, upto, since=0) or upto
    if not _both_fit(both, border, limits):
        # Tokens do not add up where they are longer than words; some place near the middle is then looked for.
        middle = len(both) // 2
        places = sorted(range(1, len(both)), key=lambda place: abs(place - middle))
        border = next((place for place in places if _both_fit(both, place, limits)), border)
    return start + border


def _both_fit(both: str, border: int, limits: Limits) -> bool:
    lengths = [limits.measure(part.strip()) for part in (both[:border], both[border:])]
    return all(limits.minimum <= length <= limits.maximum for length in lengths)
