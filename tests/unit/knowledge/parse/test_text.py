"""Plain text becomes paragraphs."""

import pytest

from knowledge.parse import text as plain


def paragraphs(text: str) -> list[str]:
    return [block.text for block in plain.parse(text).blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n", []),
        ("one", ["one"]),
        ("one\ntwo\n\n  three\n \nfour\n", ["one\ntwo", "three", "four"]),
        ("<b>not HTML</b> & *not Markdown*", ["<b>not HTML</b> & *not Markdown*"]),
        (" " * 1_000_000, []),
    ],
)
def test_blank_lines_separate_paragraphs(text: str, expected: list[str]) -> None:
    assert paragraphs(text) == expected


def test_offsets_point_at_the_raw_text() -> None:
    text = "one\ntwo\n\n  three\n"

    assert [text[block.start : block.end] for block in plain.parse(text).blocks] == ["one\ntwo\n", "  three\n"]
