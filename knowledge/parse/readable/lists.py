"""The lists open at one place of a page: what stands before the lines of their items."""

_MAX_INDENTS = 8
_INDENT = "  "


class Lists:
    """Numbers and indents the items of lists in lists; a table cell has lists of its own."""

    def __init__(self) -> None:
        self._numbers: list[int | None] = []
        self._outside: list[int] = [0]
        self._marker: str | None = None
        self._is_behind_term = False

    @property
    def depth(self) -> int:
        """How many lists are open inside the innermost table."""
        return len(self._numbers) - self._outside[-1]

    def open(self, first_number: int | None) -> None:
        """Begin a list, numbered or not."""
        self._numbers.append(first_number)
        self._is_behind_term = False

    def close(self) -> None:
        """End the innermost list of this table."""
        self._is_behind_term = False
        if self.depth:
            self._numbers.pop()

    def begin_item(self, marker: str) -> None:
        """Set what stands before the next item: in a numbered list the number."""
        if not self.depth:
            return
        number = self._numbers[-1]
        self._marker = marker if number is None else f"{number}. "
        self._numbers[-1] = None if number is None else number + 1

    def begin_term(self) -> bool:
        """Tell whether a term begins an item: terms that follow each other share one; it stands at the margin."""
        is_first, self._is_behind_term = not self._is_behind_term, True
        if self.depth:
            self._marker = ""
        return is_first

    def begin_definition(self) -> None:
        """Go on with the item of the terms before."""
        self._marker, self._is_behind_term = None, False

    def take_marker(self) -> None:
        """Take down that the marker was written, or is no longer needed."""
        self._marker = None

    def enter_table(self) -> None:
        """Begin a table, whose cells have lists of their own."""
        self._outside.append(len(self._numbers))

    def end_cell(self) -> None:
        """End the lists of a table cell."""
        del self._numbers[self._outside[-1] :]

    def leave_table(self) -> None:
        """Go back to the lists around the table."""
        if len(self._outside) > 1:
            self._outside.pop()

    def margins(self) -> tuple[str, str]:
        """Return what stands before the first line of a part, the marker in a list item, and before the others."""
        if not self.depth:
            return "", ""
        indent = _INDENT * min(self.depth - 1, _MAX_INDENTS)
        return indent + (_INDENT if self._marker is None else self._marker), indent + _INDENT
