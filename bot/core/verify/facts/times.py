"""Times of day: "15:00", "3 pm", "9 утра", noon."""

import re
from collections.abc import Iterator, Sequence

from bot.core.verify.facts.found import Found
from bot.core.verify.facts.lists import Words, words_of
from bot.core.verify.facts.senses import sense_of
from bot.core.verify.facts.tokens import Token

_CLOCK = re.compile(r"([01]?\d|2[0-4])[:h]([0-5]\d)(?::[0-5]\d)?")
_HOUR = re.compile(r"1[0-2]|[1-9]")
_NOON_H = 12
# "9 de la mañana" has two words between the hour and the part of the day.
_DAYPART_WITHIN = 3
_ARTICLES = frozenset({"la", "the"})
_NAMED = {"noon": ("t:12:00",), "midnight": ("t:0:00", "t:24:00")}


def times_of(tokens: Sequence[Token], language: str, used: set[int]) -> list[Found]:
    """Return the times of day in the tokens, and mark theirs as used."""
    words = words_of(language)
    found: list[Found] = []
    for index, token in enumerate(tokens):
        if index in used or (token.kind == "word" and not sense_of(token.key, language).is_date_word):
            continue
        time = _time(tokens, index, words, language)
        if time is not None:
            fact, end = time
            used.update(range(index, end))
            found.append(fact)
    return found


def _time(tokens: Sequence[Token], index: int, words: Words, language: str) -> tuple[Found, int] | None:
    token = tokens[index]
    if token.kind == "word":
        named = _NAMED.get(words.dayparts.get(token.key) or "")
        return (Found("date", token.shown, named), index + 1) if named else None
    clock = _CLOCK.fullmatch(token.key) if token.kind in ("number", "code") else None
    if clock is None and not (token.kind == "number" and _HOUR.fullmatch(token.key)):
        return None
    daypart, end = _daypart(tokens, index + 1, words, language, is_clock=clock is not None)
    if clock is None and daypart is None:
        return None
    hour, minute = (int(clock[1]), clock[2]) if clock is not None else (int(token.key), "00")
    shown = " ".join(piece.shown for piece in tokens[index:end])
    return _found(shown, hour, minute, daypart), end


def _daypart(
    tokens: Sequence[Token], start: int, words: Words, language: str, *, is_clock: bool
) -> tuple[str | None, int]:
    """Return the part of the day that follows an hour, and the token after it."""
    has_hour_word = is_clock
    for index in range(start, min(start + _DAYPART_WITHIN, len(tokens))):
        key = tokens[index].key
        part = words.dayparts.get(key)
        sense = sense_of(key, language)
        if part in ("morning", "evening") and (has_hour_word or sense.unit is None):
            return part, index + 1
        has_hour_word = has_hour_word or sense.unit == "hour"
        if not (sense.unit == "hour" or key in words.of or key in _ARTICLES):
            break
    return None, start


def _found(shown: str, hour: int, minute: str, daypart: str | None) -> Found:
    full = hour
    if daypart == "evening" and hour < _NOON_H:
        full = hour + _NOON_H
    elif daypart == "morning" and hour == _NOON_H:
        full = 0
    also = tuple(_parts(full, hour, minute))
    if daypart is None:
        return Found("date", shown, (f"t:{hour}:{minute}", f"half:{hour}:{minute}"), also)
    return Found("date", shown, (f"t:{full}:{minute}",), (*also, f"half:{hour}:{minute}"))


def _parts(full: int, hour: int, minute: str) -> Iterator[str]:
    yield f"n:{hour}"
    if minute == "00":
        yield f"n:{full}"
    else:
        yield f"n:{int(minute)}"
