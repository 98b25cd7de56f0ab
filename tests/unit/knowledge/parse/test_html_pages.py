"""What a whole HTML page says of itself, and which part of it is read."""

import pytest

from knowledge.errors import SourceProblem
from knowledge.parse import html
from knowledge.types import Document

AROUND = "<header>top</header><nav>menu</nav>{}<aside>banner</aside><footer>bottom</footer>"


def headings(page: str) -> list[tuple[int, str, str | None]]:
    return [(block.level, block.text, block.anchor) for block in html.parse(page).blocks if block.kind == "heading"]


def contexts(page: str) -> list[tuple[str, str]]:
    return [(block.text, block.context) for block in html.parse(page).blocks if block.kind == "row"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<main><h1>A</h1><p>b</p></main>", "A\n\nb"),
        ("<div role='main'><p>b</p></div>", "b"),
        ("<article><p>b</p></article>", "b"),
        ("<main><article>a</article><article>b</article></main>", "a\n\nb"),
        ("<main><nav>contents</nav>b<aside>note</aside></main>", "b\n\nnote"),
        ("<main hidden>x</main><main>b</main>", "b"),
        ("<main><ul><li>a<li>b", "- a\n- b\n  banner\n  bottom"),
        ("<main></main>b", "top\n\nmenu\n\nb\n\nbanner\n\nbottom"),
        ("<main>a</main><main>b</main>", "top\n\nmenu\n\na\n\nb\n\nbanner\n\nbottom"),
        ("<article>a</article><article>b</article>", "top\n\nmenu\n\na\n\nb\n\nbanner\n\nbottom"),
        ("<p>b</p>", "top\n\nmenu\n\nb\n\nbanner\n\nbottom"),
    ],
)
def test_of_a_page_with_one_main_part_only_that_is_read(content: str, expected: str) -> None:
    parsed = html.parse(AROUND.format(content))

    assert parsed.text == expected
    assert "".join(parsed.text[block.start : block.end] for block in parsed.blocks) == "".join(
        block.text for block in parsed.blocks
    )


def test_a_page_tells_its_title_and_language() -> None:
    page = "<!DOCTYPE html><html lang='ru'><head><title> Отпуск &amp;\n больничный </title></head><svg><title>x</title>"

    assert html.parse(page).metadata == {"title": "Отпуск & больничный", "lang": "ru"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<meta charset='windows-1251'>Привет".encode("cp1251"), "Привет"),
        ("<meta http-equiv=content-type content='text/html; charset=koi8-r'>Привет".encode("koi8-r"), "Привет"),
        (b"\xff\xfe" + "Привет".encode("utf-16-le"), "Привет"),
        (b"\xef\xbb\xbf" + "Привет".encode(), "Привет"),
        ("Привет".encode(), "Привет"),
        ("<meta charset=nonsense>Привет".encode(), "Привет"),
        ("<meta charset=utf-8>caf\u00e9".encode("latin-1"), "café"),
        (b"\x00\xff\x81", "ÿ\ufffd"),
    ],
)
def test_a_page_of_bytes_is_read_in_the_encoding_that_it_states(content: bytes, expected: str) -> None:
    document = Document("web", "a.html", "", "1", media_type="text/html", content=content)

    assert html.parse_document(document).text == expected


def test_a_page_of_text_is_no_copy_of_its_source() -> None:
    parsed = html.parse_document(Document("web", "a.html", "<p>a</p>", "1", media_type="text/html"))

    assert (parsed.text, parsed.keeps_lines) == ("a", False)


def test_a_question_that_folds_an_answer_away_is_its_heading() -> None:
    page = (
        "<h2 id=faq>FAQ</h2><details id=d><summary id=how>How?</summary>So.</details>"
        "<details id=why><summary>¿Por qué</summary>a<details><summary>More</summary>b</details></details><p>After"
    )

    blocks = [(block.kind, block.level, block.text, block.anchor) for block in html.parse(page).blocks]

    assert blocks == [
        ("heading", 2, "FAQ", "faq"),
        ("heading", 3, "How?", "how"),
        ("paragraph", 0, "So.", None),
        ("heading", 3, "¿Por qué", "why"),
        ("paragraph", 0, "a", None),
        ("paragraph", 0, "More", None),
        ("paragraph", 0, "b", None),
        ("heading", 2, "FAQ", "faq"),
        ("paragraph", 0, "After", None),
    ]


def test_a_question_in_a_list_or_table_is_none() -> None:
    fold = "<details><summary>Why?</summary>so</details>"

    assert headings(f"<ul><li>{fold}</ul><table><tr><td>{fold}</table>") == []


@pytest.mark.parametrize(
    ("page", "anchors"),
    [
        ("<section id=a><h2>A</h2></section>", ["a"]),
        ("<div id=page><div id=a><header><h2>A</h2>", ["a"]),
        ("<section id=s><h2 id=a>A</h2></section>", ["a"]),
        ("<div id=a><p>text</p><h2>A</h2></div>", [None]),
        ("<p><a id=a></a></p><h2>A</h2>", ["a"]),
        ("<section id=a><p>since 1.2</p><h2>A</h2><p>b</p><h3>B</h3></section>", ["a", None]),
        ("<section id=s><section id=a>x<h2>A</h2></section><h2>B</h2></section>", ["a", "s"]),
        ("<section id=s>x</section><h2>A</h2>", [None]),
        ("<h2 id=a>A</h2><h2 id=a>B</h2>", ["a", None]),
        ("<h2 id=a>A<a class=headerlink href=#a>¶</a></h2>", ["a"]),
    ],
)
def test_a_heading_has_the_name_of_its_place(page: str, anchors: list[str | None]) -> None:
    assert [(text[:1], anchor) for _, text, anchor in headings(page)] == list(zip("AB", anchors, strict=False))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h2 id=a>Install<a href='#a'>¶</a></h2>", "Install"),
        ("<h2><a href='#b'># </a>Use <a href='#c'>it</a></h2>", "Use it"),
        ("<p><a class=anchor href='#a'>§</a>1.0</p>", "1.0"),
        ("<p>a note<a href='#n'>*</a></p>", "a note*"),
        ("<h2>Install <button>Copy path</button></h2>", "Install"),
        ("<h2><button aria-expanded=false>How?</button></h2>", "How?"),
        ("<p>Press <button>Save</button></p>", "Press Save"),
    ],
)
def test_signs_and_buttons_of_a_heading_are_no_words_of_it(page: str, expected: str) -> None:
    assert html.parse(page).text == expected


def test_a_term_has_the_name_that_it_states() -> None:
    page = "x<dl><dt id=fee>Fee<dd>5 €<dt id=term>Term<dd>a year</dl>"

    assert [block.anchor for block in html.parse(page).blocks] == [None, "fee", "term"]


def test_all_names_of_places_are_known() -> None:
    page = "<section id=a><h2 id=b>B</h2><p id=c>c<a name=d></a><li id=e>e<p hidden id=f>"

    assert html.parse(page).metadata["anchors"] == ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<dl><dt>Fee<dd>5 €<dt>Term<dt>Period<dd>a year<dd>or two</dl>",
            "Fee\n  5 €\nTerm\nPeriod\n  a year\n  or two",
        ),
        ("<dl><dt>A<dd><ul><li>b<li>c</ul></dl>d", "A\n  - b\n  - c\n\nd"),
        ("<dl><div><dt>A</dt><dd>b</dd></div><div><dt>C</dt><dd>d</dd></div></dl>", "A\n  b\nC\n  d"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)"),
        ("<p>say <q>yes</q>", "say “yes”"),
        (
            "<ul><li><input type=checkbox checked disabled> done<li><input type=checkbox> open</ul>",
            "- ☑ done\n- ☐ open",
        ),
        ("<p>a <span aria-hidden=true>→</span> b", "a → b"),
        ("<p>a<dialog>asked later</dialog><dialog open>asked now</dialog>", "a\n\nasked now"),
        ("<template>x</template><noscript>y</noscript><p>a", "a"),
        ("<math><mi>x</mi><annotation encoding='application/x-tex'>\\x</annotation></math>", "x"),
        ("<base href='https://example.org/'><a href='b'>a</a>", "a"),
        ("<pre><code>if a:\n    b\n</code></pre>", "if a:\n    b"),
        ("<img src=a title='The way'>", "The way"),
    ],
)
def test_elements_read_as_a_browser_shows_them(page: str, expected: str) -> None:
    assert html.parse(page).text == expected


ROWS = "<table><tr><th>A<th>B<tr><td>1<td>2</table>"
NAMED = ROWS.replace("<table>", "<table><caption>Fees</caption>")


@pytest.mark.parametrize(
    ("page", "context"),
    [
        (NAMED, "Fees\nA | B"),
        (f"<figure>{ROWS}<figcaption>Fees</figcaption></figure>", "Fees\nA | B"),
        (f"<figure><figcaption>Fees</figcaption>{ROWS}</figure>", "Fees\nA | B"),
        (f"<figure><img alt=x><figcaption>Fees</figcaption></figure>{ROWS}", "A | B"),
        (f"{ROWS}<figure><img alt=x><figcaption>Fees</figcaption></figure>", "A | B"),
    ],
)
def test_a_tables_caption_is_known_in_each_row(page: str, context: str) -> None:
    assert contexts(page) == [("A: 1; B: 2", context)]


def test_a_footnote_under_a_table_stays_behind_it() -> None:
    assert html.parse(f"{ROWS}<p>* without tax</p>").text == "A | B\n1 | 2\n\n* without tax"


def test_a_page_beyond_all_measure_is_refused() -> None:
    with pytest.raises(SourceProblem, match="10,000,001 characters"):
        html.parse("x" * (html.MAX_CHARACTERS + 1))
    with pytest.raises(SourceProblem, match="nests more than 250,000"):
        html.parse("<b>" * (html.MAX_OPEN_ELEMENTS + 1))
