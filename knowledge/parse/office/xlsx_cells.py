"""The cells that a workbook's sheet shows, without hidden rows and columns, merged ones resolved."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from knowledge.errors import SourceProblem
from knowledge.parse.office.cell_format import Formats
from knowledge.parse.office.confined import REMEDY
from knowledge.parse.office.grid import tidy

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet
    from openpyxl.worksheet._reader import WorkSheetParser

# Bounds what is stored and embedded of one document.
MAX_CELLS = 1_000_000
# Ranges of cells that are shown as one; nobody makes this many by hand.
_MAX_MERGED_RANGES = 10_000
# The format's last column, XFD.
_MAX_COLUMN = 16_384

_Cells = dict[int, dict[int, str]]


@dataclass(frozen=True, slots=True)
class SheetCells:
    """The text of each cell that has one, by row and column as a reader counts them.

    `spans` are the last columns of merged cells by their row and first column; `count` is how many cells were read.
    """

    cells: Mapping[int, Mapping[int, str]]
    spans: Mapping[tuple[int, int], int]
    count: int


def cells_of(sheet: "ReadOnlyWorksheet", formats: Formats, limit: int) -> SheetCells:
    """Read a sheet; raise SourceProblem when it has more cells than the limit, used or not."""
    from openpyxl.worksheet._reader import WorkSheetParser

    # The library's own rows are as wide as the sheet says it is, and do not tell which are hidden.
    with sheet._get_source() as source:
        reader = WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=sheet.parent.epoch,
            date_formats=sheet.parent._date_formats,
            timedelta_formats=sheet.parent._timedelta_formats,
        )
        cells, count = _shown(reader, formats, limit)
    merged = reader.merged_cells.mergeCell if reader.merged_cells else ()
    spans = _merge(cells, [area.bounds for area in islice(merged, _MAX_MERGED_RANGES)])
    hidden_rows = sorted(int(number) for number, row in reader.row_dimensions.items() if _is_hidden(row, "ht"))
    return _seen(cells, spans, hidden_rows, _hidden_columns(reader.column_dimensions), count)


def _shown(reader: "WorkSheetParser", formats: Formats, limit: int) -> tuple[_Cells, int]:
    cells: _Cells = {}
    count = 0
    for row, found in reader.parse():
        count += len(found)
        if count > limit:
            raise SourceProblem(f"it has more than {MAX_CELLS:,} cells; {REMEDY}")
        texts = {cell["column"]: tidy(formats.shown(cell["value"], cell["style_id"])) for cell in found}
        if shown := {column: text for column, text in texts.items() if text}:
            cells[row] = cells.get(row, {}) | shown
    return cells, count


def _merge(cells: _Cells, areas: Sequence[tuple[int, int, int, int]]) -> dict[tuple[int, int], int]:
    """Say merged cells again in each row that they reach into; return their last columns by row and first column."""
    spans: dict[tuple[int, int], int] = {}
    rows = sorted(cells)
    for left, top, right, bottom in areas:
        text = cells.get(top, {}).get(left)
        if text is None:
            continue
        for row in rows[bisect_left(rows, top) : bisect_right(rows, bottom)]:
            cells[row].setdefault(left, text)
            spans[row, left] = right
        if len(spans) > MAX_CELLS:
            raise SourceProblem(f"its merged cells are more than its cells; {REMEDY}")
    return spans


def _is_hidden(dimension: Mapping[str, str], size: str) -> bool:
    return dimension.get("hidden") in ("1", "true") or float(dimension.get(size, 1)) == 0


def _hidden_columns(columns: Mapping[str, Mapping[str, str]]) -> list[int]:
    hidden: set[int] = set()
    for column in columns.values():
        if _is_hidden(column, "width"):
            hidden.update(range(int(column["min"]), min(int(column["max"]), _MAX_COLUMN) + 1))
    return sorted(hidden)


def _seen(
    cells: _Cells,
    spans: Mapping[tuple[int, int], int],
    hidden_rows: Sequence[int],
    hidden_columns: Sequence[int],
    count: int,
) -> SheetCells:
    """Return the cells without the hidden ones, as if those were not there: they separate no tables."""
    if not hidden_rows and not hidden_columns:
        return SheetCells(cells, spans, count)
    rows = _places(cells, hidden_rows)
    columns = _places({column for row in cells.values() for column in row}, hidden_columns)
    return SheetCells(
        {
            rows[number]: {columns[column]: text for column, text in row.items() if column in columns}
            for number, row in cells.items()
            if number in rows
        },
        {
            (rows[row], columns[column]): last - bisect_right(hidden_columns, last)
            for (row, column), last in spans.items()
            if row in rows and column in columns
        },
        count,
    )


def _places(numbers: Mapping[int, object] | set[int], hidden: Sequence[int]) -> dict[int, int]:
    """Return where each row or column is seen; hidden ones are not."""
    unseen = set(hidden)
    return {number: number - bisect_left(hidden, number) for number in numbers if number not in unseen}
