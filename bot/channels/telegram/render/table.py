"""Tables, which Telegram has none of: rows of equal width in one block, or lines where that would be too wide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from bot.channels.telegram.render.inline import formatted, words_of
from bot.channels.telegram.render.split import Block, Preformatted, Prose
from bot.channels.telegram.render.text import Styled, joined
from bot.channels.utf16 import length

# A wider row is broken on any screen, and then is harder to read than lines.
MAX_COLUMNS = 64
# Signs can be drawn over each other, so a narrow row may still be a long text.
MAX_ROW_UNITS = 512
_BETWEEN_CELLS = " | "
_NEW_PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, with the markers that stand behind it."""

    cells: tuple[str, ...]
    markers: Styled


def table(rows: Sequence[Row]) -> Iterator[Block]:
    """Yield rows with as many cells each, the first of them being the header, as one block or as lines of words."""
    if len(rows) == 1:
        yield Prose(marked(joined(map(formatted, rows[0].cells), _BETWEEN_CELLS), rows[0].markers))
        return
    header, rule, *body = _aligned(rows)
    if all(cell_len(line) <= MAX_COLUMNS and length(line) <= MAX_ROW_UNITS for line in (header, rule, *body)):
        yield Preformatted(tuple(body), head=(header, rule))
    else:
        yield from _listed(rows)


def _aligned(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table with each cell as wide as its column, and a rule below the first."""
    texts = [[words_of(cell) for cell in row.cells] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    for number, (cells, row) in enumerate(zip(texts, rows, strict=True)):
        padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
        yield " ".join(filter(None, [_BETWEEN_CELLS.join(padded).rstrip(), row.markers.text]))
        if number == 0:
            yield "-+-".join("-" * width for width in widths)


def _listed(rows: Sequence[Row]) -> Iterator[Block]:
    """Yield each row as lines of what stands in which column; the markers of the header stand behind the first."""
    header, *body = rows
    for number, row in enumerate(body):
        lines = joined(map(_field, header.cells, row.cells), "\n")
        markers = header.markers + row.markers if number == 0 and header.markers != row.markers else row.markers
        yield Prose(marked(lines, markers), _NEW_PARAGRAPH if number else "\n")


def _field(column: str, cell: str) -> Styled:
    return joined([formatted(f"{column}:"), formatted(cell)], " ") if column else formatted(cell)


def marked(words: Styled, markers: Styled) -> Styled:
    """Return words with the markers of their sources behind them."""
    return joined([words, markers], " ") if markers.text else words
