"""PowerPoint presentations to what they show: a heading per slide, its text, lists and tables, the speaker's notes.

Left out are hidden slides and shapes, those beside the slide, and what repeats on every slide. Read in a process of its
own (`knowledge.parse.office.confined`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from knowledge.parse.office.confined import read_confined
from knowledge.parse.office.package import opened
from knowledge.parse.office.places import Places
from knowledge.parse.readable import ReadableText
from knowledge.types import Document, Parsed

if TYPE_CHECKING:
    from pptx.shapes.base import BaseShape
    from pptx.slide import Slide
    from pptx.table import Table
    from pptx.text.text import TextFrame, _Paragraph

# Notes are shown to whoever opens the file; they often say what the slide only names.
NOTES = "Notes"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
# Shapes whose upper edges are closer than this part of the slide's height stand in one line.
_SAME_LINE = 1 / 20
_BULLETS = ("buChar", "buAutoNum", "buBlip")


def parse_document(document: Document) -> Parsed:
    """Parse a presentation; raise SourceProblem when it cannot be read."""
    return read_confined(__name__, document.content)


def read(content: bytes) -> Parsed:
    """Read a presentation, in a process that is confined; a damaged one raises anything."""
    import pptx

    presentation = pptx.Presentation(opened(content))
    size = (int(presentation.slide_width or 0), int(presentation.slide_height or 0))
    page = ReadableText()
    places, writer = Places(page), _Slides(page, size)
    for number, slide in enumerate(presentation.slides, start=1):
        if slide._element.get("show") not in ("0", "false"):
            places.begin(f"slide-{number}")
            writer.write(slide, number)
    return replace(places.parsed(), metadata={"title": presentation.core_properties.title})


class _Slides:
    """Writes the slides of a presentation."""

    def __init__(self, page: ReadableText, size: tuple[int, int]) -> None:
        self._page = page
        self._width, self._height = size

    def write(self, slide: "Slide", number: int) -> None:
        """Write the slide's title, its shapes in reading order, and the notes."""
        title = slide.shapes.title
        named = " ".join(title.text_frame.text.split()) if title is not None and not _is_hidden(title) else ""
        self._heading(named or f"Slide {number}", level=1)
        own = [
            shape for shape in slide.shapes if not (named and title is not None and shape.shape_id == title.shape_id)
        ]
        for shape in self._ordered(own):
            self._shape(shape)
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) and notes.text.strip():
            self._heading(NOTES, level=2)
            self._text(notes, is_list=False)

    def _heading(self, text: str, *, level: int) -> None:
        self._page.open_heading(level)
        self._page.write(text)
        self._page.close_heading()

    def _ordered(self, shapes: Iterable["BaseShape"]) -> Iterator["BaseShape"]:
        """Yield the shapes that are seen, line by line from the left; their order in the file is that of drawing."""
        seen = [shape for shape in shapes if not _is_hidden(shape) and not self._is_beside(shape)]
        line = max(self._height * _SAME_LINE, 1.0)
        yield from sorted(seen, key=lambda shape: (int((shape.top or 0) / line), shape.left or 0))

    def _is_beside(self, shape: "BaseShape") -> bool:
        """Tell whether a shape lies wholly outside of the slide; one without a place has that of its layout."""
        if None in (shape.left, shape.top, shape.width, shape.height) or not self._width:
            return False
        right, bottom = shape.left + shape.width, shape.top + shape.height
        return right <= 0 or bottom <= 0 or shape.left >= self._width or shape.top >= self._height

    def _shape(self, shape: "BaseShape") -> None:
        from pptx.shapes.autoshape import Shape
        from pptx.shapes.graphfrm import GraphicFrame
        from pptx.shapes.group import GroupShape

        if isinstance(shape, GroupShape):
            # A group has coordinates of its own.
            for inner in sorted(shape.shapes, key=lambda inner: (inner.top or 0, inner.left or 0)):
                if not _is_hidden(inner):
                    self._shape(inner)
        elif isinstance(shape, GraphicFrame):
            if shape.has_table:
                self._table(shape.table)
        elif isinstance(shape, Shape) and not _repeats(shape):
            self._text(shape.text_frame, is_list=_is_list(shape))

    def _text(self, frame: "TextFrame", *, is_list: bool) -> None:
        levels: list[int] = []
        for paragraph in frame.paragraphs:
            text = _visible(paragraph)
            if not text.strip():
                continue
            level = paragraph.level if _has_bullet(paragraph, is_list) else None
            while levels and (level is None or levels[-1] > level):
                self._page.close_list()
                levels.pop()
            if level is not None and (not levels or levels[-1] < level):
                self._page.open_list()
                levels.append(level)
            if level is not None:
                self._page.open_item()
            self._paragraph(text)
        for _ in levels:
            self._page.close_list()

    def _paragraph(self, text: str) -> None:
        for index, line in enumerate(text.split("\v")):
            if index:
                self._page.break_line()
            self._page.write(line)
        self._page.end_paragraph()

    def _table(self, table: "Table") -> None:
        self._page.open_table()
        has_header = table.first_row and len(table.rows) > 1
        for index, row in enumerate(table.rows):
            self._page.open_row()
            for cell in row.cells:
                if cell.is_spanned:
                    continue
                rows, columns = (cell.span_height, cell.span_width) if cell.is_merge_origin else (1, 1)
                self._page.open_cell(is_header=has_header and index == 0, columns=columns, rows=rows)
                self._text(cell.text_frame, is_list=False)
                self._page.close_cell()
            self._page.close_row()
        self._page.close_table()


def _visible(paragraph: "_Paragraph") -> str:
    """Return a paragraph's text, line breaks as vertical tabs."""
    return "".join(_pieces(paragraph))


def _pieces(paragraph: "_Paragraph") -> Iterator[str]:
    for element in paragraph._p:
        if element.tag == f"{_DRAWING}br":
            yield "\v"
        elif element.tag in (f"{_DRAWING}r", f"{_DRAWING}fld"):
            yield element.findtext(f"{_DRAWING}t") or ""


def _is_hidden(shape: "BaseShape") -> bool:
    properties = shape._element.xpath("./*/p:cNvPr")
    return any(one.get("hidden") in ("1", "true") for one in properties)


def _repeats(shape: "BaseShape") -> bool:
    """Tell whether a shape holds the date, the slide's number, the header or the footer."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    repeated = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER)
    return shape.is_placeholder and shape.placeholder_format.type in repeated


def _is_list(shape: "BaseShape") -> bool:
    """Tell whether a shape's paragraphs have bullets unless they say otherwise, as in the body of common layouts."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    bodies = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
    return shape.is_placeholder and shape.placeholder_format.type in bodies


def _has_bullet(paragraph: "_Paragraph", is_list: bool) -> bool:
    properties = paragraph._p.find(f"{_DRAWING}pPr")
    if properties is None:
        return is_list
    if properties.find(f"{_DRAWING}buNone") is not None:
        return False
    return is_list or any(properties.find(_DRAWING + name) is not None for name in _BULLETS)
