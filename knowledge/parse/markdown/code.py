"""Where the code of a Markdown page stands: nothing in it is markup, whatever it looks like."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from knowledge.types import Span

# A list item that begins further above has ended, as far as its indentation is concerned.
_MAX_LINES_LOOKED_BACK = 200
# Code that spans lines is looked for so far around the line that holds one of its marks.
_MAX_PARAGRAPH_LINES = 12
_CODE_INDENT = 4
_OPENING_FENCE = re.compile(r"(?P<before>[ >]*(?:(?:[-*+]|\d{1,9}[.)])[ ]+)*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"[ ]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_MARKERS = frozenset("-*+0123456789")
_RAW_HTML = re.compile(r"\s*<(pre|script|style|textarea)\b", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_CODE_ELEMENT = re.compile(r"<code\b[^<>]*>[^<]*</code>", re.IGNORECASE)


def code_end(lines: Sequence[str], first: int) -> int:
    """Return the line behind the code or raw HTML block that begins in line `first`; `first` where none does."""
    line = lines[first]
    if raw := _RAW_HTML.match(line):
        return _raw_end(lines, first, f"</{raw[1].lower()}")
    opening = _OPENING_FENCE.match(line)
    if not opening:
        return first
    before = opening["before"]
    container = _container(lines, first) if before.isspace() else len(before)
    if before.isspace() and len(before) - container >= _CODE_INDENT:
        return first
    return _fence_end(lines, first, opening["fence"], before, container)


def is_indented_code(lines: Sequence[str], number: int) -> bool:
    """Tell whether a line is code by its indentation alone."""
    indent = _indent(lines[number])
    if indent < _CODE_INDENT or indent - _container(lines, number) < _CODE_INDENT:
        return False
    above = next((line for line in reversed(lines[max(number - _MAX_LINES_LOOKED_BACK, 0) : number])), "")
    return not above.strip() or _indent(above) >= indent


def code_spans(lines: Sequence[str], number: int) -> list[Span]:
    """Return (start, end) of the code in a line of running text; code may begin and end in lines around it."""
    line = lines[number]
    if "`" not in line:
        return _elements(line)
    spans, is_whole = _spans(line)
    if not is_whole:
        spans = _spans_in_paragraph(lines, number)
    return sorted(chain(spans, _elements(line)))


def _raw_end(lines: Sequence[str], first: int, closing: str) -> int:
    for number in range(first, len(lines)):
        if closing in lines[number].lower():
            return number + 1
    return len(lines)


def _fence_end(lines: Sequence[str], first: int, fence: str, before: str, container: int) -> int:
    is_quoted = ">" in before
    for number in range(first + 1, len(lines)):
        line = lines[number]
        shown = line.strip(" \t>") if is_quoted else line.strip(" \t")
        has_left = (is_quoted and ">" not in line[: len(before)]) or (
            bool(shown) and not is_quoted and _indent(line) < container
        )
        if has_left:
            return number
        if shown[:3] == fence[:3] and len(shown) >= len(fence) and not shown.strip(fence[0]):
            return number + 1
    return len(lines)


def _container(lines: Sequence[str], number: int) -> int:
    """Return the column at which the text of the list item around a line begins; 0 outside of lists."""
    indent = _indent(lines[number])
    for line in reversed(lines[max(number - _MAX_LINES_LOOKED_BACK, 0) : number]):
        stripped = line.lstrip(" ")
        item = _ITEM.match(line) if stripped[:1] in _MARKERS else None
        column = len(line[: item.end()].expandtabs(_CODE_INDENT)) if item else 0
        if item and column <= indent:
            marker = len(line[: item.end()].rstrip())
            return column if column - marker <= _CODE_INDENT else marker + 1
        if not item and stripped and not line[0].isspace():
            return 0
    return 0


def _indent(line: str) -> int:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return len(indent.expandtabs(_CODE_INDENT)) if "\t" in indent else len(indent)


def _elements(line: str) -> list[Span]:
    return [match.span() for match in _CODE_ELEMENT.finditer(line)] if "<code" in line else []


def _spans(text: str) -> tuple[list[Span], bool]:
    """Return the code spans, and whether each run of marks belongs to one."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    following: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        following.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans, is_whole, index = [], True, 0
    while index < len(runs):
        start, end = runs[index]
        same = following[end - start]
        while same and same[-1] <= index:
            same.pop()
        is_escaped = start > 0 and text[start - 1] == "\\"
        if same and not is_escaped:
            spans.append((start, runs[same[-1]][1]))
            index = same[-1]
        else:
            is_whole = is_whole and is_escaped
        index += 1
    return spans, is_whole


def _spans_in_paragraph(lines: Sequence[str], number: int) -> list[Span]:
    first = number - len(list(_until_blank(reversed(lines[max(number - _MAX_PARAGRAPH_LINES, 0) : number]))))
    last = number + len(list(_until_blank(iter(lines[number : number + _MAX_PARAGRAPH_LINES]))))
    start = sum(len(line) + 1 for line in lines[first:number])
    end = start + len(lines[number])
    spans, _ = _spans("\n".join(lines[first:last]))
    return [
        (max(left, start) - start, min(right, end) - start) for left, right in spans if left < end and right > start
    ]


def _until_blank(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if not line.strip():
            return
        yield line
