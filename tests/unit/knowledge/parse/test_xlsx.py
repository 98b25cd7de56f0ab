"""Workbooks show a reader what a spreadsheet shows: tables with names of columns, formatted cells, nothing hidden."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from io import BytesIO

import openpyxl
import pytest
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from knowledge.parse.office import xlsx
from knowledge.parse.office.cell_format import sections_of, shown
from knowledge.types import Parsed


def parsed(*fills: Callable[[Worksheet], object]) -> Parsed:
    """Return a workbook with a sheet for each function that fills one."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, fill in enumerate(fills, start=1):
        fill(book.create_sheet(f"Sheet {number}"))
    file = BytesIO()
    book.save(file)
    return xlsx.read(file.getvalue())


def filled(*rows: list[object]) -> Callable[[Worksheet], None]:
    def fill(sheet: Worksheet) -> None:
        for row in rows:
            sheet.append(row)

    return fill


def texts(document: Parsed) -> list[str]:
    return [block.text for block in document.blocks]


def test_each_sheet_is_a_heading_and_each_row_is_searched_with_its_columns() -> None:
    document = parsed(filled(["Plan", "Price"], ["Basic", 5]), filled(["Port", "Use"], [443, "https"]))

    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "Sheet 1"),
        ("header", "Plan | Price"),
        ("row", "Plan: Basic; Price: 5"),
        ("heading", "Sheet 2"),
        ("header", "Port | Use"),
        ("row", "Port: 443; Use: https"),
    ]
    assert not document.keeps_lines


def test_tables_are_separated_by_empty_rows_and_columns() -> None:
    document = parsed(
        filled(["A", "B", None, "C", "D"], [1, 2, None, 3, 4], [], ["E", "F"], [5, 6]),
    )

    assert texts(document)[1:] == ["A | B", "A: 1; B: 2", "C | D", "C: 3; D: 4", "E | F", "E: 5; F: 6"]


@pytest.mark.parametrize("between", [[], [[]]])
def test_a_line_above_a_table_is_its_caption(between: list[list[object]]) -> None:
    document = parsed(filled(["Prices of 2026"], *between, ["Plan", "Price"], ["Basic", 5]))

    assert [block.kind for block in document.blocks] == ["heading", "paragraph", "header", "row"]
    assert document.blocks[-1].context == "Prices of 2026; Plan | Price"


def test_merged_cells_are_said_in_each_row_and_name_all_their_columns() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["Plan", "Price", None], [None, "net", "gross"], ["Basic", 5, 6], [None, 7, 8])(sheet)
        for merged in ("A1:A2", "B1:C1", "A3:A4"):
            sheet.merge_cells(merged)

    assert texts(parsed(fill))[1:] == [
        "Plan | Price | Price",
        "Plan | net | gross",
        "Plan: Basic; Price net: 5; Price gross: 6",
        "Plan: Basic; Price net: 7; Price gross: 8",
    ]


def test_what_a_workbook_hides_is_left_out() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["Name", "SECRET", "Age"], ["Ann", "SECRET", 1], ["SECRET", "SECRET", 2], ["Bob", "SECRET", 3])(sheet)
        sheet.column_dimensions["B"].hidden = True
        sheet.row_dimensions[3].hidden = True
        sheet["E1"], sheet["F1"], sheet["G1"] = "SECRET", 77, "SECRET"
        sheet["E1"].font = Font(color="FFFFFFFF")
        sheet["F1"].number_format = ";;;"
        sheet["G1"].font = Font(color="FFFFFFFF")

    def hide(sheet: Worksheet) -> None:
        sheet.append(["SECRET"])
        sheet.sheet_state = "hidden"

    document = parsed(fill, hide)

    assert document.text.strip() == "Sheet 1\n\nName | Age\nAnn | 1\nBob | 3"


def test_white_text_on_a_colour_is_seen() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["Plan", "Price"], ["Basic", 5])(sheet)
        for cell in sheet[1]:
            cell.font, cell.fill = Font(color="FFFFFFFF"), PatternFill("solid", fgColor="FF0000AA")

    assert texts(parsed(fill))[1] == "Plan | Price"


def test_comments_are_left_out() -> None:
    def fill(sheet: Worksheet) -> None:
        filled(["Plan", "Price"], ["Basic", 5])(sheet)
        sheet["A2"].comment = openpyxl.comments.Comment("SECRET", "somebody")

    assert "SECRET" not in parsed(fill).text


def test_a_formula_without_a_stored_value_shows_nothing() -> None:
    assert texts(parsed(filled(["A", "B"], ["x", "=1+1"])))[-1] == "A: x"


def test_two_cells_at_the_corners_of_a_sheet_are_two_paragraphs() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["XFD1048576"] = "first", "last"

    assert texts(parsed(fill))[1:] == ["first", "last"]


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (0.1 + 0.2, "General", "0.3"),
        (1_000_000, "General", "1000000"),
        (1234.5, "#,##0.00", "1234.50"),
        (0.125, "0.0%", "12.5%"),
        (5, '#,##0.00 "€"', "5.00 €"),
        (5, "[$$-409]#,##0.00", "$5.00"),
        (5, "#,##0 [$₽-419]", "5 ₽"),
        (5, ";;;", ""),
        (True, "General", "TRUE"),
        ("#N/A", "General", ""),
        ("#general", "General", "#general"),
        (datetime(2026, 11, 30), "yyyy-mm-dd", "2026-11-30"),  # noqa: DTZ001 - cells know no time zones
        (datetime(2026, 11, 30, 9, 5), "General", "2026-11-30 09:05"),  # noqa: DTZ001 - as above
        (date(2026, 11, 30), "General", "2026-11-30"),
        (time(9, 5), "h:mm", "09:05"),
        (timedelta(hours=25), "[h]:mm", "1 day, 1:00:00"),
        ("text", "0.00", "text"),
    ],
)
def test_values_are_shown_by_their_format(value: object, number_format: str, text: str) -> None:
    assert shown(value, sections_of(number_format)) == text
