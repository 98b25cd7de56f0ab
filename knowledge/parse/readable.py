"""The text that a reader sees of a page with markup, and its blocks: what the parsers of such formats write to."""

import re
from collections.abc import Callable

from knowledge.parse.readable_table import Table
from knowledge.parse.sheet import Part, Sheet
from knowledge.types import Parsed

# What nobody sees: NUL, soft hyphens, zero-width spaces, and the tag characters that can carry a hidden instruction.
_INVISIBLE = re.compile("[\0\u00ad\u200b\u2060\ufeff\U000e0000-\U000e0fff]")
_LINE_ENDS = re.compile("\r\n?")
# Longer ones are no headings, whatever their element says; a heading is repeated with every passage under it.
_MAX_HEADING_CHARACTERS = 300
_MAX_INDENTS = 8
_INDENT = "  "


class ReadableText:
    """Takes a page's text and structure in reading order; the end of anything that is not open changes nothing.

    White space is collapsed except in code. List items and table rows of up to 800 characters are one block each.
    `anchor_of` gives the anchor of a heading that states none.
    """

    def __init__(self, anchor_of: Callable[[str], str] | None = None) -> None:
        self._sheet = Sheet()
        self._anchor_of = anchor_of
        self._running: list[str] = []
        self._heading_level = 0
        self._heading_anchor: str | None = None
        self._codes = 0
        self._numbers: list[int | None] = []
        self._marker = ""
        self._item: list[Part] = []
        self._group = 0
        self._tables: list[Table] = []
        self._anchor: str | None = None
        self._is_anchored_before = False
        self._parts = 0

    @property
    def parts(self) -> int:
        """How many paragraphs, headings, pieces of code ... are complete."""
        return self._parts

    def write(self, text: str) -> None:
        """Add running text; in code, text as it is."""
        self._running.append(text if self._codes else text.replace("\n", " "))

    def break_line(self) -> None:
        """Go to the next line of the same paragraph."""
        self._running.append("\n")

    def end_paragraph(self) -> None:
        """End the block of text at this place; inside a heading only the word."""
        if self._codes:
            if self._running and not self._running[-1].endswith("\n"):
                self._running.append("\n")
        elif self._heading_level:
            self._running.append(" ")
        elif text := _tidy(self._taken()):
            self._keep("item" if self._list_depth else "paragraph", text)

    def set_anchor(self, anchor: str) -> None:
        """Name this place; the name goes to the block that is written here or next."""
        self._anchor = self._anchor or anchor or None

    def open_heading(self, level: int, anchor: str | None = None) -> None:
        """Begin a heading."""
        self._end_text()
        self._heading_level, self._heading_anchor = level, anchor
        self._is_anchored_before = self._anchor is not None

    def close_heading(self) -> None:
        """End the heading."""
        level, self._heading_level = self._heading_level, 0
        if not level:
            return
        text = " ".join(_INVISIBLE.sub("", self._taken()).split())
        if len(text) > _MAX_HEADING_CHARACTERS:
            self._keep("paragraph", text)
        elif text:
            # A name set inside of a heading becomes a part of its own: it then takes none that a later one could need.
            is_named_inside = self._anchor is not None and not self._is_anchored_before
            own = None if is_named_inside or self._anchor_of is None else self._anchor_of(text)
            self._anchor = self._heading_anchor or self._anchor or own
            self._keep("heading", text, level)

    def open_code(self) -> None:
        """Begin text whose white space and line ends count."""
        if not self._codes:
            self._end_text()
        self._codes += 1

    def close_code(self) -> None:
        """End such text."""
        if not self._codes:
            return
        self._codes -= 1
        if not self._codes and (text := _tidy_code(self._taken())):
            self._keep("code", text)

    def open_list(self, first_number: int | None = None) -> None:
        """Begin a list, numbered or not, perhaps inside an item of another."""
        self._end_text()
        if not self._list_depth:
            self._group += 1
        self._numbers.append(first_number)

    def close_list(self) -> None:
        """End the list."""
        self.close_item()
        if self._list_depth:
            self._numbers.pop()

    def open_item(self, marker: str = "- ") -> None:
        """Begin a list item; in a numbered list its marker is the number."""
        self._end_text()
        self.close_item()
        if not self._list_depth:
            return
        number = self._numbers[-1]
        self._marker = marker if number is None else f"{number}. "
        self._numbers[-1] = None if number is None else number + 1

    def close_item(self) -> None:
        """End the list item."""
        self.end_paragraph()
        self._marker = ""
        if self._list_depth <= 1:
            self._end_item()

    def open_table(self) -> None:
        """Begin a table; the row or item around it goes on behind it as another one."""
        self._end_text()
        if self._is_in_cell:
            self._tables[-1].end_row()
        else:
            self._end_item()
        self._group += 1
        self._tables.append(Table(self._sheet, group=self._group, lists_outside=len(self._numbers)))

    def close_table(self) -> None:
        """End the table."""
        self.close_row()
        if self._tables:
            self._tables.pop()
            # What stands behind an inner table is another part of the list or table around it.
            self._group += 1

    def open_header(self) -> None:
        """Begin the rows that name the table's columns; a row of header cells alone is one anywhere."""
        self.close_row()
        if self._tables:
            self._tables[-1].is_in_header = True

    def close_header(self) -> None:
        """End those rows."""
        self.close_row()
        if self._tables:
            self._tables[-1].is_in_header = False

    def open_row(self) -> None:
        """Begin a table row."""
        self.close_row()

    def close_row(self) -> None:
        """End the row."""
        self.close_cell()
        if self._tables:
            self._tables[-1].end_row()

    def open_cell(self, *, is_header: bool, columns: int = 1, rows: int = 1) -> None:
        """Begin a table cell that spans so many columns and rows."""
        self.close_cell()
        if self._tables:
            self._tables[-1].open_cell(is_header=is_header, columns=columns, rows=rows)

    def close_cell(self) -> None:
        """End the cell."""
        self._end_text()
        if self._tables:
            del self._numbers[self._tables[-1].lists_outside :]
            self._tables[-1].close_cell()

    def parsed(self) -> Parsed:
        """End the page and return it."""
        self._codes = min(self._codes, 1)
        self.close_code()
        while self._tables:
            self.close_table()
        self._end_text()
        self._end_item()
        return self._sheet.parsed()

    @property
    def _is_in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].is_in_cell

    @property
    def _list_depth(self) -> int:
        """How many lists are open inside the innermost table."""
        return len(self._numbers) - (self._tables[-1].lists_outside if self._tables else 0)

    def _end_text(self) -> None:
        self.close_heading()
        self.end_paragraph()

    def _end_item(self) -> None:
        item, self._item = self._item, []
        self._sheet.add_together(item, group=self._group)

    def _taken(self) -> str:
        text = "".join(self._running)
        self._running.clear()
        return text

    def _keep(self, kind: str, text: str, level: int = 0) -> None:
        """Give a finished part to the cell or list item that it stands in, or to the page."""
        margin, hang = ("", "") if kind == "heading" else self._margins()
        part = Part(kind, text, level, self._anchor, margin, hang)
        self._anchor, self._marker = None, ""
        self._parts += 1
        if self._is_in_cell:
            self._tables[-1].keep(part)
        elif self._list_depth and kind != "heading":
            self._item.append(part)
        else:
            self._end_item()
            self._sheet.add(part)

    def _margins(self) -> tuple[str, str]:
        """Return what stands before the first line of a part, the marker in a list item, and before the others."""
        depth = self._list_depth
        if not depth:
            return "", ""
        indent = _INDENT * min(depth - 1, _MAX_INDENTS)
        return indent + (self._marker or _INDENT), indent + _INDENT


def _tidy(text: str) -> str:
    """Return running text as it is shown: white space collapsed, no blank lines."""
    lines = (" ".join(line.split()) for line in _INVISIBLE.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def _tidy_code(text: str) -> str:
    text = _LINE_ENDS.sub("\n", _INVISIBLE.sub("", text)).replace("\u00a0", " ")
    return text.strip("\n").rstrip()
