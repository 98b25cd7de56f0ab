"""Captions of figures: what stands in one above or under a table is part of what its rows say."""

from knowledge.parse.readable.sheet import Sheet

_MAX_CAPTION_CHARACTERS = 200


class Figures:
    """Brings the captions of figures to the tables in them; a table has one at most."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        # How many blocks stood before each open figure, and before the last table without a caption.
        self._open: list[int] = []
        self._table = -1
        self._waiting = ""

    def open(self) -> None:
        """Begin a figure."""
        self._open.append(self._sheet.count)

    def close(self) -> None:
        """End the figure."""
        self._waiting = ""
        if self._open:
            self._open.pop()

    def set_caption(self, text: str) -> None:
        """Give a caption to the figure's table, which stands before or behind it."""
        text = text[:_MAX_CAPTION_CHARACTERS]
        if self._open and self._table >= self._open[-1]:
            self._sheet.add_context(self._table, text)
            self._table = -1
        elif self._open:
            self._waiting = text

    def begin_table(self) -> str:
        """Take down that a table begins here and return the caption that stands above it."""
        caption, self._waiting = self._waiting, ""
        self._table = -1 if caption else self._sheet.count
        return caption
