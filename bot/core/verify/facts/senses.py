"""What one word of a language may mean: a number, a unit, a part of a date."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from bot.core.verify.facts.lists import Words, words_of

_FACTOR = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?")
# Inside longer words a number is at least "дву" and at most "двадцатичетырех".
_PREFIX_LETTERS = range(15, 2, -1)


@dataclass(frozen=True, slots=True)
class Sense:
    """The meanings of a word, most of them absent. `inside` and `inside_unit` are those of "трёхдневный" (3, day)."""

    cardinal: int | None
    ordinal: int | None
    scale: int | None
    unit: str | None
    inside: str | None
    inside_unit: str | None
    is_one: bool
    is_article: bool
    is_each: bool
    is_single_unit: bool
    is_first: bool
    is_half: bool
    is_unsure: bool
    is_join: bool
    is_per: bool
    is_plus: bool
    is_minus: bool
    is_date_word: bool

    @property
    def counts(self) -> bool:
        """Tell whether a number can begin with the word."""
        return (
            self.value is not None or self.scale is not None or self.inside is not None or self.is_one or self.is_half
        )

    @property
    def value(self) -> int | None:
        """What the word counts, "hundred" and "thousand" apart."""
        return self.cardinal if self.cardinal is not None else self.ordinal


@lru_cache(maxsize=50_000)
def sense_of(word: str, language: str) -> Sense:
    """Return the meanings of a folded word in a language."""
    words = words_of(language)
    inside, inside_unit = _inside(word, words)
    return Sense(
        cardinal=_whole(words.cardinals.get(word)),
        ordinal=1 if word in words.first else _whole(words.ordinals.get(word)),
        scale=_whole(words.scales.get(word)),
        unit=words.units.get(word),
        inside=inside,
        inside_unit=inside_unit,
        is_one=word in words.one,
        is_each=word in words.each,
        is_article=word in words.article,
        is_single_unit=word in words.single,
        is_first=word in words.first,
        is_half=word in words.half,
        is_unsure=word in words.unsure or word in words.vague,
        is_join=word in words.join,
        is_per=word in words.per,
        is_plus=word in words.plus,
        is_minus=word in words.minus,
        is_date_word=any(
            word in forms
            for forms in (words.months, words.short_months, words.weekdays, words.short_weekdays, words.dayparts)
        ),
    )


def _whole(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _inside(word: str, words: Words) -> tuple[str | None, str | None]:
    """Return the number that a word begins with and what the rest of it counts, as in "двухфакторный"."""
    for length in _PREFIX_LETTERS:
        number = words.prefixes.get(word[:length]) if length < len(word) else None
        unit = number and words.suffixes.get(word[length:])
        if number and unit:
            return number, None if unit == "none" else unit
    return None, None


def plain(value: str) -> str:
    """Return a value without zeros at its end: 1.90 as 1.9."""
    return value.rstrip("0").rstrip(".") if "." in value else value


def times(value: str, factor: int) -> str:
    """Return a value multiplied, as digits; a version or an endless number stays what it is."""
    if not _FACTOR.fullmatch(value):
        return value
    return plain(format(Decimal(value) * factor, "f"))
