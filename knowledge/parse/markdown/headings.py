"""Headings of Markdown: their identifiers, which no reader sees, and how deep they stand."""

import re
from collections.abc import Sequence

_HEADING = re.compile(r"(?:[ \t>]|[-*+][ ]|\d{1,9}[.)][ ])*(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ >]*(?:=+|-+)[ \t]*")
_ATTRIBUTES = re.compile(r"\{:?[ ]?[ \t]*([^{}]*)\}")
_ATTRIBUTE = re.compile(r"[.#][^\s{}#]+|-|[\w:-]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"']+)")
# Longer ones are no attributes.
_MAX_ATTRIBUTES_CHARACTERS = 400


class Outline:
    """Tells the level of the heading that a place of a page is under; only what is asked for is read."""

    DEEPEST = 6

    def __init__(self, lines: Sequence[str]) -> None:
        # The code blocks so far: the line behind each, by its first line.
        self.code: dict[int, int] = {}
        self._lines = lines
        self._next = 0
        self._level = 0

    def level_at(self, number: int) -> int:
        """Return the level that a line is under, 0 above the first heading; lines are asked for in order."""
        while self._next < number:
            self._note(self._lines[self._next])
            self._next = self.code.get(self._next, self._next + 1)
        return self._level

    def go_on(self, number: int, level: int) -> None:
        """Say what level a line is under."""
        self._next, self._level = number, level

    def _note(self, line: str) -> None:
        if line.startswith("#"):
            hashes = len(line) - len(line.lstrip("#"))
            if hashes <= self.DEEPEST and line[hashes : hashes + 1] in ("", " ", "\t"):
                self._level = hashes
        elif line[:1] in ("=", "-") and _UNDERLINE.fullmatch(line) and self._next:
            above = self._lines[self._next - 1]
            if above.strip() and above[0] not in "#|":
                self._level = 1 if line[0] == "=" else 2


def without_attributes(line: str, below: list[str]) -> tuple[str, str | None]:
    """Return a line without the attributes at its end (`{ #anchor .wide }`), and the anchor among them.

    They stand behind headings; behind other text they begin with a colon. `below` holds the next line, if any.
    """
    stripped = line.rstrip()
    if not (stripped.endswith("}") or (stripped.endswith("#") and "}" in stripped)):
        return line, None
    is_heading = _HEADING.match(line) is not None or bool(below and _UNDERLINE.fullmatch(below[0]))
    anchor = shown = None
    end = _end_of_text(line, len(line), is_heading=is_heading)
    while line[end - 1 : end] == "}":
        start = line.rfind("{", max(end - _MAX_ATTRIBUTES_CHARACTERS, 0), end)
        words = _attributes(line[start:end], is_heading=is_heading) if start >= 0 else []
        if not words:
            break
        anchor = anchor or next((word[1:] for word in words if word.startswith("#")), None)
        end = _end_of_text(line, start, is_heading=is_heading)
        shown = end
    return (line if shown is None else line[:shown]), anchor


def _end_of_text(line: str, end: int, *, is_heading: bool) -> int:
    """Return where a line ends without white space, and without the hashes that close a heading."""
    while end and line[end - 1].isspace():
        end -= 1
    hashes = end
    while is_heading and hashes and line[hashes - 1] == "#":
        hashes -= 1
    return _end_of_text(line, hashes, is_heading=False) if hashes < end and line[hashes - 1 : hashes].isspace() else end


def _attributes(written: str, *, is_heading: bool) -> list[str]:
    match = _ATTRIBUTES.fullmatch(written)
    if not match or not (is_heading or written.startswith("{:")):
        return []
    words: list[str] = _ATTRIBUTE.findall(match[1])
    rest = _ATTRIBUTE.sub("", match[1])
    return [] if rest.strip() else words
