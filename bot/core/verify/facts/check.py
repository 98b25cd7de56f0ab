"""The hard facts of a sentence (numbers, dates, codes, addresses, names), and which of them a passage does not have."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.core.verify.facts.dates import dates_of
from bot.core.verify.facts.found import AND, FactKind, Found
from bot.core.verify.facts.lists import words_of
from bot.core.verify.facts.names import is_common, names_of, stems
from bot.core.verify.facts.quantities import quantities_of
from bot.core.verify.facts.sounds import sounds_alike, sounds_of
from bot.core.verify.facts.times import times_of
from bot.core.verify.facts.tokens import Token, code_key, tokens_of, written_alike
from bot.core.verify.facts.translated import is_weak

_SPACES = re.compile(r"\s++")
_STEP = re.compile(r"[./:]")
_MOST_STEPS = 8
_FENCE = "```"
_INLINE_CODE = re.compile(r"(?<!`)`([^`\n]{1,300}+)`(?!`)")
_CODE_PARTS = re.compile(r"[^\W\d_]++|\d++")
_ACRONYM = re.compile(r"\b[^\W\d_a-zа-яіїєґ]{2,}\b")
_HUMPS = re.compile(r"[^\W\d_A-Z]++|[A-Z]++[^\W\d_A-Z]*+|\d++")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a text: `value` compares across languages and notations, `shown` is how it is written."""

    kind: FactKind
    value: str
    shown: str


@dataclass(frozen=True, slots=True)
class _Window:
    """What a passage has: keys of facts, words and their stems, its text without spaces."""

    text: str
    language: str
    keys: frozenset[str]
    words: frozenset[str]
    stems: frozenset[str]
    squeezed: str


def facts_of(text: str, language: str) -> tuple[Fact, ...]:
    """Return the facts of a text in reading order of their kinds."""
    return tuple(
        Fact(found.kind, found.value, found.shown) for found in _found(text, _main(language)) if not found.is_hint
    )


def missing_facts(text: str, language: str, text_windows: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the facts of a text, as written, that none of the (text, language) windows has.

    What may be translated, such as a title, is asked for only when a window is in the language of the text. A number
    said more often than in any window, where the first one has another that the text lacks, stands in that one's place.
    """
    main = _main(language)
    windows = [_window(window, _main(window_language)) for window, window_language in text_windows]
    if windows and all(window.language != main for window in windows):
        missing = [found for found in _found(text, main) if _is_missing_across(found, text, main, windows)]
    else:
        asked = (found for found in _found(text, main) if not found.is_hint)
        missing = [found for found in asked if not _is_borne_out(found, windows, main)]
    missing += [found for found in _said_too_often(text, main, windows) if _has_rival(found, text, main, windows[0])]
    return tuple(dict.fromkeys(found.shown for found in missing))


def _said_too_often(text: str, language: str, windows: Sequence[_Window]) -> Iterator[Found]:
    """Yield the numbers that a text says several times, and no window as often."""
    numbers = [found for found in _found(text, language) if found.kind == "number" and not found.is_hint]
    for value, count in Counter(found.value for found in numbers).items():
        if count > 1 and windows and all(_count(window, value) < count for window in windows):
            yield next(found for found in numbers if found.value == value)


def _count(window: _Window, value: str) -> int:
    return sum(found.kind == "number" and found.value == value for found in _found(window.text, window.language))


def _is_missing_across(found: Found, text: str, language: str, windows: Sequence[_Window]) -> bool:
    """Tell whether passages in another language, the first of which says what the text does, lack a fact.

    What is only a hint, may come and go in translation, or stands in a heading at most, is lacking where the first
    passage has another fact in its place.
    """
    if found.only_same_language or (found.is_hint and found.kind != "number"):
        return False
    if _is_borne_out(found, windows[:1], language):
        return False
    is_in_heading = _is_borne_out(found, windows, language)
    if is_in_heading and found.kind not in ("number", "name", "code"):
        return False
    is_sure = not (found.is_hint or is_in_heading or is_weak(found, language, windows[0].language))
    return is_sure or _has_rival(found, text, language, windows[0])


def _has_rival(found: Found, text: str, language: str, window: _Window) -> bool:
    """Tell whether a passage in another language has, of the kind of a fact, one that the text for its part lacks.

    In the place of an acronym any name counts, since none is translated by one.
    """
    own = [_window(text, language)]
    kinds = ("number",) if found.kind == "number" else ("name", "code")
    rivals = (rival for rival in _found(window.text, window.language) if rival.kind in kinds)
    return any(
        not (rival.is_hint or rival.only_same_language)
        and (found.shown.isupper() or not is_weak(rival, window.language, language, is_rival=True))
        and not _is_borne_out(rival, own, window.language)
        for rival in rivals
    )


def _main(language: str) -> str:
    return re.split(r"[-_]", language.casefold(), maxsplit=1)[0]


def _is_borne_out(found: Found, windows: Sequence[_Window], language: str) -> bool:
    if any(_has(window, found, language) for window in windows):
        return True
    # The year may stand in the heading, the unit in the title of the table.
    is_translated = all(window.language != language for window in windows)
    readings = found.readings + (found.across if is_translated else ())
    joint = [reading.split(AND) for reading in readings if AND in reading]
    return any(all(any(key in window.keys for window in windows) for key in keys) for keys in joint)


def _has(window: _Window, found: Found, language: str) -> bool:
    readings = found.readings if window.language == language else found.readings + found.across
    if not window.keys.isdisjoint(readings):
        return True
    value = found.value
    if found.kind == "command":
        return value in window.squeezed
    if found.kind == "code":
        return value in window.words
    return found.kind == "name" and _has_name(window, found, language)


def _has_name(window: _Window, found: Found, language: str) -> bool:
    name = found.value
    if name in window.words or not stems(name).isdisjoint(window.stems):
        return True
    if window.language == language:
        return False
    if any(f"k:{meaning}" in window.keys for meaning in words_of(language).known.meanings(name)):
        return True
    if is_common(name, language):
        return True
    # "CI" sounds like "so": an acronym is spelled out as another one.
    heard_in = " ".join(_ACRONYM.findall(window.text)) if found.shown.isupper() else window.text
    return sounds_alike(name, sounds_of(heard_in))


@lru_cache(maxsize=1_024)
def _window(text: str, language: str) -> _Window:
    tokens = tokens_of(text)
    words = {token.key for token in tokens if token.kind == "word"}
    words.update(part.casefold() for token in tokens if token.kind in ("code", "url") for part in _parts(token))
    known = words_of(language).known
    keys = {key for found in _read(tokens, language) for key in (*found.readings, *found.also) if AND not in key}
    keys.update(f"n:{part}" for word in words if (part := word.lstrip("0")).isdecimal())
    keys.update(f"k:{meaning}" for word in words for meaning in known.meanings(word))
    return _Window(
        text=text,
        language=language,
        keys=frozenset(keys),
        words=frozenset(words),
        stems=frozenset().union(*(stems(word) for word in words)),
        squeezed=_squeezed(text),
    )


def _parts(token: Token) -> Iterator[str]:
    yield from _CODE_PARTS.findall(token.shown)
    yield from _HUMPS.findall(token.shown)


def _squeezed(text: str) -> str:
    return _SPACES.sub("", written_alike(text).replace("`", "")).casefold()


@lru_cache(maxsize=1_024)
def _found(text: str, language: str) -> tuple[Found, ...]:
    return (*_read(tokens_of(text), language), *_commands(text))


def _read(tokens: Sequence[Token], language: str) -> list[Found]:
    used: set[int] = set()
    found = [fact for token in tokens for fact in _literal(token)]
    found += dates_of(tokens, language, used)
    found += times_of(tokens, language, used)
    found += quantities_of(tokens, language, used)
    return found + names_of(tokens, language, used)


def _literal(token: Token) -> Iterator[Found]:
    """Yield an address or a code as the fact that it is."""
    if token.kind == "url":
        address = token.key.partition("://")[2]
        yield Found(
            "url",
            token.shown,
            (f"url:{token.key}",),
            (f"x:{code_key(address)}", f"x:{code_key(address.partition('/')[0])}"),
        )
    elif token.kind == "email":
        yield Found("email", token.shown, (f"email:{token.key}",))
    elif token.kind == "code":
        yield Found("code", token.shown, (f"x:{token.key}",), tuple(f"x:{key}" for key in _steps(token.key)))


def _steps(key: str) -> Iterator[str]:
    """Yield what a dotted name or path begins and ends with: its modules and folders, its last part."""
    for step in itertools.islice(_STEP.finditer(key), _MOST_STEPS):
        yield from (part for part in (key[: step.start()], key[step.end() :]) if part)


def _commands(text: str) -> Iterator[Found]:
    """Yield each line of code between backticks, which must stand in the passage as it is."""
    code = (line for fenced in text.split(_FENCE)[1:-1:2] for line in fenced.splitlines()[1:])
    for line in itertools.chain(code, _INLINE_CODE.findall(text)):
        if squeezed := _squeezed(line):
            yield Found("command", line.strip(), (f"command:{squeezed}",))
