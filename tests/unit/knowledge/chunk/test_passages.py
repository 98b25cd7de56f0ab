"""Whatever spans a chunker chooses, passages are verbatim, in order, and indexed with what a reader sees."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.chunk.headings import Headings
from knowledge.chunk.passages import Spans
from knowledge.parse import html, markdown
from knowledge.parse import text as plain
from knowledge.types import Block, Parsed, Passage, Span
from tests.fakes.cutting import cut

PARAGRAPHS = st.lists(
    st.one_of(
        st.text(alphabet="aя є😀é .\n", max_size=120),
        st.sampled_from(
            ["# One", "## Two { #two }", "- item\n- other", "```\ncode\n\nmore\n```", "| a | b |\n|---|---|"]
        ),
        st.sampled_from(["<!-- SECRET -->", "Seen <b hidden>SECRET</b> text.", "> quote", "1. first\n   1. second"]),
    ),
    max_size=12,
).map("\n\n".join)


class Every:
    """A chunker that knows nothing: so many characters at a time, each piece with the last ones of the one before."""

    def __init__(self, size: int, overlap: int = 0) -> None:
        self.size, self.overlap = size, overlap
        self.name = f"every-{size}-{overlap}"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        starts = range(0, len(parsed.text), self.size - self.overlap)
        return [(start, min(start + self.size, len(parsed.text))) for start in starts]


def indexed(found: list[Passage]) -> str:
    return "\n".join(passage.search_text for passage in found)


@given(PARAGRAPHS, st.integers(min_value=5, max_value=90), st.integers(min_value=0, max_value=4))
@settings(max_examples=150, deadline=None)
def test_spans_of_any_kind_give_verbatim_passages_in_order(text: str, size: int, overlap: int) -> None:
    parsed = markdown.parse(text)

    found = cut(parsed, chunker=Every(size, overlap))

    assert [passage.text for passage in found] == [parsed.text[passage.start : passage.end] for passage in found]
    assert [passage.start for passage in found] == sorted(passage.start for passage in found)
    assert [passage.end for passage in found] == sorted({passage.end for passage in found})
    lines = parsed.text.split("\n")
    assert all(p.text in "\n".join(lines[p.start_line - 1 : p.end_line]) for p in found)
    assert "SECRET" not in indexed(found)
    assert found == cut(parsed, chunker=Every(size, overlap))


@given(PARAGRAPHS, st.integers(min_value=50, max_value=300))
@settings(max_examples=150, deadline=None)
def test_headings_lose_no_visible_text_and_respect_the_size(text: str, limit: int) -> None:
    parsed = markdown.parse(text)

    found = cut(parsed, chunker=Headings(limit))

    words = [word for block in parsed.blocks if block.kind != "heading" for word in re.findall(r"\w+", block.text)]
    bodies = (passage.search_text.partition("\n")[2] for passage in found)
    assert [word for body in bodies for word in re.findall(r"\w+", body)] == words
    assert all(len(passage.text) <= limit for passage in found)
    assert all(before.end <= after.start for before, after in pairwise(found))


def test_a_piece_is_under_the_heading_of_its_first_text() -> None:
    parsed = markdown.parse("# A\n\nfirst\n\n## B\n\nsecond\n\n## C\n")

    found = cut(parsed, chunker=Every(1000))

    assert [(passage.heading, passage.search_text) for passage in found] == [
        (("A",), "Page > A\nfirst\nB\nsecond\nC"),
    ]


def test_a_heading_alone_is_no_passage() -> None:
    assert cut(markdown.parse("# A\n\n## B\n"), chunker=Every(1000)) == []


def test_without_the_context_line_only_its_place_is_kept() -> None:
    parsed = markdown.parse("# A\n\ntext")

    (passage,) = Spans(parsed, Headings().cut(parsed, language="en")).passages("Title", has_context_line=False)

    assert passage.search_text == "\ntext"
    assert passage.heading == ("A",)


def test_a_torn_block_is_indexed_in_parts_and_what_was_hidden_stays_hidden_behind_a_border() -> None:
    text = "Seen <b hidden>SECRET words that go on for long</b> and shown."

    found = cut(html.parse(f"<p>{text}</p>"), chunker=Every(12)) + cut(markdown.parse(text), chunker=Every(12))

    assert "SECRET" not in indexed(found)
    assert "words that" not in indexed(found)
    assert "and sho" in indexed(found)


def test_an_overlap_is_indexed_on_both_sides() -> None:
    first, second, *_ = cut(plain.parse("one two three four five six"), chunker=Every(14, 6))

    assert (first.search_text, second.search_text) == ("Page\none two three", "Page\nthree four fiv")


ROW = Block("row", 0, 4, "Port: 22", context="Table 1: ports\nName | Port")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (ROW, "Page\nTable 1: ports\nName | Port\nPort: 22"),
        (replace(ROW, context=""), "Page\nPort: 22"),
        (Block("code", 0, 4, "def f(x):", context="def f(x):"), "Page\ndef f(x):"),
        (Block("code", 0, 4, "return x", context="def f(x):"), "Page\ndef f(x):\nreturn x"),
    ],
)
def test_what_a_block_needs_to_be_understood_alone_is_indexed_before_it(block: Block, said: str) -> None:
    (passage,) = cut(Parsed("text", (block,)))

    assert passage.search_text == said


def test_a_place_of_its_own_is_a_passages_anchor_before_that_of_its_heading() -> None:
    blocks = (Block("heading", 0, 0, "Class", level=1, anchor="class"), Block("code", 0, 4, "text", anchor="method"))

    (passage,) = cut(Parsed("text", blocks))

    assert (passage.heading, passage.anchor) == (("Class",), "method")
