"""Items, rows and code of an answer stay what they are in Telegram."""

from typing import Any

import pytest
from rich.cells import cell_len

from bot.channels.telegram.render.reply import growing, postings
from bot.channels.telegram.render.text import Styled
from bot.core.messages import Sentence
from tests.unit.bot.channels.slack_replies import answered, said


def text_of(*sentences: Sentence) -> str:
    [posting] = postings(answered(*sentences), answer_id="7")
    return posting.text.text.split("\n\n[1]")[0]


def test_list_items_rows_and_code_stay_what_they_are() -> None:
    lines = ["First:", "- one", "- two", "| a | b |", "| ccc | d\\|e |", "Then:"]

    assert text_of(*map(said, lines), said("\tmake *all*\n", is_code=True), said("Last.")) == (
        "First: [1]\n• one [1]\n• two [1]\na   | b [1]\n----+----\nccc | d|e [1]\nThen: [1]\n"
        "    make *all*\n[1]\nLast. [1]"
    )


def test_a_table_in_one_sentence_is_a_table() -> None:
    assert text_of(said("| a | b |\n|---|---|\n| c | d |")) == "a | b\n--+--\nc | d [1]"


def test_columns_are_padded_by_what_is_seen() -> None:
    header, _, *rows = text_of(*map(said, ["| 日本 | x |", "| 👍 `a` | **y** |", "| é | z |"])).split("\n")

    assert [cell_len(line.split(" | ")[0]) for line in (header, *rows)] == [4, 4, 4]
    assert rows[0] == "👍 a | y [1]"


def test_rows_too_wide_for_a_screen_become_lines() -> None:
    long = "many words " * 6 + "end"

    assert text_of(said("| name | about |"), said(f"| a | {long} |"), said("| b | `c` |", marker=2)).startswith(
        f"name: a\nabout: {long} [1]\n\nname: b\nabout: c [2]"
    )


@pytest.mark.parametrize("rows", [["| a |", "| b | c |"], ["| a | b |", "| c |"], ["|---|", "x"], ["| a |", "|---|"]])
def test_no_cell_is_lost(rows: list[str]) -> None:
    text = text_of(*map(said, rows))

    assert all(letter in text for row in rows for letter in "abcx" if letter in row)
    assert text.count("[1]") == 2


@pytest.mark.parametrize(
    ("quote", "language"), [("```python\nx", "python"), ("~~~ c++\nx", "c++"), ("```\nx", None), ("x", None)]
)
def test_code_has_the_language_of_its_source(quote: str, language: str | None) -> None:
    grown = growing([said("x", is_code=True, quote=quote)], "en")

    assert grown is not None
    assert grown.entities[0].language == language


@pytest.mark.parametrize(
    ("changes", "footnote", "links"),
    [
        ({}, "[1] VPN › First steps · updated 2026-05-01", 2),
        ({"url": None}, "[1] VPN › First steps · updated 2026-05-01", 0),
        ({"url": "file:///etc/passwd"}, "[1] VPN › First steps · updated 2026-05-01", 0),
        ({"url": "https://w.test/" + "x" * 3_000}, "[1] VPN › First steps · updated 2026-05-01", 0),
        ({"url": "http://wiki/vpn"}, "[1] VPN › First steps · updated 2026-05-01", 0),
        ({"updated_at": None}, "[1] VPN › First steps", 2),
        ({"title": "*a* `b`", "heading": ()}, "[1] *a* `b` · updated 2026-05-01", 2),
        ({"title": "t" * 500, "heading": ()}, f"[1] {'t' * 300}… · updated 2026-05-01", 2),
    ],
)
def test_a_footnote_links_its_title_where_it_can(changes: dict[str, Any], footnote: str, links: int) -> None:
    grown = growing([said("x", **changes)], "en") or Styled("")

    assert grown.text.split("\n")[-1] == footnote
    assert [entity.type for entity in grown.entities] == ["text_link"] * links
