"""Pieces of at most one size, cut at the strongest border in reach: paragraph, line, sentence, word, character.

A piece begins with the last words of the one before it; without these overlaps the pieces are the text.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from knowledge.chunk.borders import Borders
from knowledge.chunk.characters import last_border
from knowledge.chunk.ruler import Measure, Ruler
from knowledge.chunk.token_estimate import estimated_tokens
from knowledge.types import Parsed, Span

# A piece is cut at a weaker border rather than to be shorter than this share of the size.
_LEAST_FILLED = 0.25
# A piece that turned out too long is made shorter by at least this share.
_LESS = 0.05


class RecursiveSettings(BaseModel):
    """How long pieces are, and how much of each the next one repeats."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: int = Field(default=512, ge=1, le=100_000)
    overlap: int = Field(default=64, ge=0)
    unit: Literal["tokens", "characters"] = "tokens"

    @model_validator(mode="after")
    def _overlap_is_shorter(self) -> Self:
        if self.overlap >= self.size:
            raise ValueError(f"overlap {self.overlap} must be less than size {self.size}; try {self.size // 8}")
        return self


@asynccontextmanager
async def build(settings: RecursiveSettings, *, tokens: Measure | None = None) -> AsyncIterator["Recursive"]:
    """Yield the chunker; `tokens` counts as the embedder does, without it tokens are estimated."""
    yield Recursive(settings, tokens)


class Recursive:
    """Cuts every document by length, whatever it holds."""

    def __init__(self, settings: RecursiveSettings, tokens: Measure | None) -> None:
        self._settings = settings
        is_estimated = settings.unit == "tokens" and tokens is None
        self._measure: Measure = len if settings.unit == "characters" else tokens or estimated_tokens
        unit = "estimated-tokens" if is_estimated else settings.unit
        self.name = f"recursive-{settings.size}-{settings.overlap}-{unit}"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the pieces of the document's text."""
        settings = self._settings
        return spans(
            parsed.text, size=settings.size, overlap=settings.overlap, measure=self._measure, language=language
        )


def spans(text: str, *, size: int, overlap: int, measure: Measure, language: str) -> list[Span]:
    """Cut a text into pieces that `measure` finds no longer than `size`, each with up to `overlap` of the last one.

    They cover the text without a gap, in order. An overlap begins with a word; there is none where no word begins in
    reach, or where the next word would not fit behind it. Only a code point that alone is longer than `size` is too
    long.
    """
    cutter = _Cutter(text, language, size=size, measure=measure)
    pieces: list[Span] = []
    start = covered = 0
    while covered < len(text):
        end = cutter.end(start, covered)
        if end is None:
            start, end = covered, cutter.end_inside_word(covered)
        pieces.append((start, end))
        start, covered = cutter.overlap_start(start, end, overlap), end
    return pieces


class _Cutter:
    """Finds where pieces end: estimates how far a length reaches, then measures what stands there."""

    def __init__(self, text: str, language: str, *, size: int, measure: Measure) -> None:
        self._text = text
        self._size = size
        self._measure = measure
        self._ruler = Ruler(text, measure)
        self._borders = Borders(text, language)

    def end(self, start: int, covered: int) -> int | None:
        """Return the end, behind `covered`, of the piece from `start`; None where not one more word fits."""
        amount: float = self._size - self._ruler.constant
        while True:
            reach = self._ruler.behind(start, amount)
            end = self._strongest_border(start, covered, reach, amount)
            if end is None:
                return None
            length = self._measure(self._text[start:end])
            if length <= self._size:
                return end
            amount *= min(1 - _LESS, self._size / length)

    def end_inside_word(self, start: int) -> int:
        """Return the last border of characters that fits into the piece from `start`; inside of one if none does."""
        shortest = start + 1
        longest = max(self._ruler.behind(start, self._size - self._ruler.constant), shortest)
        while shortest < longest:
            middle = (shortest + longest + 1) // 2
            if self._fits(start, middle):
                shortest = middle
            else:
                longest = middle - 1
        end = last_border(self._text, shortest, since=start)
        while end > start and not self._fits(start, end):
            end = last_border(self._text, end - 1, since=start)
        return end if end > start else shortest

    def overlap_start(self, start: int, end: int, overlap: int) -> int:
        """Return where the words before `end` begin that the next piece repeats."""
        amount = float(overlap)
        while amount >= 1:
            first = max(self._ruler.before(end, amount), start + 1)
            word = self._borders.first_word(first, end)
            if word == end or self._measure(self._text[word:end]) - self._ruler.constant <= overlap:
                return word
            amount *= 1 - _LESS
        return end

    def _strongest_border(self, start: int, covered: int, reach: int, amount: float) -> int | None:
        if reach == len(self._text):
            return reach
        least = max(covered, self._ruler.behind(start, amount * _LEAST_FILLED))
        return self._borders.strongest(least, reach) or self._borders.strongest(covered, min(least, reach))

    def _fits(self, start: int, end: int) -> bool:
        return self._measure(self._text[start:end]) <= self._size
