"""The lines of text on a page, made of glyphs with their places."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

# Gaps in sizes of the letters: a wider one separates columns, or words.
_COLUMN_GAP = 1.0
_WORD_GAP = 0.25
# Glyphs that share more than this part of their height stand in one line.
_SAME_LINE = 0.5
_LIGATURES = {ord(ligature): unicodedata.normalize("NFKC", ligature) for ligature in "ﬀﬁﬂﬃﬄﬅﬆ"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character with its place; `y` grows upwards, and `size` is that of its font on the page."""

    character: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    is_bold: bool
    is_fixed: bool = False


@dataclass(slots=True)
class Segment:
    """A part of a line without a wide gap."""

    left: float
    right: float
    characters: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is read."""
        return " ".join("".join(self.characters).translate(_LIGATURES).split())


@dataclass(slots=True)
class Line:
    """A line of text; wide gaps separate its segments. In a fixed font all letters are of one width, as in code."""

    bottom: float
    top: float
    size: float
    is_bold: bool
    is_fixed: bool
    segments: list[Segment]

    @property
    def text(self) -> str:
        """What is read, the segments with a space between them."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.segments[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.segments[-1].right


def lines_of(glyphs: Iterable[Glyph | None]) -> list[Line]:
    """Return the lines that glyphs make in their order; None is the border of two lines in the file's own opinion."""
    lines: list[_Growing] = []
    growing: _Growing | None = None
    may_go_on = True
    for glyph in glyphs:
        if glyph is None:
            may_go_on = False
            continue
        if glyph.character.isspace():
            # Where PDFium adds a space, its place says nothing.
            if growing:
                growing.add_space()
            continue
        if growing is None or not growing.takes(glyph, may_jump=may_go_on):
            growing = _Growing(glyph)
            lines.append(growing)
        growing.add(glyph)
        may_go_on = True
    return [line for line in (growing.line() for growing in lines) if line.segments]


class _Growing:
    """A line as glyphs come to it."""

    def __init__(self, first: Glyph) -> None:
        self._bottom, self._top = first.bottom, first.top
        self._segments = [Segment(first.left, first.left)]
        self._sizes: dict[float, int] = {}
        self._letters = self._bold = self._fixed = 0

    def takes(self, glyph: Glyph, *, may_jump: bool) -> bool:
        """Tell whether a glyph stands in this line, to the right of its end."""
        height = min(self._top - self._bottom, glyph.top - glyph.bottom)
        shared = min(self._top, glyph.top) - max(self._bottom, glyph.bottom)
        back = self._segments[-1].right - glyph.left
        return shared > _SAME_LINE * height and back < (glyph.size * 2 if may_jump else glyph.size / 2)

    def add_space(self) -> None:
        """Add a space at the end."""
        self._segments[-1].characters.append(" ")

    def add(self, glyph: Glyph) -> None:
        """Add a glyph at the end."""
        last = self._segments[-1]
        gap = glyph.left - last.right if last.characters else 0.0
        if gap > _COLUMN_GAP * glyph.size:
            last = Segment(glyph.left, glyph.right)
            self._segments.append(last)
        elif gap > _WORD_GAP * glyph.size:
            last.characters.append(" ")
        last.characters.append(glyph.character)
        last.right = max(last.right, glyph.right)
        self._top, self._bottom = max(self._top, glyph.top), min(self._bottom, glyph.bottom)
        size = round(glyph.size * 2) / 2
        self._sizes[size] = self._sizes.get(size, 0) + 1
        self._letters += 1
        self._bold += glyph.is_bold
        self._fixed += glyph.is_fixed

    def line(self) -> Line:
        """Return the line; its size is that of most of its letters."""
        size = max(self._sizes, key=lambda size: self._sizes[size], default=0.0)
        segments = [segment for segment in self._segments if segment.text]
        is_bold, is_fixed = 2 * self._bold > self._letters, 2 * self._fixed > self._letters
        return Line(self._bottom, self._top, size, is_bold, is_fixed, segments)
