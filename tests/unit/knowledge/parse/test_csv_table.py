"""CSV becomes rows that are searched with the names of their columns, each on the line that it has in the file."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.errors import SourceProblem
from knowledge.parse.office import csv_table
from knowledge.types import Document, Parsed

# Seconds of one core, several times what they take: a machine may be busy.
DEADLINE_S = 20.0


def rows(parsed: Parsed) -> list[tuple[str, str, str]]:
    return [(block.kind, block.text, block.context) for block in parsed.blocks]


@pytest.mark.parametrize(
    "text",
    [
        "Plan,Price\nBasic,5 €\n",
        "Plan;Price\nBasic;5 €",
        "Plan\tPrice\nBasic\t5 €",
        "Plan|Price\nBasic|5 €",
        "\ufeffPlan,Price\nBasic,5 €",
        '"Plan";"Price"\n"Basic";"5 €"',
    ],
)
def test_cells_are_told_apart_by_what_the_file_separates_them_with(text: str) -> None:
    parsed = csv_table.parse(text)

    assert parsed.text == "Plan | Price\nBasic | 5 €"
    assert rows(parsed) == [("header", "Plan | Price", ""), ("row", "Plan: Basic; Price: 5 €", "Plan | Price")]


def test_a_comma_may_be_part_of_a_number() -> None:
    assert rows(csv_table.parse("a;b\n1,5;2\n2,5;3"))[1] == ("row", "a: 1,5; b: 2", "a | b")


def test_a_spreadsheets_separator_line_is_none_of_the_table() -> None:
    parsed = csv_table.parse("sep=;\nA;B\n1,2;3")

    assert parsed.text == "\nA | B\n1,2 | 3"


def test_the_media_type_tells_tabs() -> None:
    document = Document("s", "a.tsv", "a, b\tc\nd\te\nf\tg", "1", media_type="text/tab-separated-values")

    assert csv_table.parse_document(document).text == "a, b | c\nd | e\nf | g"


def test_lines_keep_their_numbers_and_blank_ones_too() -> None:
    parsed = csv_table.parse("Name,Age\nAnn,1\n\n,\nBob,2")

    assert parsed.keeps_lines
    assert parsed.text.split("\n") == ["Name | Age", "Ann | 1", "", "", "Bob | 2"]


def test_a_cell_of_two_lines_is_one_cell() -> None:
    parsed = csv_table.parse('Name,Note\nAnn,"first\nsecond ""line"""')

    assert parsed.text == 'Name | Note\nAnn | first second "line"'
    assert not parsed.keeps_lines


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('a,b\n1,"x\n2,3\n4,5', "4 | 5"),
        ('a,b\n1,"x\n' + "2,3\n" * 300 + "4,5", "4 | 5"),
        ('a,b\n1,"' + "x" * 140_000 + "\n4,5", "4 | 5"),
    ],
)
def test_a_quotation_mark_that_nothing_ends_is_part_of_its_cell_only(text: str, last: str) -> None:
    assert csv_table.parse(text).text.split("\n")[-1] == last


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("1,2\n3,4", ["row", "row"]),
        ("only,one", ["row"]),
        ("2026-11-30,5 %\n2026-12-01,6 %", ["row", "row"]),
        ("Price list\nPlan,Price\nBasic,5\nPro,7", ["paragraph", "header", "row", "row"]),
        ("", []),
        ("\n\n", []),
    ],
)
def test_a_header_is_what_names_the_columns_below(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in csv_table.parse(text).blocks] == kinds


def test_rows_may_be_longer_or_shorter_than_the_header() -> None:
    parsed = csv_table.parse("Name,Age,City\nAnn,1,Rome\nBob\nEve,3,Oslo,extra")

    assert [text for _, text, _ in rows(parsed)[2:]] == ["Name: Bob", "Name: Eve; Age: 3; City: Oslo; extra"]


def test_each_cell_of_a_long_row_is_a_block_that_knows_its_row_and_column() -> None:
    answer = "Reset it. " * 120

    parsed = csv_table.parse(f"Question,Answer\nHow?,{answer}")

    first, second = parsed.blocks[1:]
    assert (first.text, first.context) == ("How?", "Question | Answer; Question")
    assert (second.text, second.context) == (answer.strip(), "Question | Answer; How?; Answer")
    assert parsed.text[second.start : second.end] == second.text


@pytest.mark.parametrize(
    "text",
    [
        "id,name,price,note,town\n" + "".join(f"{row},n {row},1.5,x,Oslo\n" for row in range(100_000)),
        "," * 999_000,
        '"\n' * 100_000,
        ('"' + "a,b\n" * 201) * 500,
        'a,"b\n' * 100_000,
        "a " * 2_000_000,
    ],
    ids=["rows", "columns", "quotes", "open quotes", "pairs", "line"],
)
def test_large_and_odd_files_take_bounded_time(text: str) -> None:
    started = time.process_time()

    csv_table.parse(text)

    assert time.process_time() - started < DEADLINE_S


def test_a_file_of_too_many_cells_is_refused() -> None:
    with pytest.raises(SourceProblem, match="more than 1,000,000 cells; split it"):
        csv_table.parse("a,b\n" * 500_001)


@given(st.text(alphabet=st.sampled_from('ab1,;\t|"\n é\0')))
def test_blocks_are_in_order_and_inside_of_the_text(text: str) -> None:
    parsed = csv_table.parse(text)

    ends = [0, *(block.end for block in parsed.blocks)]
    assert all(end <= block.start < block.end for end, block in zip(ends, parsed.blocks, strict=False))
    assert ends[-1] <= len(parsed.text)


@given(st.lists(st.lists(st.text(alphabet="xyzя", min_size=1, max_size=5), min_size=2, max_size=4), min_size=1))
def test_no_cell_is_lost(table: list[list[str]]) -> None:
    parsed = csv_table.parse("\n".join(",".join(row) for row in table))

    assert parsed.text == "\n".join(" | ".join(row) for row in table)
