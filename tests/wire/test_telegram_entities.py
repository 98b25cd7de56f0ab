"""TDLib as the judge of texts: what was recorded of it holds, and what stands in for it agrees."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.wire.telegram import plain, tdlib
from tests.wire.telegram.entities import judge, length, styles_of, trimmed
from tests.wire.telegram.errors import Refused
from tests.wire.telegram.messages import Entity

ROWS = [json.loads(line) for line in plain.RECORDED.read_text(encoding="utf-8").splitlines()]
needs_tdlib = pytest.mark.skipif(not tdlib.is_here(), reason="tdjson is not installed")


def outcome(judge_of: Any, row: Mapping[str, Any]) -> tuple[str, list[Entity]] | str:
    try:
        return judge_of.parse(row["input"], row["parse_mode"])  # type: ignore[no-any-return]  # one of two modules
    except tdlib.CannotParse as error:
        return str(error)


@needs_tdlib
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['parse_mode']}: {row['input'][:40]}")
def test_tdlib_parses_as_it_was_recorded(row: Mapping[str, Any]) -> None:
    found = outcome(tdlib, row)

    assert isinstance(found, str) is not row["ok"]
    assert found == outcome(plain, row)


@pytest.mark.parametrize(
    ("text", "entities", "error"),
    [
        ("ab", [(0, 2)], None),
        ("ab", [(2, 0)], None),
        ("ab", [(0, 3)], "after the end"),
        ("ab", [(-1, 1)], "incorrect offset"),
        ("a😀", [(1, 1)], "middle"),
        ("a😀", [(2, 1)], "middle"),
        ("a😀", [(1, 2)], None),
    ],
)
@pytest.mark.parametrize("judge_of", [pytest.param(tdlib, marks=needs_tdlib), plain], ids=["tdlib", "plain"])
def test_both_judges_see_an_entity_that_leaves_the_text(
    judge_of: Any, text: str, entities: list[tuple[int, int]], error: str | None
) -> None:
    given = [{"type": "bold", "offset": offset, "length": size} for offset, size in entities]
    if error is None:
        assert judge_of.check(text, given)[0] == text
        return
    with pytest.raises(tdlib.CannotParse, match=error):
        judge_of.check(text, given)


@pytest.mark.parametrize("judge_of", [pytest.param(tdlib, marks=needs_tdlib), plain], ids=["tdlib", "plain"])
def test_both_judges_find_what_is_clickable(judge_of: Any) -> None:
    text = "👋 /help@answer_desk_bot, @somebody and #tag at https://a.example/x?y=1 or b@c.example"
    found = [(one["type"], one["offset"]) for one in judge_of.find(text)]

    assert found == [("bot_command", 3), ("mention", 26), ("hashtag", 40), ("url", 48), ("email", 75)]


@needs_tdlib
def test_signs_of_markdown_stand_for_themselves_where_entities_are_given() -> None:
    text = "**a** __b__ `c` [d](https://a.example) ~~e~~ ||f||"

    assert tdlib.check(text, []) == (text, [])


@needs_tdlib
def test_control_characters_are_cleaned_away() -> None:
    assert tdlib.check("a\x00b\tc\r\nd\u202ee", []) == ("a b c\nde", [])


def test_white_space_is_cut_but_where_an_entity_begins() -> None:
    assert trimmed(" \n ab  ", [{"type": "code", "offset": 1, "length": 6}]) == (
        "\n ab",
        [{"type": "code", "offset": 0, "length": 4}],
    )


def test_styles_are_the_same_however_entities_are_split() -> None:
    whole = [{"type": "bold", "offset": 0, "length": 3}]
    parts = [{"type": "bold", "offset": 0, "length": 2}, {"type": "bold", "offset": 2, "length": 1}]

    assert styles_of("a😀", whole) == styles_of("a😀", parts) == [frozenset({"bold"})] * 3


def test_lengths_are_counted_in_utf_16() -> None:
    assert [length(text) for text in ("a", "ї", "😀", "🇺🇦")] == [1, 1, 2, 4]


@needs_tdlib
def test_a_parse_mode_beats_entities() -> None:
    judged = judge("<b>a</b>", "html", [{"type": "loud"}])

    assert judged.entities == [{"type": "bold", "offset": 0, "length": 1}]


def test_a_caption_is_shorter_than_a_text() -> None:
    with pytest.raises(Refused, match="caption is too long"):
        judge("x" * 1025, "", [], 1024)


def test_the_recorded_parses_are_there() -> None:
    assert Path(plain.RECORDED).exists()
    assert len(ROWS) > 70
