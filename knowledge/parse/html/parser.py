"""HTML pages to their readable text: what a browser would show, without tags, scripts and hidden elements."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Protocol

from knowledge.errors import SourceProblem
from knowledge.parse.html.elements import Close, background_of, is_hidden, open_element
from knowledge.parse.html.encoding import decoded
from knowledge.parse.html.markup import MARKUP, attributes_of, end_of_raw
from knowledge.parse.readable import ReadableText
from knowledge.types import Document, Parsed

MAX_CHARACTERS = 10_000_000
# So many elements may be open at once; each takes about a hundred bytes.
MAX_OPEN_ELEMENTS = 250_000

_VOID_ELEMENTS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
# Their content is no markup.
_RAW_ELEMENTS = frozenset({"script", "style", "iframe", "noscript", "xmp", "textarea", "title"})
_AFTER_PARAGRAPH = frozenset(
    {
        *("p", "div", "table", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "menu", "dir"),
        *("dl", "section", "article", "aside", "main", "nav", "header", "footer", "figure", "details", "hr", "form"),
    }
)
# Elements that end where one of these begins.
_ENDED_BY = {
    "p": _AFTER_PARAGRAPH,
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "option": frozenset({"option", "optgroup"}),
    "td": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "th": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "tr": frozenset({"tr", "tbody", "tfoot"}),
    "thead": frozenset({"tbody", "tfoot"}),
    "tbody": frozenset({"tbody", "tfoot"}),
}
_MAIN, _ARTICLE = "main", "article"


class Elements(Protocol):
    """Takes the elements and the text of a page in order."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...

    def end(self, tag: str) -> None: ...

    def text(self, text: str) -> None: ...

    def data(self, text: str) -> None: ...


def parse_document(document: Document) -> Parsed:
    """Parse a page; one that comes as bytes in the encoding that it states."""
    return parse(document.text or decoded(document.content))


def parse(text: str) -> Parsed:
    """Parse HTML, well-formed or not.

    Of a page with one visible `<main>`, or else one `<article>`, only that is read: what stands around it are menus,
    banners and the like. `metadata` has the page's `title` and `lang`, if it states them, and the names of its places
    as `anchors`. Raise SourceProblem for what is longer or deeper than any page needs.
    """
    if len(text) > MAX_CHARACTERS:
        raise SourceProblem(f"the page has {len(text):,} characters, {MAX_CHARACTERS:,} are read; split or exclude it")
    page = ReadableText()
    elements = HtmlElements(page)
    read(text, elements)
    elements.end_all()
    return page.parsed(elements.main_blocks())


def write_html(html: str, page: ReadableText) -> None:
    """Add what is visible of a piece of HTML to a page; what it leaves open ends with it."""
    elements = HtmlElements(page)
    read(html, elements)
    elements.end_all()


def read(html: str, elements: Elements, *, is_xml: bool = False) -> None:
    """Tell `elements` what stands in the HTML, well-formed or not; names are in lower case, entities resolved.

    In XML any element may be closed where it begins (`<p/>`), and `]]>` is never text.
    """
    position = 0
    while match := MARKUP.search(html, position):
        if match.start() > position:
            elements.text(_text(html[position : match.start()], is_xml=is_xml))
        position = match.end()
        tag = (match["tag"] or "").lower()
        if match["data"]:
            elements.data(match["data"])
        elif match["end"]:
            elements.end(tag)
        elif tag:
            position = _start(tag, match, elements, is_xml=is_xml)
    if position < len(html):
        elements.text(_text(html[position:], is_xml=is_xml))


def _text(written: str, *, is_xml: bool) -> str:
    return unescape(written.replace("]]>", "") if is_xml else written)


def _start(tag: str, match: re.Match[str], elements: Elements, *, is_xml: bool) -> int:
    """Start an element and return where the search for markup goes on."""
    elements.start(tag, attributes_of(match["attributes"]))
    is_closed = tag in _VOID_ELEMENTS or (is_xml and match["attributes"].endswith("/"))
    if is_closed:
        elements.end(tag)
    if is_closed or tag not in _RAW_ELEMENTS:
        return match.end()
    position = end_of_raw(match.string, tag, match.end())
    elements.text(unescape(match.string[match.end() : position]))
    return position


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    close: Close | None
    is_hiding: bool
    background: str
    # What part of the page the element is (`main`, `article`), and how many blocks stand before it.
    part: str = ""
    blocks_before: int = 0


class HtmlElements:
    """Writes what is visible of HTML elements; elements left open end with those around them."""

    def __init__(self, page: ReadableText) -> None:
        self._page = page
        self._open: list[_Open] = []
        self._named: Counter[str] = Counter()
        self._parts: dict[str, list[slice]] = {_MAIN: [], _ARTICLE: []}
        self._open_mains = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element, and first close those that it ends."""
        while self._open and tag in _ENDED_BY.get(self._open[-1].tag, ()):
            self._leave_last()
        if len(self._open) >= MAX_OPEN_ELEMENTS:
            raise SourceProblem(f"the page nests more than {MAX_OPEN_ELEMENTS:,} elements; simplify or exclude it")
        outside = self._open[-1] if self._open else _Open("", None, is_hiding=False, background="")
        background = background_of(attributes) or outside.background
        if outside.is_hiding or self._hides(tag, attributes, outside.background):
            self._open.append(_Open(tag, None, is_hiding=True, background=background))
        else:
            self._open.append(self._opened(tag, attributes, background))
        self._named[tag] += 1

    def end(self, tag: str) -> None:
        """Close the last element of this name with all inside it; an end without a beginning changes nothing."""
        while self._named[tag]:
            if self._leave_last() == tag:
                return

    def end_all(self) -> None:
        """Close what is open."""
        while self._open:
            self._leave_last()

    def text(self, text: str) -> None:
        """Write text, if it is visible here."""
        if not (self._open and self._open[-1].is_hiding):
            self._page.write(text)
        elif self._open[-1].tag == "title" and not self._named["svg"]:
            self._page.metadata.setdefault("title", " ".join(text.split()))

    def data(self, text: str) -> None:
        """Leave CDATA out: browsers take it for a comment."""

    def main_blocks(self) -> slice:
        """Return which blocks are the page's content, when it says so of one part; otherwise all."""
        for parts in self._parts.values():
            if len(parts) == 1 and parts[0].start < parts[0].stop:
                return parts[0]
            if parts:
                break
        return slice(None)

    def _hides(self, tag: str, attributes: Mapping[str, str], background: str) -> bool:
        """Tell whether an element is hidden; the menus inside of the page's content are no part of it."""
        return (tag == "nav" and self._open_mains > 0) or is_hidden(tag, attributes, background)

    def _opened(self, tag: str, attributes: Mapping[str, str], background: str) -> _Open:
        if tag == "html" and (language := attributes.get("lang") or attributes.get("xml:lang")):
            self._page.metadata.setdefault("lang", language)
        part = _MAIN if attributes.get("role") == _MAIN else tag
        if part not in self._parts:
            return _Open(tag, open_element(self._page, tag, attributes), is_hiding=False, background=background)
        self._open_mains += part == _MAIN
        blocks = self._page.blocks()
        close = open_element(self._page, tag, attributes)
        return _Open(tag, close, is_hiding=False, background=background, part=part, blocks_before=blocks)

    def _leave_last(self) -> str:
        last = self._open.pop()
        self._named[last.tag] -= 1
        if last.close:
            last.close()
        if last.part:
            self._open_mains -= last.part == _MAIN
            self._parts[last.part].append(slice(last.blocks_before, self._page.blocks()))
        return last.tag
