"""The value of a number, in digits or in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.verify.facts.senses import Sense, sense_of, times
from bot.core.verify.facts.tokens import Token

# Languages that write 1,200.5; the others write 1 200,5 or 1.200,5.
_POINT_LANGUAGES = frozenset({"en", "zh", "ja", "ko", "th", "hi", "ar", "he"})
_THOUSAND = 1000
# Languages that never group thousands with a point.
_COMMA_LANGUAGES = frozenset({"ru", "uk"})
_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_LETTERS = str.maketrans("ХІ", "XI")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}


def readings(written: str, language: str) -> tuple[str, ...]:
    """Return the values that digits with separators may have, the likeliest first; none if they are no one number.

    A value is digits with a decimal point; zeros at its end stay, because 3.10 is another version than 3.1.
    """
    digits = written.replace("'", "").strip(".,")
    marks = [character for character in digits if character in ".,"]
    if not marks:
        return (_trimmed(digits),)
    if len(set(marks)) == 2:
        return _mixed(digits, marks)
    whole, *groups = digits.split(marks[0])
    is_grouped = len(whole) <= 3 and whole.strip("0") != "" and all(len(group) == 3 for group in groups)
    if len(marks) > 1:
        return (_trimmed(digits.replace(marks[0], "")),) if is_grouped else ()
    decimal = f"{_trimmed(whole)}.{groups[0]}"
    return _grouped_or_not(decimal, _trimmed(whole + groups[0]), marks[0], language) if is_grouped else (decimal,)


def _mixed(digits: str, marks: Sequence[str]) -> tuple[str, ...]:
    """Read 1,200.50 and 1.200,50: the mark that comes last divides off the decimals."""
    if marks.count(marks[-1]) > 1:
        return ()
    whole, _, decimals = digits.rpartition(marks[-1])
    return (f"{_trimmed(whole.replace('.', '').replace(',', ''))}.{decimals}",)


def _grouped_or_not(decimal: str, grouped: str, mark: str, language: str) -> tuple[str, ...]:
    """Read 1,200 and 1.200, which are two numbers in two languages and often both in one."""
    if language in _POINT_LANGUAGES:
        return (grouped,) if mark == "," else (decimal,)
    if mark == "." and language not in _COMMA_LANGUAGES:
        return grouped, decimal
    return decimal, grouped


def _trimmed(digits: str) -> str:
    return digits.lstrip("0") or "0"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words, up to before the token `end`; `is_ordinal` for "third"."""

    value: int
    end: int
    is_ordinal: bool


def spelled(tokens: Sequence[Token], start: int, language: str) -> Spelled | None:
    """Return the number in words that begins at a token: "two hundred and five", "двадцать первый"."""
    total, current, end, is_ordinal = 0, 0, start, False
    while end < len(tokens) and not is_ordinal:
        index = end + _connected(tokens, end, current, language)
        sense = sense_of(tokens[index].key, language) if tokens[index].kind == "word" else None
        grown = _grown(total, current, sense) if sense is not None else None
        if sense is None or grown is None:
            break
        total, current = grown
        end = index + 1
        is_ordinal = sense.cardinal is None and sense.scale is None and sense.ordinal is not None
    return Spelled(total + current, end, is_ordinal) if end > start else None


def _connected(tokens: Sequence[Token], end: int, current: int, language: str) -> int:
    """Return how many tokens join the next word to the number: the "and" of "hundred and five", a hyphen."""
    if current < 20 or end + 1 >= len(tokens):
        return 0
    token = tokens[end]
    return int(token.kind == "word" and sense_of(token.key, language).is_plus and _is_small(tokens[end + 1], language))


def _is_small(token: Token, language: str) -> bool:
    value = sense_of(token.key, language).cardinal
    return value is not None and value < 100


def _grown(total: int, current: int, sense: Sense) -> tuple[int, int] | None:
    """Return the thousands and the rest of a number that goes on with a word, or None if it cannot."""
    if sense.scale is not None and (current or total or sense.cardinal is None):
        return _scaled(total, current, sense.scale)
    value = 1 if sense.is_one and current else sense.value
    if value is None or not current:
        return None if value is None or (total and value >= _THOUSAND) else (total, value)
    return (total, current + value) if 0 < value < _room(current) else None


def _scaled(total: int, current: int, scale: int) -> tuple[int, int] | None:
    if scale < _THOUSAND:
        return (total, (current or 1) * scale) if current < scale else None
    if not current and 0 < total < scale:
        return total * scale, 0
    return (total + (current or 1) * scale, 0) if total % (scale * _THOUSAND) == 0 else None


def _room(current: int) -> int:
    """Return what a word must be smaller than to be added: 10 after 20, 100 after 300."""
    if current % 100 == 0:
        return 100
    return 10 if current % 10 == 0 and current % 100 >= 20 else 0


def multiplied(values: Sequence[str], factor: int) -> tuple[str, ...]:
    """Return the values times a factor, for "2.5 million"."""
    return tuple(times(value, factor) for value in values)


def roman(shown: str) -> int | None:
    """Return the value of a Roman number up to 39, in Latin or Cyrillic letters."""
    letters = shown.translate(_ROMAN_LETTERS)
    if not letters or not letters.isascii() or not _ROMAN.fullmatch(letters):
        return None
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )
