"""PDF to its readable text: headings, paragraphs, lists, tables as far as they can be told; anchors lead to the page.

Read in a process of its own (`knowledge.parse.office.confined`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from knowledge.errors import SourceProblem
from knowledge.parse.office.confined import REMEDY, read_confined
from knowledge.parse.office.grid import is_header
from knowledge.parse.office.pdf_layout import Layout, Piece, goes_on, joined
from knowledge.parse.office.pdf_page import NO_TEXT, PageText, page_text
from knowledge.parse.office.pdf_running import without_running_lines
from knowledge.parse.office.places import Places
from knowledge.parse.readable import ReadableText
from knowledge.types import Document, Parsed

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

    from knowledge.parse.office.pdf_lines import Line

# 60 s of one core suffice for 2,400 dense pages (3,500 characters each, 41 pages a second).
MAX_PAGES = 2_000
_MAX_OUTLINE_ENTRIES = 20_000
_HEAD_BYTES = 1024
_SIGNATURE = b"%PDF-"
SCANNED = "it has no text layer: its pages are pictures; run OCR on it first (for instance `ocrmypdf`), or leave it out"
PARTLY_SCANNED = "pages of a PDF are pictures without a text layer and were left out; run OCR on the file"
DAMAGED = "pages of a PDF are damaged and were left out; open the file in its program and save it again"
TOO_LONG = f"pages of a PDF beyond the first {MAX_PAGES:,} were left out; split the file"


def parse_document(document: Document) -> Parsed:
    """Parse a PDF; raise SourceProblem when it cannot be read."""
    return read_confined(__name__, document.content)


def read(content: bytes) -> Parsed:
    """Read a PDF, in a process that is confined."""
    pdf = _opened(content)
    found = [_page(pdf, number) for number in range(min(len(pdf), MAX_PAGES))]
    texts = [text or NO_TEXT for text in found]
    unread = any(text.has_pictures and not text.lines for text in texts)
    if not any(text.lines for text in texts):
        raise SourceProblem(SCANNED if unread else f"it has no text; {REMEDY}")
    pages = without_running_lines(texts)
    parsed = _written(pages, Layout(pages, _outline(pdf)))
    title = str(pdf.get_metadata_value("Title") or "").strip()
    problems = [PARTLY_SCANNED] if unread else []
    problems += [DAMAGED] if None in found else []
    problems += [TOO_LONG] if len(pdf) > MAX_PAGES else []
    return replace(parsed, metadata={"title": title}, problems=tuple(problems))


def _opened(content: bytes) -> "PdfDocument":
    import pypdfium2

    if _SIGNATURE not in content[:_HEAD_BYTES]:
        raise SourceProblem(f"it does not begin as a PDF does; {REMEDY}")
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as exc:
        if getattr(exc, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise SourceProblem("it is protected by a password; save it without one, or leave it out") from exc
        raise SourceProblem(f"it is no whole PDF; {REMEDY}") from exc


def _page(pdf: "PdfDocument", number: int) -> PageText | None:
    """Return the text of a page; None when the page is damaged."""
    import pypdfium2

    try:
        return page_text(pdf[number])
    except pypdfium2.PdfiumError:
        return None


def _outline(pdf: "PdfDocument") -> Mapping[tuple[int, str], int]:
    """Return the level of each entry of the document's own contents, by its page and text."""
    import pypdfium2

    levels: dict[tuple[int, str], int] = {}
    # A damaged outline ends where it is damaged.
    with suppress(pypdfium2.PdfiumError, ValueError):
        for entry in islice(pdf.get_toc(), _MAX_OUTLINE_ENTRIES):
            place = entry.get_dest()
            page = place.get_index() if place else None
            if page is not None:
                levels.setdefault((page, " ".join(entry.get_title().split()).casefold()), entry.level + 1)
    return levels


def _written(pages: Sequence[Sequence["Line"]], layout: Layout) -> Parsed:
    page = ReadableText()
    places, writer = Places(page), _Writer(page)
    for number, pieces in _joined_pages(pages, layout):
        places.begin(f"page={number}")
        for piece in pieces:
            writer.write(piece)
        writer.end()
    return places.parsed()


def _joined_pages(pages: Sequence[Sequence["Line"]], layout: Layout) -> Iterator[tuple[int, list[Piece]]]:
    """Yield the parts of each page; a paragraph that goes on over its end is whole where it begins."""
    held: tuple[int, list[Piece]] | None = None
    for number, lines in enumerate(pages, start=1):
        pieces = list(layout.pieces(lines, number - 1))
        if held and held[1] and pieces and _is_one(held[1][-1], pieces[0]):
            last = held[1][-1]
            held[1][-1] = replace(last, text=joined([last.text, pieces.pop(0).text]))
        if held:
            yield held
        held = (number, pieces)
    if held:
        yield held


def _is_one(last: Piece, first: Piece) -> bool:
    return last.kind in ("paragraph", "item") and first.kind == "paragraph" and goes_on(last.text, first.text)


class _Writer:
    """Writes the parts of pages as readable text."""

    def __init__(self, page: ReadableText) -> None:
        self._page = page
        self._is_in_list = False

    def write(self, piece: Piece) -> None:
        """Add a part."""
        page = self._page
        if piece.kind == "item":
            if not self._is_in_list:
                page.open_list()
                self._is_in_list = True
            page.open_item(f"{piece.marker} ")
            page.write(piece.text)
            page.close_item()
            return
        self.end()
        if piece.kind == "heading":
            page.open_heading(piece.level)
            page.write(piece.text)
            page.close_heading()
        elif piece.kind == "table":
            self._table(piece.rows)
        elif piece.kind == "code":
            page.open_code()
            page.write(piece.text)
            page.close_code()
        else:
            page.write(piece.text)
            page.end_paragraph()

    def end(self) -> None:
        """Close what is open."""
        if self._is_in_list:
            self._page.close_list()
            self._is_in_list = False

    def _table(self, rows: Sequence[Sequence[str]]) -> None:
        has_header = is_header(rows[0], rows[1:])
        self._page.open_table()
        for index, row in enumerate(rows):
            self._page.open_row()
            for cell in row:
                self._page.open_cell(is_header=has_header and index == 0)
                self._page.write(cell)
                self._page.close_cell()
            self._page.close_row()
        self._page.close_table()
