"""Where a text may be cut, by strength: paragraphs, lines, sentences, words; none lies inside a visible character."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from knowledge.chunk.characters import is_between_characters, is_spaceless
from knowledge.parse.sentences import sentence_spans

_PARAGRAPH_END = re.compile(r"\n(?:[ \t\r]*+\n)++")
_LINE_END = re.compile(r"\n")
_SPACE = re.compile(r"\s++")


class Borders:
    """The borders of a text; white space belongs to what it follows."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._words = _ends(_SPACE, text)
        sentences = [start for start, _ in sentence_spans(text, language)]
        self._by_strength = (_ends(_PARAGRAPH_END, text), _ends(_LINE_END, text), sentences, self._words)

    def strongest(self, after: int, upto: int) -> int | None:
        """Return the last of the strongest borders in (after, upto]; between two ideographs a word ends too."""
        for borders in self._by_strength:
            if border := self._last(borders, after, upto):
                return border
        border = next((at for at in range(upto, after, -1) if is_between_characters(self._text, at)), None)
        return border if border and is_spaceless(self._text[border - 1]) else None

    def first_word(self, start: int, end: int) -> int:
        """Return the first offset in [start, end) at which a word begins, else `end`."""
        start = next((offset for offset in range(start, end) if is_between_characters(self._text, offset)), end)
        if start >= end or is_spaceless(self._text[start]):
            return start
        index = bisect_left(self._words, start)
        return min(self._words[index], end) if index < len(self._words) else end

    def _last(self, borders: Sequence[int], after: int, upto: int) -> int | None:
        index = bisect_right(borders, upto) - 1
        while index >= 0 and borders[index] > after:
            if is_between_characters(self._text, borders[index]):
                return borders[index]
            index -= 1
        return None


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    return [found.end() for found in pattern.finditer(text)]
