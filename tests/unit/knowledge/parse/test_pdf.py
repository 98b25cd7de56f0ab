"""A PDF becomes running text with headings, lists and tables; nothing that a reader of it does not see."""

from collections.abc import Callable
from io import BytesIO

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from knowledge.errors import SourceProblem
from knowledge.parse.office import pdf
from knowledge.types import Parsed

Page = Callable[[Canvas], object]
WIDTH, HEIGHT = A4
PROSE = "The device is installed on a flat surface near an outlet."


def file(*pages: Page, encrypt: StandardEncryption | None = None) -> bytes:
    written = BytesIO()
    canvas = Canvas(written, pagesize=A4, encrypt=encrypt)
    canvas.setTitle("Manual")
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def parsed(*pages: Page) -> Parsed:
    return pdf.read(file(*pages))


def lines(*texts: str, top: float = 700, left: float = 60, size: float = 10, font: str = "Helvetica") -> Page:
    def write(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for number, text in enumerate(texts):
            canvas.drawString(left, top - number * size * 1.2, text)

    return write


def together(*parts: Page) -> Page:
    def write(canvas: Canvas) -> None:
        for part in parts:
            part(canvas)

    return write


def picture() -> ImageReader:
    from PIL import Image

    return ImageReader(Image.new("RGB", (8, 8), "gray"))


def test_lines_are_joined_to_paragraphs_and_words_cut_by_a_hyphen_made_whole() -> None:
    page = lines("The device is in-", "stalled on a flat surface", "near an outlet.")
    behind = lines("Another paragraph.", top=600)

    document = parsed(together(page, behind))

    assert document.text == "The device is installed on a flat surface near an outlet.\n\nAnother paragraph."
    assert not document.keeps_lines


def test_larger_and_bold_lines_are_headings_and_blocks_lead_to_their_page() -> None:
    first = together(
        lines("Manual", top=760, size=20), lines("Install", top=720, size=14), lines(*[PROSE] * 4, top=690)
    )
    second = together(lines("Bold words", top=700, font="Helvetica-Bold"), lines(*[PROSE] * 4, top=670))

    document = parsed(first, second)

    assert [(block.kind, block.level, block.anchor) for block in document.blocks] == [
        ("heading", 1, "page=1"),
        ("heading", 2, "page=1"),
        ("paragraph", 0, "page=1"),
        ("heading", 3, "page=2"),
        ("paragraph", 0, "page=2"),
    ]
    assert document.metadata["title"] == "Manual"


def test_the_documents_own_outline_tells_headings() -> None:
    def outlined(canvas: Canvas) -> None:
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Plain heading", "a", level=0)

    document = parsed(together(outlined, lines("Plain heading", top=760), lines(PROSE, PROSE, top=700)))

    assert (document.blocks[0].kind, document.blocks[0].text) == ("heading", "Plain heading")


def test_what_repeats_on_pages_is_left_out() -> None:
    def page(number: int) -> Page:
        edges = together(
            lines("ACME - confidential", top=825, size=8), lines(f"Page {number} of 9", top=20, left=280, size=8)
        )
        return together(edges, lines(f"Chapter {number}", top=790, size=18), lines(PROSE, PROSE, top=700))

    texts = [block.text for block in parsed(*map(page, range(1, 5))).blocks]

    assert texts[::2] == ["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]
    assert set(texts[1::2]) == {f"{PROSE} {PROSE}"}


def test_a_running_title_is_known_by_the_number_of_its_page() -> None:
    def page(number: int) -> Page:
        return together(lines(f"Part {chr(64 + number)} {10 + number}", top=825), lines(PROSE, PROSE, top=700))

    assert "Part" not in parsed(*map(page, range(1, 5))).text


def test_entries_of_the_contents_are_left_out() -> None:
    page = together(lines("Install . . . . . . . . . 7", "Remove ......... ii", top=780), lines(PROSE, top=700))

    assert parsed(page).text == PROSE


def test_a_sentence_goes_on_over_the_end_of_a_page() -> None:
    document = parsed(lines("The device is installed on a flat"), lines("surface near an outlet."))

    assert [block.text for block in document.blocks] == ["The device is installed on a flat surface near an outlet."]


def test_items_of_a_list_are_blocks() -> None:
    page = lines("• Open the box and take", "  the device out.", "• Plug it in.", "1. First", "2) Second")

    items = [(block.kind, block.text) for block in parsed(page).blocks]

    assert items == [
        ("item", "• Open the box and take the device out."),
        ("item", "• Plug it in."),
        ("item", "1. First"),
        ("item", "2) Second"),
    ]


def test_rows_of_cells_under_each_other_are_a_table() -> None:
    def page(canvas: Canvas) -> None:
        for row, cells in enumerate(
            (["Plan", "Price", "Size"], ["Basic", "5 EUR", "10 GB"], ["Pro", "15 EUR", "1 TB"])
        ):
            for column, cell in enumerate(cells):
                canvas.drawString(60 + 120 * column, 700 - 18 * row, cell)

    assert [block.text for block in parsed(page).blocks] == [
        "Plan | Price | Size",
        "Plan: Basic; Price: 5 EUR; Size: 10 GB",
        "Plan: Pro; Price: 15 EUR; Size: 1 TB",
    ]


def test_two_columns_are_read_one_after_the_other_even_when_written_line_by_line() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row in range(8):
            canvas.drawString(60, 700 - 12 * row, f"left column line {row} of the text")
            canvas.drawString(320, 700 - 12 * row, f"right column line {row} of the text")

    text = parsed(page).text

    assert text.index("left column line 7") < text.index("right column line 0")


def test_lines_of_code_stay_lines_with_their_indent() -> None:
    page = together(lines("if ready:", font="Courier"), lines("go()", top=688, left=84, font="Courier"))

    assert [(block.kind, block.text) for block in parsed(page).blocks] == [("code", "if ready:\n    go()")]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(degrees: int) -> None:
    def page(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(degrees)
        lines("The first line is here", "and goes on.", top=0, left=0)(canvas)

    assert parsed(page).text == "The first line is here and goes on."


def invisible(canvas: Canvas) -> None:
    text = canvas.beginText(60, 500)
    text.setTextRenderMode(3)
    text.textLine("SECRET")
    canvas.drawText(text)


def white(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(60, 500, "SECRET")


def transparent(canvas: Canvas) -> None:
    canvas.setFillAlpha(0)
    canvas.drawString(60, 500, "SECRET")


def tiny(canvas: Canvas) -> None:
    lines("SECRET", top=500, size=0.5)(canvas)


def outside(canvas: Canvas) -> None:
    canvas.drawString(WIDTH + 50, 500, "SECRET")


def blacked_out(canvas: Canvas) -> None:
    canvas.drawString(60, 500, "SECRET")
    canvas.rect(50, 490, 100, 30, fill=1)


def watermark(canvas: Canvas) -> None:
    canvas.rotate(40)
    canvas.drawString(300, 100, "SECRET")


def annotation(canvas: Canvas) -> None:
    canvas.textAnnotation("SECRET", (60, 480, 160, 520))


@pytest.mark.parametrize("hide", [invisible, white, transparent, tiny, outside, blacked_out, watermark, annotation])
def test_what_a_reader_does_not_see_is_left_out(hide: Page) -> None:
    assert parsed(together(lines(PROSE), hide)).text == PROSE


def test_white_text_on_a_colour_is_seen() -> None:
    def page(canvas: Canvas) -> None:
        canvas.rect(50, 490, 200, 30, fill=1)
        white(canvas)

    assert parsed(page).text == "SECRET"


def test_recognised_text_under_a_picture_of_it_is_read() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT)
        invisible(canvas)

    assert parsed(page).text == "SECRET"


def test_a_scan_without_text_names_the_remedy() -> None:
    with pytest.raises(SourceProblem, match=r"no text layer.*run OCR"):
        parsed(lambda canvas: canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT))


def test_scanned_pages_among_others_are_told_of() -> None:
    document = parsed(lines(PROSE), lambda canvas: canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT))

    assert document.text == PROSE
    assert document.problems == (pdf.PARTLY_SCANNED,)


def test_a_password_is_asked_for_only_where_it_keeps_readers_out() -> None:
    assert pdf.read(file(lines(PROSE), encrypt=StandardEncryption("", "owner"))).text == PROSE
    with pytest.raises(SourceProblem, match="protected by a password"):
        pdf.read(file(lines(PROSE), encrypt=StandardEncryption("reader", "owner")))


@pytest.mark.parametrize("content", [b"<html>Log in</html>", b"%PDF-1.7", b"%PDF-1.7\n" + b"\0" * 1000])
def test_what_is_no_pdf_is_refused(content: bytes) -> None:
    with pytest.raises(SourceProblem):
        pdf.read(content)


def test_an_empty_page_has_no_text() -> None:
    with pytest.raises(SourceProblem, match="it has no text"):
        parsed(lambda canvas: canvas.rect(1, 1, 1, 1))
