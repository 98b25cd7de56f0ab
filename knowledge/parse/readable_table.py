"""Table rows as blocks: each is a line of its own, and is searched with the names of its columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from knowledge.parse.sheet import WHOLE_CHARACTERS, Part, Sheet

# A header longer than this says nothing more about a row.
_MAX_CONTEXT_CHARACTERS = 400
_MAX_NAME_CHARACTERS = 80
# Cells are counted so far only: a cell may claim to span millions of columns and rows.
_MAX_COLUMNS = 100
# Cells of rows above that reach into a row are said again with it, when they are among its first ones.
_MAX_REPEATED_COLUMNS = 3
_BETWEEN_CELLS = " | "


@dataclass(frozen=True, slots=True)
class _Cell:
    is_header: bool
    columns: int
    rows: int
    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The cell on one line, but for list items and code."""
        pieces: list[str] = []
        for before, part in zip([None, *self.parts], self.parts, strict=False):
            if before:
                pieces.append("\n" if {before.kind, part.kind} & {"item", "code"} else " ")
            pieces.append(part.text if part.kind == "code" else part.margin + part.text.replace("\n", " "))
        return "".join(pieces)


class Table:
    """One table, row by row; rows that belong to its header name the columns of those below."""

    def __init__(self, sheet: Sheet, *, group: int, lists_outside: int) -> None:
        self.lists_outside = lists_outside
        self.is_in_header = False
        self.is_in_cell = False
        self._sheet = sheet
        self._group = group
        self._cells: list[_Cell] = []
        self._row = 0
        self._names: dict[int, str] = {}
        self._context = ""
        self._was_header = False
        # The cells that reach down: by their column the row that they end before, and their text.
        self._reaching: dict[int, tuple[int, str]] = {}

    def open_cell(self, *, is_header: bool, columns: int, rows: int) -> None:
        """Begin a cell."""
        self.is_in_cell = True
        self._cells.append(_Cell(is_header, max(columns, 1), max(rows, 1)))

    def close_cell(self) -> None:
        """End the cell."""
        self.is_in_cell = False

    def keep(self, part: Part) -> None:
        """Add to the open cell."""
        self._cells[-1].parts.append(part)

    def end_row(self) -> None:
        """Write the cells so far as a row; an open cell goes on in the next one."""
        cells, self._cells = self._cells, [_Cell(is_header=False, columns=1, rows=1)] if self.is_in_cell else []
        if not cells:
            return
        texts = [cell.text for cell in cells]
        placed = list(self._placed(cells, texts))
        self._row += 1
        if not any(texts):
            return
        if self.is_in_header or all(cell.is_header for cell in cells):
            self._write_header(placed, texts)
        else:
            self._write_row(placed, cells, texts)

    def _placed(self, cells: Sequence[_Cell], texts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield (column, text) of each cell, and of those above that reach into the row and are to be said again."""
        column = 0
        for cell, text in zip(cells, texts, strict=True):
            while self._reaching.get(column, (0, ""))[0] > self._row:
                if column < _MAX_REPEATED_COLUMNS:
                    yield column, self._reaching[column][1]
                column += 1
            yield column, text
            for spanned in range(column, min(column + cell.columns, _MAX_COLUMNS) if cell.rows > 1 else 0):
                repeated = text[:_MAX_NAME_CHARACTERS] if spanned == column else ""
                self._reaching[spanned] = (self._row + cell.rows, repeated)
            column = min(column + cell.columns, _MAX_COLUMNS)

    def _write_header(self, placed: Sequence[tuple[int, str]], texts: Sequence[str]) -> None:
        line = _BETWEEN_CELLS.join(texts).strip()
        names = {column: text[:_MAX_NAME_CHARACTERS] for column, text in placed if text}
        if self._was_header:
            self._names |= names
            self._context = f"{self._context}; {line}"[:_MAX_CONTEXT_CHARACTERS]
        else:
            self._names, self._context = names, line[:_MAX_CONTEXT_CHARACTERS]
        self._was_header = True
        self._sheet.add(Part("header", line), group=self._group)

    def _write_row(self, placed: Sequence[tuple[int, str]], cells: Sequence[_Cell], texts: Sequence[str]) -> None:
        self._was_header = False
        line = _BETWEEN_CELLS.join(texts).strip()
        if len(line) > WHOLE_CHARACTERS:
            for part in (part for cell in cells for part in cell.parts):
                self._write_apart(part)
            return
        anchor = next((part.anchor for cell in cells for part in cell.parts if part.anchor), None)
        self._sheet.add(
            Part("row", line, anchor=anchor),
            group=self._group,
            seen=self._seen(placed, has_row_name=cells[0].is_header),
            context=self._context,
        )

    def _seen(self, placed: Sequence[tuple[int, str]], *, has_row_name: bool) -> str:
        """Return the row with the names of its columns; without any, the first cell may be the row's name."""
        if self._names or not has_row_name:
            named = [(self._names.get(column), text) for column, text in placed if text]
            return "; ".join(f"{name}: {text}" if name else text for name, text in named)
        first, *others = [text for _, text in placed if text]
        return f"{first}: {'; '.join(others)}" if others else first

    def _write_apart(self, part: Part) -> None:
        if part.kind == "paragraph":
            self._sheet.add(Part("row", part.text, anchor=part.anchor), context=self._context)
        else:
            self._sheet.add(part)
