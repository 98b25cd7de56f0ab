"""Confluence's storage format becomes what a reader of the page sees."""

import pytest

from knowledge.parse import confluence
from tests.fakes.cutting import cut


def text(xhtml: str) -> str:
    return confluence.parse(xhtml).text


def blocks(xhtml: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in confluence.parse(xhtml).blocks]


def heading_anchors(xhtml: str, page_title: str | None = None) -> list[str | None]:
    parsed = confluence.parse(xhtml, page_title=page_title)
    return [block.anchor for block in parsed.blocks if block.kind == "heading"]


def macro(name: str, body: str = "", **parameters: str) -> str:
    written = "".join(f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items())
    return f'<ac:structured-macro ac:name="{name}">{written}{body}</ac:structured-macro>'


def rich(body: str) -> str:
    return f"<ac:rich-text-body>{body}</ac:rich-text-body>"


def plain(body: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{body}]]></ac:plain-text-body>"


def anchor(name: str) -> str:
    return f'<ac:structured-macro ac:name="anchor"><ac:parameter ac:name="">{name}</ac:parameter></ac:structured-macro>'


@pytest.mark.parametrize(
    ("xhtml", "expected"),
    [
        ("", ""),
        ("<p /><p><br/></p>", ""),
        ("bare text", "bare text"),
        ("<p>one  <b>b</b>old\n word</p>", "one bold word"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>a<br/>b</p>", "a\nb"),
        ("<p>a&nbsp;&nbsp;b &ndash; &auml; &amp; &lt;i&gt;</p>", "a b – ä & <i>"),
        ("<p>soft\u00adhyphen zero\u200bwidth \U000e0041tagged</p>", "softhyphen zerowidth tagged"),
        ("<p>a <!-- comment --> b</p>", "a b"),
        ("<p>seen</p><p style='display: none'>hidden</p>", "seen"),
        ('<p>see <ac:inline-comment-marker ac:ref="x">th</ac:inline-comment-marker>is</p>', "see this"),
        ("<p>a <ac:placeholder>type here</ac:placeholder></p>", "a"),
        ('<p>due <time datetime="2026-11-30" /></p>', "due 2026-11-30"),
        ("<at:declarations><at:string at:name='x' /></at:declarations><p>a<at:var at:name='x' /></p>", "a"),
        ("<blockquote>a<p>b</p></blockquote><hr/>c", "a\n\nb\n\nc"),
    ],
)
def test_text_reads_as_on_the_page(xhtml: str, expected: str) -> None:
    assert text(xhtml) == expected


@pytest.mark.parametrize(
    ("xhtml", "expected"),
    [
        (macro("status", title="DONE", colour="Green"), "is DONE now"),
        (macro("jira", key="OPS-7", serverId="x"), "is OPS-7 now"),
        (macro("toc", minLevel="2"), "isnow"),
        (macro("unknown", rich("kept"), size="small"), "iskeptnow"),
        ('<ac:emoticon ac:name="smile" ac:emoji-fallback="🙂" />', "is 🙂 now"),
        ('<ac:emoticon ac:name="tick" />', "is ✅ now"),
        ('<ac:emoticon ac:emoji-id="1f4cb" ac:emoji-fallback=":clipboard:" />', "is 📋 now"),
        ('<ac:emoticon ac:emoji-id="atlassian-x" ac:emoji-shortname=":parrot:" />', "is :parrot: now"),
        (
            '<ac:link><ri:page ri:content-title="Leave" /><ac:link-body>h<b>er</b>e</ac:link-body></ac:link>',
            "isherenow",
        ),
        ('<ac:link><ri:page ri:content-title="Leave" ri:space-key="HR" /></ac:link>', "isLeavenow"),
        (
            '<ac:link><ri:attachment ri:filename="a.pdf"><ri:page ri:content-title="B"/></ri:attachment></ac:link>',
            "isa.pdfnow",
        ),
        ("<ac:link><ac:plain-text-link-body><![CDATA[a & b]]></ac:plain-text-link-body></ac:link>", "isa & bnow"),
        ('<ac:link ac:anchor="Rates" />', "isRatesnow"),
        ('<ac:link><ri:user ri:account-id="5b10" /></ac:link>', "isnow"),
        ('<ac:link><ri:user ri:username="ann" /></ac:link>', "is@annnow"),
        ('<ac:image ac:alt="A map"><ri:attachment ri:filename="m.png" /></ac:image>', "is A map now"),
    ],
)
def test_what_stands_in_a_line_is_shown_in_it(xhtml: str, expected: str) -> None:
    assert text(f"<p>is{xhtml}now</p>") == expected


def test_an_image_shows_its_alternative_text_and_a_caption_that_says_more() -> None:
    image = (
        '<ac:image ac:layout="center" ac:alt="Floor plan"><ri:url ri:value="x"/><ac:caption>{}</ac:caption></ac:image>'
    )

    assert text("a" + image.format("Floor <b>plan</b>") + image.format("Second floor")) == (
        "a\n\nFloor plan\n\nFloor plan\nSecond floor"
    )


@pytest.mark.parametrize("name", ["panel", "info", "note", "tip", "warning", "expand"])
def test_a_panel_has_its_title_above_it(name: str) -> None:
    xhtml = "before" + macro(name, rich("body"), title="Title", icon="false") + "after"

    assert text(xhtml) == "before\n\nTitle\n\nbody\n\nafter"


def test_code_keeps_its_white_space_and_what_looks_like_markup() -> None:
    code = "if a &amp;&amp; b:\n    <ac:x>]]]]><![CDATA[>\n\tend\u00a0 "

    assert blocks(macro("code", plain(code), title="x.py", language="py")) == [
        ("paragraph", "x.py"),
        ("code", "if a &amp;&amp; b:\n    <ac:x>]]>\n\tend"),
    ]


def test_raw_html_in_a_macro_is_read_as_html() -> None:
    raw = "<style>p { color: red }</style><p>seen</p><div hidden>not seen<br>"

    assert text("a" + macro("html", plain(raw)) + "b") == "a\n\nseen\n\nb"


@pytest.mark.parametrize(("name", "hidden"), [("excerpt", "true"), ("details", "true")])
def test_what_a_page_holds_for_other_pages_only_is_not_shown(name: str, hidden: str) -> None:
    assert text(macro(name, rich("<p>elsewhere</p>"), hidden=hidden) + "here") == "here"


def test_an_extension_is_shown_once() -> None:
    node = '<ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute>{}</ac:adf-node>'
    fallback = "<ac:adf-fallback><p>old</p></ac:adf-fallback>"
    content = node.format("<ac:adf-content><p>new</p></ac:adf-content>")

    both, only_fallback = (f"<ac:adf-extension>{inside}{fallback}</ac:adf-extension>" for inside in (content, node))

    assert (text(both), text(only_fallback.format(""))) == ("new", "old")


def test_white_text_on_a_dark_cell_is_seen_and_on_a_white_page_is_not() -> None:
    white = '<span style="color: rgb(255,255,255);">{}</span>'
    dark = f'<table><tr><td data-highlight-colour="#172b4d"><p>{white.format("seen")}</p></td></tr></table>'
    panel = macro("panel", rich(f"<p>{white.format('seen too')}</p>"), bgColor="#000000")

    assert text(dark + panel + f"<p>{white.format('not seen')}</p>") == "seen\n\nseen too"


def test_tasks_show_whether_they_are_done() -> None:
    task = "<ac:task><ac:task-id>1</ac:task-id>{}<ac:task-body>{}</ac:task-body></ac:task>"
    done = task.format("<ac:task-status>complete</ac:task-status>", "wash")
    open_ = task.format("<ac:task-status>incomplete</ac:task-status>", "dry")

    assert text(f"<ac:task-list>{done}{open_}</ac:task-list>") == "☑ wash\n☐ dry"


def test_a_list_item_is_a_block_with_all_it_holds() -> None:
    xhtml = "<ul><li>one<ol start='3'><li><p>a</p><p>b</p></li><li>c<br/>d</li></ol></li><li>two</li></ul><p>x</p>"

    assert blocks(xhtml) == [("item", "- one\n  3. a\n    b\n  4. c\n    d"), ("item", "- two"), ("paragraph", "x")]
    assert text(xhtml) == "- one\n  3. a\n    b\n  4. c\n    d\n- two\n\nx"


def test_a_long_list_item_is_a_block_for_each_of_its_parts() -> None:
    long = "word " * 100

    xhtml = f"<ul><li>{long}<ul><li>{long}</li></ul>{macro('code', plain('x = 1'))}</li></ul>"

    assert [block[0] for block in blocks(xhtml)] == ["item", "item", "code"]


def test_a_heading_in_a_list_is_a_heading() -> None:
    assert blocks("<ol><li>a<h2>B</h2>c</li><li>d</li></ol>") == [
        ("item", "1. a"),
        ("heading", "B"),
        ("item", "c"),
        ("item", "2. d"),
    ]


@pytest.mark.parametrize(
    ("heading", "cloud", "data_center"),
    [
        ("My heading", "My-heading", "HRPolicies-Myheading"),
        ("Non-Reserved, or / (new)?", "Non-Reserved,-or-/-(new)?", "HRPolicies-NonReserved,or/(new)?"),
        ("<strong>Öff</strong>nung&nbsp;", "Öffnung", "HRPolicies-Öffnung"),
        (f"{anchor('my place')}Named", "my place", "HRPolicies-myplace"),
    ],
)
def test_a_heading_has_the_anchor_that_confluence_gives_it(heading: str, cloud: str, data_center: str) -> None:
    xhtml = f"<h2>{heading}</h2>"

    assert heading_anchors(xhtml) == [cloud]
    assert heading_anchors(xhtml, page_title="HR-Policies") == [data_center]


def test_a_data_center_anchor_begins_with_a_letter() -> None:
    assert heading_anchors("<h1>A</h1>", page_title="2. Install") == ["id-2.Install-A"]


def test_repeated_headings_are_numbered() -> None:
    xhtml = "".join(f"<h3>{heading}</h3>" for heading in ("A", "A", "A.1", "B", "A"))

    assert heading_anchors(xhtml) == ["A", "A.1", "A.1.1", "B", "A.2"]


def test_an_anchor_before_a_heading_names_it_and_one_in_a_paragraph_that() -> None:
    parsed = confluence.parse(f"<p>{anchor('top')}text</p><p>{anchor('next')}</p><h1>A</h1><h1>A</h1>")

    assert [block.anchor for block in parsed.blocks] == ["top", "next", "A.1"]


@pytest.mark.parametrize("name", confluence.INCLUDING_MACROS)
def test_a_page_that_shows_text_of_others_needs_its_view(name: str) -> None:
    assert confluence.needs_view(f"<p>a</p>{macro(name)}")
    assert confluence.needs_view(f"<ac:structured-macro ac:schema-version='1'\n  ac:name='{name}' />")


@pytest.mark.parametrize(
    "xhtml", ["", "include", macro("code", plain(macro("include"))), macro("includes"), "<ac:macro"]
)
def test_any_other_page_needs_none(xhtml: str) -> None:
    assert not confluence.needs_view(xhtml)


def test_passages_are_slices_of_the_readable_text() -> None:
    parsed = confluence.parse(f"<h1>A</h1><p>{'One sentence. ' * 200}</p><ul><li>b</li></ul>")

    passages = cut(parsed, title="T", language="en")

    assert all(passage.text in parsed.text for passage in passages)
    assert passages[-1].text.endswith("- b")
