"""The rows of a table in Markdown, line by line: what an answer's sentences are, where they are rows."""

import re

_ROW = re.compile(r"\|.*\|", re.DOTALL)
_RULE = re.compile(r"\|[\s:|-]*-[\s:|-]*\|")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


def is_rule(line: str) -> bool:
    """Tell whether a line is the one below the header of a table."""
    return _RULE.fullmatch(line) is not None


def cells_of(line: str) -> tuple[str, ...] | None:
    """Return the cells of a row, None for any other line."""
    if not _ROW.fullmatch(line) or len(line) == 1 or is_rule(line):
        return None
    return tuple(cell.replace("\\|", "|").strip() for cell in _CELL_BORDER.split(line[1:-1]))
