"""Tables that are data (a sheet, a CSV file) as text: one line per row, searched with the names of its columns.

Cells are written with " | " between them. A row up to 800 characters is one block; of a longer one, each cell is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.parse.readable.sheet import WHOLE_CHARACTERS
from knowledge.parse.readable.words import tidy_line
from knowledge.parse.rows import BETWEEN_CELLS, MAX_CONTEXT_CHARACTERS, MAX_NAME_CHARACTERS, named
from knowledge.types import Block, Parsed

# Numbers, sums of money, dates, times: what stands in a table, not over it.
_DATUM = re.compile(r"[^\w]*\d[\d\s.,:/%+\-]*\s?\w{0,3}[^\w]*|true|false", re.IGNORECASE)

Row = Sequence[str]
"""The text of each cell from the first column on; the last ones may be missing."""


@dataclass(frozen=True, slots=True)
class Header:
    """The rows that name a table's columns; `names` are those that rows are searched with."""

    lines: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def context(self) -> str:
        """The header as a row needs it that stands alone."""
        return "; ".join(self.lines)[:MAX_CONTEXT_CHARACTERS]

    def name_of(self, column: int) -> str:
        """Return the name of a column, counted from 0; "" where it has none."""
        return self.names[column] if column < len(self.names) else ""


NO_HEADER = Header((), ())


def is_header(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether a row names the columns of those below it: each by words, and none twice."""
    names = [cell for cell in row if cell]
    widest = max((sum(map(bool, other)) for other in below), default=0)
    return (
        bool(below)
        and 2 * len(names) > widest
        and len(set(names)) == len(names)
        and not any(len(name) > MAX_NAME_CHARACTERS or _DATUM.fullmatch(name[:MAX_NAME_CHARACTERS]) for name in names)
    )


def header_of(rows: Sequence[Row]) -> Header:
    """Return the header that some rows make together: what stands below tells more of what stands above."""
    width = max(map(len, rows), default=0)
    columns = [[row[column] for row in rows if column < len(row) and row[column]] for column in range(width)]
    names = [" ".join(dict.fromkeys(column))[:MAX_NAME_CHARACTERS] for column in columns]
    return Header(tuple(map(line_of, rows)), tuple(names))


def tidy(cell: str) -> str:
    """Return a cell's text on one line, without what nobody sees."""
    if cell.isascii() and cell.isprintable() and "  " not in cell:
        return cell.strip()
    return tidy_line(cell)


def line_of(row: Row) -> str:
    """Return a row as it is written: up to its last cell that is not empty."""
    width = next((width for width in range(len(row), 0, -1) if row[width - 1]), 0)
    return BETWEEN_CELLS.join(row[:width])


class Grid:
    """Collects the lines of tables, and the headings and paragraphs between them, as text and blocks."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0

    def blank(self) -> None:
        """Add an empty line."""
        self._put("")

    def heading(self, text: str, *, level: int) -> None:
        """Add a heading."""
        self._add("heading", text, level=level)

    def paragraph(self, text: str) -> None:
        """Add a line of text that is no row."""
        self._add("paragraph", text)

    def header(self, header: Header) -> None:
        """Add a table's header."""
        for line in header.lines:
            self._add("header", line)

    def row(self, row: Row, header: Header = NO_HEADER, caption: str = "") -> None:
        """Add a row of a table; cells that are empty are not searched."""
        line = line_of(row)
        context = "; ".join(filter(None, [caption, header.context]))
        if len(line) <= WHOLE_CHARACTERS:
            cells = [named(header.name_of(column), cell) for column, cell in enumerate(row) if cell]
            self._add("row", line, seen="; ".join(cells), context=context)
            return
        start = self._length
        self._put(line)
        self._blocks += _cells_apart(row, header, start, context)

    def parsed(self) -> Parsed:
        """Return what was added."""
        return Parsed("\n".join(self._lines), tuple(self._blocks))

    def _add(self, kind: str, line: str, *, seen: str | None = None, level: int = 0, context: str = "") -> None:
        start = self._length
        self._put(line)
        if line:
            # A row may begin with empty cells; white space at the border of a block is part of none.
            start += len(line) - len(line.lstrip())
            self._blocks.append(Block(kind, start, self._length - 1, seen or line.strip(), level, context=context))

    def _put(self, line: str) -> None:
        self._lines.append(line)
        self._length += len(line) + 1


def _cells_apart(row: Row, header: Header, start: int, context: str) -> Iterator[Block]:
    """Yield each cell of a long row; what names the row and the column goes with it."""
    first = next((cell for cell in row if cell), "")[:MAX_NAME_CHARACTERS]
    is_first = True
    for column, cell in enumerate(row):
        said = [context, "" if is_first else first, header.name_of(column)]
        if cell:
            yield Block("row", start, start + len(cell), cell, context="; ".join(filter(None, said)))
            is_first = False
        start += len(cell) + len(BETWEEN_CELLS)
