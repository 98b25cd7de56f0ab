"""Lengths of any part of a text, estimated from few measurements."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

Measure = Callable[[str], int]
# The text is measured once, in parts so long; within a part, length is taken to be even.
_STEP_CHARACTERS = 256
# What float arithmetic loses of a whole number of characters.
_ROUNDING = 1e-6


class Ruler:
    """Tells how far a length reaches in a text; exact for a measure that adds up evenly, such as `len`.

    `constant` is what the measure finds in every text, such as a tokenizer's marks of beginning and end.
    """

    def __init__(self, text: str, measure: Measure) -> None:
        self.constant = measure("")
        self._end = len(text)
        parts = range(0, len(text), _STEP_CHARACTERS)
        lengths = (max(measure(text[at : at + _STEP_CHARACTERS]) - self.constant, 0) for at in parts)
        self._lengths = [0, *accumulate(lengths)]

    def behind(self, offset: int, amount: float) -> int:
        """Return the offset that lies an amount behind another."""
        return self._offset(self._length(offset) + amount)

    def before(self, offset: int, amount: float) -> int:
        """Return the offset that lies an amount before another."""
        return self._offset(self._length(offset) - amount)

    def _length(self, offset: int) -> float:
        part, rest = divmod(offset, _STEP_CHARACTERS)
        if not rest:
            return self._lengths[part]
        return self._lengths[part] + rest / self._characters(part) * (self._lengths[part + 1] - self._lengths[part])

    def _offset(self, length: float) -> int:
        if length >= self._lengths[-1]:
            return self._end
        part = bisect_right(self._lengths, length) - 1
        if part < 0:
            return 0
        share = (length - self._lengths[part]) / (self._lengths[part + 1] - self._lengths[part])
        return part * _STEP_CHARACTERS + int(share * self._characters(part) + _ROUNDING)

    def _characters(self, part: int) -> int:
        return min(_STEP_CHARACTERS, self._end - part * _STEP_CHARACTERS)
