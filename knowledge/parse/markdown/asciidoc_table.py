"""AsciiDoc tables inside of Markdown, rewritten as pipe tables: each row on the line on which its first cell begins.

Spans are resolved: what spans rows or columns is said again in each. How cells are written: AsciiDoc Language
Documentation, "Build a Basic Table" and "Span Columns and Rows".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.parse.markdown.code import code_spans

# A cell may claim to span millions of rows and columns.
_MAX_COLUMNS = 100
_MAX_SPANNED_ROWS = 1_000
# A longer text is not said again in each row and column that it spans.
_MAX_REPEATED_CHARACTERS = 200
# So many cells of a table are said again; 1 MB of spans would become gigabytes.
_MAX_REPEATED_CELLS = 10_000
# Between the options, title and border of a table there are no more lines than this.
_MAX_LINES_ABOVE = 3
_BORDER = re.compile(r"[ \t]*\|={3,}[ \t]*")
_OPTIONS = re.compile(r"\[[^\]\[]*\]")
_HAS_HEADER = re.compile(r"options\s*=\s*\"?[^\"\]]*header|%header")
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|([^,\]]*))")
_CELL = re.compile(
    r"(?:(?:^|(?<=\s))(?:(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?(?P<does>[+*]))?[<^>]?(?:\.[<^>])?[aehlmdsv]?)?"
    r"(?<!\\)\|"
)
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s")
_BARE_PIPE = re.compile(r"(?<!\\)\|")
_BREAK = "<br>"


@dataclass(slots=True)
class _Cell:
    line: int
    columns: int
    rows: int
    lines: list[str]
    times: int = 1
    text: str = ""

    @property
    def is_bold(self) -> bool:
        """Whether all of it is emphasised, as the names of columns are."""
        return len(self.text) > len("****") and self.text.startswith("**") and self.text.endswith("**")


@dataclass(slots=True)
class _Row:
    line: int
    texts: list[str]
    height: int = 1


def table_options(lines: Sequence[str], number: int) -> bool:
    """Tell whether a line holds the options or the title of the table below it."""
    line = lines[number].strip()
    if not (_OPTIONS.fullmatch(line) or (line.startswith(".") and line[1:2].strip() not in ("", "."))):
        return False
    for below in lines[number + 1 : number + 1 + _MAX_LINES_ABOVE]:
        if _BORDER.fullmatch(below):
            return True
        if below.strip() and not _OPTIONS.fullmatch(below.strip()):
            return False
    return False


def as_pipe_table(lines: list[str], first: int, end: int, *, options_line: int) -> None:
    """Rewrite the table between the borders `first` and `end` in place; its options go with the borders."""
    options = lines[options_line] if options_line >= 0 else ""
    margin = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    cells = list(_cells(lines, first + 1, end))
    for border in {options_line, first, end} - {-1, len(lines)}:
        lines[border] = ""
    if not cells:
        return
    columns = _columns(options, cells)
    rows = _rows(cells, columns)
    named = _header_rows(rows, cells, bool(_HAS_HEADER.search(options)))
    header, body = _header(rows[:named], columns), rows[named:]
    last = min(end, len(lines) - 1)
    above = options_line if options_line == first - 1 >= 0 else first
    at = min(_header_line(rows, named, first, above), last - 1)
    if at + 2 > last:
        header, body = _merged([_Row(at, header), *body]), []
    lines[first : last + 1] = [""] * (last + 1 - first)
    for line, texts in ((at, header), (at + 1, ["---"] * columns), *_placed(body, at + 2, last)):
        lines[line] = f"{margin}| {' | '.join(texts)} |"


def _cells(lines: Sequence[str], first: int, end: int) -> Iterator[_Cell]:
    cell: _Cell | None = None
    for number in range(first, end):
        line = lines[number].strip()
        code = code_spans([line], 0) if "`" in line else []
        borders = [match for match in _CELL.finditer(line) if not any(a <= match.end() - 1 < b for a, b in code)]
        before = line[: borders[0].start()] if borders else line
        if cell is None and before.strip():
            cell = _Cell(number, 1, 1, [])
        if cell:
            cell.lines.append(before)
        for index, border in enumerate(borders):
            if cell:
                yield from _finished(cell)
            behind = borders[index + 1].start() if index + 1 < len(borders) else len(line)
            cell = _opened(number, border, line[border.end() : behind])
    if cell:
        yield from _finished(cell)


def _opened(number: int, border: re.Match[str], text: str) -> _Cell:
    columns, rows = int(border["columns"] or 1), int(border["rows"] or 1)
    columns, rows = min(max(columns, 1), _MAX_COLUMNS), min(max(rows, 1), _MAX_SPANNED_ROWS)
    is_repeated = border["does"] == "*"
    return _Cell(number, 1 if is_repeated else columns, rows, [text], columns if is_repeated else 1)


def _finished(cell: _Cell) -> Iterator[_Cell]:
    cell.text = _cell_text(cell.lines)
    for _ in range(cell.times):
        yield cell


def _cell_text(lines: Sequence[str]) -> str:
    """Return a cell's lines as one: paragraphs, list items and lines of code are parted by breaks."""
    pieces: list[str] = []
    is_code, is_new = False, True
    for line in map(str.strip, lines):
        if line.startswith("```"):
            is_code = not is_code
            is_new = True
        elif not line:
            is_new = True
        elif is_new or is_code or not pieces or _ITEM.match(line):
            pieces.append(f"`{line}`" if is_code and "`" not in line else line)
            is_new = is_code
        else:
            pieces[-1] += f" {line}"
    return _BARE_PIPE.sub(r"\\|", _BREAK.join(pieces))


def _columns(options: str, cells: Sequence[_Cell]) -> int:
    """Return how many columns the options name; without them, how many the first row has."""
    written = _COLUMNS.search(options)
    listed = (written[1] or written[2] or "").strip(", ") if written else ""
    columns = sum(_times(column) for column in listed.split(",")) if listed else 0
    row = 0
    for index, cell in enumerate(cells):
        if index and cell.line - cells[index - 1].line > sum(map(bool, cells[index - 1].lines)):
            break
        if index and columns == 0 and cell.line != cells[0].line and cells[1].line == cells[0].line:
            break
        row += cell.columns
    return min(columns if columns > 1 else max(row, 1), _MAX_COLUMNS)


def _times(column: str) -> int:
    times, star, _ = column.strip().partition("*")
    return min(int(times), _MAX_COLUMNS) if star and times.isdecimal() else 1


def _rows(cells: Sequence[_Cell], columns: int) -> list[_Row]:
    rows: list[_Row] = []
    # Of each column: how many rows the cell above still reaches into, and what it says.
    reaching: list[tuple[int, str]] = [(0, "")] * columns
    column, said = columns, 0
    for cell in cells:
        if column >= columns:
            rows.append(_Row(cell.line, [""] * columns))
            column = 0
        column = _reached(rows[-1], reaching, column)
        if column >= columns:
            # Cells above reach into all of the row: nothing is left for this one but to end them.
            reaching, column = [(0, "")] * columns, 0
        rows[-1].height = max(rows[-1].height, cell.rows)
        again = cell.text if len(cell.text) <= _MAX_REPEATED_CHARACTERS and cell.columns < columns else ""
        again = again if (cell.columns * cell.rows == 1 or said < _MAX_REPEATED_CELLS) else ""
        said += cell.columns * cell.rows - 1
        for spanned in range(column, min(column + cell.columns, columns)):
            rows[-1].texts[spanned] = cell.text if spanned == column else again
            reaching[spanned] = (cell.rows - 1, again)
        column = _reached(rows[-1], reaching, min(column + cell.columns, columns))
    return rows


def _reached(row: _Row, reaching: list[tuple[int, str]], column: int) -> int:
    """Fill the columns that cells above reach into, and return the next one that is free."""
    while column < len(reaching) and reaching[column][0] > 0:
        left, text = reaching[column]
        row.texts[column] = text
        reaching[column] = (left - 1, text)
        column += 1
    return column


def _header_rows(rows: Sequence[_Row], cells: Sequence[_Cell], is_named: bool) -> int:
    """Return how many rows name the columns: as the options say, or a first row that is bold throughout."""
    first = [cell for cell in cells if cell.line < rows[1].line] if len(rows) > 1 else list(cells)
    is_bold = len(first) > 1 and all(cell.is_bold for cell in first)
    return min(rows[0].height, len(rows)) if is_named or is_bold else 0


def _header(rows: Sequence[_Row], columns: int) -> list[str]:
    return [
        " ".join(dict.fromkeys(row.texts[column] for row in rows if row.texts[column])) for column in range(columns)
    ]


def _header_line(rows: Sequence[_Row], named: int, first: int, above: int) -> int:
    """Return where the header goes: on its own line if the one below it is free."""
    start = rows[0].line
    if not named:
        return max(above, start - 2)
    return start if len(rows) == named or rows[named].line > start + 1 else max(start - 1, first)


def _without_empty_end(texts: list[str]) -> list[str]:
    filled = [column for column, text in enumerate(texts) if text]
    return texts[: max(filled, default=0) + 1]


def _merged(rows: Sequence[_Row]) -> list[str]:
    return [_BREAK.join(filter(None, column)) for column in zip(*(row.texts for row in rows), strict=True)]


def _placed(rows: Sequence[_Row], first: int, last: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with its line; where several begin on one line, those behind it move to the next ones."""
    room = max(last - first + 1, 0)
    kept = list(rows[:room])
    if len(rows) > room > 0:
        kept[-1].texts = _merged(rows[room - 1 :])
    places, free = [], first
    for row in kept:
        places.append(max(row.line, free))
        free = places[-1] + 1
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], last - (len(places) - 1 - index))
    yield from zip(places, (_without_empty_end(row.texts) for row in kept), strict=True)
