"""Tables are cut between rows; a header goes with its first rows and is said with all others."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from knowledge.chunk.table import Rows, TableSettings, build
from knowledge.parse import markdown
from knowledge.parse.office import csv_table
from knowledge.types import Block, Parsed
from tests.fakes.cutting import cut

LONG = "Reset it and wait. " * 60


def sheet(rows: int) -> Parsed:
    return csv_table.parse("id,name\n" + "\n".join(f"{row},name of {row}" for row in range(rows)))


def test_no_row_is_cut_and_every_row_is_in_one_piece() -> None:
    parsed = sheet(200)

    pieces = [parsed.text[start:end] for start, end in Rows(300).cut(parsed, language="en")]

    assert "\n".join(pieces) == parsed.text
    assert all(len(piece) <= 300 for piece in pieces)


def test_each_piece_says_the_header_once() -> None:
    passages = cut(sheet(100), chunker=Rows(300))

    assert len(passages) > 2
    assert all(passage.search_text.count("id | name") == 1 for passage in passages)


def test_a_header_goes_with_the_rows_below_it() -> None:
    parsed = csv_table.parse("Prices of all the plans that we offer\nPlan,Price\n" + "Basic,5 EUR a month\n" * 3)

    first, second, *_ = (parsed.text[start:end] for start, end in Rows(50).cut(parsed, language="en"))

    assert first.startswith("Prices")
    assert second.startswith("Plan | Price\nBasic")


def test_each_sheet_begins_a_piece() -> None:
    text = "One\na\nb\nTwo\nc"
    kinds = ["heading", "row", "row", "heading", "row"]
    blocks, start = [], 0
    for kind, line in zip(kinds, text.split("\n"), strict=True):
        blocks.append(Block(kind, start, start + len(line), line))
        start += len(line) + 1

    spans = Rows().cut(Parsed(text, tuple(blocks)), language="en")

    assert [text[start:end] for start, end in spans] == ["One\na\nb", "Two\nc"]


def test_a_row_longer_than_a_piece_is_cut_between_its_cells() -> None:
    text = "|Name|Note|\n|---|---|\n|" + "|".join(f"cell {number} of it" for number in range(2)) + "|"
    row = "|".join(f" cell {number} of a long row " for number in range(40))
    parsed = markdown.parse(f"{text}\n|{row}|")

    pieces = [parsed.text[start:end] for start, end in Rows(100).cut(parsed, language="en")]

    assert all(len(piece) <= 100 for piece in pieces)
    assert all(piece.count("cell") == piece.count("row") for piece in pieces[1:])


def test_a_cell_longer_than_a_piece_is_cut_at_its_sentences() -> None:
    parsed = csv_table.parse(f"Question,Answer\nHow?,{LONG}")

    passages = cut(parsed, chunker=Rows(200))

    assert all(len(passage.text) <= 200 for passage in passages)
    assert all("How?" in passage.search_text for passage in passages)
    assert all(passage.text.endswith("wait.") for passage in passages[1:])


@given(
    st.lists(st.lists(st.text(alphabet="ab я|.", max_size=90), min_size=1, max_size=5), max_size=12),
    st.integers(50, 200),
)
def test_no_text_is_lost_and_sizes_and_order_are_kept(table: list[list[str]], limit: int) -> None:
    parsed = csv_table.parse("\n".join("\t".join(row) for row in table), delimiter="\t")

    spans = Rows(limit).cut(parsed, language="en")

    assert all(0 < end - start <= limit for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    cut_out = "".join(parsed.text[start:end] for start, end in spans)
    assert "".join(cut_out.split()).replace("|", "") == "".join(parsed.text.split()).replace("|", "")
    assert Rows(limit).cut(parsed, language="en") == spans


async def test_it_is_built_from_its_settings() -> None:
    async with build(TableSettings(max_characters=120)) as chunker:
        assert chunker.name == "table-120"
    with pytest.raises(ValidationError):
        TableSettings(max_characters=1)
