"""Values of a workbook's cells as a spreadsheet shows them, and which it does not show."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

GENERAL = "General"
# More digits than these are the error of binary fractions.
_DIGITS = 15
_MAX_DECIMALS = 10
# The longest that a spreadsheet lets anybody write.
_MAX_FORMAT_CHARACTERS = 255
_SECTION = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*\Z)')
_DECIMALS = re.compile(r"\.([0#?]+)")
# A currency: "[$€-407]" (with its place), a text in quotes, or a sign.
_CURRENCY = re.compile(r'\[\$([^\]\-]+)[^\]]*\]|"([^"]+)"|([$€£¥₽₴₹])')
_PLACES = frozenset("0#?")
_WHITE = frozenset({"FFFFFFFF", "00FFFFFF"})


@dataclass(frozen=True, slots=True)
class Formats:
    """The number format of each cell style, and the styles that nobody can see."""

    sections: Mapping[int, Sequence[str]]
    unseen: frozenset[int]

    @classmethod
    def of(cls, book: "Workbook") -> "Formats":
        """Return those of a workbook."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS

        custom = {164 + index: code for index, code in enumerate(book._number_formats)}
        known = BUILTIN_FORMATS | custom
        formats, unseen = {}, set()
        for number, style in enumerate(book._cell_styles):
            formats[number] = sections_of(known.get(style.numFmtId, GENERAL))
            if _is_white(book._fonts[style.fontId].color) and book._fills[style.fillId].fill_type is None:
                unseen.add(number)
        return cls(formats, frozenset(unseen))

    def shown(self, value: object, style: int) -> str:
        """Return what is shown of a value; "" for errors and for what cannot be seen."""
        if value is None or style in self.unseen:
            return ""
        return shown(value, self.sections.get(style, (GENERAL,)))


def _is_white(color: object) -> bool:
    """Tell whether a font's colour is white, stated or by the theme, whose first colour is the background."""
    kind = getattr(color, "type", None)
    if kind == "rgb":
        return getattr(color, "rgb", None) in _WHITE
    return kind == "theme" and getattr(color, "theme", None) == 0 and not getattr(color, "tint", 0.0)


def sections_of(number_format: str) -> Sequence[str]:
    """Return a number format's sections: for positive numbers, for negative ones, for zero, for text."""
    return _SECTION.split(number_format[:_MAX_FORMAT_CHARACTERS])


def shown(value: object, sections: Sequence[str] = (GENERAL,)) -> str:
    """Return a value by its number format: decimals, percent, currency, date; thousands are not separated."""
    if len(sections) > 2 and not any(section.strip() for section in sections):
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, sections)
    if isinstance(value, date | time | timedelta):
        return _moment(value)
    text = str(value)
    # Errors: #N/A, #DIV/0!, #NAME?
    return "" if text.startswith("#") and text.rstrip("!?").isupper() else text


def _moment(value: date | time | timedelta) -> str:
    """Return a date without the midnight, or time without the seconds, that nobody has entered."""
    if isinstance(value, datetime):
        is_date = value.time() == time()
        return value.date().isoformat() if is_date else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, time):
        return value.isoformat(timespec="minutes")
    return str(value)


def _number(value: float, sections: Sequence[str]) -> str:
    section = sections[1] if value < 0 and len(sections) > 1 and sections[1].strip() else sections[0]
    if "%" in section:
        return f"{_rounded(value * 100, section)}%"
    number = _rounded(value, section)
    currency = _CURRENCY.search(section)
    if currency is None or _PLACES.isdisjoint(section):
        return number
    sign = next(filter(None, currency.groups())).strip()
    place = next(index for index, character in enumerate(section) if character in _PLACES)
    return f"{number} {sign}".strip() if currency.start() > place else f"{sign}{number}"


def _rounded(value: float, section: str) -> str:
    """Return a number with the decimals that the format has; in the general format, as many as it needs."""
    decimals = _DECIMALS.search(section)
    if section != GENERAL and (decimals or not _PLACES.isdisjoint(section)):
        wanted = min(len(decimals[1]), _MAX_DECIMALS) if decimals else 0
        return f"{value:.{wanted}f}"
    return str(value) if isinstance(value, int) else f"{value:.{_DIGITS}g}"
