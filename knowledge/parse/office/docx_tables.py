"""The rows and cells of a table in a Word document, merged cells resolved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.parse.office.docx_runs import tag_of
from knowledge.parse.office.docx_styles import attribute, child, is_on, number_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# A bit of a table's look: the style shows its first row as a header.
_FIRST_ROW = 0x0020
# The format's own limit; a cell may claim to span millions.
_MAX_COLUMNS = 63
_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})


@dataclass(slots=True)
class Cell:
    """A cell, and how many columns and rows it spans."""

    element: "Element"
    columns: int
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A row with the cells that begin in it."""

    cells: Sequence[Cell]
    is_header: bool


def rows_of(table: "Element") -> list[Row]:
    """Return the rows that are shown; deleted and hidden ones are not."""
    elements = [row for row in _inside(table, "tr") if not _is_unseen(row)]
    headers = _header_count(table, elements)
    rows: list[Row] = []
    # By their first column, the cells that may go on in the row below.
    above: dict[int, Cell] = {}
    for element in elements:
        cells, above = _cells(element, above)
        rows.append(Row(cells, is_header=len(rows) < headers))
    return rows


def _inside(element: "Element", name: str) -> Iterator["Element"]:
    for inner in element:
        tag = tag_of(inner)
        if tag == name:
            yield inner
        elif tag in _WRAPPERS:
            yield from _inside(inner, name)


def _is_unseen(row: "Element") -> bool:
    properties = child(row, "trPr")
    return is_on(child(properties, "hidden")) or child(properties, "del") is not None


def _header_count(table: "Element", rows: Sequence["Element"]) -> int:
    """Return how many rows are the header: those that repeat on each page, or the first where the look says so."""
    repeated = [is_on(child(child(row, "trPr"), "tblHeader")) for row in rows]
    count = (repeated.index(False) if False in repeated else 0) or int(_has_header_look(table))
    return count if count < len(rows) else 0


def _has_header_look(table: "Element") -> bool:
    look = child(child(table, "tblPr"), "tblLook")
    stated = attribute(look, "firstRow")
    if stated:
        return stated in ("1", "true", "on")
    try:
        return bool(int(attribute(look, "val") or "0", 16) & _FIRST_ROW)
    except ValueError:
        return False


def _cells(row: "Element", above: dict[int, Cell]) -> tuple[list[Cell], dict[int, Cell]]:
    """Return the cells that begin in a row, and all in it by their first columns; what goes on is one row longer."""
    column = number_of(child(child(row, "trPr"), "gridBefore"), default=0)
    begun: list[Cell] = []
    below: dict[int, Cell] = {}
    for element in _inside(row, "tc"):
        properties = child(element, "tcPr")
        merge = child(properties, "vMerge")
        columns = min(max(number_of(child(properties, "gridSpan"), default=1), 1), _MAX_COLUMNS)
        goes_on = merge is not None and attribute(merge, "val") in ("", "continue")
        if goes_on and column in above:
            above[column].rows += 1
            below[column] = above[column]
        elif child(properties, "cellDel") is None:
            begun.append(Cell(element, columns))
            if merge is not None:
                below[column] = begun[-1]
        column += columns
    return begun, below
