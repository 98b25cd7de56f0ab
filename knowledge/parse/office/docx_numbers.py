"""The numbers that Word writes before list items and headings: they stand nowhere in the text."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from knowledge.parse.office.docx_styles import WORD, attribute, child, number_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

BULLET = "-"
_PLACE = re.compile(r"%([1-9])")
_MAX_LABEL_CHARACTERS = 40
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя"
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
# Above this, a letter is repeated too often, or a Roman number too long, to be meant so.
_MAX_SPELLED = 300


class _Level(NamedTuple):
    format: str
    start: int
    text: str


class Numbers:
    """Counts the items of each list of a document, in reading order."""

    def __init__(self, root: "Element | None") -> None:
        elements = [] if root is None else list(root)
        self._levels = {
            attribute(one, "abstractNumId"): _levels(one) for one in elements if one.tag == f"{WORD}abstractNum"
        }
        self._lists = {attribute(one, "numId"): one for one in elements if one.tag == f"{WORD}num"}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def next(self, list_id: str, depth: int) -> str | None:
        """Return what stands before the next item of a list; None when there is no such list."""
        element = self._lists.get(list_id)
        if element is None:
            return None
        definition = attribute(child(element, "abstractNumId"), "val")
        levels = dict(self._levels.get(definition, {}))
        counts = self._counts.setdefault(definition, {})
        for override in element.findall(f"{WORD}lvlOverride"):
            levels |= _levels(override)
            self._begin(list_id, override, counts)
        self._begun.add(list_id)
        level = levels.get(depth, _Level("bullet", 1, ""))
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        return _label(level, levels, counts)

    def _begin(self, list_id: str, override: "Element", counts: dict[int, int]) -> None:
        """Count anew where a list states its first number."""
        start = child(override, "startOverride")
        depth = attribute(override, "ilvl")
        if start is not None and list_id not in self._begun and depth.isdecimal():
            counts[int(depth)] = number_of(start, default=1) - 1


def _levels(element: "Element") -> dict[int, _Level]:
    levels = {}
    for level in element.findall(f"{WORD}lvl"):
        depth = attribute(level, "ilvl")
        if depth.isdecimal():
            levels[int(depth)] = _Level(
                attribute(child(level, "numFmt"), "val"),
                number_of(child(level, "start"), default=1),
                attribute(child(level, "lvlText"), "val")[:_MAX_LABEL_CHARACTERS],
            )
    return levels


def _label(level: _Level, levels: Mapping[int, _Level], counts: Mapping[int, int]) -> str:
    if level.format == "bullet":
        return BULLET

    def number(place: re.Match[str]) -> str:
        depth = int(place[1]) - 1
        other = levels.get(depth, level)
        return _spelled(counts.get(depth, other.start), other.format)

    return _PLACE.sub(number, level.text) or BULLET


def _spelled(number: int, number_format: str) -> str:
    if not 0 < number <= _MAX_SPELLED:
        return str(number)
    spell = _SPELLINGS.get(number_format.removeprefix("lower").removeprefix("upper").removesuffix("Lower"))
    written = spell(number) if spell else str(number)
    return written.upper() if "upper" in number_format.lower() else written


def _letter(number: int, alphabet: str) -> str:
    times, index = divmod(number - 1, len(alphabet))
    return alphabet[index] * (times + 1)


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        written += letters * (number // value)
        number %= value
    return written


_SPELLINGS: Mapping[str, Callable[[int], str]] = {
    "Letter": lambda number: _letter(number, _LATIN),
    "russian": lambda number: _letter(number, _RUSSIAN),
    "russianUpper": lambda number: _letter(number, _RUSSIAN),
    "Roman": _roman,
}
