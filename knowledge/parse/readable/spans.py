"""Which columns the cells of a table's rows stand in, where cells span columns and rows.

The method is that of the HTML standard (4.9.12.1, "forming a table"); cells never overlap here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

# Spans are followed in so many columns only: a cell may claim to span millions. Cells of their own have no limit.
MAX_SPANNED_COLUMNS = 100
# So many cells at once are followed down into the rows below them.
MAX_REACHING_CELLS = 32
# The standard's largest number of rows, which also stands for all that are left.
MAX_SPANNED_ROWS = 65_534

Cell = tuple[str, bool, int, int]
"""A cell's text, whether it names a row or column, how many columns and how many rows it spans (0: all)."""


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell at its columns; `is_carried` when it stands in a row above and reaches down into this one."""

    column: int
    columns: int
    text: str
    is_header: bool
    is_carried: bool = False


class Columns:
    """Places the cells of one table, row by row."""

    def __init__(self) -> None:
        self._row = 0
        # The cells that reach down: by their first column the row that they end before.
        self._reaching: dict[int, tuple[int, PlacedCell]] = {}

    def placed(self, cells: Iterable[Cell]) -> list[PlacedCell]:
        """Return the cells of the next row, and those above that reach into it, from left to right."""
        if self._reaching:
            self._reaching = {column: reach for column, reach in self._reaching.items() if reach[0] > self._row}
        carried = {column: cell for column, (_, cell) in self._reaching.items()}
        found = list(self._placed(cells, carried))
        self._row += 1
        return found

    def end_group(self) -> None:
        """End a group of rows: no cell reaches out of it."""
        self._reaching = {}

    def _placed(self, cells: Iterable[Cell], carried: dict[int, PlacedCell]) -> Iterator[PlacedCell]:
        column = 0
        for text, is_header, columns, rows in cells:
            while above := carried.pop(column, None):
                yield above
                column += above.columns
            cell = PlacedCell(column, max(min(columns, MAX_SPANNED_COLUMNS - column), 1), text, is_header)
            if rows != 1 and len(self._reaching) < MAX_REACHING_CELLS:
                end = self._row + (rows or MAX_SPANNED_ROWS)
                self._reaching[column] = end, replace(cell, is_carried=True)
            yield cell
            column += cell.columns
        yield from (carried[place] for place in sorted(carried) if place >= column)
