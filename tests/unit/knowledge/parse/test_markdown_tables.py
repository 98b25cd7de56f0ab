"""Tables of Markdown, and AsciiDoc tables inside of it, become rows that say what they mean."""

from itertools import pairwise

import pytest

from knowledge.parse import markdown
from knowledge.types import Block

PLANS = (
    '[cols="1,1", options="header"]\n|===\n|Plan\n|Price\n\n|Basic\n|5 €\n\nmonthly\n\na|Pro\n|- 9 €\n- 90 €\n|===\n'
)


def rows(text: str) -> list[str]:
    return [block.text for block in markdown.parse(text).blocks if block.kind in ("header", "row")]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (PLANS, ["Plan | Price", "Plan: Basic; Price: 5 € monthly", "Plan: Pro; Price: - 9 € - 90 €"]),
        ("|===\n|**A**|**B**\n\n|1|2\n|===", ["A | B", "A: 1; B: 2"]),
        ('[cols="1,1"]\n|===\n|1|2\n\n|3|4\n|===', ["", "1; 2", "3; 4"]),
        ('[%header,cols="2*"]\n|===\n|A|B\n|1|2\n|3|4\n|===', ["A | B", "A: 1; B: 2", "A: 3; B: 4"]),
        (
            '[cols="1,1,1"]\n|===\n.2+|**P**\n2+|**R**\n\n|**x**\n|**y**\n\n|1\n2+|2\n|===',
            ["P | R x | R y", "P: 1; R x: 2; R y: 2"],
        ),
        ('[cols="1,1",options="header"]\n|===\n|A|B\n\n.2+|1\n|2\n\n|3\n|===', ["A | B", "A: 1; B: 2", "A: 1; B: 3"]),
        ('[cols="1,1",options="header"]\n|===\n|A|B\n\n2+|all\n|===', ["A | B", "A: all"]),
        ("|===\n|`a|b`|c\\|d\n|===", ["", "a|b; c|d"]),
        ("|===\n|open\n|ended", ["", "open; ended"]),
        ("|===\n|===\n", []),
    ],
)
def test_asciidoc_rows_name_their_columns(table: str, expected: list[str]) -> None:
    assert rows(table) == expected


def test_an_asciidoc_row_stands_on_its_line() -> None:
    lines = markdown.parse(PLANS).text.split("\n")

    assert lines[2:7] == ["| Plan | Price |", "| --- | --- |", "", "| Basic | 5 €<br>monthly |", ""]
    assert len(lines) == PLANS.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("Table 1 — Plans\n\n| a |\n|---|\n| b |", "Table 1 — Plans"),
        ("Таблица 1 — Тарифы\n| a |\n|---|\n| b |", "Таблица 1 — Тарифы"),
        ("**Table 2. Plans**\n\n| a |\n|---|\n| b |", "Table 2. Plans"),
        ("| a |\n|---|\n| b |\n\n: Plans", "Plans"),
        ("| a |\n|---|\n| b |\n\nTable: Plans", "Table: Plans"),
        (".Table 3: Plans\n|===\n|**a**|**c**\n\n|b|d\n|===", "Table 3: Plans"),
    ],
)
def test_a_row_knows_the_caption_of_its_table(text: str, caption: str) -> None:
    row = next(block for block in markdown.parse(text).blocks if block.kind == "row")

    assert row.context.split("\n")[0] == caption


def test_ordinary_text_above_is_no_caption() -> None:
    row = markdown.parse("Table tennis is fun.\n\n| a |\n|---|\n| b |").blocks[-1]

    assert row.context == "a"


def test_a_table_in_a_list_item_has_rows_of_its_own() -> None:
    table = '   [cols="1,1", options="header"]\n   |===\n   |A\n   |B\n\n   |1\n   |2\n   |===\n'
    text = f"1. Choose:\n\n{table}\n   Then go.\n\n1. End."

    blocks = markdown.parse(text).blocks

    assert [(block.kind, block.text) for block in blocks] == [
        ("item", "Choose:"),
        ("header", "A | B"),
        ("row", "A: 1; B: 2"),
        ("item", "Then go."),
        ("item", "End."),
    ]


def test_blank_lines_between_rows_do_not_end_a_table_but_another_header_does() -> None:
    text = "| a |\n|---|\n\n| 1 |\n\n\n| 2 |\n\n| b |\n|---|\n| 3 |\n\nText | no row |"

    assert [block.text for block in markdown.parse(text).blocks] == [
        "a",
        "a: 1",
        "a: 2",
        "b",
        "b: 3",
        "Text | no row |",
    ]


def test_blocks_do_not_overlap() -> None:
    blocks: list[Block] = list(
        markdown.parse(f"Text\n{PLANS}\n1. x\n\n   {PLANS.replace(chr(10), chr(10) + '   ')}").blocks
    )

    assert all(above.end <= below.start for above, below in pairwise(blocks))
