"""What is no page is refused, and no page takes more than a little time and memory."""

import time

import pytest

from knowledge.errors import SourceProblem
from knowledge.parse import confluence

PARSING_TIME_S = 10.0
MANY = 10_000
# An end without a beginning: browsers pass over it.
NO_XML = "</x>"
STATUS = '<ac:structured-macro ac:name="status"><ac:parameter ac:name="title">DONE</ac:parameter></ac:structured-macro>'
ANCHOR = '<ac:structured-macro ac:name="anchor"><ac:parameter ac:name="">a</ac:parameter></ac:structured-macro>'


@pytest.mark.parametrize(
    ("xhtml", "complaint"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><p>&x;</p>', "declares a DOCTYPE"),
        ('<p>a</p><!ENTITY x SYSTEM "file:///etc/passwd">', "declares a DOCTYPE"),
        ("<div>" * 10_000 + "</div>" * 10_000, "nests more than 1,000 elements"),
        ("</x>" + "<b>" * 300_000, "nests more than 250,000 elements"),
        ("x" * (confluence.MAX_CHARACTERS + 1), "has 10,000,001 characters"),
    ],
)
def test_what_is_no_page_is_refused_with_a_reason(xhtml: str, complaint: str) -> None:
    """S42, S44."""
    with pytest.raises(SourceProblem, match=complaint):
        confluence.parse(xhtml)


@pytest.mark.parametrize(
    ("xhtml", "expected"),
    [
        ("<p>a & b<p>c <ac:emoticon ac:name='tick' /> d<br>e</p></li>", "a & b\n\nc ✅ d\ne"),
        ("<p />" + STATUS + "]]> x <![CDATA[y", "DONE x y"),
        ("&nosuch;", "&nosuch;"),
        ("</page><page>a", "a"),
        ("<p>a\0b", "ab"),
        ('</x><!DOCTYPE a SYSTEM "b"><!ENTITY x "&y;&y;"><p>a &x;</p>', "a &x;"),
        ("<ac:structured-macro ac:name='status'><ac:parameter ac:name='title'>DONE", "DONE"),
    ],
)
def test_a_malformed_page_is_read_as_browsers_would(xhtml: str, expected: str) -> None:
    assert confluence.parse(xhtml).text == expected


HUGE = {
    "deep elements": ("<div>" * 900 + "x" + "</div>" * 900) * 30,
    "deep lists": ("<ul><li>x" * 400 + "</li></ul>" * 400) * 30,
    "deep tables": ("<table><tr><td>x" * 300 + "</td></tr></table>" * 300) * 30,
    "rows": "<table>" + "<tr><td>a</td></tr>" * MANY + "</table>",
    "columns": "<table><tr>" + "<td>x</td>" * MANY + "</tr></table>",
    "spanning cells": "<table>" + "<tr><td colspan='999999' rowspan='999999'>x</td></tr>" * 7_000 + "</table>",
    "cells reaching down": "<table><tr>"
    + "<td rowspan='99999'>abc</td>" * 2_000
    + "</tr>"
    + "<tr><td>x</td></tr>" * MANY,
    "a huge header": f"<table><tr><th>{'h ' * MANY}</th></tr>" + "<tr><td>a</td></tr>" * MANY + "</table>",
    "a huge heading": f"<h1>{'h ' * MANY}</h1>" + "<p>x</p>" * 10_000,
    "equal headings": "<h1>a</h1>" * MANY,
    "line breaks": "<br/>" * MANY,
    "100,000 cells": "<table>" + ("<tr>" + "<td>x</td>" * 100 + "</tr>") * 1_000 + "</table>",
    "a header over all columns": "<table><tr><th>A</th></tr>"
    + "<tr><td colspan='1000000'>x</td></tr>" * MANY
    + "</table>",
    "one line": "word " * 60_000,
    "anchors": ANCHOR * MANY,
    "captions": f"<table><caption>{'c ' * MANY}</caption>" + "<tr><td>a</td></tr>" * MANY + "</table>",
    "figures": "<figure><table><tr><td>x</td></tr></table>" * 5_000 + "<figcaption>y</figcaption></figure>" * 5_000,
    "folds": "<details><summary>a?</summary>b" * 5_000 + "</details>c" * 5_000,
    "definitions": "<dl><dt>a<dd>b" * 5_000,
    "one item": "<ul><li>" + "<p>x</p>" * MANY + "</li></ul>",
    "unclosed macros": "<ac:structured-macro ac:name=" * 10_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_no_page_takes_more_than_linear_time_or_space(name: str) -> None:
    """S44."""
    started = time.perf_counter()

    confluence.needs_view(HUGE[name])
    parsed = confluence.parse(f"{NO_XML}{HUGE[name]}")

    assert time.perf_counter() - started < PARSING_TIME_S
    assert len(parsed.text) < 10 * len(HUGE[name])
    assert sum(len(block.text) for block in parsed.blocks) < 20 * len(HUGE[name])
