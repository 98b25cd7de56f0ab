"""What the lines of a PDF's pages are: headings, paragraphs, list items, code, table rows.

A PDF says none of it; it is guessed by place, size and weight of the letters.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from knowledge.parse.office.pdf_lines import Line, Segment
from knowledge.parse.office.pdf_running import LARGER, body_size

# A heading has no more characters than this.
_MAX_HEADING_CHARACTERS = 200
_MAX_LEVEL = 6
# Lines of a paragraph are no further apart than this, in sizes of their letters.
_PITCH = 1.75
# The last line of a paragraph may end this part of the width before the others.
_SHORT = 0.15
# The width of the letters of a fixed font, in their size.
_LETTER_WIDTH = 0.6
_MAX_INDENT = 80
_ITEM = re.compile(r"(?P<marker>[•‣◦▪●○■□–—*·-]|\(?\d{1,3}[.)]|\(?[^\W\d_][.)])\s+(?=\S)")
# Cells of a table are short; lines of two columns are long, and there are many of them.
_MIN_LINES_OF_COLUMNS = 5
_MIN_COLUMN_CHARACTERS = 25
_MIN_ROWS = 3
_SENTENCE_ENDS = ".!?…:;。！？"
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page: `kind` is heading, paragraph, item, code or table; a table has rows."""

    kind: str
    text: str
    level: int = 0
    marker: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


class Layout:
    """Tells what the lines of one document are; `outline` gives the level of a heading by page and text."""

    def __init__(self, pages: Sequence[Sequence[Line]], outline: Mapping[tuple[int, str], int]) -> None:
        self._outline = outline
        lines = [line for page in pages for line in page]
        self._body = body_size(lines)
        larger = sorted((size for size in {line.size for line in lines} if size >= LARGER * self._body), reverse=True)
        self._levels = {size: min(level, _MAX_LEVEL - 1) for level, size in enumerate(larger, start=1)}
        self._bold_level = min(len(larger) + 1, _MAX_LEVEL)

    def pieces(self, lines: Sequence[Line], page: int) -> Iterator[Piece]:
        """Yield the parts of a page in order."""
        for is_table, group in _tables_and_text(_in_columns(lines)):
            if is_table:
                yield Piece("table", "", rows=tuple(_rows(group)))
                continue
            for kind, level, part in self._groups(group, page):
                yield _piece(kind, level, part)

    def _groups(self, lines: Sequence[Line], page: int) -> Iterator[tuple[str, int, list[Line]]]:
        """Yield the lines that make a heading, a paragraph or an item together."""
        part: list[Line] = []
        known = ("", 0)
        for line in lines:
            found = self._kind(line, page)
            goes_on = part and _is_same(known, found) and _follows(part, line, lines)
            if part and not goes_on:
                yield *known, part
                part = []
            if not part:
                known = found
            part.append(line)
        if part:
            yield *known, part

    def _kind(self, line: Line, page: int) -> tuple[str, int]:
        text = line.text
        if level := self._outline.get((page, text.casefold()), 0):
            return "heading", min(level, _MAX_LEVEL)
        if line.is_fixed:
            return "code", 0
        if len(text) <= _MAX_HEADING_CHARACTERS and any(map(str.isalpha, text)):
            if level := self._levels.get(line.size, 0):
                return "heading", level
            if line.is_bold and line.size >= self._body and text[-1] not in ".,;" and not _ITEM.match(text):
                return "heading", self._bold_level
        return ("item" if _ITEM.match(text) else "paragraph"), 0


def _is_same(known: tuple[str, int], found: tuple[str, int]) -> bool:
    """Tell whether a line may go on with a part: an item only begins, and goes on as a paragraph."""
    return known == found != ("item", 0) or (known[0], found[0]) == ("item", "paragraph")


def _follows(part: Sequence[Line], line: Line, lines: Sequence[Line]) -> bool:
    """Tell whether a line goes on with what the lines before it say."""
    last = part[-1]
    size = max(last.size, line.size, 1.0)
    pitch = last.bottom - line.bottom
    is_code = last.is_fixed and line.is_fixed
    if abs(last.size - line.size) > size / 10 or not 0 < pitch <= (2 if is_code else 1) * _PITCH * size:
        return False
    if is_code:
        return True
    widest = max(line.right for line in lines)
    width = max(widest - min(line.left for line in lines), size)
    ends_early = widest - last.right > _SHORT * width and last.text[-1] in _SENTENCE_ENDS
    is_indented = len(part) > 1 and line.left - last.left > size and last.text[-1] in _SENTENCE_ENDS
    return not ends_early and not is_indented


def _piece(kind: str, level: int, lines: Sequence[Line]) -> Piece:
    if kind == "code":
        return Piece(kind, _code(lines))
    text = joined(line.text for line in lines)
    if kind == "item" and (marker := _ITEM.match(text)):
        return Piece(kind, text[marker.end() :], marker=marker["marker"])
    return Piece(kind, text, level)


def _code(lines: Sequence[Line]) -> str:
    """Return lines of a fixed font with the spaces before them, and the blank lines between them."""
    left = min(line.left for line in lines)
    letter = _LETTER_WIDTH * max(lines[0].size, 1.0)
    written = []
    for above, line in zip([lines[0], *lines], lines, strict=False):
        written += [""] * (above.bottom - line.bottom > _PITCH * line.size)
        written.append(" " * min(round((line.left - left) / letter), _MAX_INDENT) + line.text)
    return "\n".join(written)


def joined(lines: Iterable[str]) -> str:
    """Return running text made of lines: words cut by a hyphen are whole again."""
    text = ""
    for line in lines:
        if not text or not line:
            text += line
        elif text[-1] in "-\u2010" and text[-2:-1].isalpha() and line[0].islower():
            text = text[:-1] + line
        elif text[-1] in "-/\u2010" or (_CJK.match(text[-1]) and _CJK.match(line[0])):
            text += line
        else:
            text += f" {line}"
    return text


def goes_on(text: str, following: str) -> bool:
    """Tell whether a paragraph that ends a page goes on in the one that begins the next."""
    return bool(text and following) and text[-1] not in _SENTENCE_ENDS and following[0].islower()


def _in_columns(lines: Sequence[Line]) -> list[Line]:
    """Return lines that run over two columns of text as lines of the left column, and then of the right."""
    return [line for group in _by_gutter(lines) for line in group]


def _by_gutter(lines: Sequence[Line]) -> Iterator[list[Line]]:
    for is_wide, run in groupby(lines, key=_is_over_two_columns):
        group = list(run)
        if not is_wide or len(group) < _MIN_LINES_OF_COLUMNS:
            yield group
            continue
        yield [_part(line, line.segments[:1]) for line in group]
        yield [_part(line, line.segments[1:]) for line in group]


def _is_over_two_columns(line: Line) -> bool:
    return len(line.segments) == 2 and all(len(one.text) >= _MIN_COLUMN_CHARACTERS for one in line.segments)


def _part(line: Line, segments: list[Segment]) -> Line:
    return replace(line, segments=segments)


def _tables_and_text(lines: Sequence[Line]) -> Iterator[tuple[bool, list[Line]]]:
    """Yield runs of lines with at least two cells each whose places agree, and the lines between them."""
    text: list[Line] = []
    index = 0
    while index < len(lines):
        end = _end_of_table(lines, index)
        if end - index < _MIN_ROWS:
            text.append(lines[index])
            index += 1
            continue
        if text:
            yield False, text
            text = []
        yield True, list(lines[index:end])
        index = end
    if text:
        yield False, text


def _end_of_table(lines: Sequence[Line], start: int) -> int:
    """Return where the lines end that have columns in common with the one at `start`."""
    end = start
    while (
        end < len(lines)
        and len(lines[end].segments) > 1
        and not lines[end].is_fixed
        and (end == start or _agree(lines[end - 1], lines[end]))
    ):
        end += 1
    return end


def _agree(above: Line, below: Line) -> bool:
    """Tell whether most cells of the row with fewer stand under or over cells of the other."""
    if not 0 < above.bottom - below.bottom <= 4 * max(above.size, 1.0):
        return False
    fewer, more = sorted((above.segments, below.segments), key=len)
    shared = sum(any(_overlap(one, other) for other in more) for one in fewer)
    return shared * 2 > len(fewer) and shared > 1


def _overlap(one: Segment, other: Segment) -> bool:
    return min(one.right, other.right) - max(one.left, other.left) > 0


def _rows(lines: Sequence[Line]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row in the columns that all rows make together."""
    columns: list[list[float]] = []
    for segment in sorted((segment for line in lines for segment in line.segments), key=lambda one: one.left):
        if columns and segment.left < columns[-1][1]:
            columns[-1][1] = max(columns[-1][1], segment.right)
        else:
            columns.append([segment.left, segment.right])
    for line in lines:
        cells = [""] * len(columns)
        for segment in line.segments:
            place = next(index for index, (left, right) in enumerate(columns) if left <= segment.left <= right)
            cells[place] = f"{cells[place]} {segment.text}".strip()
        yield tuple(cells)
