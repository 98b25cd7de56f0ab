"""What a reader sees of HTML, and what is hidden from them."""

import pytest

from knowledge.parse.html.text import OpenElements, visible_text

HIDDEN = [
    "<!-- SECRET -->",
    "<!-- SECRET",
    "<div hidden>SECRET</div>",
    "<script>SECRET<b></script>",
    "<style>SECRET</style>",
    "<template>SECRET</template>",
    '<span style="display:none">SECRET</span>',
    '<SPAN STYLE="DISPLAY : NONE !important">SECRET</SPAN>',
    '<span style="display:/* */none">SECRET</span>',
    '<span style="visibility:hidden">SECRET</span>',
    '<span style="font-size:0">SECRET</span>',
    '<span style="font-size:0.0em">SECRET</span>',
    '<span style="font-size:1px">SECRET</span>',
    '<span style="opacity:0.0">SECRET</span>',
    '<span style="color:white">SECRET</span>',
    '<span style="color:#FFF; background: white">SECRET</span>',
    '<span style="color: rgb(255, 255, 255)">SECRET</span>',
    '<span style="color:navy;background-color:navy">SECRET</span>',
    '<span style="color:transparent">SECRET</span>',
    '<span style="position:absolute;left:-9999px">SECRET</span>',
    '<div style="height:0;overflow:hidden">SECRET</div>',
    '<div style="width:1px;overflow:clip">SECRET</div>',
    '<span style="position:absolute;clip:rect(0, 0, 0, 0)">SECRET</span>',
    '<span style="clip: rect(1px 1px 1px 1px)">SECRET</span>',
    '<span style="clip-path: inset(50%)">SECRET</span>',
    '<span style="transform: scale(0)">SECRET</span>',
    '<span style="content-visibility: hidden">SECRET</span>',
    '<font color="white">SECRET</font>',
    '<font size="0">SECRET</font>',
    "<div hidden><div>x</div>SECRET</div>",
    '<a title="SECRET">',
    '<a title="x > SECRET',
]
SEEN = [
    "<p>SEEN</p>",
    '<span style="font-size:0.9em">SEEN</span>',
    '<span style="background-color:white">SEEN</span>',
    '<span style="color:white;background:navy">SEEN</span>',
    '<span style="opacity:.5">SEEN</span>',
    '<span style="left:-5px">SEEN</span>',
    '<span style="clip: rect(0, 100px, 50px, 0)">SEEN</span>',
    '<span style="clip-path: inset(5%)">SEEN</span>',
    '<span style="transform: scale(0.5)">SEEN</span>',
    "<div><span hidden>x</div>SEEN",
    "<p hidden>x<p>SEEN",
    "<!--> SEEN",
    "<script>x</script>SEEN",
    "<br>SEEN",
    "a < b, SEEN & c",
    "</div>SEEN",
]
ENDLESS = ["<div ", '<div a="', "</a", "<script>", "<!--", "<![CDATA[", "<a b='", "<a /", "<", "&#", "<p hidden>", "<?"]


@pytest.mark.parametrize("html", HIDDEN)
def test_hidden_text_is_not_seen(html: str) -> None:
    assert "SECRET" not in visible_text(html)


@pytest.mark.parametrize("html", SEEN)
def test_visible_text_is_seen(html: str) -> None:
    assert "SEEN" in visible_text(html)


def test_character_references_are_read() -> None:
    assert visible_text("Fish &amp; chips &#8364;5") == "Fish & chips €5"


def test_an_element_left_open_hides_the_next_fragment() -> None:
    elements = OpenElements()

    seen = [visible_text(html, elements) for html in ("a<b hidden>", "b", "c</b>d")]

    assert seen == ["a", "", "d"]


@pytest.mark.parametrize("piece", ENDLESS)
def test_endless_markup_is_read_in_one_pass(piece: str) -> None:
    assert len(visible_text(piece * 50_000)) <= 50_000 * len(piece)
