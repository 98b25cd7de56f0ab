"""Dates and weekdays, in words or in digits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.core.verify.facts.found import AND, Found
from bot.core.verify.facts.lists import Words, words_of
from bot.core.verify.facts.senses import sense_of
from bot.core.verify.facts.tokens import Token

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:T(\d{1,2}:\d\d)[\d:.,+\-Z]*)?", re.IGNORECASE)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)")
_DAY = re.compile(r"[0-3]?\d")
_YEAR = re.compile(r"[12]\d{3}")
_MONTHS_IN_A_YEAR = 12
_DAYS_IN_A_MONTH = 31
_TWO_DIGIT_YEARS_SINCE = 2000
# "21-го", "5th": the rest of an ordinal day.
_LONGEST_ORDINAL_ENDING = 3
_RANGE_MARKS = frozenset("-–—/,")
# English writes "may", "march" and "sun" small when they are no months and days.
_CAPITAL_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Day:
    """A date of which the year and the day may be open."""

    year: int | None
    month: int
    day: int | None

    def key(self) -> str:
        """Return what equal dates have in common."""
        parts = (self.year, f"m{self.month}", self.day)
        return "d:" + "-".join(str(part) for part in parts if part is not None)

    def across(self) -> tuple[str, ...]:
        """Return a month and its year apart, which is how another language may name them."""
        if self.year is None or self.day is not None:
            return ()
        return (f"{Day(None, self.month, None).key()}{AND}n:{self.year}",)

    def readings(self) -> tuple[str, ...]:
        """Return the date as a key, and as a day whose year stands elsewhere."""
        if self.year is None or self.day is None:
            return (self.key(),)
        return self.key(), f"{Day(None, self.month, self.day).key()}{AND}n:{self.year}"

    def also(self) -> Iterator[str]:
        """Yield what else a text says that says the date: its month, its day of the month, its year."""
        yield Day(None, self.month, None).key()
        if self.day is not None:
            yield Day(None, self.month, self.day).key()
            yield f"n:{self.day}"
        if self.year is not None:
            yield Day(self.year, self.month, None).key()
            yield f"n:{self.year}"


def dates_of(tokens: Sequence[Token], language: str, used: set[int]) -> list[Found]:
    """Return the dates and weekdays in the tokens, and mark the tokens of dates as used."""
    reader = _Reader(tokens, words_of(language), language)
    found: list[Found] = []
    for index, token in enumerate(tokens):
        if index in used:
            continue
        if token.kind == "word" and sense_of(token.key, language).is_date_word:
            found.extend(reader.in_words(index, used))
        elif token.kind in ("number", "code"):
            found.extend(reader.in_digits(index, used))
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the dates around a token."""

    tokens: Sequence[Token]
    words: Words
    language: str

    def in_digits(self, index: int, used: set[int]) -> Iterator[Found]:
        """Yield the date that is one token: 2024-03-05, 5.03.2024, 3/5/24."""
        shown = self.tokens[index].shown
        first, last = _YEAR_FIRST.fullmatch(shown), _YEAR_LAST.fullmatch(shown)
        if first is not None:
            days = _valid((int(first[1]), int(first[3]), int(first[4])))
        elif last is not None:
            one, other, year = int(last[1]), int(last[3]), int(last[4])
            year += _TWO_DIGIT_YEARS_SINCE if len(last[4]) == 2 else 0
            days = _valid((year, other, one), (year, one, other))[: 1 if last[2] == "." else 2]
        else:
            return
        if not days:
            return
        used.add(index)
        time = f"t:{int(first[5].split(':')[0])}:{first[5].split(':')[1]}" if first is not None and first[5] else ""
        # 3.11.10 may be a version as well.
        literal = () if first is not None or last is None or len(last[4]) == 4 else (f"n:{shown}",)
        also = tuple(key for day in days for key in day.also()) + ((time,) if time else ())
        yield Found("date", shown, literal + tuple(key for day in days for key in day.readings()), also)

    def in_words(self, index: int, used: set[int]) -> Iterator[Found]:
        """Yield the date around the name of a month, or the weekday, at a token."""
        month = self._month(index)
        if month is not None:
            yield from self._around(index, month, used)
            return
        token = self.tokens[index]
        weekday = self.words.weekdays.get(token.key)
        short = None if weekday else self.words.short_weekdays.get(token.key)
        if weekday is not None:
            yield Found("date", token.shown, (f"w:{weekday}",))
            used.add(index)
        elif short is not None and self._is_capital(token):
            is_sure = self._is_weekday(index - 2) or self._is_weekday(index + 2)
            yield Found("date", token.shown, (f"w:{short}",), is_hint=not is_sure)

    def _is_weekday(self, index: int) -> bool:
        token = self._token(index)
        return token is not None and (token.key in self.words.weekdays or token.key in self.words.short_weekdays)

    def _month(self, index: int) -> int | None:
        token = self.tokens[index]
        if not self._is_capital(token):
            return None
        whole = self.words.months.get(token.key)
        if whole is not None and not (token.key == "may" and index == 0):
            return int(whole)
        short = self.words.short_months.get(token.key)
        return int(short) if short and (self._left_day(index)[0] or self._is_number(index + 1)) else None

    def _is_capital(self, token: Token) -> bool:
        return self.language != _CAPITAL_LANGUAGE or token.shown[:1].isupper()

    def _is_number(self, index: int) -> bool:
        token = self._token(index)
        if token is not None and token.key == ".":
            token = self._token(index + 1)
        return token is not None and token.kind == "number" and token.key.isdecimal()

    def _around(self, index: int, month: int, used: set[int]) -> Iterator[Found]:
        day, start = self._left_day(index)
        is_short = self.tokens[index].key not in self.words.months
        end = index + 1 + int(is_short and self._is_key(index + 1, "."))
        if day is None:
            day, end = self._right_day(end)
        year, end = self._year(end, has_day=day is not None)
        used.update(range(start, end))
        date = Day(year, month, day)
        yield self._found(date, start, end)
        while day is not None and start > 1 and self._joins(start - 1):
            day, earlier = self._left_day(start - 1)
            if day is not None:
                used.update(range(earlier, start - 1))
                yield self._found(Day(year, month, day), earlier, start - 1)
                start = earlier

    def _found(self, date: Day, start: int, end: int) -> Found:
        written = self.tokens[start:end]
        shown = "".join(
            ("" if token.is_glued or not place else " ") + token.shown for place, token in enumerate(written)
        )
        return Found("date", shown, date.readings(), tuple(date.also()), date.across())

    def _joins(self, index: int) -> bool:
        token = self.tokens[index]
        return token.key in _RANGE_MARKS or token.key in self.words.join

    def _left_day(self, index: int) -> tuple[int | None, int]:
        """Return the day of the month that stands before a token, and where it starts: "5 de", "5th of", "5-го"."""
        start = index - 1
        while (token := self._token(start)) is not None and token.key in self.words.of:
            start -= 1
        if token is not None and token.kind == "word" and token.is_glued and len(token.key) <= _LONGEST_ORDINAL_ENDING:
            start -= 1
            start -= int(self._is_key(start, "-"))
        day = self._day(start)
        return (day, start) if day is not None else (None, index)

    def _right_day(self, index: int) -> tuple[int | None, int]:
        day = self._day(index)
        if day is None:
            return None, index
        ending = self._token(index + 1)
        is_ordinal = ending is not None and ending.is_glued and ending.kind == "word"
        return day, index + 1 + int(is_ordinal)

    def _day(self, index: int) -> int | None:
        token = self._token(index)
        if token is None or token.kind != "number" or not _DAY.fullmatch(token.key):
            return None
        return int(token.key) if 1 <= int(token.key) <= _DAYS_IN_A_MONTH else None

    def _year(self, index: int, *, has_day: bool) -> tuple[int | None, int]:
        start = index
        while (token := self._token(start)) is not None and (token.key in self.words.of or token.key == ","):
            start += 1
        if token is not None and token.key in self.words.year and self.language == "es":
            start += 1
            token = self._token(start)
        is_apart = start > index and self._is_key(index, ",") and not has_day
        if token is None or is_apart or token.kind != "number" or not _YEAR.fullmatch(token.key):
            return None, index
        end = start + 1
        following = self._token(end)
        if following is not None and following.key in self.words.year and following.key != "in":
            end += 1 + int(self._is_key(end + 1, ".") and len(following.key) == 1)
        return int(token.key), end

    def _token(self, index: int) -> Token | None:
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def _is_key(self, index: int, key: str) -> bool:
        token = self._token(index)
        return token is not None and token.key == key


def _valid(*dates: tuple[int, int, int]) -> tuple[Day, ...]:
    """Return those of (year, month, day) that exist."""
    return tuple(
        Day(year, month, day)
        for year, month, day in dates
        if 1 <= month <= _MONTHS_IN_A_YEAR and 1 <= day <= _DAYS_IN_A_MONTH
    )
