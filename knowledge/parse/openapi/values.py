"""Values read from YAML or JSON, whose shape nobody has promised: everything here takes any of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

Value: TypeAlias = "bool | int | str | list[Value] | dict[str, Value] | None"

# A name, type or other word of a description longer than this is cut.
MAX_WORD_CHARACTERS = 200
# A stated example or default longer than this is cut.
MAX_EXAMPLE_CHARACTERS = 600
# What is nested deeper inside of an example is not shown.
_MAX_EXAMPLE_DEPTH = 12
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_INVISIBLE = re.compile("[\0-\x08\x0b-\x1f\x7f\u00ad\u200b\u2060\ufeff\ud800-\udfff\U000e0000-\U000e0fff]")
_NO_VALUES: Mapping[str, Value] = {}


class Written(str):
    """A number that is kept as it was written, such as 1.10: a string that is shown without quotation marks."""

    __slots__ = ()


def fields(value: Value) -> Mapping[str, Value]:
    """Return a mapping, an empty one for anything else."""
    return value if isinstance(value, dict) else _NO_VALUES


def entries(value: Value) -> Sequence[Value]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else ()


def word(value: Value, limit: int = MAX_WORD_CHARACTERS) -> str:
    """Return a scalar as one line of text, cut at the limit; "" for what is none."""
    if isinstance(value, str):
        return clipped(" ".join(visible(value[: 2 * limit]).split()), limit)
    return "" if value is None or isinstance(value, list | dict) else shown(value, limit)


def words(value: Value, count: int) -> list[str]:
    """Return the scalars of a list, and how many more than `count` there are."""
    listed = [text for text in map(word, islice(entries(value), count)) if text]
    return listed + more(len(entries(value)) - count)


def more(count: int) -> list[str]:
    """Return what stands for as many entries that are left out."""
    return [f"… and {count} more"] if count > 0 else []


def visible(text: str) -> str:
    """Return a text without the characters that nobody sees."""
    return _INVISIBLE.sub("", text)


def clipped(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters; an ellipsis ends one that was longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def spoken(identifier: str) -> str:
    """Return the words of an identifier: getUserByName → get user by name."""
    return " ".join(_BETWEEN_WORDS.sub(" ", _HUMP.sub(" ", identifier)).split()).lower()


def shown(value: Value, limit: int = MAX_EXAMPLE_CHARACTERS) -> str:
    """Return a value in one line as it is written in JSON, cut at the limit; a string alone has no quotation marks."""
    if isinstance(value, str):
        return clipped(" ".join(visible(value[: 2 * limit]).split()), limit) or '""'
    pieces: list[str] = []
    length = 0
    for piece in _pieces(value, 0):
        pieces.append(piece)
        length += len(piece)
        if length > limit:
            break
    return clipped("".join(pieces), limit)


def _pieces(value: Value, depth: int) -> Iterator[str]:
    if depth > _MAX_EXAMPLE_DEPTH:
        yield "…"
    elif isinstance(value, dict):
        yield from _listed("{}", ((f"{_quoted(key)}: ", part) for key, part in value.items()), depth)
    elif isinstance(value, list):
        yield from _listed("[]", (("", part) for part in value), depth)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str):
        yield str(value) if isinstance(value, Written) else _quoted(value)
    else:
        yield "null" if value is None else str(value)


def _listed(brackets: str, parts: Iterator[tuple[str, Value]], depth: int) -> Iterator[str]:
    yield brackets[0]
    for number, (name, part) in enumerate(parts):
        yield f"{', ' if number else ''}{name}"
        yield from _pieces(part, depth + 1)
    yield brackets[1]


def _quoted(text: str) -> str:
    return f'"{" ".join(visible(clipped(text, MAX_EXAMPLE_CHARACTERS)).split())}"'
