"""The visible text of an HTML fragment: what a reader would see, nothing that is hidden from them."""

import re
from html.parser import HTMLParser

_UNSEEN_ELEMENTS = frozenset({"script", "style", "template", "head", "noscript", "iframe", "object", "svg"})
_VOID_ELEMENTS = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BREAKING_ELEMENTS = frozenset(
    {
        "br",
        "p",
        "div",
        "li",
        "ul",
        "ol",
        "tr",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "summary",
        "details",
    }
)
# What hides an element from a reader: an instruction hidden this way must not reach an index or a model.
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?!\.)|color\s*:\s*(?:white|#fff(?:fff)?)\b",
    re.IGNORECASE,
)


def visible_text(html: str) -> str:
    """Return the text that a browser would show, without tags, comments, scripts and hidden elements."""
    if "<" not in html and "&" not in html:
        return html
    reader = _VisibleText()
    reader.feed(html)
    reader.close()
    return "".join(reader.pieces)


class _VisibleText(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKING_ELEMENTS:
            self.pieces.append("\n" if tag == "br" else " ")
        if tag in _VOID_ELEMENTS:
            return
        if self._hidden or tag in _UNSEEN_ELEMENTS or _is_hidden(dict(attrs)):
            self._hidden.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKING_ELEMENTS:
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                continue

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    return "hidden" in attributes or bool(_HIDING_STYLE.search(attributes.get("style") or ""))
