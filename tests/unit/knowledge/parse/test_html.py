"""An HTML page becomes what a browser shows of it."""

import time

import pytest

from knowledge.parse import html
from tests.fakes.odd_texts import huge_texts, odd_texts

PARSING_TIME_S = 10.0
HUGE = huge_texts() | {
    f"many {unit}": unit * (500_000 // len(unit))
    for unit in (
        "<a ",
        "<a b='",
        "</",
        "<!--",
        "<![CDATA[",
        "<table><td>x",
        "<ul><li>x",
        "<h1>x",
        "<pre>",
        "<ul></table></li>",
        "<section id=a>",
        "<h1>-<button>x</button>",
    )
}
HUGE["signs in links"] = "<h1>" + "<a href='#'>" * 30_000 + "-" * 300_000 + "a" + "</a>" * 30_000


def text(page: str) -> str:
    return html.parse(page).text


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("a <b>b</b>old\nword", "a bold word"),
        ("<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\n\nd"),
        ("a<br>b<hr>c", "a\nb\n\nc"),
        ("<ul><li>a<li>b<ol start=2><li>c<li>d</ol></ul>", "- a\n- b\n  2. c\n  3. d"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "a\n  b\nc"),
        ("<pre>\na  b\n  c\n</pre>d", "a  b\n  c\n\nd"),
        ("a&nbsp;&amp;&lt;b&gt; &copy &nosuch;", "a &<b> © &nosuch;"),
        ("<img src=x alt='A map'> here", "A map here"),
        ("<details><summary>More</summary>inside</details>", "More\n\ninside"),
        ("<li>a</li></ul></td></table>b</pre>", "a\n\nb"),
        ("a < b > c <3", "a < b > c <3"),
        ("<textarea>a <b> c</textarea>", "a <b> c"),
        ("a\0b", "ab"),
        (
            "<ul><li class='checked' data-inline-task-id='1'>a<li data-inline-task-id='2'>b</ul>",
            "☑ a\n☐ b",
        ),
    ],
)
def test_text_reads_as_in_a_browser(page: str, expected: str) -> None:
    assert text(page) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>'</div>' x</script>",
        "<style>x</style>",
        "<head><title>x</title></head>",
        "<title>x</title>",
        "<p hidden>x",
        "<div style='display:none'>x<p>x</p></div>",
        "<span style='color:#fff'>x</span>",
        "<table bgcolor=black><tr><td style='background:white'><span style='color:white'>x</span></table>",
        "<!-- x -->",
        "<!-- x",
        "<![CDATA[ x ]]>",
        "<?x?>",
        "<svg><text>x</text></svg>",
        "<div class='toc-macro rbtoc1'><ul><li><a href='#a'>x</a></ul></div>",
    ],
)
def test_what_is_hidden_is_left_out(hidden: str) -> None:
    assert text(f"<p>seen</p>{hidden}") == "seen"


def test_an_element_inside_a_hidden_one_does_not_end_it() -> None:
    assert text("<div hidden><script>'</div>'</script>x<p>x</p><table><td>x</table></div>seen") == "seen"


def test_white_text_is_seen_on_a_dark_background() -> None:
    assert text("<table bgcolor=black><tr><td><span style='color:white'>seen</span></table>") == "seen"


def test_headings_have_the_anchors_that_they_state() -> None:
    page = (
        "<h1 id='Page-A'>A</h1><h2><a name='b'></a>B</h2>"
        "<span class='confluence-anchor-link' id='c'></span><h3>C</h3><h6>D</h6>"
    )

    anchors = [(block.level, block.text, block.anchor) for block in html.parse(page).blocks]

    assert anchors == [(1, "A", "Page-A"), (2, "B", "b"), (3, "C", "c"), (6, "D", None)]


def test_a_table_has_its_header_row_as_context() -> None:
    page = "<table><thead><tr><td>A<td>B</thead><tbody><tr><td>1<td>2<tr><td colspan=2>3</table>"

    rows = [(block.kind, block.text, block.context) for block in html.parse(page).blocks]

    assert rows == [("header", "A | B", ""), ("row", "A: 1; B: 2", "A | B"), ("row", "3", "A | B")]


def test_a_heading_that_is_never_closed_ends_where_a_list_or_table_begins() -> None:
    kinds = [block.kind for block in html.parse("<h1>a<ul><li>b</ul><h2>c<table><td>d</table>").blocks]

    assert kinds == ["heading", "item", "heading", "row"]


@pytest.mark.parametrize("odd", odd_texts())
def test_no_text_is_too_odd(odd: str) -> None:
    parsed = html.parse(odd)

    assert all(0 <= block.start < block.end <= len(parsed.text) for block in parsed.blocks)


@pytest.mark.parametrize("name", HUGE)
def test_no_text_takes_more_than_linear_time(name: str) -> None:
    """S44."""
    started = time.perf_counter()

    html.parse(HUGE[name][:300_000])

    assert time.perf_counter() - started < PARSING_TIME_S
