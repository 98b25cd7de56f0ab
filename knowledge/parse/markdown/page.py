"""The lines of one Markdown page while they are replaced by what its site generator shows of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from knowledge.parse.markdown.asciidoc_table import as_pipe_table, table_options
from knowledge.parse.markdown.braces import shown_line
from knowledge.parse.markdown.code import code_end, code_spans, is_indented_code
from knowledge.parse.markdown.comments import Comments
from knowledge.parse.markdown.footnotes import Footnotes
from knowledge.parse.markdown.headings import Outline, without_attributes
from knowledge.parse.markdown.marks import Does, Mark, bold, hides_details, mark_of, quoted_callout, signs_of
from knowledge.types import Span

_BODY_INDENT = "    "
_TAB_OR_INDENT = re.compile(r"\t| {1,4}")
_TABLE_BORDER = re.compile(r"\|={3,}[ \t]*")
_INCLUDED_CODE = re.compile(r"\{[*!].*[*!]\}|\{%-?\s*include\b.*%\}|;?-+8<-+.*|<<<[ ]?[@./\w].*")
# The braces of most pages are the identifiers of their headings.
_ONLY_ID = re.compile(r"^#[^{]*\{ ?#[^{}]*\}$")
_NO_LINE = -1


@dataclass(frozen=True, slots=True)
class Fold:
    """A part that the page shows under a title of its own: its lines, the end exclusive; a tab has no address."""

    start: int
    end: int
    is_tab: bool


@dataclass(frozen=True, slots=True)
class Written:
    """The page as it is shown; lines are counted from 0."""

    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[int, str] = field(default_factory=dict)
    folds: tuple[Fold, ...] = ()
    footnotes: Mapping[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Part:
    """A part of the page that is not closed yet."""

    name: str
    level: int
    title_line: int = _NO_LINE
    end: int = _NO_LINE
    is_tab: bool = False


class Page:
    """The lines of a page, replaced one after the other by what is shown of them."""

    def __init__(self, text: str) -> None:
        self._has_tables = "|===" in text
        self.lines = text.split("\n")
        self.anchors: dict[int, str] = {}
        self.folds: list[Fold] = []
        self.footnotes = Footnotes(text)
        self._comments = Comments(self.lines, text)
        self._has_comments = "<!--" in text or "{" in text
        self._has_folds = any(
            mark in text for mark in ("{cut(", "{tab(", "///", ":::", "???", '=== "', "<", "{{", "{%")
        )
        self._signs = signs_of(text) | {"~"} | (frozenset("#=-") if self._has_folds else frozenset())
        self._headings = dict(_titles(text)) if "%text" in text else {}
        self._hides_details = hides_details(text)
        self._outline = Outline(self.lines)
        self._parts: list[_Part] = []
        self._names: Counter[str] = Counter()
        self._table = self._table_options = _NO_LINE
        # Whether a line was left as it is for what stands around it, of which something has gone.
        self.needs_another_reading = False

    def written(self, text: str) -> Written:
        """Return the page after `read`."""
        shown = "\n".join(self.lines)
        return Written(
            text if shown == text else shown, {}, self.anchors, tuple(self.folds), dict(self.footnotes.by_line)
        )

    def read(self, first: int) -> None:
        """Read the lines from the first one on; those above are not shown."""
        self.lines[:first] = [""] * first
        number = self._read_from(first)
        while self._table != _NO_LINE:
            number = self._read_from(self._end_table(number))
        self._close_indented(number)
        if self.lines[0] in ("---", "+++"):
            # It would begin front matter, which it did not do before something was left out before it.
            self.lines[0] = "***"

    def _read_from(self, number: int) -> int:
        lines, signs = self.lines, self._signs
        has_footnotes, has_comments = self.footnotes.are_there, self._has_comments
        while number < len(lines):
            line = lines[number]
            if self._parts and self._parts[-1].end != _NO_LINE:
                self._close_indented(number)
            if (
                "{" in line
                or "```" in line
                or line.lstrip()[:1] in signs
                or (has_footnotes and "[^" in line)
                or (has_comments and "<!--" in line)
            ):
                number = self._take(number)
            else:
                number += 1
        return number

    def _take(self, number: int) -> int:
        """Replace a line by what is shown of it, and return where to read on: here again if something is left."""
        line = self.lines[number]
        if "```" in line or "~~~" in line or "<" in line:
            end = code_end(self.lines, number)
            if end > number:
                self._outline.code[number] = end
                self._drop_included_code(number, end)
                return end
        if is_indented_code(self.lines, number) and not self._is_mark(line):
            return number + 1
        code = code_spans(self.lines, number) if "`" in line or "<code" in line else []
        # Code that goes on below may end elsewhere once something there is gone.
        self.needs_another_reading |= bool(code) and code[-1][1] == len(line) and line[-1] != "`"
        following = number + 1
        if self._has_comments:
            self._comments.take_out(number, code)
        if self.lines[number] == line:
            following = self._take_mark(number, line)
            if following == _NO_LINE:
                following = number + 1
                self._take_text(number, line, code)
        is_as_it_was = self.lines[number] == line or not self.lines[number]
        return following if is_as_it_was else min(number, following)

    def _drop_included_code(self, first: int, end: int) -> None:
        """Drop a code block that holds no more than the place of a file."""
        inside = [line.strip() for line in self.lines[first + 1 : end - 1]]
        if any(inside) and all(not line or _INCLUDED_CODE.fullmatch(line) for line in inside):
            self.lines[first:end] = [""] * (end - first)

    def _is_mark(self, line: str) -> bool:
        stripped = line.strip()
        return stripped.startswith("{") and mark_of(stripped) is not None

    def _take_text(self, number: int, line: str, code: list[Span]) -> None:
        if "{" in line and not _ONLY_ID.search(line):
            shown = shown_line(line, code, self._headings)
            if shown.anchors:
                self.anchors[number] = shown.anchors[0]
            line = shown.text
        elif "[^" in line and self.footnotes.are_there:
            line = self.footnotes.taken_out(line, number, code)
        if "}" in line:
            line, anchor = without_attributes(line, self.lines[number + 1 : number + 2])
            if anchor:
                self.anchors[number] = anchor
            self.needs_another_reading |= line.endswith("}")
        if "[^" in line:
            self.needs_another_reading |= self.footnotes.defines_another(line)
        self.lines[number] = line

    def _take_mark(self, number: int, line: str) -> int:
        """Do what a mark says, and return where to read on; -1 for a line that is none."""
        stripped = line.strip()
        if stripped[:1] in ("|", "[", "."):
            following = self._take_table_mark(number, stripped)
            if following != _NO_LINE:
                return following
        if stripped.startswith(">"):
            self.lines[number] = quoted_callout(line)
            return number + 1 if self.lines[number] != line else _NO_LINE
        mark = mark_of(stripped)
        if mark is None or (mark.name == "details" and not self._is_fold(number, mark)):
            return _NO_LINE
        margin = line[: len(line) - len(line.lstrip())]
        match mark.does:
            case Does.INDENT:
                return self._open_indented(number, margin, mark)
            case Does.OPEN if mark.name == "summary":
                return self._take_summary(number, margin, mark)
            case Does.OPEN:
                self._open(number, margin, mark)
            case Does.CLOSE:
                self.lines[number] = ""
                self._close(mark.name, number)
            case Does.NOTHING:
                self.lines[number] = ""
        return number + 1

    def _is_fold(self, number: int, mark: Mark) -> bool:
        """Tell whether an HTML fold begins or ends in a line: one inside of other HTML does not."""
        above = self.lines[number - 1].lstrip() if number else ""
        is_inside = above.startswith("<") if mark.does is Does.OPEN else not self._names["details"]
        return not (self._hides_details or is_inside)

    def _take_table_mark(self, number: int, stripped: str) -> int:
        if _TABLE_BORDER.fullmatch(stripped):
            if self._table != _NO_LINE:
                return self._end_table(number)
            self._table = number
            return number + 1
        if not table_options(self.lines, number):
            self.needs_another_reading |= self._has_tables
            return _NO_LINE
        if self._table != _NO_LINE:
            return self._end_table(number)
        if stripped.startswith("["):
            self._table_options = number
        else:
            self.lines[number] = stripped[1:]
        return number + 1

    def _end_table(self, number: int) -> int:
        """Rewrite the open table, and return its first line; one without an end reaches to the next one."""
        first = self._table
        as_pipe_table(self.lines, first, number, options_line=self._table_options)
        self._table = self._table_options = _NO_LINE
        return first

    def _take_summary(self, number: int, margin: str, mark: Mark) -> int:
        part = self._parts[-1] if self._parts else None
        if part is None or part.name != "details" or part.title_line != _NO_LINE:
            return _NO_LINE
        self._parts.pop()
        self._names["details"] -= 1
        self._open(number, margin, replace(mark, name="details"))
        return number + 1

    def _open(self, number: int, margin: str, mark: Mark, end: int = _NO_LINE) -> None:
        level = self._outline.level_at(number) if mark.is_fold or mark.is_tab else 0
        part = _Part(mark.name, level, end=end, is_tab=mark.is_tab)
        is_section = mark.title and (mark.is_fold or mark.is_tab) and not margin and self._table == _NO_LINE
        if is_section and level < self._outline.DEEPEST:
            part.title_line = number
            self.lines[number] = f"{'#' * (level + 1)} {mark.title}"
        else:
            self.lines[number] = f"{margin}{bold(mark.title)}" if mark.title else ""
        self._parts.append(part)
        self._names[mark.name] += 1

    def _open_indented(self, number: int, margin: str, mark: Mark) -> int:
        body = margin + _BODY_INDENT
        end = last = number + 1
        while end < len(self.lines):
            line = self.lines[end].replace("\t", _BODY_INDENT, 1)
            if line.strip() and not line.startswith(body):
                break
            end += 1
            last = end if line.strip() else last
        if last == number + 1:
            self.needs_another_reading = True
            return _NO_LINE
        for inside in range(number + 1, last):
            line = self.lines[inside]
            self.lines[inside] = margin + _TAB_OR_INDENT.sub("", line[len(margin) :], count=1) if line.strip() else ""
        self._open(number, margin, replace(mark, name=f" {number}"), end=last)
        return number + 1

    def _close_indented(self, number: int) -> None:
        while self._parts and _NO_LINE != self._parts[-1].end <= number:
            self._close(self._parts[-1].name, self._parts[-1].end)

    def _close(self, name: str, number: int) -> None:
        """Close the last part of this name and what is still open inside; an end without a beginning ends nothing."""
        if not self._names[name]:
            return
        while True:
            part = self._parts.pop()
            self._names[part.name] -= 1
            if part.title_line != _NO_LINE:
                self.folds.append(Fold(part.title_line, number, part.is_tab))
                self._outline.go_on(number, part.level)
            if part.name == name:
                return


def _titles(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        if "{heading(" in line:
            shown = shown_line(line, (), {})
            yield from ((anchor, shown.text.lstrip("# ")) for anchor in shown.anchors)
