"""Of each macro a reader sees its body and what it shows of its parameters, and nothing else of it."""

import pytest

from knowledge.parse import confluence


def macro(name: str, body: str = "", /, **parameters: str) -> str:
    written = "".join(f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items())
    return f'<ac:structured-macro ac:name="{name}">{written}{body}</ac:structured-macro>'


def rich(body: str) -> str:
    return f"<ac:rich-text-body>{body}</ac:rich-text-body>"


def plain(body: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{body}]]></ac:plain-text-body>"


def text(xhtml: str) -> str:
    return confluence.parse(f"<p>before</p>{xhtml}<p>after</p>").text


FILE = '<ri:attachment ri:filename="plan.pdf"><ri:page ri:content-title="Elsewhere" /></ri:attachment>'


@pytest.mark.parametrize(
    ("xhtml", "shown"),
    [
        (macro("view-file", name=FILE, height="250"), "plan.pdf"),
        (macro("viewpdf", name=FILE), "plan.pdf"),
        (macro("viewdoc", name="plan.doc"), "plan.doc"),
        (macro("multimedia", name='<ri:attachment ri:filename="tour.mp4" />', autostart="false"), "tour.mp4"),
        (macro("widget", url='<ri:url ri:value="https://example.org/watch?v=1" />'), "https://example.org/watch?v=1"),
        (macro("iframe", src="https://example.org/map", width="100%"), "https://example.org/map"),
        (macro("gallery", title="The office", columns="4"), "The office"),
        (macro("mathinline", body="--uriencoded--K_%7BS%7D+1"), "K_{S}+1"),
        (macro("mathblock", plain("a = b\\\\"), anchor="first"), "a = b\\\\"),
        (macro("cfm-tooltip", text="A hint", id="7"), "A hint"),
        (macro("footnote", rich("<p>A note.</p>")), "A note."),
        (macro("ui-tab", rich("<p>inside</p>"), title="Linux"), "Linux\n\ninside"),
        (macro("card", rich("<p>inside</p>"), label="Windows"), "Windows\n\ninside"),
        (macro("chart", rich("<table><tr><th>A</th></tr><tr><td>1</td></tr></table>"), title="Sales"), "Sales\n\nA\n1"),
        (macro("details", rich("<p>Owner: IT</p>"), label="x"), "Owner: IT"),
        (macro("excerpt", rich("<p>Short.</p>"), name="x"), "Short."),
        (macro("toc-zone", rich("<p>inside</p>"), location="top"), "inside"),
        (macro("scroll-ignore", rich("<p>inside</p>")), "inside"),
        (macro("sv-translation", rich("<p>inside</p>"), language="en"), "inside"),
        (macro("section", rich(macro("column", rich("<p>left</p>"), width="50%") + "<p>right</p>")), "left\n\nright"),
        (macro("plantuml", plain("Bob -> Ann : hi")), "Bob -> Ann : hi"),
        (macro("mermaid", plain("graph TD; A-->B"), theme="x"), "graph TD; A-->B"),
        (macro("anything", plain("kept"), secret="x"), "kept"),
        (macro("anything", rich("<p>kept</p>"), secret="x"), "kept"),
        (macro("markdown", plain("# Head\n\na **bold** word\n\n```\ncode\n```")), "Head\n\na bold word\n\ncode"),
    ],
)
def test_what_a_macro_shows_is_kept(xhtml: str, shown: str) -> None:
    assert text(xhtml) == f"before\n\n{shown}\n\nafter"


@pytest.mark.parametrize(
    "xhtml",
    [
        *(macro(name, minLevel="2") for name in ("toc", "children", "pagetree", "livesearch", "recently-updated")),
        *(macro(name, max="5") for name in ("contributors", "attachments", "change-history", "blog-posts", "labels")),
        *(macro(name, cql="label = x") for name in ("contentbylabel", "detailssummary", "tasks-report-macro")),
        macro("jira", jqlQuery="project = OPS", columns="key,summary", serverId="x"),
        macro("include", **{"": '<ac:link><ri:page ri:content-title="Elsewhere" /></ac:link>'}),
        macro("excerpt-include", **{"": '<ac:link><ri:page ri:content-title="Elsewhere" /></ac:link>', "name": "x"}),
        macro("profile", user='<ri:user ri:account-id="5b10" />'),
        macro("drawio", diagramName="network", simple="0"),
        macro("mermaid-cloud", filename="x.mmd", zoom="fit"),
        macro("widget", url="javascript:alert(1)"),
        macro("style", plain("p { color: red }")),
        macro("sql-query", plain("select password from users"), dataSource="x"),
        macro("scroll-only", rich("<p>in the export only</p>")),
        macro("excerpt", plain("elsewhere"), hidden="true"),
        macro("details", rich("<p>elsewhere</p>"), hidden="true"),
        macro("roadmap", source="%7B%22title%22%3A%22x%22%7D", title="Roadmap%20Planner"),
        macro("swagger-open-api", url="https://example.org", token="secret"),
    ],
)
def test_what_stands_elsewhere_or_is_made_when_the_page_is_shown_is_left_out(xhtml: str) -> None:
    assert text(xhtml) == "before\n\nafter"


@pytest.mark.parametrize("name", ["show-if", "hide-if"])
def test_what_only_some_readers_of_a_page_see_is_left_out_and_reported(name: str) -> None:
    parsed = confluence.parse("a" + macro(name, rich("<p>for the board</p>"), groupIds="1") + "b")

    assert parsed.text == "ab"
    assert [problem for problem in parsed.problems if "some of its readers" in problem]


def test_decisions_are_items() -> None:
    item = '<ac:adf-node type="decision-item"><ac:adf-attribute key="state">DECIDED</ac:adf-attribute>{}</ac:adf-node>'
    items = "".join(item.format(f"<ac:adf-content>{what}</ac:adf-content>") for what in ("Buy", "Sell"))
    node = (
        f'<ac:adf-node type="decision-list"><ac:adf-attribute key="local-id">x</ac:adf-attribute>{items}</ac:adf-node>'
    )
    fallback = '<ac:adf-fallback><ul class="decision-list"><li>Buy</li></ul></ac:adf-fallback>'

    assert text(f"<ac:adf-extension>{node}{fallback}</ac:adf-extension>") == "before\n\n- Buy\n- Sell\n\nafter"


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        ('<ac:image ac:alt="A map" ac:title="The way" />', "A map\nThe way"),
        ('<ac:image ac:title="The way" />', "The way"),
        ('<ac:image ac:title="The way"><ac:caption>The  way</ac:caption></ac:image>', "The  way"),
        ('<ac:image ac:alt="A map" ac:title="A map"><ac:caption>A map</ac:caption></ac:image>', "A map"),
        ('<ac:image><ri:attachment ri:filename="map.png" /></ac:image>', ""),
    ],
)
def test_an_image_says_everything_once(image: str, shown: str) -> None:
    assert " ".join(confluence.parse(f"<p>{image}</p>").text.split(" ")) == " ".join(shown.split("  "))


@pytest.mark.parametrize(
    ("date", "shown"),
    [
        ('<time datetime="2026-11-30" />', "2026-11-30"),
        ('<time datetime="2026-11-30">the last of November</time>', "the last of November"),
    ],
)
def test_a_date_is_shown_once(date: str, shown: str) -> None:
    assert confluence.parse(f"<p>{date}</p>").text == shown


@pytest.mark.parametrize("name", ["@self", "@parent", "@home"])
def test_a_place_among_pages_is_no_name_of_one(name: str) -> None:
    link = f'<ac:link><ri:page ri:content-title="{name}" /></ac:link>'

    assert confluence.parse(f"<p>see {link} here</p>").text == "see here"
