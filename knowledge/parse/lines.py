"""Offsets and lines of a text."""

from bisect import bisect_right
from collections.abc import Sequence


def line_starts(text: str) -> list[int]:
    """Return the offset of each line's first character, and the text's length as one more entry."""
    starts = [0]
    position = text.find("\n")
    while position != -1:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    if starts[-1] != len(text):
        starts.append(len(text))
    return starts


def line_of(starts: Sequence[int], offset: int) -> int:
    """Return the line, counted from 1, that holds the character at `offset`."""
    return bisect_right(starts, offset)
