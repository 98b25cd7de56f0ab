"""Templates become the text that readers see: includes, conditionals and values, resolved by rule and never run."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from knowledge.parse.templates.blocks import unfolded
from knowledge.parse.templates.includes import INLINE, TRIGGER, Include, Included, include_in, places, tags_in
from knowledge.parse.templates.lines import Line, joined, tidied
from knowledge.parse.templates.regions import Marked, Sections, front_matter_lines, is_section_mark
from knowledge.parse.templates.values import with_values

MAX_DEPTH = 10
# In one document; a real page has 216 includes, all of parts of one file.
MAX_INCLUDES = 1_000
MAX_FILES = 200
MAX_INCLUDED_CHARACTERS = 10 * 1024 * 1024
# Of a file with templates, and of one that is included; a line costs memory, however short it is.
MAX_LINES = 200_000
LINE_COST_CHARACTERS = 20
MAX_PROBLEMS = 5
_TOO_LONG = "its includes are longer than `max_file_mb` in all; those that follow are left out"
# What no template does without: a text that has none of it stays as it is.
_ANY_MARK = re.compile(r"\{/?[a-z!*%]|8<-|:::[ \t]?include|@include|!include|<<<", re.IGNORECASE)
_BACKTICKS = re.compile(r"`{3,}")

Read = Callable[[str], str | None]
"""Returns the text of a file of the source by its path from the root; None if there is none that may be read."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an operator says of templates; `roots` are the folders that a path from the root may start at."""

    variables: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset({"public"})
    roots: tuple[str, ...] = ("",)
    max_characters: int = MAX_INCLUDED_CHARACTERS


@dataclass(frozen=True, slots=True)
class Resolved:
    """A text without templates; the problems name what had to be left out.

    `keeps_lines`: each line has the number that it has in the file.
    """

    text: str
    keeps_lines: bool = True
    problems: tuple[str, ...] = ()


def resolve(text: str, path: str, rules: Rules, read: Read) -> Resolved:
    """Return what a reader sees of the templates in the file at `path`; whatever cannot be resolved is left out."""
    if not _ANY_MARK.search(text):
        return Resolved(text)
    if text.count("\n") > MAX_LINES:
        return Resolved(text, problems=(f"more than {MAX_LINES:,} lines; its templates are not resolved, split it",))
    resolution = _Resolution(rules, read)
    lines = resolution.page(text, path)
    shown = with_values(joined(lines), rules.variables)
    return Resolved(shown, not resolution.is_shifted, tuple(resolution.problems))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a file that is being resolved, and those that it is a part of."""

    path: str
    tags: frozenset[str] = frozenset()
    around: "_Part | None" = None

    @property
    def depth(self) -> int:
        return sum(1 for _ in self.line())

    def line(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield itself and what it is a part of."""
        part: _Part | None = self
        while part is not None:
            yield part.path, part.tags
            part = part.around


class _Resolution:
    """Resolves one document; each file is read once."""

    def __init__(self, rules: Rules, read: Read) -> None:
        self.problems: dict[str, None] = {}
        self.is_shifted = False
        self._rules = rules
        self._read = read
        self._texts: dict[str, str | None] = {}
        self._sections: dict[str, Sections] = {}
        self._parsed: dict[str, Marked] = {}
        self._left = MAX_INCLUDES
        self._left_characters = self._left_read = rules.max_characters

    def page(self, text: str, path: str) -> list[Line]:
        """Return the lines of the document itself; one that includes nothing keeps its number."""
        lines = text.split("\n")
        front = front_matter_lines(lines)
        shown = tidied(Marked.of(lines, flags=self._rules.flags).shown, keeps_lines=True)
        part = _Part(path)
        found = [*shown[:front]]
        for line in unfolded(shown[front:]):
            included = self._line(line, part)
            self.is_shifted |= len(included) != 1
            found += included
        return found

    def _line(self, line: Line, part: _Part) -> list[Line]:
        """Return what stands in the place of a line."""
        if not TRIGGER.search(line.text):
            return [line]
        included = include_in(line.text, is_code=line.is_code)
        if included is not None:
            return self._placed(included, part, is_code=line.is_code) or [Line("", line.is_code, is_cut=True)]
        if not line.is_code and is_section_mark(line.text):
            return [Line("", is_cut=True)]
        if line.is_code or "{include(" not in line.text:
            return [line]

        def inside(found: re.Match[str]) -> str:
            include = Include(found["path"].strip(), tags=tags_in(found["options"] or ""), folders=())
            return joined(self._included(include, part)).strip()

        return [Line(text) for text in INLINE.sub(inside, line.text).split("\n")]

    def _placed(self, included: Included, part: _Part, *, is_code: bool) -> list[Line]:
        """Return included lines under the indentation of the line that includes them."""
        if is_code or included.include.is_code:
            lines = self._code(included.include, part, is_fenced=is_code)
        else:
            lines = self._included(included.include, part)
        later = included.indentation
        if not self._has_room(len(later) * len(lines)):
            return []
        return [
            Line((later if number else included.prefix) + line.text if line.text else "", line.is_code, line.is_cut)
            for number, line in enumerate(lines)
        ]

    def _included(self, include: Include, part: _Part) -> Sequence[Line]:
        """Return the lines of an included text, resolved in turn; none if it is missing."""
        path = self._found(include, part)
        if path is None:
            return []
        inner = _Part(path, include.tags, part)
        if (path, include.tags) in part.line():
            return self._without(f"files include each other in a circle: {path}")
        if part.depth > MAX_DEPTH:
            return self._without(f"files include each other more than {MAX_DEPTH} deep: {path}")
        shown = self._shown(include, path)
        if not self._has_room(_size(shown)):
            return []
        return _trimmed([one for line in unfolded(tidied(shown, keeps_lines=False)) for one in self._line(line, inner)])

    def _shown(self, include: Include, path: str) -> Sequence[Line]:
        """Return the chosen lines of an included text, without marks, and count them."""
        if include.section or include.lines or any(include.bounds):
            shown: Sequence[Line] | None = Marked.of(self._chosen(include, path), flags=self._rules.flags).shown
        else:
            marked = self._marked(path)
            shown = marked.part(include.tags) if include.tags else marked.shown
        if shown is None:
            return self._without(f"an included part is missing: {path} tags={','.join(sorted(include.tags))}")
        return shown

    def _marked(self, path: str) -> Marked:
        if path not in self._parsed:
            self._parsed[path] = Marked.of(self._chosen(Include(path), path), flags=self._rules.flags)
        return self._parsed[path]

    def _code(self, include: Include, part: _Part, *, is_fenced: bool) -> Sequence[Line]:
        """Return included code, between fences; none if it is missing, for examples often lie elsewhere."""
        path = self._found(include, part, is_silent=True)
        lines = _trimmed([Line(line, is_code=True) for line in self._chosen(include, path)]) if path else []
        if not self._has_room(_size(lines)) or is_fenced or not lines:
            return lines if self._left_characters >= 0 else []
        longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line.text)), default=2)
        fence = "`" * (longest + 1)
        language = PurePosixPath(include.path).suffix.lstrip(".")
        return [Line(f"{fence}{language}", is_code=True), *lines, Line(fence, is_code=True)]

    def _found(self, include: Include, part: _Part, *, is_silent: bool = False) -> str | None:
        """Return the path of an included file, within the limits of a document."""
        if self._left <= 0:
            self._without(f"more than {MAX_INCLUDES:,} includes; those that follow are left out")
        if self._left <= 0 or not self._has_room(0):
            return None
        self._left -= 1
        candidates = places(include, part.path, self._rules.roots)
        path = next((path for path in candidates if self._text(path) is not None), None)
        if path is None and not is_silent:
            missing = f"is missing: {candidates[0]}" if candidates else f"lies outside of the source: {include.path}"
            self._without(f"an included file {missing}")
        return path

    def _text(self, path: str) -> str | None:
        if path not in self._texts and len(self._texts) >= MAX_FILES:
            self._without(f"more than {MAX_FILES} included files; those that follow are left out")
            return None
        if path not in self._texts:
            text = self._read(path) if self._left_read >= 0 else None
            self._left_read -= len(text or "")
            is_small = self._left_read >= 0 and (text or "").count("\n") <= MAX_LINES
            self._texts[path] = text if is_small else None
        return self._texts[path]

    def _chosen(self, include: Include, path: str) -> Sequence[str]:
        """Return the lines of an included file that are asked for, without its front matter."""
        if any(include.bounds):
            return _between(self._text(path) or "", *include.bounds).split("\n")
        if path not in self._sections:
            self._sections[path] = Sections.of(self._text(path) or "")
        sections = self._sections[path]
        if include.section:
            found = sections.named(include.section)
            return found or self._without(f"an included part is missing: {path}:{include.section}")
        if include.lines:
            return [line for first, last in include.lines for line in sections.lines[max(first, 1) - 1 : last]]
        return sections.lines

    def _has_room(self, characters: int) -> bool:
        """Tell whether so much more may be included, and count it."""
        self._left_characters -= characters
        if self._left_characters < 0:
            self._without(_TOO_LONG)
        return self._left_characters >= 0

    def _without(self, problem: str) -> tuple[()]:
        """Note what is left out, and return nothing."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems[problem] = None
        return ()


def _between(text: str, start: str, end: str) -> str:
    """Return what stands between two words in a text; what is "" or not there is the text's own beginning or end."""
    if start in text:
        text = text[text.index(start) + len(start) :]
    return text.partition(end)[0] if end else text


def _size(lines: Sequence[Line]) -> int:
    return sum(len(line.text) + LINE_COST_CHARACTERS for line in lines)


def _trimmed(lines: Sequence[Line]) -> list[Line]:
    """Return lines without empty ones at both ends."""
    filled = [number for number, line in enumerate(lines) if line.text.strip()]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []
