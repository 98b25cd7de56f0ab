"""Reads a number with what belongs to it: its sign, its unit, the half and the million behind it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.verify.facts.numbers import multiplied, readings, roman, spelled
from bot.core.verify.facts.senses import Sense, sense_of
from bot.core.verify.facts.tokens import Token

_MINUS_MARKS = frozenset("-–")
_SHORTEST_UNIT_WORD = 3
_LONGEST_SUFFIX = 3
_DECADES = frozenset({"s", "х"})
# 1 000 000 000 000 is the longest number that is written in groups.
_MOST_GROUPS = 5
# A number and the half that belongs to it: "6 capturas y media".
_HALF_WITHIN = 4


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that stands in the tokens from `start` to before `end`; `parts` are other numbers in it."""

    start: int
    end: int
    values: tuple[str, ...]
    parts: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    unit: str | None = None
    unit_end: int = 0
    has_unit_before: bool = False
    is_hint: bool = False
    only_same_language: bool = False


@dataclass(frozen=True, slots=True)
class QuantityReader:
    """Reads the quantity that begins at a token."""

    tokens: Sequence[Token]
    language: str
    used: set[int]

    def quantity(self, index: int) -> Quantity | None:
        """Return the number at a token with what belongs to it, or None."""
        number = self._digits(index) if self.tokens[index].kind == "number" else self._word(index)
        if number is None:
            return None
        return self._with_unit(self._with_half(number))

    def _digits(self, index: int) -> Quantity:
        shown, end = self.tokens[index].key, index + 1
        while _is_group(self.tokens[index].key) and end - index < _MOST_GROUPS and self._is_next_group(end):
            shown, end = shown + self.tokens[end].key, end + 1
        values = readings(shown, self.language)
        if not values:
            return Quantity(index, end, (shown,))
        if end - index > 1:
            singles = tuple(token.key for token in self.tokens[index:end])
            return self._negative(Quantity(index, end, values, singles))
        return self._negative(self._with_suffix(Quantity(index, end, values)))

    def _is_next_group(self, index: int) -> bool:
        token = self._token(index)
        return (
            token is not None
            and token.kind == "number"
            and not token.is_glued
            and len(token.key) == 3
            and token.key.isdecimal()
        )

    def _with_suffix(self, number: Quantity) -> Quantity:
        """Take in the rest of "21-й", "5th", "1990s", and what multiplies: "5 million", "10k"."""
        sense, token = self._sense(number.end), self._token(number.end)
        if sense is None or token is None:
            return number
        if sense.scale is not None and (token.is_glued or len(token.key) > 1):
            end = number.end + 1 + int(self._is_mark(number.end + 1, "."))
            parts = number.parts or number.values
            scaled = replace(number, end=end, values=multiplied(number.values, sense.scale), parts=parts)
            return self._with_suffix(scaled)
        is_suffix = token.is_glued and len(token.key) <= _LONGEST_SUFFIX and (sense.unit is None or token.key == "s")
        if not is_suffix:
            return number
        # The 1970s are the seventies.
        decade = tuple(
            value[2:] for value in number.values if len(value) == 4 and value[3] == "0" and token.key in _DECADES
        )
        return replace(number, end=number.end + 1, parts=number.parts + decade, across=decade)

    def _negative(self, number: Quantity) -> Quantity:
        before, start = self._token(number.start - 1), number.start
        if before is None or start - 1 in self.used:
            return number
        sense = self._sense(start - 1)
        first = self.tokens[start - 2] if start > 1 else None
        is_sign = (
            before.key in _MINUS_MARKS
            and self.tokens[start].is_glued
            and not (before.is_glued and first is not None and first.key not in "([")
        )
        if not is_sign and not (sense is not None and sense.is_minus):
            return number
        return replace(number, start=start - 1, values=tuple(f"-{value}" for value in number.values))

    def _word(self, index: int) -> Quantity | None:
        token = self.tokens[index]
        if token.kind != "word":
            return None
        sense = sense_of(token.key, self.language)
        if not sense.counts and not token.shown.isupper():
            return None
        value = roman(token.shown)
        if value is not None and (len(token.shown) > 1 or self._unit(index + 1)):
            return Quantity(index, index + 1, (str(value),))
        return self._counted(index, sense)

    def _counted(self, index: int, sense: Sense) -> Quantity | None:
        if sense.is_one and not self._continues(index):
            is_hint = self._plain_unit(index + 1) is None
            is_number = not is_hint or self._counts_one(index)
            return Quantity(index, index + 1, ("1",), is_hint=is_hint) if is_number else None
        if sense.is_half:
            following = self._sense(index + 1)
            end = (
                index + 1 + int(following is not None and following.is_each and self._plain_unit(index + 2) is not None)
            )
            return Quantity(index, end, ("0.5",), is_hint=sense.is_unsure and self._plain_unit(end) is None)
        if sense.inside is not None and sense.value is None:
            return Quantity(index, index + 1, (sense.inside,), unit=sense.inside_unit)
        if sense.unit is not None and sense.ordinal is not None and self._is_counted_before(index):
            return None
        return self._spelled(index, sense)

    def _spelled(self, index: int, sense: Sense) -> Quantity | None:
        number = spelled(self.tokens, index + int(sense.is_one), self.language)
        if number is None:
            return None
        is_single = number.end == index + 1
        following = self._token(number.end)
        is_idiom = (
            following is not None and sense_of(f"{self.tokens[index].key}_{following.key}", self.language).is_unsure
        )
        is_loose_scale = sense.scale is not None and sense.cardinal is None
        return Quantity(
            index,
            number.end,
            (str(number.value),),
            is_hint=is_single and (sense.is_unsure or is_loose_scale or is_idiom),
            only_same_language=is_single and sense.is_first,
        )

    def _continues(self, index: int) -> bool:
        following = self._sense(index + 1)
        return following is not None and following.scale is not None and following.cardinal is None

    def _counts_one(self, index: int) -> bool:
        """Tell "one file" from "one of", "this one" and the Spanish article."""
        following = self._sense(index + 1)
        is_function_word = following is None or following.is_per or following.is_join
        return not (is_function_word or sense_of(self.tokens[index].key, self.language).is_article)

    def _is_counted_before(self, index: int) -> bool:
        """Tell "per second" from "the second": the word after "per" or "a" is the unit of time."""
        before = self._sense(index - 1)
        return before is not None and before.is_each

    def _with_half(self, number: Quantity) -> Quantity:
        for index in range(number.end + 1, min(number.end + _HALF_WITHIN, len(self.tokens))):
            sense = self._sense(index)
            before = [self._sense(index - 1), self._sense(index - 2) if index - 2 >= number.end else None]
            if sense and sense.is_half and any(one and one.is_plus for one in before):
                values = tuple(f"{value}.5" for value in number.values if value.isdecimal())
                return replace(
                    number,
                    end=index + 1,
                    values=values or number.values,
                    parts=number.values,
                    unit=number.unit or self._unit(number.end),
                )
        return number

    def _with_unit(self, number: Quantity) -> Quantity:
        unit = number.unit or self._unit(number.end)
        if unit is not None:
            return replace(
                number, unit=unit, unit_end=self._unit_end(number.end) if number.unit is None else number.end
            )
        before = self._token(number.start - 1)
        sense = sense_of(before.key, self.language) if before is not None else None
        is_sign = before is not None and (before.kind == "mark" or before.shown.isupper())
        if sense is not None and sense.unit is not None and is_sign and sense.unit.isupper():
            return replace(number, unit=sense.unit, has_unit_before=True)
        return number

    def _unit(self, index: int) -> str | None:
        """Return the unit at a token, or at the next one after one word: "3 working days"."""
        unit = self._plain_unit(index)
        if unit is not None:
            return unit
        sense, following = self._sense(index), self._token(index + 1)
        is_between = sense is not None and not (sense.is_per or sense.is_join or sense.value is not None)
        if not is_between or following is None or following.kind != "word":
            return None
        is_word = len(following.key) >= _SHORTEST_UNIT_WORD
        return self._plain_unit(index + 1) if is_word else None

    def _unit_end(self, index: int) -> int:
        """Return the token after the unit that begins at a token or one word later."""
        start = index if self._plain_unit(index) is not None else index + 1
        token, following = self._token(start), self._token(start + 1)
        is_double = token is not None and following is not None and self._double(token, following) is not None
        return start + 1 + int(is_double)

    def _double(self, token: Token, following: Token) -> str | None:
        return sense_of(f"{token.key}_{following.key}", self.language).unit

    def _plain_unit(self, index: int) -> str | None:
        token, following = self._token(index), self._token(index + 1)
        if token is None or token.kind not in ("word", "mark"):
            return None
        double = self._double(token, following) if following is not None else None
        if double is not None:
            return double
        return sense_of(token.key, self.language).unit

    def _sense(self, index: int) -> Sense | None:
        token = self._token(index)
        return sense_of(token.key, self.language) if token is not None and token.kind == "word" else None

    def _token(self, index: int) -> Token | None:
        return self.tokens[index] if 0 <= index < len(self.tokens) and index not in self.used else None

    def _is_mark(self, index: int, mark: str) -> bool:
        token = self._token(index)
        return token is not None and token.key == mark


def _is_group(digits: str) -> bool:
    return digits.isdecimal() and len(digits) <= 3 and digits[0] != "0"
