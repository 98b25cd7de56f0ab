"""Excel workbooks to what they show: a heading per sheet, its tables row by row, cells as they are displayed.

Left out is what the workbook hides: sheets, rows, columns, cells by their number format or by white on white. Read in a
process of its own (`knowledge.parse.office.confined`).
"""

import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from knowledge.parse.office.cell_format import Formats
from knowledge.parse.office.confined import read_confined
from knowledge.parse.office.grid import NO_HEADER, Grid, Header, header_of, is_header, tidy
from knowledge.parse.office.package import opened
from knowledge.parse.office.xlsx_cells import MAX_CELLS, cells_of
from knowledge.types import Document, Parsed

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

# Rows by which a header is told from data.
_SAMPLE_ROWS = 50

Table = list[tuple[int, Mapping[int, str]]]
"""Rows of cells that stand together, in order."""


def parse_document(document: Document) -> Parsed:
    """Parse a workbook; raise SourceProblem when it cannot be read."""
    return read_confined(__name__, document.content)


def read(content: bytes) -> Parsed:
    """Read a workbook, in a process that is confined; a damaged one raises anything."""
    import openpyxl

    file = opened(content)
    # A library's remarks on what it leaves out (data validation, print areas) concern nothing that is shown here.
    warnings.simplefilter("ignore")
    book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
    formats = Formats.of(book)
    grid = Grid()
    left = MAX_CELLS
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            left -= _write_sheet(sheet, formats, grid, left)
    parsed = grid.parsed()
    return Parsed(parsed.text, parsed.blocks, metadata={"title": book.properties.title or ""}, keeps_lines=False)


def _write_sheet(sheet: "ReadOnlyWorksheet", formats: Formats, grid: Grid, limit: int) -> int:
    """Add a sheet and return how many cells it has."""
    shown = cells_of(sheet, formats, limit)
    tables = list(_tables(shown.cells))
    if tables:
        grid.heading(tidy(sheet.title), level=1)
    caption = ""
    for table in tables:
        grid.blank()
        if len(table) == 1 and len(table[0][1]) == 1:
            # What stands alone over a table, with an empty row between them, is said with its rows.
            caption = _write_caption(table, grid)
            continue
        _write_table(table, shown.spans, grid, caption)
        caption = ""
    if tables:
        grid.blank()
    return shown.count


def _tables(cells: Mapping[int, Mapping[int, str]]) -> Iterator[Table]:
    """Yield the rows that stand together; empty rows and empty columns separate tables."""
    block: Table = []
    for row in sorted(cells):
        if block and row > block[-1][0] + 1:
            yield from _side_by_side(block)
            block = []
        if cells[row]:
            block.append((row, cells[row]))
    if block:
        yield from _side_by_side(block)


def _side_by_side(block: Table) -> Iterator[Table]:
    used = sorted({column for _, row in block for column in row})
    starts = [used[0], *(right for left, right in pairwise(used) if right > left + 1)]
    parts: list[Table] = [[] for _ in starts]
    for number, row in block:
        split: dict[int, dict[int, str]] = {}
        for column, text in row.items():
            split.setdefault(bisect_right(starts, column) - 1, {})[column] = text
        for index, cells in split.items():
            parts[index].append((number, cells))
    yield from parts


def _write_caption(rows: Table, grid: Grid) -> str:
    said = [" ".join(row.values()) for _, row in rows]
    for line in said:
        grid.paragraph(line)
    return "; ".join(said)


def _write_table(table: Table, spans: Mapping[tuple[int, int], int], grid: Grid, caption: str) -> None:
    """Add a table: captions, one cell in the row, stand above its header."""
    columns = sorted({column for _, row in table for column in row})
    captions = next((index for index, (_, row) in enumerate(table) if len(row) > 1), 0)
    caption = _write_caption(table[:captions], grid) or caption
    header, height = _header(table[captions:], columns, spans)
    grid.header(header)
    for _, row in table[captions + height :]:
        grid.row([row.get(column, "") for column in columns], header, caption=caption)


def _header(table: Table, columns: Sequence[int], spans: Mapping[tuple[int, int], int]) -> tuple[Header, int]:
    """Return the header and of how many rows it is: where one of its cells lies over several columns, of two."""
    sample = [[row.get(column, "") for column in columns] for _, row in table[:_SAMPLE_ROWS]]
    if len(table) < 2 or not is_header(sample[0], sample[1:]):
        return NO_HEADER, 0
    number, first = table[0]
    wide = {column: spans.get((number, column), column) for column in first}
    if len(table) < 3 or all(last == column for column, last in wide.items()):
        return header_of(sample[:1]), 1
    over = [next((first[left] for left, last in wide.items() if left <= column <= last), "") for column in columns]
    return header_of([over, sample[1]]), 2
