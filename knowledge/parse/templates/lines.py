"""The lines of a marked-up text: which of them are code, and what is left of those that held only marks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)")
# What is left of a list item, a heading or a quote whose words are gone.
_EMPTY = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]*)?")
_ASCIIDOC_TABLE = "|==="


class Line(NamedTuple):
    """One line. `is_cut`: it is empty because what it held was taken out."""

    text: str
    is_code: bool = False
    is_cut: bool = False

    @property
    def is_row(self) -> bool:
        """Tell whether it looks like a row of a table."""
        return not self.is_code and self.text.lstrip().startswith("|")


def fences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and last line of each fenced code; one that is never closed goes to the end."""
    found: list[tuple[int, int]] = []
    opened, start = "", 0
    for number, line in enumerate(lines):
        # Most lines hold neither.
        if "```" not in line and "~~~" not in line:
            continue
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if not opened:
            opened, start = fence[1], number
        elif fence[1].startswith(opened) and not fence[2].strip():
            found.append((start, number))
            opened = ""
    return [*found, (start, len(lines) - 1)] if opened else found


def is_empty(text: str) -> bool:
    """Tell whether nothing is left of a line that a reader would see."""
    return _EMPTY.fullmatch(text) is not None


def joined(lines: Iterable[Line]) -> str:
    """Return lines as a text."""
    return "\n".join(line.text for line in lines)


def tidied(lines: Sequence[Line], *, keeps_lines: bool) -> list[Line]:
    """Return lines without those that were cut out of the middle of a table, which they would part.

    With `keeps_lines` as many follow the table, so that whatever comes after it keeps its number; without, lines that
    were cut out leave one empty line at most.
    """
    if not any(line.is_cut for line in lines):
        return list(lines)
    kept: list[Line] = []
    owed = 0
    for line in _outside_of_tables(lines):
        if line is None:
            owed += 1
            continue
        if owed and not line.is_row:
            kept += [Line("", is_cut=True)] * (owed if keeps_lines else 0)
            owed = 0
        if keeps_lines or not (line.is_cut and kept and not kept[-1].text):
            kept.append(line)
    return kept


def _outside_of_tables(lines: Sequence[Line]) -> Iterator[Line | None]:
    """Yield the lines, and None for each that was cut out between two rows."""
    cut = 0
    is_after_row = is_in_asciidoc = False
    for line in lines:
        if line.is_cut:
            cut += 1
            continue
        is_between = is_after_row and line.is_row and not is_in_asciidoc
        yield from [None if is_between else Line("", is_cut=True)] * cut
        cut = 0
        is_in_asciidoc ^= line.text.strip() == _ASCIIDOC_TABLE
        is_after_row = line.is_row
        yield line
    yield from [Line("", is_cut=True)] * cut
