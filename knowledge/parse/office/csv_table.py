"""CSV and its kin (semicolons, tabs, bars) to table rows: one line per record, as in the file."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from knowledge.errors import SourceProblem
from knowledge.parse.office.grid import NO_HEADER, Grid, Header, Row, header_of, is_header, tidy
from knowledge.types import Document, Parsed

# By how many records the delimiter and the header are chosen.
_SAMPLE_RECORDS = 100
_SAMPLE_CHARACTERS = 64 * 1024
_DELIMITERS = ",;\t|"
# A quoted cell of more lines than this is a quotation mark that nothing ends.
_MAX_CELL_LINES = 200
# A line that spreadsheets write to say what separates the cells.
_SEPARATOR_LINE = "sep="
# Bounds what is stored and embedded of one document.
MAX_CELLS = 1_000_000

Records = Iterator[tuple[int, Row]]
"""Each record with the number of lines that it takes."""


def parse_document(document: Document) -> Parsed:
    """Parse a CSV file; raise SourceProblem when it has too many cells."""
    return parse(document.text, delimiter="\t" if document.media_type == "text/tab-separated-values" else None)


def parse(text: str, *, delimiter: str | None = None) -> Parsed:
    """Parse CSV; what separates its cells is found out unless it is given.

    Lines keep their numbers, unless a cell holds more than one.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    grid = Grid()
    if lines[0].strip().lower().startswith(_SEPARATOR_LINE) and len(lines[0].strip()) == len(_SEPARATOR_LINE) + 1:
        delimiter, lines = lines[0].strip()[-1], lines[1:]
        grid.blank()
    if lines and not lines[-1]:
        lines.pop()
    keeps_lines = _write(lines, delimiter or _delimiter(lines), grid)
    parsed = grid.parsed()
    return Parsed(parsed.text, parsed.blocks, keeps_lines=keeps_lines)


def _write(lines: Sequence[str], delimiter: str, grid: Grid) -> bool:
    """Write the records and tell whether each takes one line."""
    sample = [row for _, row in islice(_records(lines, delimiter), _SAMPLE_RECORDS) if any(row)]
    captions, header = _opening(sample)
    keeps_lines, cells, written = True, 0, 0
    for count, row in _records(lines, delimiter):
        keeps_lines = keeps_lines and count == 1
        cells += len(row)
        if cells > MAX_CELLS:
            raise SourceProblem(f"it has more than {MAX_CELLS:,} cells; split it or leave it out")
        if not any(row):
            grid.blank()
            continue
        if written < captions:
            grid.paragraph(" ".join(filter(None, row)))
        elif written == captions and header is not NO_HEADER:
            grid.header(header)
        else:
            grid.row(row, header)
        written += 1
    return keeps_lines


def _opening(sample: Sequence[Row]) -> tuple[int, Header]:
    """Return how many records are captions, one cell above a table of more, and the header behind them."""
    widths = [sum(map(bool, row)) for row in sample]
    captions = 0
    if max(widths, default=0) > 1:
        captions = next(index for index, width in enumerate(widths) if width > 1)
    table = sample[captions:]
    has_header = len(table) > 1 and is_header(table[0], table[1:])
    return captions, header_of(table[:1]) if has_header else NO_HEADER


def _delimiter(lines: Sequence[str]) -> str:
    """Return what cuts most records into the same number of cells; among those, what makes more cells."""
    sample: list[str] = []
    length = 0
    for line in lines[:_SAMPLE_RECORDS]:
        length += len(line)
        if sample and length > _SAMPLE_CHARACTERS:
            break
        sample.append(line)

    def agreement(delimiter: str) -> tuple[float, int]:
        widths = Counter(len(row) for _, row in _records(sample, delimiter) if any(row))
        width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(1, 0))
        return (count / widths.total() if width > 1 else 0.0, width)

    return max(_DELIMITERS, key=agreement)


def _records(lines: Sequence[str], delimiter: str) -> Records:
    """Yield the records; a line with a quotation mark that nothing ends is read without regard to quotes."""
    start = 0
    while start < len(lines):
        for count, row in _quoted_records(lines, start, delimiter):
            yield count, [tidy(cell) for cell in row]
            start += count
        if start < len(lines):
            yield 1, [tidy(cell) for cell in lines[start].split(delimiter)]
            start += 1


def _quoted_records(lines: Sequence[str], start: int, delimiter: str) -> Records:
    """Yield the records from a line on, up to one whose quotation marks cannot be meant so."""
    reader = csv.reader((f"{lines[index]}\n" for index in range(start, len(lines))), delimiter=delimiter)
    before = 0
    # A cell longer than the module's own limit is an error there.
    with suppress(csv.Error):
        for row in reader:
            count = reader.line_num - before
            is_open = start + reader.line_num == len(lines) and _is_odd(lines[start + before :])
            if count > _MAX_CELL_LINES or (count > 1 and is_open):
                return
            yield count, row
            before = reader.line_num


def _is_odd(lines: Sequence[str]) -> bool:
    return sum(line.count('"') for line in lines) % 2 == 1
