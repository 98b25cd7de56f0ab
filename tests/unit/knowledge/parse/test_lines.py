"""Offsets become line numbers."""

import pytest

from knowledge.parse.lines import line_of, line_starts


@pytest.mark.parametrize(
    ("text", "starts"), [("", [0]), ("a", [0, 1]), ("a\n", [0, 2]), ("a\nb", [0, 2, 3]), ("\n\n", [0, 1, 2])]
)
def test_each_line_has_a_start_and_the_text_an_end(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts


def test_an_offset_belongs_to_the_line_that_holds_it() -> None:
    starts = line_starts("ab\ncd\n\ne")

    assert [line_of(starts, offset) for offset in range(8)] == [1, 1, 1, 2, 2, 2, 3, 4]
