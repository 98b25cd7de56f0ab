"""Markdown becomes blocks that say what a reader sees and where it stands."""

import time

import pytest

from knowledge.parse import markdown
from knowledge.types import Block
from tests.fakes.odd_texts import huge_texts, odd_texts

# Each of these took from a minute to days before there was a remedy; the limit leaves room for slow machines.
PARSING_TIME_S = 10.0
HUGE = huge_texts()


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in markdown.parse(text).blocks]


def headings(text: str) -> list[Block]:
    return [block for block in markdown.parse(text).blocks if block.kind == "heading"]


def everything_seen(text: str) -> str:
    return "\n".join(block.text for block in markdown.parse(text).blocks)


def test_front_matter_is_metadata_as_it_is_written_and_not_content() -> None:
    parsed = markdown.parse("---\ntitle: 1.10\ndraft: no\ntags: [a, b]\n---\n\nText.")

    assert parsed.metadata == {"title": "1.10", "draft": "no"}
    assert [block.text for block in parsed.blocks] == ["Text."]


@pytest.mark.parametrize("yaml", ["a: [", "- a", "a: b: c", "\ttab", "date: 2021-13-45", "? [a]\n: b", "!!x y", "*a"])
def test_broken_front_matter_costs_no_content(yaml: str) -> None:
    parsed = markdown.parse(f"---\n{yaml}\n---\n\nText.")

    assert [block.text for block in parsed.blocks] == ["Text."]


@pytest.mark.parametrize(
    ("heading", "text", "anchor"),
    [
        ("# Set up the VPN", "Set up the VPN", "set-up-the-vpn"),
        ("# Set up { #setup }", "Set up", "setup"),
        ("# Set up {: #setup .wide }", "Set up", "setup"),
        ("# Настройка VPN!", "Настройка VPN!", "настройка-vpn"),
        ("# Use {braces}", "Use {braces}", "use-braces"),
        ("# `allow_origins`", "allow_origins", "allow_origins"),
        ("Two\nlines\n===", "Two lines", "two-lines"),
        ("# ???", "???", None),
    ],
)
def test_a_heading_has_an_anchor(heading: str, text: str, anchor: str | None) -> None:
    assert [(block.text, block.anchor) for block in headings(heading)] == [(text, anchor)]


def test_anchors_are_unique() -> None:
    text = "# A\n# A\n# A 1\n# A\n# B { #a-3 }\n# A\n"

    anchors = [block.anchor for block in headings(text)]

    assert anchors == ["a", "a-1", "a-1-1", "a-2", "a-3", "a-4"]


def test_a_table_row_knows_its_header() -> None:
    rows = markdown.parse("| Plan | Price |\n|---|---|\n| Basic | 5 € |\n| Pro | |\n").blocks

    assert [(row.kind, row.text, row.context) for row in rows] == [
        ("header", "Plan | Price", ""),
        ("row", "Plan: Basic; Price: 5 €", "Plan | Price"),
        ("row", "Plan: Pro", "Plan | Price"),
    ]


def test_a_list_item_stays_whole_with_all_it_holds() -> None:
    text = "- one\n\n  more of *one*\n\n  ```\n    indented()\n  ```\n  - nested\n- two\n"

    assert blocks(text) == [("item", "one\nmore of one\n  indented()\nnested"), ("item", "two")]


def test_code_is_verbatim() -> None:
    code = "if a < b:\n\n    # <!-- not HTML -->\n    return '&amp;'  /// x"

    assert blocks(f"```python\n{code}\n```\n") == [("code", code)]


@pytest.mark.parametrize(
    "text",
    [
        "Seen. <!-- SECRET --> Seen.",
        "Seen.\n\n<!-- SECRET\n\nSECRET -->\n\nSeen.",
        'Seen <span style="display:none">SECRET *SECRET* `SECRET`</span>.',
        'Seen.\n\n<div style="display:none">\n\nSECRET\n\n# SECRET\n\n- SECRET\n\n```\nSECRET\n```\n\n</div>\n\nSeen.',
        'Seen.\n\n<div style="font-size:0">\n\n| SECRET |\n|---|\n| SECRET |\n\n> SECRET\n\n</div>\n\nSeen.',
        '- Seen <b hidden>SECRET</b>\n- <div style="color:white">SECRET</div>\n\nSeen.',
        "| <i hidden>SECRET</i> |\n|---|\n| Seen |\n",
        "# Seen <span hidden>SECRET</span>\n\nSeen.",
        "<details hidden>\n<summary>SECRET</summary>\n\nSECRET\n\n</details>\nSeen.\n\nSeen.",
    ],
)
def test_hidden_text_is_in_no_block(text: str) -> None:
    seen = everything_seen(text)

    assert "SECRET" not in seen
    assert "Seen" in seen


@pytest.mark.parametrize(
    "text",
    [
        "A <b hidden>word\n\nSeen.",
        "<p hidden>word\n\nSeen.",
        "- <div hidden>word\n\nSeen.",
        "`<div hidden>`\n\nSeen.",
        "```\n<div hidden>\n```\n\nSeen.",
        "<div hidden>word</div>\n\nSeen.",
        "<div>\n\nSeen.\n\n</div>",
        "> <script>\n\nSeen.",
    ],
)
def test_what_hides_a_part_does_not_hide_the_rest(text: str) -> None:
    assert "Seen." in everything_seen(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("/// tip | Good to know\n\nText.\n\n///", "Good to know\nText."),
        ("//// warning\nText.\n////", "Text."),
        ("{* ../../docs_src/app.py hl[1] *}\n\nText.", "Text."),
        ("{!../../docs_src/app.py!}\n\nText.", "Text."),
        ("{% raw %} Text. {% endraw %}", "Text."),
        ("/// a comment of several words", "/// a comment of several words"),
    ],
)
def test_lines_of_the_site_generator_are_dropped(text: str, seen: str) -> None:
    assert "\n".join(text for _, text in blocks(text) if text) == seen


def test_offsets_point_at_the_shown_text() -> None:
    written = "Intro **bold**.\n\n## H { #h }\n\n- an *item*\n- two\n\n| a |\n|---|\n| b |\n\n```\ncode\n```\n"

    parsed = markdown.parse(written)
    raw = [parsed.text[block.start : block.end].strip() for block in parsed.blocks]

    assert raw == [
        "Intro **bold**.",
        "## H",
        "- an *item*",
        "- two",
        "| a |",
        "| b |",
        "```\ncode\n```",
    ]


def test_any_text_is_parsed_into_blocks_inside_of_it() -> None:
    for text in odd_texts():
        for block in markdown.parse(text).blocks:
            assert 0 <= block.start <= block.end <= len(text), text


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_text_is_parsed_in_bounded_time(name: str) -> None:
    started = time.perf_counter()

    markdown.parse(HUGE[name][:300_000])

    assert time.perf_counter() - started < PARSING_TIME_S
