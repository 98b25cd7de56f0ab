"""Table rows become lines that are searched with the names of their columns."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
            ["A | B", "A: 1; A: 2; B: 3"],
        ),
        (
            "<tr><th colspan='2'>A</th></tr><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr>",
            ["A", "x | y", "x: 1; y: 2"],
        ),
        ("<thead><tr><td>A</td></tr></thead><tr><td>1</td></tr>", ["A", "A: 1"]),
        (
            "<tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan='2'>x</td><td>1</td></tr>",
            ["A | B | C", "A: x; B: x; C: 1"],
        ),
        (
            "<tr><th>A</th><th>B</th></tr><tr><td>1</td><td rowspan='2'>x</td></tr><tr><td>2</td></tr>",
            ["A | B", "A: 1; B: x", "A: 2; B: x"],
        ),
        (
            "<tr><th>A</th><th>B</th></tr><tr><td rowspan='0'>x</td><td>1</td></tr><tr><td>2</td></tr>",
            ["A | B", "A: x; B: 1", "A: x; B: 2"],
        ),
        (
            "<tr><th rowspan='2'>A</th><th colspan='2'>Y</th></tr><tr><th>p</th><th>q</th></tr>"
            "<tr><td>1</td><td>2</td><td>3</td></tr>",
            ["A | Y", "p | q", "A: 1; Y / p: 2; Y / q: 3"],
        ),
        (
            "<tr><th>A</th><th>B</th></tr><tr><th colspan='2'>North</th></tr><tr><td>1</td><td>2</td></tr>",
            ["A | B", "North", "A: 1; B: 2"],
        ),
        (
            "<tr><th>A</th><th>B</th></tr><tr><td colspan='2'>closed</td></tr><tr><th>1</th><td>2</td></tr>",
            ["A | B", "closed", "A: 1; B: 2"],
        ),
        (
            "<tr><th rowspan='2'>Owner</th><td>Ann</td></tr><tr><td>Bob</td></tr>",
            ["Owner: Ann", "Owner: Bob"],
        ),
        (
            "<tr><th class='numberingColumn'/><th>A</th></tr><tr><td class='numberingColumn'>1</td><td>x</td></tr>",
            ["| A", "1; A: x"],
        ),
        (
            "<tbody><tr><td rowspan='9'>x</td><td>1</td></tr></tbody><tbody><tr><td>2</td></tr></tbody>",
            ["x; 1", "2"],
        ),
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
        ("code", "A | B"),
    ]


def test_the_title_of_a_part_of_a_table_is_known_in_its_rows() -> None:
    part = "<tr><th colspan='2'>{}</th></tr><tr><td>1</td><td>2</td></tr>"
    rows = "<tr><th>A</th><th>B</th></tr>" + part.format("North") + part.format("South")

    contexts = [block.context for block in confluence.parse(f"<table>{rows}</table>").blocks if block.kind == "row"]

    assert contexts == ["A | B; North", "A | B; South"]


Written = list[list[tuple[int, int]]]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4), min_size=1, max_size=5)
)
def test_each_row_says_the_values_of_all_its_columns(cells: Written) -> None:
    """The grid is formed as the HTML standard forms it (4.9.12.1); tables whose cells overlap are no tables."""
    grid: dict[tuple[int, int], str] = {}
    for row, spans in enumerate(cells):
        for number, (columns, rows) in enumerate(spans):
            start = next(column for column in range(99) if (row, column) not in grid)
            covered = [(row + down, start + right) for down in range(rows) for right in range(columns)]
            assume(not any(place in grid for place in covered))
            grid |= dict.fromkeys(covered, f"v{row}.{number}")
    width = max(column for _, column in grid) + 1
    header = "".join(f"<th>c{column}</th>" for column in range(width))
    body = "".join(
        "<tr>" + "".join(f"<td colspan='{c}' rowspan='{r}'>v{row}.{n}</td>" for n, (c, r) in enumerate(spans)) + "</tr>"
        for row, spans in enumerate(cells)
    )

    rows_seen = [b.text for b in confluence.parse(f"<table><tr>{header}</tr>{body}</table>").blocks if b.kind == "row"]

    for row, seen in enumerate(rows_seen):
        values = [(column, grid[row, column]) for column in range(width) if (row, column) in grid]
        is_notice = len(cells[row]) == 1 and cells[row][0][0] == width > 1
        assert seen == (values[0][1] if is_notice else "; ".join(f"c{column}: {value}" for column, value in values))
