"""The visible text of a PDF page by its glyphs, as PDFium gives them.

Nobody sees, so left out is text outside of the page, without colour, white on white, under a filled area (a redaction),
smaller than a point, and invisible text except over a picture: that is how recognised text of a scan is stored.
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from knowledge.parse.office.pdf_lines import Glyph, Line, lines_of

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

# The densest pages that people print have 20,000 characters.
MAX_CHARACTERS_OF_A_PAGE = 200_000
# Drawings, as far as they are looked at.
_MAX_OBJECTS = 20_000
_MAX_AREAS = 500
_SMALLEST_POINTS = 1.0
# From here on a colour is white to the eye.
_WHITE = 250
# Text that is neither along nor across the page (a watermark) is no part of it; degrees.
_STRAIGHT = 3
_HYPHENS = (0x02, 0xFFFE, 0xAD)
_PATH, _IMAGE, _SHADING = 2, 3, 4
_SEGMENTS_OF_A_RECTANGLE = (4, 5, 6)
# What blacks a passage out is a small part of the page.
_MAX_COVER = 0.1
_INVISIBLE_MODES = (3, 7)
_BOLD_NAMES = ("bold", "black", "heavy")
_FIXED_NAME = re.compile("mono(?!type)|courier|consol|typewriter|cmtt|menlo|sourcecode|firacode|letter ?gothic")
_NAME_BYTES = 128

Area = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What is drawn besides text: where, in which order, and whether it is a picture."""

    area: Area
    order: int
    is_picture: bool
    is_ground: bool
    is_cover: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """What holds for all glyphs of one piece of text; `grounds` are what makes white or invisible text visible."""

    size: float
    angle: int
    is_bold: bool
    is_fixed: bool
    needs_ground: bool
    needs_picture: bool
    is_hidden: bool
    covers: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class PageText:
    """The lines of a page in the order of the file, and whether pictures are on it."""

    lines: list[Line]
    has_pictures: bool
    bottom: float
    height: float


NO_TEXT = PageText([], has_pictures=False, bottom=0.0, height=0.0)


def page_text(page: "PdfPage") -> PageText:
    """Read a page, turned so that most of its text is upright."""
    reader = _Reader(page)
    found = list(islice(reader.glyphs(), MAX_CHARACTERS_OF_A_PAGE))
    angles = Counter(angle for angle, glyph in found if glyph)
    angle = angles.most_common(1)[0][0] if angles else 0
    lines = lines_of(_turned(glyph, angle) for own, glyph in found if glyph is None or own == angle)
    if angle:
        # PDFium's order of lines is made for upright text.
        lines.sort(key=lambda line: -line.bottom)
    bottom, top = _turned_box(reader.box, angle)
    return PageText(lines, reader.has_pictures, bottom, top - bottom)


def _turned_box(box: Area, angle: int) -> tuple[float, float]:
    left, bottom, right, top = box
    return {0: (bottom, top), 90: (-right, -left), 180: (-top, -bottom)}.get(angle, (left, right))


def _turned(glyph: Glyph | None, angle: int) -> Glyph | None:
    if glyph is None or angle == 0:
        return glyph
    left, right, bottom, top = glyph.left, glyph.right, glyph.bottom, glyph.top
    match angle:
        case 90:
            place = (bottom, top, -right, -left)
        case 180:
            place = (-right, -left, -top, -bottom)
        case _:
            place = (-top, -bottom, left, right)
    return replace(glyph, left=place[0], right=place[1], bottom=place[2], top=place[3])


class _Reader:
    """Reads one page through PDFium's own functions."""

    def __init__(self, page: "PdfPage") -> None:
        from pypdfium2 import raw

        self._raw = raw
        self._text = page.get_textpage()
        self.box: Area = page.get_bbox()
        self.width, self.height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        self._orders: dict[int, int] = {}
        self._drawn: list[_Drawn] = []
        self._look_at(page)
        self.has_pictures = any(drawn.is_picture for drawn in self._drawn)
        self._runs: dict[int, _Run] = {}

    def _look_at(self, page: "PdfPage") -> None:
        """Take down what is drawn, and which text before and after it."""
        raw = self._raw
        for order in range(min(raw.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
            drawn = raw.FPDFPage_GetObject(page, order)
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind not in (_PATH, _IMAGE, _SHADING):
                self._orders[_address(drawn)] = order
            elif len(self._drawn) < _MAX_AREAS:
                self._drawn += [self._path(drawn, order)] if kind == _PATH else [self._picture(drawn, order, kind)]

    def _picture(self, drawn: object, order: int, kind: int) -> _Drawn:
        return _Drawn(self._area(drawn), order, is_picture=kind == _IMAGE, is_ground=True, is_cover=False)

    def _path(self, drawn: object, order: int) -> _Drawn:
        """Look at a path: white text is seen on one with a colour, and no text under a small filled rectangle.

        Large areas behind text may be clipped to almost nothing, which PDFium does not tell.
        """
        raw, area = self._raw, self._area(drawn)
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(drawn, mode, stroke)
        colour = [ctypes.c_uint() for _ in range(4)]
        raw.FPDFPageObj_GetFillColor(drawn, *colour)
        is_white = min(part.value for part in colour[:3]) >= _WHITE
        is_rectangle = raw.FPDFPath_CountSegments(drawn) in _SEGMENTS_OF_A_RECTANGLE
        is_small = (area[2] - area[0]) * (area[3] - area[1]) <= _MAX_COVER * self.width * self.height
        return _Drawn(
            area,
            order,
            is_picture=False,
            is_ground=bool(mode.value) and not is_white,
            is_cover=bool(mode.value) and is_rectangle and is_small and not raw.FPDFPageObj_HasTransparency(drawn),
        )

    def _area(self, drawn: object) -> Area:
        sides = [ctypes.c_float() for _ in range(4)]
        self._raw.FPDFPageObj_GetBounds(drawn, *sides)
        left, bottom, right, top = (side.value for side in sides)
        return left, bottom, right, top

    def glyphs(self) -> Iterator[tuple[int, Glyph | None]]:
        """Yield the glyphs that are seen with the angle of their text; None for a border of lines."""
        raw, text = self._raw, self._text
        rectangle = raw.FS_RECTF()
        run: _Run | None = None
        for index in range(min(raw.FPDFText_CountChars(text), MAX_CHARACTERS_OF_A_PAGE)):
            code = raw.FPDFText_GetUnicode(text, index)
            if code in (0x0D, 0x0A):
                yield 0, None
                continue
            if owner := raw.FPDFText_GetTextObject(text, index):
                run = self._run(index, owner)
            raw.FPDFText_GetLooseCharBox(text, index, rectangle)
            area = (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            if run and run.angle >= 0 and self._is_seen(run, area):
                yield run.angle, _glyph(code, area, run)

    def _is_seen(self, run: _Run, area: Area) -> bool:
        left, bottom, right, top = self.box
        x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
        if run.is_hidden or not (left <= x <= right and bottom <= y <= top):
            return False
        if run.needs_picture and not any(_holds(drawn.area, x, y) for drawn in self._drawn if drawn.is_picture):
            return False
        if run.needs_ground and not any(_holds(drawn.area, x, y) for drawn in self._drawn if drawn.is_ground):
            return False
        return not any(_holds(cover, x, y) for cover in run.covers)

    def _run(self, index: int, owner: object) -> _Run:
        address = _address(owner)
        if address not in self._runs:
            self._runs[address] = self._new_run(index, owner, address)
        return self._runs[address]

    def _new_run(self, index: int, owner: object, address: int) -> _Run:
        raw = self._raw
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(self._text, index, matrix)
        size = raw.FPDFText_GetFontSize(self._text, index) * math.hypot(matrix.c, matrix.d)
        colour = [ctypes.c_uint() for _ in range(4)]
        is_coloured = raw.FPDFText_GetFillColor(self._text, index, *colour)
        *rgb, alpha = (part.value for part in colour)
        name = self._font_name(owner)
        order = self._orders.get(address, _MAX_OBJECTS)
        return _Run(
            size=size,
            angle=_angle(matrix.a, matrix.b),
            is_bold=any(part in name for part in _BOLD_NAMES),
            is_fixed=_FIXED_NAME.search(name) is not None,
            needs_ground=bool(is_coloured) and min(rgb) >= _WHITE,
            needs_picture=raw.FPDFTextObj_GetTextRenderMode(owner) in _INVISIBLE_MODES,
            is_hidden=size < _SMALLEST_POINTS or (bool(is_coloured) and alpha == 0),
            covers=tuple(drawn.area for drawn in self._drawn if drawn.is_cover and drawn.order > order),
        )

    def _font_name(self, owner: object) -> str:
        name = ctypes.create_string_buffer(_NAME_BYTES)
        self._raw.FPDFFont_GetBaseFontName(self._raw.FPDFTextObj_GetFont(owner), name, _NAME_BYTES)
        return name.value.decode("utf-8", "replace").lower()


def _address(pointer: object) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0  # type: ignore[arg-type]  # a pointer of the C library


def _holds(area: Area, x: float, y: float) -> bool:
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]


def _angle(a: float, b: float) -> int:
    """Return the direction of text in quarter turns, as degrees; -1 for what lies across."""
    degrees = math.degrees(math.atan2(b, a)) % 360
    nearest = round(degrees / 90) * 90
    return nearest % 360 if abs(degrees - nearest) <= _STRAIGHT else -1


def _glyph(code: int, area: Area, run: _Run) -> Glyph:
    left, bottom, right, top = area
    character = "-" if code in _HYPHENS else chr(code) if 0x20 <= code <= 0x10FFFF else " "
    return Glyph(character, left, right, bottom, top, run.size, run.is_bold, run.is_fixed)
