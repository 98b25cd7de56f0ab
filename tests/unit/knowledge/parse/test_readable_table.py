"""Table rows become lines that are searched with the names of their columns."""

import pytest

from knowledge.parse import confluence

CODE = '<ac:structured-macro ac:name="code"><ac:plain-text-body>y</ac:plain-text-body></ac:structured-macro>'


def test_table_rows_know_their_header() -> None:
    xhtml = (
        "<table><tbody><tr><th><p>Plan</p></th><th>Price</th></tr>"
        "<tr><td>Basic</td><td><p>5 €</p><p>a month</p></td></tr><tr><td>Pro</td><td /></tr></tbody></table>"
    )

    parsed = confluence.parse(xhtml)

    assert parsed.text == "Plan | Price\nBasic | 5 € a month\nPro |"
    assert [(block.kind, block.text, block.context) for block in parsed.blocks] == [
        ("header", "Plan | Price", ""),
        ("row", "Plan: Basic; Price: 5 € a month", "Plan | Price"),
        ("row", "Plan: Pro", "Plan | Price"),
    ]


@pytest.mark.parametrize(
    ("rows", "seen"),
    [
        ("<tr><th>Owner</th><td>Ann</td><td>Bob</td></tr>", ["Owner: Ann; Bob"]),
        ("<tr><td>a</td><td>b</td></tr>", ["a; b"]),
        (
            "<tr><th>A</th><th>B</th></tr><tr><td rowspan='2'>x</td><td>1</td></tr><tr><td>2</td></tr>",
            ["A | B", "A: x; B: 1", "A: x; B: 2"],
        ),
        (
            "<tr><th colspan='2'>A</th><th>B</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>",
            ["A | B", "A: 1; 2; B: 3"],
        ),
        (
            "<tr><th colspan='2'>A</th></tr><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr>",
            ["A", "x | y", "x: 1; y: 2"],
        ),
        ("<thead><tr><td>A</td></tr></thead><tr><td>1</td></tr>", ["A", "A: 1"]),
    ],
)
def test_cells_are_searched_with_the_names_of_their_columns(rows: str, seen: list[str]) -> None:
    assert [block.text for block in confluence.parse(f"<table>{rows}</table>").blocks] == seen


def test_a_table_in_a_cell_has_rows_of_its_own() -> None:
    inner = "<table><tr><th>A</th></tr><tr><td>1</td></tr></table>"

    xhtml = f"<table><tr><td>before</td><td>in {inner} behind</td><td>last</td></tr></table>"

    parsed = confluence.parse(xhtml)

    assert [block.kind for block in parsed.blocks] == ["row", "header", "row", "row"]
    assert parsed.text == "before | in\n\nA\n1\n\nbehind | last"


def test_a_row_too_long_for_a_passage_is_a_block_for_each_part_of_its_cells() -> None:
    long = "word " * 200
    xhtml = f"<table><tr><th>A</th><th>B</th></tr><tr><td>{long}</td><td>x{CODE}</td></tr></table>"

    parsed = confluence.parse(xhtml)

    assert [(block.kind, block.context) for block in parsed.blocks] == [
        ("header", ""),
        ("row", "A | B"),
        ("row", "A | B"),
        ("code", ""),
    ]
