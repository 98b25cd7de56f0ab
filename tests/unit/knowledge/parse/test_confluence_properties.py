"""Whatever stands on a page in storage format: what a reader sees is kept, and what is hidden from them is not."""

import re
from collections.abc import Iterator
from itertools import count, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.errors import SourceProblem
from knowledge.parse import confluence, html
from knowledge.types import Parsed

Node = tuple[str, tuple["Node", ...]]

EXAMPLES = settings(max_examples=300, deadline=None, derandomize=True)
# `{}` is what stands inside, `{word}` a word that readers see, `{hidden}` one that they do not.
LEAVES = (
    "<p>{word} {word}</p>",
    "<p><b>{word}</b> <ac:link><ri:page ri:content-title='{hidden}'/><ac:link-body>{word}</ac:link-body></ac:link></p>",
    "<p><ac:link><ri:page ri:content-title='{word}' ri:space-key='{hidden}'/></ac:link></p>",
    "<h2>{word}</h2>",
    "<p>{word} <time datetime='{word}'/></p>",
    "<p><ac:structured-macro ac:name='status'><ac:parameter ac:name='colour'>{hidden}</ac:parameter>"
    "<ac:parameter ac:name='title'>{word}</ac:parameter></ac:structured-macro></p>",
    "<ac:structured-macro ac:name='code'><ac:parameter ac:name='language'>{hidden}</ac:parameter>"
    "<ac:plain-text-body><![CDATA[<b>{word}</b>\n  {word}]]></ac:plain-text-body></ac:structured-macro>",
    "<ac:structured-macro ac:name='toc'><ac:parameter ac:name='style'>{hidden}</ac:parameter></ac:structured-macro>",
    "<ac:structured-macro ac:name='style'><ac:plain-text-body>{hidden}</ac:plain-text-body></ac:structured-macro>",
    "<ac:placeholder>{hidden}</ac:placeholder>",
    "<p style='display:none'>{hidden}</p>",
    "<!-- {hidden} -->",
    "<ac:image ac:alt='{word}'><ri:attachment ri:filename='{hidden}'/><ac:caption>{word}</ac:caption></ac:image>",
    "<p><ac:inline-comment-marker ac:ref='{hidden}'>{word}</ac:inline-comment-marker></p>",
)
BRANCHES = (
    "<div>{}</div>",
    "<blockquote>{}</blockquote>",
    "<ul><li>{}</li></ul>",
    "<table><tbody><tr><th>{word}</th></tr><tr><td>{}</td></tr></tbody></table>",
    "<ac:structured-macro ac:name='expand'><ac:parameter ac:name='title'>{word}</ac:parameter>"
    "<ac:rich-text-body>{}</ac:rich-text-body></ac:structured-macro>",
    "<ac:structured-macro ac:name='unknown'><ac:parameter ac:name='x'>{hidden}</ac:parameter>"
    "<ac:rich-text-body>{}</ac:rich-text-body></ac:structured-macro>",
    "<ac:layout><ac:layout-section><ac:layout-cell>{}</ac:layout-cell></ac:layout-section></ac:layout>",
    "<ac:task-list><ac:task><ac:task-id>{hidden}</ac:task-id><ac:task-body>{}</ac:task-body></ac:task></ac:task-list>",
    "<ac:adf-extension><ac:adf-node type='panel'><ac:adf-attribute key='x'>{hidden}</ac:adf-attribute>"
    "<ac:adf-content><p>{word}</p>{}</ac:adf-content></ac:adf-node><ac:adf-fallback>{hidden}</ac:adf-fallback>"
    "</ac:adf-extension>",
)


def nodes() -> st.SearchStrategy[Node]:
    leaves: st.SearchStrategy[Node] = st.tuples(st.sampled_from(LEAVES), st.just(()))
    return st.recursive(
        leaves,
        lambda inner: st.tuples(st.sampled_from(BRANCHES), st.lists(inner, min_size=1, max_size=3).map(tuple)),
        max_leaves=12,
    )


def written(page: list[Node]) -> str:
    """Write a page with numbered words: w0x, w1x ... are seen, h0x, h1x ... are hidden."""
    seen, hidden = count(), count()

    def write(node: Node) -> Iterator[str]:
        for piece in re.split(r"(\{\w*\})", node[0]):
            match piece:
                case "{word}":
                    yield f"w{next(seen)}x"
                case "{hidden}":
                    yield f"h{next(hidden)}x"
                case "{}":
                    yield from (text for child in node[1] for text in write(child))
                case _:
                    yield piece

    return "".join(text for node in page for text in write(node))


def headings(parsed: Parsed) -> list[str | None]:
    return [block.anchor for block in parsed.blocks if block.kind == "heading"]


@EXAMPLES
@given(st.lists(nodes(), max_size=5))
def test_every_visible_word_is_kept_once_in_order_and_no_hidden_one(page: list[Node]) -> None:
    xhtml = written(page)

    parsed = confluence.parse(xhtml)

    assert re.findall(r"w\d+x", parsed.text) == re.findall(r"w\d+x", xhtml)
    assert not re.search(r"h\d+x", parsed.text)
    assert not any(re.search(r"h\d+x", block.text + block.context) for block in parsed.blocks)


@EXAMPLES
@given(st.lists(nodes(), max_size=5))
def test_a_page_is_read_alike_each_time_and_by_both_readers(page: list[Node]) -> None:
    xhtml = written(page)

    assert confluence.parse(xhtml) == confluence.parse(xhtml) == confluence.parse(f"</x>{xhtml}")


@EXAMPLES
@given(st.lists(nodes(), max_size=5), st.sampled_from([None, "Page"]))
def test_each_heading_has_an_anchor_of_its_own(page: list[Node], title: str | None) -> None:
    xhtml = re.sub(r"w\dx", "same", written(page))

    anchors = headings(confluence.parse(xhtml, page_title=title))

    assert all(anchors)
    assert len(set(anchors)) == len(anchors)


BROKEN = (
    *(
        "<",
        ">",
        "&",
        "]]>",
        "<![CDATA[",
        "<!--",
        "-->",
        "\0",
        "</td>",
        "<td rowspan='0'",
        "</p>",
        "<table>",
        "</table>",
    ),
    *("<details><summary>a?", "</details>", "<main>", "</main>", "<dl><dt>", "<dd>", "<figure><figcaption>x", "<pre>"),
    *("</ac:structured-macro>", "<ac:structured-macro ac:name='anchor'>", "\ud83d", "é\u0301"),
)
FRAGMENTS = st.sampled_from((*LEAVES, *BRANCHES, *BROKEN))


@EXAMPLES
@given(st.lists(FRAGMENTS | st.text(max_size=5), max_size=25))
def test_nothing_is_too_broken_to_be_read(fragments: list[str]) -> None:
    broken = "".join(fragments)

    for parsed in filter(None, (parsed_or_refused(broken), html.parse(broken))):
        assert all(0 <= block.start <= block.end <= len(parsed.text) for block in parsed.blocks)
        assert all(before.end <= after.start for before, after in pairwise(parsed.blocks))
        assert all(block.start < block.end or block.kind == "heading" for block in parsed.blocks)


def parsed_or_refused(xhtml: str) -> Parsed | None:
    try:
        return confluence.parse(xhtml)
    except SourceProblem:
        return None
