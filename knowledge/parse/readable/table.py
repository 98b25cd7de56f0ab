"""Table rows as blocks: each is a line of its own, and is searched with the names of its columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.parse.readable.sheet import WHOLE_CHARACTERS, Part, Sheet
from knowledge.parse.readable.spans import Columns, PlacedCell
from knowledge.parse.rows import BETWEEN_CELLS, MAX_CONTEXT_CHARACTERS, MAX_NAME_CHARACTERS, named

# A caption or header longer than this says nothing more about a row.
_MAX_CAPTION_CHARACTERS = 200
# What a row says again of cells that span into it, and of its own that span columns, is no longer than this.
_MAX_REPEATED_CHARACTERS = 240
_BETWEEN_NAMES = " / "


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

    def __init__(self, sheet: Sheet, *, group: int) -> None:
        self.is_in_header = False
        self.is_in_cell = False
        self._sheet = sheet
        self._group = group
        self._cells: list[_Cell] = []
        self._columns = Columns()
        self._names: dict[int, str] = {}
        self._caption = ""
        self._header = ""
        self._section = ""
        self._was_header = False

    def open_cell(self, *, is_header: bool, columns: int, rows: int) -> None:
        """Begin a cell."""
        self.is_in_cell = True
        self._cells.append(_Cell(is_header, columns, rows))

    def close_cell(self) -> None:
        """End the cell."""
        self.is_in_cell = False

    def keep(self, part: Part) -> None:
        """Add to the open cell."""
        self._cells[-1].parts.append(part)

    def set_caption(self, text: str) -> None:
        """Say what the table is about; each row below is searched with it."""
        self._caption = f"{self._caption} {text}".strip()[:_MAX_CAPTION_CHARACTERS]

    def end_group(self) -> None:
        """End a group of rows: no cell reaches out of it."""
        self._columns.end_group()

    def end_row(self) -> None:
        """Write the cells so far as a row; an open cell goes on in the next one."""
        cells, self._cells = self._cells, [_Cell(is_header=False, columns=1, rows=1)] if self.is_in_cell else []
        if not cells:
            return
        texts = [cell.text for cell in cells]
        placed = self._columns.placed(
            (text, cell.is_header, cell.columns, cell.rows) for text, cell in zip(texts, cells, strict=True)
        )
        line = BETWEEN_CELLS.join(texts).strip()
        if not any(texts):
            return
        if self.is_in_header or all(cell.is_header for cell in cells):
            self._write_header(placed, line)
        elif len(line) > WHOLE_CHARACTERS:
            self._write_apart(placed, cells)
        else:
            self._write_row(placed, cells, line)

    @property
    def _context(self) -> str:
        header = "; ".join(filter(None, (self._header, self._section)))
        return "\n".join(filter(None, (self._caption, header)))

    def _write_header(self, placed: Sequence[PlacedCell], line: str) -> None:
        """Write a row of the header; one cell over many columns is a title of what is below, not their name."""
        is_title = len(placed) == 1 and placed[0].columns > 1
        if is_title and self._names:
            self._section, self._was_header = line[:MAX_CONTEXT_CHARACTERS], False
        else:
            names = {} if is_title else dict(_named(placed))
            above = self._names if self._was_header else {}
            self._names = above | {column: _joined(above.get(column, ""), name) for column, name in names.items()}
            header = f"{self._header}; {line}" if self._was_header else line
            self._header, self._section = header[:MAX_CONTEXT_CHARACTERS], ""
            self._was_header = True
        self._sheet.add(Part("header", line), group=self._group, context=self._caption)

    def _write_row(self, placed: Sequence[PlacedCell], cells: Sequence[_Cell], line: str) -> None:
        self._was_header = False
        anchor = next((part.anchor for cell in cells for part in cell.parts if part.anchor), None)
        self._sheet.add(
            Part("row", line, anchor=anchor), group=self._group, seen=self._seen(placed), context=self._context
        )

    def _write_apart(self, placed: Sequence[PlacedCell], cells: Sequence[_Cell]) -> None:
        """Write a row too long for one passage: each part of its cells with the column's and the row's name."""
        self._was_header = False
        own = [cell for cell in placed if not cell.is_carried]
        key = placed[0].text if len(placed) > 1 and len(placed[0].text) <= MAX_NAME_CHARACTERS else ""
        context = "\n".join(filter(None, (self._context, key)))
        for cell, place in zip(cells, own, strict=True):
            name = self._names.get(place.column)
            for part in cell.parts:
                if part.kind == "paragraph":
                    seen = named(name, part.text)
                    self._sheet.add(Part("row", part.text, anchor=part.anchor), seen=seen, context=context)
                else:
                    self._sheet.add(part, context=context)

    def _seen(self, placed: Sequence[PlacedCell]) -> str:
        """Return the row with the names of its columns; without any, the first cell may be the row's name."""
        is_notice = len(placed) == 1 and placed[0].columns > max(self._names, default=0) > 0
        said = ["; ".join(texts) for texts in self._sentences(placed, {} if is_notice else self._names)]
        if self._names or not placed[0].is_header or len(said) < 2:
            return "; ".join(said)
        return f"{said[0]}: {'; '.join(said[1:])}"

    def _sentences(self, placed: Sequence[PlacedCell], names: Mapping[int, str]) -> Iterator[list[str]]:
        """Yield for each cell `column: value` for the columns that it covers, once for columns of the same name."""
        left = _MAX_REPEATED_CHARACTERS
        for cell in (cell for cell in placed if cell.text):
            covered = [names.get(column, "") for column in range(cell.column, cell.column + cell.columns)]
            own = [] if cell.is_carried else [named(covered[0], cell.text)]
            repeated = []
            for name in list(dict.fromkeys(covered))[len(own) :]:
                sentence = named(name, cell.text[:MAX_NAME_CHARACTERS])
                left -= len(sentence)
                if left >= 0 and (name or not own):
                    repeated.append(sentence)
            if own or repeated:
                yield own + repeated


def _named(placed: Sequence[PlacedCell]) -> Iterator[tuple[int, str]]:
    for cell in placed:
        if cell.text:
            yield from ((cell.column + more, cell.text[:MAX_NAME_CHARACTERS]) for more in range(cell.columns))


def _joined(above: str, name: str) -> str:
    """Return a column's name with that of the columns around it: `2024 / Q1`."""
    return name if above in ("", name) else f"{above}{_BETWEEN_NAMES}{name}"[:MAX_NAME_CHARACTERS]
