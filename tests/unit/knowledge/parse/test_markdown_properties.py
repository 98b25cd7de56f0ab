"""Whatever a page holds, it is read in time, line for line, and what has been read once does not change again."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from knowledge.parse import markdown
from knowledge.parse.markdown.written import as_shown

SIZE = 300_000
# Most take less than one; the limit leaves room for slow machines.
READING_TIME_S = 6.0
# With the inner parser: 300 kB of lists or tables makes hundreds of thousands of blocks.
PARSING_TIME_S = 18.0
MARKS = [
    *("{heading(Title)[id=x]}", "{linkto(../a#b)[text=c]}", "{linkto(#x)[text=%text]}", "{var(cloud)}", "{counter(t)}"),
    *("{ifdef(a,b)}", "{/ifdef}", "{note:info}", "{/note}", "{tabs}", "{/tabs}", "{tab(One)}", "{/tab}", "{cut(Why?)}"),
    *("{/cut}", "{caption(Table {counter(t)[id=q]} — X)[id=t]}", "{/caption}", "{item_id}", "{", "}", "{{ x }}", "{%"),
    *("%}", "{{< x >}}", "{# c #}", "{/*", "*/}", "<!--", "-->", "{: .x}", "{.x}", "{#a}", "{ #b .c }", "# ", "## "),
    *("/// tip | T", "///", "//// tab | X", "////", '!!! note "T"', "??? faq", '=== "Tab"', ":::note T", ":::", "> "),
    *("> [!NOTE] x", "<details>", "<summary>Q</summary>", "</details>", "<Tabs>", '<TabItem label="a">', "</TabItem>"),
    *('[cols="1,1", options="header"]', "|===", "|a", "2+|c", ".2+|d", "a|e", "| a | b |", "|---|---|", "|", "---"),
    *("```", "```py", "~~~", "`", "``", "    ", "  ", "\t", "- ", "1. ", "[^1]", "[^1]: note", "[TOC]", "{* ../x *}"),
    *("import a from 'b'", '--8<-- "x"', "text", "слово", "+++", "===", "\r", "\u00a0", "\\", "<pre>", "</pre>", "**"),
]
PAGES = some.lists(some.one_of(some.sampled_from(MARKS), some.sampled_from(["\n", "\n\n", " "]))).map("".join)
HUGE = {
    **{sign: sign * SIZE for sign in "{}/|[`!=:"},
    "empty braces": "{}" * (SIZE // 2),
    "open calls": "{a(" * (SIZE // 3),
    "nested calls": "{a(" * (SIZE // 6) + ")}" * (SIZE // 6),
    "nested groups of calls": ("{a(" * 300 + ")}" * 300) * (SIZE // 1_500),
    "open tags": "{% " * (SIZE // 3),
    "nested quotes": "> " * 10_000 + "x",
    "nested lists": "- " * 10_000 + "x",
    "nested callouts": "".join("    " * depth + '!!! note "a"\n' for depth in range(600)),
    "callouts without text": "!!! a\n\n\n\n\n" * (SIZE // 10),
    "one line": "слово {x} " * (SIZE // 10),
    "open folds": "{cut(a)}\n" * (SIZE // 20) + "{/tab}\n" * (SIZE // 20),
    "open details": "<details>\n" * (SIZE // 10),
    "footnotes": "[^1]: a [^1]\n" * (SIZE // 13),
    "table borders": "|===\n" * (SIZE // 5),
    "table cells": "|===\n" + "|a\n" * (SIZE // 6) + "|===\n",
    "table spans": '[cols="100*"]\n|===\n' + "100.1000+|a\n" * (SIZE // 12) + "|===\n",
    "table options": '[cols="1,1"]\n' * (SIZE // 13),
    "open comments": "<!--\n" * (SIZE // 5),
    "comments": "a <!--\n b -->" * (SIZE // 13),
    "open code in lines": "{ `\n" * (SIZE // 4),
    "code in lists": "- ```\n" * (SIZE // 6),
    "indented braces": "    {x}\n" * (SIZE // 8),
    "attributes": "# a" + "{#a}" * (SIZE // 4),
    "includes": "[!INCLUDE " + "](" * (SIZE // 2),
}


@settings(max_examples=300, deadline=None)
@given(PAGES)
def test_lines_stay_and_a_second_reading_changes_nothing(page: str) -> None:
    shown = as_shown(page).text

    assert shown.count("\n") == page.count("\n")
    assert as_shown(shown).text == shown


@settings(max_examples=200, deadline=None)
@given(some.one_of(PAGES, some.text()))
def test_blocks_are_in_order_inside_of_the_text(page: str) -> None:
    parsed = markdown.parse(page)

    position = 0
    for block in parsed.blocks:
        assert position <= block.start <= block.end <= len(parsed.text)
        position = block.end


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_page_is_read_in_bounded_time(name: str) -> None:
    started = time.process_time()

    as_shown(HUGE[name])

    assert time.process_time() - started < READING_TIME_S


@pytest.mark.parametrize("name", ["{", "/", "|", "[", "nested quotes", "nested lists", "one line", "table spans"])
def test_a_huge_page_is_parsed_in_bounded_time(name: str) -> None:
    started = time.process_time()

    markdown.parse(HUGE[name])

    assert time.process_time() - started < PARSING_TIME_S
