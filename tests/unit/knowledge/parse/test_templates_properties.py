"""Whatever a text holds, its templates are resolved in bounded time, and what is none stays as it is."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from knowledge.parse.templates import Resolved, Rules, resolve

# The worst, lines without a word, takes 0.4 seconds of processor time.
RESOLVING_TIME_S = 1.7
LARGE_CHARACTERS = 63_000
PIECES = [
    *("{ifdef(public)}", "{ifdef(other)}", "{/ifdef}", "{ifndef(public)}", "{/ifndef}", "{ifdef}", "{/ifdef(x)}"),
    *("{includetag(a)}", "{includetag(a,b)}", "{/includetag}", "{include(b.md)}", "{include(b.md)[tags=a]}"),
    *("{include(a.md)}", "{include(../b.md)}", '--8<-- "b.md"', "--8<--", "--8<-- [start:x]", '{% include "b.md" %}'),
    *("{! b.md !}", "{* b.md ln[1:2] *}", ":::include b.md", "@include b.md", "{%", "%}", "```{include} b.md"),
    *("{var(x)}", "{counter(c)[id=d]}", "{const(d)}", "```", "~~~", "---", "title: T", "`", "|===", "| a | b |"),
    *("- ", "1. ", "> ", "    ", "\t", "слово", "😀", "{", "}", "(", ")", "[", "]", "\r", "\0", "\u2028"),
]
texts = st.lists(st.sampled_from(PIECES) | st.just("\n"), max_size=60).map("".join)


def resolved(text: str, other: str = "") -> Resolved:
    return resolve(text, "a.md", Rules(), {"a.md": text, "b.md": other}.get)


@settings(max_examples=300)
@given(texts, texts)
@example("{include(b.md)}", "{include(a.md)}")
def test_every_text_is_resolved(text: str, other: str) -> None:
    found = resolved(text, other)

    assert found == resolved(text, other)
    assert found.keeps_lines <= (found.text.count("\n") == text.count("\n"))


@given(st.text().filter(lambda text: not any(mark in text.lower() for mark in ("{", "8<", ":::", "include", "<<<"))))
@example("# Title\r\n\n```\ncode\n")
def test_a_text_without_templates_stays_as_it_is(text: str) -> None:
    assert resolved(text) == Resolved(text)


@given(st.lists(st.sampled_from(["word", "слово", "😀", "\n", " ", "{ifdef(public)}", "{/ifdef}", "{ifndef(x)}"])))
def test_marks_that_do_not_match_lose_no_word(pieces: list[str]) -> None:
    text = "".join(pieces)

    words = "".join(piece for piece in pieces if piece.isalpha() or piece == "😀")

    assert "".join(resolved(text).text.split()) == words


@pytest.mark.parametrize(
    "piece",
    [
        *("{", "{ifdef(", "{ifdef(x)}", "{ifdef(public)}\n", "{/ifdef}", "{ifndef(public)}a{/ifndef}", "{include("),
        *("{include(b.md)", "{include(b.md)}", "{include(b.md)}\n", "{!", "{!\n", "{*", "{* ", "{%", "{%\n"),
        *("--8<--\n", "--8<-- ", '--8<-- "', "-", "8<-", "8<-[", "{var(", "{var(x)}", "{counter(x)[", "`", "```\n"),
        *("- ", "- - ", "> ", " ", "\t", "\n", "|\n", "|===\n", "```{include} x\n", ":::include ", "@include "),
        *("[!include[", "{includetag(a)}\n", "{includetag(a)}", "---\n", "<!--@include: ", "<<< ", "{const("),
        *("1. {include(b.md)}\n", "{! [ln:1", "<!-- --8<-- [start:x] -->\n", "{var(x)}: y\n"),
    ],
)
def test_time_grows_with_the_text(piece: str) -> None:
    text = piece * (LARGE_CHARACTERS // len(piece))
    started = time.process_time()

    resolved("{var(x)}\n" + text, "Text.")
    resolved("{var(x)}\n{include(b.md)[tags=a]}", text)
    resolved("{include(b.md)}", text)

    assert time.process_time() - started < RESOLVING_TIME_S


def test_a_megabyte_of_braces_costs_next_to_nothing() -> None:
    started = time.process_time()

    found = resolved("{" * 1_000_000)

    assert len(found.text) == 1_000_000
    assert time.process_time() - started < 1.0
