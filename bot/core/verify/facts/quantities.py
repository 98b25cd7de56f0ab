"""The numbers of a text as facts, each with its unit: "5 GB", "трёх дней", "от 3 до 5 часов"."""

import re
from collections.abc import Iterator, Sequence

from bot.core.verify.facts.found import AND, Found
from bot.core.verify.facts.names import CYRILLIC_LANGUAGES
from bot.core.verify.facts.reader import Quantity, QuantityReader
from bot.core.verify.facts.senses import plain, sense_of, times
from bot.core.verify.facts.tokens import Token

# Units that count the same thing.
_SAME = {
    "minute": (60, "second"),
    "hour": (3600, "second"),
    "week": (7, "day"),
    "year": (12, "month"),
    "decade": (120, "month"),
    "kilometer": (1000, "meter"),
    "kilogram": (1000, "gram"),
}
_CALENDAR_YEARS = range(1000, 2200)
_HOURS_OF_A_DAY = 24
_RANGE_MARKS = frozenset("-–—/,~")
# "from 3 up to 5 days" has two words between its numbers.
_JOINED_WITHIN = 2
_VERSION = re.compile(r"\d++(?:\.\d++){2,}+")


def quantities_of(tokens: Sequence[Token], language: str, used: set[int]) -> list[Found]:
    """Return the numbers in the tokens that are not used yet, and mark theirs as used."""
    reader = QuantityReader(tokens, language, used)
    quantities: list[Quantity] = []
    index = 0
    while index < len(tokens):
        read = reader.quantity(index) if index not in used and tokens[index].kind in ("number", "word") else None
        if read is not None:
            used.update(range(read.start, max(read.end, read.unit_end)))
            quantities.append(read)
        index = index + 1 if read is None else max(read.end, index + 1)
    found = [
        _found(quantity, shared, tokens, language)
        for quantity, shared in zip(quantities, _shared_units(tokens, quantities, language), strict=True)
    ]
    return found + list(_uncounted_units(tokens, quantities, language))


def _shared_units(tokens: Sequence[Token], quantities: Sequence[Quantity], language: str) -> list[str | None]:
    """Return for each quantity without a unit that of the number it is joined to: "3 or 5 days", "$5–10"."""
    shared: list[str | None] = [None] * len(quantities)
    for index in range(len(quantities) - 2, -1, -1):
        one, following = quantities[index], quantities[index + 1]
        unit = following.unit or shared[index + 1]
        if one.unit is None and unit is not None and _is_joined(tokens[one.end : following.start], language):
            shared[index] = unit
    for index in range(1, len(quantities)):
        before, one = quantities[index - 1], quantities[index]
        if before.has_unit_before and one.unit is None and _is_joined(tokens[before.end : one.start], language):
            shared[index] = before.unit
    return shared


def _is_joined(between: Sequence[Token], language: str) -> bool:
    if len(between) > _JOINED_WITHIN:
        return False
    return all(token.key in _RANGE_MARKS or sense_of(token.key, language).is_join for token in between)


def _found(quantity: Quantity, shared: str | None, tokens: Sequence[Token], language: str) -> Found:
    unit = quantity.unit
    values = quantity.values
    if unit == "year" and values[0].isdecimal() and len(values[0]) == 4 and int(values[0]) in _CALENDAR_YEARS:
        unit = None
    bare = tuple(f"n:{value}" for value in values)
    also = bare + tuple(f"n:{plain(value)}" for value in values if unit) + tuple(f"n:{part}" for part in quantity.parts)
    if unit is None and shared is None:
        counted = tuple(f"c:{value}" for value in values)
        is_last = quantity.end >= len(tokens) or tokens[quantity.end].kind == "mark"
        labelled = tuple(f"b:{plain(value)}" for value in values) if is_last else ()
        across = tuple(f"n:{value}" for value in quantity.across)
        return _fact(quantity, tokens, readings=bare, also=(*also, *counted, *labelled), across=across)
    known = unit or shared or ""
    with_unit = tuple(key for value in values for key in _with_unit(value, known))
    labels = tuple(f"b:{plain(value)}{AND}u:{known}" for value in values)
    if unit is None:
        return _fact(quantity, tokens, readings=bare + with_unit, also=also)
    across = tuple(f"c:{plain(value)}" for value in values)
    clock = tuple(_clock(values, unit))
    # "18 hours" is no time of day in English; "18 часов" may be one.
    with_clock = with_unit if language == "en" else with_unit + clock
    return _fact(quantity, tokens, readings=with_clock + labels, also=(*also, *clock), across=across)


def _fact(
    quantity: Quantity,
    tokens: Sequence[Token],
    *,
    readings: tuple[str, ...],
    also: tuple[str, ...],
    across: tuple[str, ...] = (),
) -> Found:
    return Found(
        kind="version" if _VERSION.fullmatch(quantity.values[0]) else "number",
        shown=_shown(quantity, tokens),
        readings=readings,
        also=also,
        across=across,
        is_hint=quantity.is_hint,
        only_same_language=quantity.only_same_language,
    )


def _shown(quantity: Quantity, tokens: Sequence[Token]) -> str:
    written = tokens[quantity.start - int(quantity.has_unit_before) : max(quantity.end, quantity.unit_end)]
    return "".join(("" if token.is_glued or not index else " ") + token.shown for index, token in enumerate(written))


def _with_unit(value: str, unit: str) -> tuple[str, ...]:
    """Return the keys of a value with a unit: as it is, and in the smaller unit where that is exact."""
    key = f"n:{plain(value)} {unit}"
    if unit == "percent":
        return (key, "n:0.5") if value == "50" else (key,)
    factor, smaller = _SAME.get(unit, (0, ""))
    return (key, f"n:{times(value, factor)} {smaller}") if factor else (key,)


def _clock(values: Sequence[str], unit: str) -> Iterator[str]:
    """Yield the time of day that "в 9 часов" may be."""
    for value in values:
        if unit == "hour" and value.isdecimal() and len(value) <= 2 and int(value) <= _HOURS_OF_A_DAY:
            yield f"t:{int(value)}:00"


def _uncounted_units(tokens: Sequence[Token], quantities: Sequence[Quantity], language: str) -> Iterator[Found]:
    """Yield each unit word: "a day" counts one day, and a table's "hours" belong to the number in the cell."""
    counted = {quantity.end for quantity in quantities if quantity.unit is not None and not quantity.has_unit_before}
    for index, token in enumerate(tokens):
        unit = sense_of(token.key, language).unit if token.kind in ("word", "mark") else None
        if unit is None:
            continue
        is_one = index not in counted and index - 1 not in counted and _is_one(tokens, index, language)
        yield Found("number", token.shown, (f"u:{unit}",), _with_unit("1", unit) if is_one else (), is_hint=True)


def _is_one(tokens: Sequence[Token], index: int, language: str) -> bool:
    """Tell whether a unit that no number counts is one of it: "per day", "в течение часа"."""
    if not sense_of(tokens[index].key, language).is_single_unit:
        return False
    before = sense_of(tokens[index - 1].key, language) if index else None
    return language in CYRILLIC_LANGUAGES or (before is not None and before.is_each)
