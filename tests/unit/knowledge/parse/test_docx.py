"""Word documents show what a reader of them sees: headings, lists, tables and notes; nothing hidden or deleted."""

from collections.abc import Callable
from io import BytesIO

import docx
import pytest
from docx.document import Document as Word
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph

from knowledge.parse.office import docx as parser
from knowledge.types import Parsed


def parsed(write: Callable[[Word], object]) -> Parsed:
    word = docx.Document()
    write(word)
    file = BytesIO()
    word.save(file)
    return parser.read(file.getvalue())


def blocks(write: Callable[[Word], object]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed(write).blocks]


def add(paragraph: Paragraph, xml: str) -> None:
    """Add an element to a paragraph, in the namespace `w`."""
    name, rest = xml[1:].split(">", 1) if xml.index(">") < (xml + " ").index(" ") else xml[1:].split(" ", 1)
    space = ">" if xml.index(">") < (xml + " ").index(" ") else " "
    paragraph._p.append(parse_xml(f"<{name} {nsdecls('w')}{space}{rest}"))


def test_styles_and_outline_levels_make_headings() -> None:
    def write(word: Word) -> None:
        word.add_paragraph("Guide", style="Title")
        word.add_heading("Install", 1)
        word.add_heading("Windows", 2)
        named = word.styles.add_style("Überschrift 3", WD_STYLE_TYPE.PARAGRAPH)
        word.add_paragraph("Localised", style=named)
        own = word.add_paragraph("By its outline level")
        own._p.get_or_add_pPr().append(parse_xml(f"<w:outlineLvl {nsdecls('w')} w:val='1'/>"))
        word.add_paragraph("Text.")

    levels = [(block.text, block.level) for block in parsed(write).blocks]

    assert levels == [
        ("Guide", 1),
        ("Install", 2),
        ("Windows", 3),
        ("Localised", 4),
        ("By its outline level", 3),
        ("Text.", 0),
    ]


def test_lists_have_their_bullets_and_numbers() -> None:
    def write(word: Word) -> None:
        for style in ("List Number", "List Number", "List Bullet", "List Bullet 2"):
            word.add_paragraph(f"a {style}", style=style)
        word.add_paragraph("Between.")
        word.add_paragraph("goes on", style="List Number")

    assert parsed(write).text == (
        "1. a List Number\n2. a List Number\n- a List Bullet\n- a List Bullet 2\n\nBetween.\n\n3. goes on"
    )


@pytest.mark.parametrize(
    ("number_format", "text", "labels"),
    [
        ("lowerLetter", "%1)", ["a)", "b)"]),
        ("upperRoman", "%1.", ["I.", "II."]),
        ("russianLower", "%1)", ["а)", "б)"]),
        ("decimal", "Step %1:", ["Step 1:", "Step 2:"]),
        ("bullet", "\uf0b7", ["-", "-"]),
    ],
)
def test_items_are_labelled_as_word_labels_them(number_format: str, text: str, labels: list[str]) -> None:
    def write(word: Word) -> None:
        root = word.part.numbering_part.element
        level = f'<w:start w:val="1"/><w:numFmt w:val="{number_format}"/><w:lvlText w:val="{text}"/>'
        definition = f'<w:lvl w:ilvl="0">{level}</w:lvl>'
        root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77">{definition}</w:abstractNum>'))
        root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
        for _ in range(2):
            number = '<w:ilvl w:val="0"/><w:numId w:val="77"/>'
            properties = word.add_paragraph("item")._p.get_or_add_pPr()
            properties.append(parse_xml(f"<w:numPr {nsdecls('w')}>{number}</w:numPr>"))

    assert parsed(write).text == "\n".join(f"{label} item" for label in labels)


def hidden(word: Word) -> None:
    word.add_paragraph("Seen. ").add_run("SECRET").font.hidden = True


def white(word: Word) -> None:
    word.add_paragraph("Seen. ").add_run("SECRET").font.color.rgb = RGBColor(255, 255, 255)


def tiny(word: Word) -> None:
    word.add_paragraph("Seen. ").add_run("SECRET").font.size = Pt(1)


def hidden_by_style(word: Word) -> None:
    style = word.styles.add_style("Note to self", WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    word.add_paragraph("Seen. ").add_run("SECRET", style=style)


def deleted(word: Word) -> None:
    add(word.add_paragraph("Seen. "), "<w:del><w:r><w:delText>SECRET</w:delText><w:t>SECRET</w:t></w:r></w:del>")


def moved_away(word: Word) -> None:
    add(word.add_paragraph("Seen. "), "<w:moveFrom><w:r><w:t>SECRET</w:t></w:r></w:moveFrom>")


def field_code(word: Word) -> None:
    paragraph = word.add_paragraph("Seen. ")
    begin, end = ('<w:fldChar w:fldCharType="begin"/>', '<w:fldChar w:fldCharType="end"/>')
    add(paragraph, f"<w:r>{begin}<w:instrText>SECRET</w:instrText><w:t>SECRET</w:t>{end}</w:r>")


def comment(word: Word) -> None:
    word.add_comment(word.add_paragraph("Seen. ").runs, text="SECRET", author="somebody", initials="s")


def header(word: Word) -> None:
    word.add_paragraph("Seen. ")
    word.sections[0].header.paragraphs[0].text = "SECRET"


def deleted_row(word: Word) -> None:
    word.add_paragraph("Seen. ")
    table = word.add_table(1, 2)
    table.cell(0, 0).text = table.cell(0, 1).text = "SECRET"
    table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {nsdecls('w')}/>"))


def contents(word: Word) -> None:
    word.add_paragraph("SECRET 7", style=word.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH))
    word.add_paragraph("Seen. ")


@pytest.mark.parametrize(
    "write",
    [hidden, white, tiny, hidden_by_style, deleted, moved_away, field_code, comment, header, deleted_row, contents],
)
def test_what_a_reader_does_not_see_is_left_out(write: Callable[[Word], None]) -> None:
    assert parsed(write).text == "Seen."


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<w:ins><w:r><w:t>inserted</w:t></w:r></w:ins>", "inserted"),
        ("<w:hyperlink><w:r><w:t>linked</w:t></w:r></w:hyperlink>", "linked"),
        ("<w:sdt><w:sdtContent><w:r><w:t>control</w:t></w:r></w:sdtContent></w:sdt>", "control"),
        ('<w:fldSimple w:instr="DATE"><w:r><w:t>result</w:t></w:r></w:fldSimple>', "result"),
        ("<w:r><w:t>two</w:t><w:br/><w:t>lines</w:t></w:r>", "two\nlines"),
        ('<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown</w:t></w:r>', "shown"),
        ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', ""),
    ],
)
def test_what_a_reader_sees_is_read(xml: str, text: str) -> None:
    def write(word: Word) -> None:
        add(word.add_paragraph("Seen "), xml)
        word.add_paragraph("Behind.")

    assert parsed(write).text == f"Seen {text}".strip() + "\n\nBehind."


def test_tables_have_their_header_and_merged_cells() -> None:
    def write(word: Word) -> None:
        word.add_paragraph("Prices", style="Caption")
        table = word.add_table(3, 3)
        for row, cells in enumerate((["Plan", "Net", "Gross"], ["Basic", "5", "6"], ["", "7", "8"])):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        table.cell(1, 0).merge(table.cell(2, 0))

    header_line, *rows = parsed(write).blocks[1:]

    assert (header_line.kind, header_line.text) == ("header", "Plan | Net | Gross")
    assert [row.text for row in rows] == ["Plan: Basic; Net: 5; Gross: 6", "Plan: Basic; Net: 7; Gross: 8"]
    assert all("Prices" in row.context and "Plan | Net | Gross" in row.context for row in rows)


def test_a_table_in_a_cell_has_rows_of_its_own() -> None:
    def write(word: Word) -> None:
        table = word.add_table(2, 2)
        table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 0).text = "A", "B", "x"
        inner = table.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "p", "q"

    assert ("row", "p; q") in blocks(write)


def test_a_frame_of_one_cell_is_text() -> None:
    assert blocks(lambda word: setattr(word.add_table(1, 1).cell(0, 0), "text", "Mind the gap.")) == [
        ("paragraph", "Mind the gap.")
    ]


def test_text_boxes_are_read_once_and_behind_their_paragraph() -> None:
    def write(word: Word) -> None:
        box = "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent>"
        mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
        both = f'<mc:Choice Requires="wps">{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>'
        run = f"<w:r {nsdecls('w')} {mc}><mc:AlternateContent>{both}</mc:AlternateContent></w:r>"
        word.add_paragraph("Around.")._p.append(parse_xml(run))

    assert parsed(write).text == "Around.\n\nin a box"


def test_lines_of_code_stay_lines() -> None:
    def write(word: Word) -> None:
        style = word.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
        for line in ("if ready:", "    go()"):
            word.add_paragraph(line, style=style)

    assert blocks(write) == [("code", "if ready:\n    go()")]


def test_the_title_is_that_of_the_file() -> None:
    assert parsed(lambda word: setattr(word.core_properties, "title", "Manual")).metadata["title"] == "Manual"
