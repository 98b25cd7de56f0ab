"""Regions of a text between marks: conditionals, kept or taken out, and tagged parts that an include selects."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, takewhile
from typing import NamedTuple

from knowledge.parse.templates.lines import Line, fences, is_empty

_MARK = re.compile(r"\{(?P<closing>/?)(?P<name>ifdef|ifndef|includetag)(?:\((?P<words>[^(){}\n]*)\))?\}")
_TAG = "includetag"
# The marks of parts that `--8<-- "file:part"` selects, whatever comment they stand in.
_SECTION = re.compile(r"-{1,9}8<-{1,9}[ \t]*\[[ \t]*(?P<side>start|end)[ \t]*(?::[ \t]*(?P<name>[^\]\n]*?))?[ \t]*\]")
_FRONT_MATTER = "---"
MAX_FRONT_MATTER_LINES = 500


class Place(NamedTuple):
    """Where something stands: line and column, from 0."""

    line: int
    column: int


class Region(NamedTuple):
    """What stands between two marks, and the words of the first one."""

    name: str
    words: frozenset[str]
    start: Place
    end: Place


def front_matter_lines(lines: Sequence[str]) -> int:
    """Return how many lines the front matter takes, with its fences."""
    if not lines or lines[0].rstrip() != _FRONT_MATTER:
        return 0
    for number, line in enumerate(lines[1:MAX_FRONT_MATTER_LINES], start=1):
        if line.rstrip() == _FRONT_MATTER:
            return number + 1
    return 0


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with marks; `shown` are its lines without them and without what conditions take out, each in its place."""

    shown: tuple[Line, ...]
    _lines: tuple[str, ...]
    _tagged: tuple[Region, ...]
    _columns: Mapping[int, Sequence[tuple[int, int | None]]]

    @classmethod
    def of(cls, lines: Sequence[str], *, flags: Set[str]) -> "Marked":
        """Read the marks of a text; of conditions that ask for none of the flags nothing is shown."""
        fenced = fences(lines)
        code = _code(len(lines), fenced)
        marks, regions = _marks_and_regions(lines, code)
        cuts = _Cuts()
        for start, end in marks:
            cuts.add(start, end)
        for region in regions:
            if not _holds(region, flags):
                cuts.add(region.start, region.end)
        hidden = cuts.whole(len(lines))
        shown = (
            Line("", code[number], is_cut=True)
            if hidden[number]
            else _cut(line, cuts.columns.get(number, ()), is_code=code[number])
            for number, line in enumerate(lines)
        )
        tagged = tuple(region for region in regions if region.name == _TAG)
        return cls(tuple(shown), tuple(lines), tagged, cuts.columns)

    def part(self, tags: Set[str]) -> list[Line] | None:
        """Return the shown lines but for those that are tagged otherwise: what has no tag is common to all.

        A part that is chosen is shown with all that is tagged inside it. None says that nothing is left: all is tagged,
        and none of it with one of the tags.
        """
        wanted = [region for region in self._tagged if region.words & tags]
        chosen = _merged(sorted((region.start, region.end) for region in wanted))
        tagged = _merged(sorted((region.start, region.end) for region in self._tagged))
        cuts = _Cuts()
        for start, end in (gap for span in tagged for gap in _without(span, chosen)):
            cuts.add(start, end)
        hidden = cuts.whole(len(self.shown))
        kept = [self._without(number, cuts) for number in range(len(self.shown)) if not hidden[number]]
        return kept if wanted or any(line.text.strip() for line in kept) else None

    def _without(self, number: int, cuts: "_Cuts") -> Line:
        line = self.shown[number]
        if line.is_cut or number not in cuts.columns:
            return line
        columns = [*self._columns.get(number, ()), *cuts.columns[number]]
        return _cut(self._lines[number], columns, is_code=line.is_code)


def _merged(spans: Iterable[tuple[Place, Place]]) -> list[tuple[Place, Place]]:
    merged: list[tuple[Place, Place]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _without(span: tuple[Place, Place], chosen: Sequence[tuple[Place, Place]]) -> Iterator[tuple[Place, Place]]:
    """Yield what of a span is left without the chosen ones inside it; none of them overlap."""
    start, end = span
    first = bisect_left(chosen, span)
    for inside in takewhile(lambda one: one[0] < end, chosen[first:]):
        yield start, inside[0]
        start = inside[1]
    yield start, end


@dataclass(slots=True)
class _Cuts:
    """What is taken out of lines: columns by line, and how many regions begin and end around whole lines."""

    columns: dict[int, list[tuple[int, int | None]]] = field(default_factory=dict)
    edges: dict[int, int] = field(default_factory=dict)

    def add(self, start: Place, end: Place) -> None:
        """Take out what stands between two places."""
        if start.line == end.line:
            self.columns.setdefault(start.line, []).append((start.column, end.column))
            return
        self.columns.setdefault(start.line, []).append((start.column, None))
        self.columns.setdefault(end.line, []).append((0, end.column))
        self.edges[start.line + 1] = self.edges.get(start.line + 1, 0) + 1
        self.edges[end.line] = self.edges.get(end.line, 0) - 1

    def whole(self, count: int) -> list[bool]:
        """Tell of each line whether all of it is taken out."""
        return [depth > 0 for depth in accumulate(self.edges.get(number, 0) for number in range(count))]


def _code(count: int, fenced: Iterable[tuple[int, int]]) -> list[bool]:
    code = [False] * count
    for first, last in fenced:
        code[first : last + 1] = [True] * (last + 1 - first)
    return code


def _marks_and_regions(lines: Sequence[str], code: Sequence[bool]) -> tuple[list[tuple[Place, Place]], list[Region]]:
    """Return where marks stand, and the regions between those that have a counterpart, each kind for itself."""
    marks: list[tuple[Place, Place]] = []
    regions: list[Region] = []
    opened: dict[str, list[tuple[Place, frozenset[str]]]] = {}
    for number, mark in _marks(lines, code):
        start, end = Place(number, mark.start()), Place(number, mark.end())
        marks.append((start, end))
        waiting = opened.setdefault(mark["name"], [])
        if not mark["closing"]:
            waiting.append((start, _words(mark["words"])))
        elif waiting:
            begin, words = waiting.pop()
            regions.append(Region(mark["name"], words, begin, end))
    return marks, regions


def _marks(lines: Sequence[str], code: Sequence[bool]) -> Iterator[tuple[int, re.Match[str]]]:
    for number in range(front_matter_lines(lines), len(lines)):
        line = lines[number]
        if "{" not in line:
            continue
        for mark in _MARK.finditer(line):
            # Parts of code are tagged, too, on lines of their own.
            if not code[number] or (mark["name"] == _TAG and mark[0] == line.strip()):
                yield number, mark


def _words(written: str | None) -> frozenset[str]:
    return frozenset(word for part in (written or "").split(",") if (word := part.strip()))


def _holds(region: Region, flags: Set[str]) -> bool:
    match region.name:
        case "ifdef":
            return bool(region.words & flags)
        case "ifndef":
            return not region.words & flags
    return True


def _cut(line: str, columns: Sequence[tuple[int, int | None]], *, is_code: bool) -> Line:
    if not columns:
        return Line(line, is_code)
    pieces, position = [], 0
    for start, end in sorted((start, len(line) if end is None else end) for start, end in columns):
        pieces.append(line[position:start])
        position = max(position, end)
    text = "".join([*pieces, line[position:]])
    return Line("", is_code, is_cut=True) if is_empty(text) else Line(text, is_code)


def is_section_mark(line: str) -> bool:
    """Tell whether a line marks the beginning or the end of a section."""
    return "8<-" in line and _SECTION.search(line) is not None


@dataclass(frozen=True, slots=True)
class Sections:
    """The lines of a file that includes may choose from: `lines` are all of them, without front matter and marks."""

    lines: tuple[str, ...]
    _bounds: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, text: str) -> "Sections":
        """Find the sections of a text."""
        written = text.split("\n")
        lines: list[str] = []
        bounds: dict[str, list[int]] = {}
        for line in written[front_matter_lines(written) :]:
            mark = _SECTION.search(line) if "8<-" in line else None
            if mark is None:
                lines.append(line)
            elif mark["name"]:
                bounds.setdefault(mark["name"], []).append(len(lines))
        return cls(tuple(lines), bounds)

    def named(self, name: str) -> list[str]:
        """Return the lines between the marks of a section; none if it has not both."""
        bounds = self._bounds.get(name, ())
        return [line for first, last in list(pairwise(bounds))[::2] for line in self.lines[first:last]]
