"""Values that a text names: variables, counters, and the constants that counters leave behind."""

import re
from collections.abc import Iterator, Mapping, Sequence

from knowledge.parse.templates.lines import fences
from knowledge.parse.templates.regions import front_matter_lines

_COUNTER = re.compile(r"\{counter\((?P<name>[^(){}\n]*)\)(?:\[id=(?P<id>[^\]\n]*)\])?\}(?:\[id=(?P<after>[^\]\n]*)\])?")
_NAMED = re.compile(r"\{(?P<kind>var|const)\((?P<name>[^(){}\n]*)\)\}")
_STATED = re.compile(r"(?P<key>[\w.-]{1,100})[ \t]*:[ \t]+(?P<value>[^\n]{1,500})")
_MARKS = ("{var(", "{const(", "{counter(")


def with_values(text: str, variables: Mapping[str, str]) -> str:
    """Return a text with what its variables, counters and constants say; code between fences stays as it is.

    A variable that has no value, neither among those given nor in the text's front matter, becomes its own name; a
    constant that has none is dropped.
    """
    if not any(mark in text for mark in _MARKS):
        return text
    lines = text.split("\n")
    is_plain = ["{" not in line for line in lines]
    for first, last in fences(lines):
        is_plain[first : last + 1] = [True] * (last + 1 - first)
    counters = _Counters()
    counted = [
        line if plain else _COUNTER.sub(counters.next, line) for line, plain in zip(lines, is_plain, strict=True)
    ]
    known = dict(_stated(lines)) | dict(variables)

    def value(found: re.Match[str]) -> str:
        name = found["name"].strip()
        return known.get(name, name) if found["kind"] == "var" else counters.named.get(name, known.get(name, ""))

    return "\n".join(line if plain else _NAMED.sub(value, line) for line, plain in zip(counted, is_plain, strict=True))


class _Counters:
    """Counts up, each name for itself, and remembers the numbers that were given a name."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}
        self._last: dict[str, int] = {}

    def next(self, found: re.Match[str]) -> str:
        """Return the number that a counter shows."""
        name = found["name"].strip()
        self._last[name] = self._last.get(name, 0) + 1
        number = str(self._last[name])
        if given := found["id"] or found["after"]:
            self.named[given.strip()] = number
        return number


def _stated(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the plain values of the front matter."""
    for line in lines[: front_matter_lines(lines)]:
        found = _STATED.fullmatch(line.rstrip())
        if found is not None:
            yield found["key"], found["value"].strip().strip("\"'")
