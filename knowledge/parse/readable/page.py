"""The text that a reader sees of a page with markup, and its blocks: what the parsers of such formats write to."""

from collections.abc import Callable
from itertools import islice

from knowledge.parse.readable.anchors import Anchors
from knowledge.parse.readable.figures import Figures
from knowledge.parse.readable.folds import Folds, is_question
from knowledge.parse.readable.lists import Lists
from knowledge.parse.readable.sheet import Part, Sheet
from knowledge.parse.readable.table import Table
from knowledge.parse.readable.words import has_words, is_sign, tidy, tidy_code, tidy_line
from knowledge.types import Parsed

# Longer ones are no headings, whatever their element says; a heading is repeated with every passage under it.
_MAX_HEADING_CHARACTERS = 300


class ReadableText:
    """Takes a page's text and structure in reading order; the end of anything that is not open changes nothing.

    White space is collapsed except in code. List items and table rows of up to 800 characters are one block each.
    `anchor_of` gives the anchor of a heading that states none. `metadata["anchors"]` are all names of places.
    """

    def __init__(self, anchor_of: Callable[[str], str] | None = None) -> None:
        self._sheet = Sheet()
        self.anchors = Anchors(anchor_of)
        self.folds = Folds(self._sheet)
        self.figures = Figures(self._sheet)
        self.metadata: dict[str, object] = {}
        self._running: list[str] = []
        self._heading_level = 0
        self._heading_anchor: str | None = None
        self._is_summary = False
        self._is_caption = False
        self._codes = 0
        self._lists = Lists()
        self._item: list[Part] = []
        self._group = 0
        self._tables: list[Table] = []
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
        elif self._running and (text := tidy(self._taken())):
            self._keep("item" if self._lists.depth else "paragraph", text)

    def running_length(self) -> int:
        """Return how many pieces of text were written since the last block."""
        return len(self._running)

    def drop_sign(self, length: int, *, anywhere: bool) -> None:
        """Drop what stands behind so many pieces if it is the sign of a heading's own link, or of such a link anywhere.

        It is one when it is short and has no word.
        """
        if (self._heading_level or anywhere) and is_sign(self._running, length):
            del self._running[length:]

    def drop_control(self, length: int) -> None:
        """Drop what a heading has behind so many pieces, if they are its words: a button that does something to it."""
        if self._heading_level and has_words(islice(self._running, length)):
            del self._running[length:]

    def open_heading(self, level: int, anchor: str | None = None) -> None:
        """Begin a heading."""
        self._end_text()
        self._heading_level, self._heading_anchor = level, anchor
        self.anchors.begin_heading()

    def close_heading(self) -> None:
        """End the heading."""
        level, self._heading_level = self._heading_level, 0
        is_summary, self._is_summary = self._is_summary, False
        if not level:
            return
        text = tidy_line(self._taken())
        is_heading = not is_summary or (is_question(text) and not (self._lists.depth or self._tables))
        if len(text) > _MAX_HEADING_CHARACTERS or not is_heading:
            if self._heading_anchor:
                self.anchors.set_here(self._heading_anchor)
            if text:
                self._keep("item" if self._lists.depth else "paragraph", text)
        elif text:
            self._keep("heading", text, level)

    def open_summary(self, anchor: str | None = None) -> None:
        """Begin the line that stays of a part that folds away; a question is a heading over that part."""
        self.open_heading(self.folds.level, anchor)
        self._is_summary = True

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
        if not self._codes and (text := tidy_code(self._taken())):
            self._keep("code", text)

    def open_list(self, first_number: int | None = None) -> None:
        """Begin a list, numbered or not, perhaps inside an item of another."""
        self._end_text()
        if not self._lists.depth:
            self._group += 1
        self._lists.open(first_number)

    def close_list(self) -> None:
        """End the list."""
        self.close_item()
        self._lists.close()

    def open_item(self, marker: str = "- ") -> None:
        """Begin a list item; in a numbered list its marker is the number."""
        self._end_text()
        self.close_item()
        self._lists.begin_item(marker)

    def close_item(self) -> None:
        """End the list item."""
        self.end_paragraph()
        self._lists.take_marker()
        if self._lists.depth <= 1:
            self._end_item()

    def open_term(self) -> None:
        """Begin a term of a list of definitions: an item, with the terms and definitions that follow."""
        self._end_text()
        if self._lists.begin_term():
            self.close_item()
            self._lists.begin_term()

    def open_definition(self) -> None:
        """Begin what is said of the terms before it."""
        self._end_text()
        self._lists.begin_definition()

    def open_caption(self) -> None:
        """Begin the caption of a table or figure."""
        self._end_text()
        self._is_caption = True

    def close_caption(self) -> None:
        """End the caption."""
        self._end_text()
        self._is_caption = False

    def open_table(self) -> None:
        """Begin a table; the row or item around it goes on behind it as another one."""
        self._end_text()
        if self._is_in_cell:
            self._tables[-1].end_row()
        else:
            self._end_item()
        self._group += 1
        table = Table(self._sheet, group=self._group)
        if not self._tables:
            table.set_caption(self.figures.begin_table())
        self._tables.append(table)
        self._lists.enter_table()

    def close_table(self) -> None:
        """End the table."""
        self.close_row()
        if self._tables:
            self._tables.pop()
            self._lists.leave_table()
            # What stands behind an inner table is another part of the list or table around it.
            self._group += 1

    def open_rows(self, *, is_header: bool) -> None:
        """Begin a group of rows; those that name the columns stand in one, or are header cells alone."""
        self.close_row()
        if self._tables:
            self._tables[-1].end_group()
            self._tables[-1].is_in_header = is_header

    def close_rows(self) -> None:
        """End the group of rows."""
        self.open_rows(is_header=False)

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
        self._is_caption = False
        if self._tables:
            self._tables[-1].open_cell(is_header=is_header, columns=columns, rows=rows)

    def close_cell(self) -> None:
        """End the cell."""
        self._end_text()
        if self._tables:
            self._lists.end_cell()
            self._tables[-1].close_cell()

    def blocks(self) -> int:
        """End the text at this place and return how many blocks are complete outside of lists and tables."""
        self._end_text()
        if not (self._lists.depth or self._tables):
            self._end_item()
        return self._sheet.count

    def parsed(self, blocks: slice = slice(None)) -> Parsed:
        """End the page and return it, or some of its blocks."""
        self._codes = min(self._codes, 1)
        self.close_code()
        while self._tables:
            self.close_table()
        self._end_text()
        self._end_item()
        known = {"anchors": self.anchors.known} if self.anchors.known else {}
        return self._sheet.parsed(blocks, self.metadata | known)

    @property
    def _is_in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].is_in_cell

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
        is_heading = kind == "heading"
        anchor = self.anchors.of_heading(text, self._heading_anchor) if is_heading else self.anchors.of_block()
        margin, hang = ("", "") if is_heading else self._lists.margins()
        part = Part(kind, text, level, anchor, margin, hang)
        self._lists.take_marker()
        self._parts += 1
        if self._is_in_cell:
            self._tables[-1].keep(part)
        elif self._lists.depth and not is_heading:
            self._item.append(part)
        else:
            self._end_item()
            self._keep_on_page(part)

    def _keep_on_page(self, part: Part) -> None:
        self._sheet.add(part)
        if part.kind == "heading":
            self.folds.note_heading(part)
        elif self._is_caption and self._tables:
            self._tables[-1].set_caption(part.text)
        elif self._is_caption:
            self.figures.set_caption(part.text)
