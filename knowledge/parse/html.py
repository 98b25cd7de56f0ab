"""HTML pages to their readable text: what a browser would show, without tags, scripts and hidden elements."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Protocol

from knowledge.parse.hidden import hides
from knowledge.parse.markup import MARKUP, attributes_of, end_of_raw
from knowledge.parse.readable import ReadableText
from knowledge.types import Parsed

Close = Callable[[], None]
"""What is to be done at an element's end."""

_VOID_ELEMENTS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CELLS = frozenset({"td", "th"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div"),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend"),
        *("main", "nav", "optgroup", "option", "p", "search", "section", "summary", "tbody", "tfoot", "thead"),
    }
)
# Their content is no markup.
_RAW_ELEMENTS = frozenset({"script", "style", "iframe", "noscript", "xmp", "textarea", "title"})
_ALSO_UNSEEN = frozenset({"title", "datalist"})
# Elements that end where one of these begins.
_ENDED_BY = {
    "p": frozenset({"p", "div", "table", "pre", "blockquote", *_HEADINGS, *_LISTS}),
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
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)


class Elements(Protocol):
    """Takes the elements and the text of a page in order."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...

    def end(self, tag: str) -> None: ...

    def text(self, text: str) -> None: ...

    def data(self, text: str) -> None: ...


def parse(text: str) -> Parsed:
    """Parse HTML; never fails."""
    page = ReadableText()
    write_html(text, page)
    return page.parsed()


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


class HtmlElements:
    """Writes what is visible of HTML elements; elements left open end with those around them."""

    def __init__(self, page: ReadableText) -> None:
        self._page = page
        self._open: list[_Open] = []
        self._named: Counter[str] = Counter()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element, and first close those that it ends."""
        while self._open and tag in _ENDED_BY.get(self._open[-1].tag, ()):
            self._leave_last()
        outside = self._open[-1] if self._open else _Open("", None, is_hiding=False, background="")
        is_hiding = outside.is_hiding or is_hidden(tag, attributes, outside.background)
        close = None if is_hiding else open_element(self._page, tag, attributes)
        self._open.append(_Open(tag, close, is_hiding, background_of(attributes) or outside.background))
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

    def data(self, text: str) -> None:
        """Leave CDATA out: browsers take it for a comment."""

    def _leave_last(self) -> str:
        last = self._open.pop()
        self._named[last.tag] -= 1
        if last.close:
            last.close()
        return last.tag


def is_hidden(tag: str, attributes: Mapping[str, str], background: str) -> bool:
    """Tell whether an element is hidden, by itself, on the background that the elements around it have."""
    return tag in _ALSO_UNSEEN or hides(tag, attributes, background)


def background_of(attributes: Mapping[str, str]) -> str:
    """Return the background colour that an element states for what is inside it; empty when it states none."""
    stated = _BACKGROUND.search(attributes.get("style", ""))
    if stated:
        return stated[1].strip()
    return attributes.get("data-highlight-colour") or attributes.get("bgcolor") or ""


def open_element(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close | None:
    """Begin a visible HTML element on the page and return how to end it."""
    if tag in _HEADINGS:
        page.open_heading(int(tag[1]), attributes.get("id"))
        return page.close_heading
    if tag in _LISTS:
        page.open_list(_whole_number(attributes.get("start")) if tag == "ol" else None)
        return page.close_list
    if tag in _CELLS:
        columns, rows = (_whole_number(attributes.get(name)) for name in ("colspan", "rowspan"))
        page.open_cell(is_header=tag == "th", columns=columns, rows=rows)
        return page.close_cell
    if tag in _BLOCKS:
        page.end_paragraph()
    return _open_other(page, tag, attributes)


def _open_other(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close | None:
    if (tag == "a" and "href" not in attributes) or "confluence-anchor-link" in attributes.get("class", ""):
        page.set_anchor(attributes.get("id") or attributes.get("name") or "")
    match tag:
        case "li":
            page.open_item(_marker(attributes))
            return page.close_item
        case "table":
            page.open_table()
            return page.close_table
        case "tr":
            page.open_row()
            return page.close_row
        case "thead":
            page.open_header()
            return page.close_header
        case "pre" | "xmp" | "listing":
            page.open_code()
            return page.close_code
        case "br":
            page.break_line()
        case "img":
            page.write(f" {attributes.get('alt', '')} ")
    return page.end_paragraph if tag in _BLOCKS else None


def _marker(attributes: Mapping[str, str]) -> str:
    """Return what stands before a list item: the box of a task, or a dash."""
    if "data-inline-task-id" not in attributes:
        return "- "
    return "☑ " if "checked" in attributes.get("class", "").split() else "☐ "


def _whole_number(written: str | None) -> int:
    return int(written) if written and written.isdecimal() and len(written) < 7 else 1
