"""The visible text of an HTML fragment: what a reader would see, nothing that is hidden from them."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from knowledge.parse.html.hidden import hides
from knowledge.parse.html.markup import MARKUP, attributes_of, end_of_raw

_VOID_ELEMENTS = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BREAKING_ELEMENTS = frozenset(
    {"br", "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "details"}
)
# Elements that end where the next of their kind begins, and that no block outlives.
_ENDED_BY_THE_NEXT = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
# Their content is no markup.
_RAW_ELEMENTS = frozenset({"script", "style", "iframe", "noscript"})


class OpenElements:
    """The elements open at one place of a document; it tells whether one of them hides what stands there."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bool]] = []
        self._named: Counter[str] = Counter()
        self._hiding = 0

    @property
    def hide(self) -> bool:
        """Whether the text at this place is hidden."""
        return self._hiding > 0

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._open)

    def enter(self, tag: str, *, is_hiding: bool) -> None:
        """Open an element."""
        if tag in _ENDED_BY_THE_NEXT and self._open and self._open[-1][0] == tag:
            self._leave_last()
        self._open.append((tag, is_hiding))
        self._named[tag] += 1
        self._hiding += is_hiding

    def leave(self, tag: str) -> None:
        """Close the last element of this name with all inside it; an end without a beginning changes nothing."""
        while self._named[tag]:
            if self._leave_last() == tag:
                return

    def leave_to(self, depth: int) -> None:
        """Close the elements above this depth."""
        while len(self._open) > depth:
            self._leave_last()

    def leave_paragraphs(self) -> None:
        """Close what does not reach beyond the block that it stands in."""
        while self._open and self._open[-1][0] in _ENDED_BY_THE_NEXT:
            self._leave_last()

    def _leave_last(self) -> str:
        tag, is_hiding = self._open.pop()
        self._named[tag] -= 1
        self._hiding -= is_hiding
        return tag


def visible_text(html: str, elements: OpenElements | None = None) -> str:
    """Return the text that a browser would show, without tags, comments, scripts and hidden elements.

    `elements` are those open before the fragment; afterwards, those open behind it.
    """
    elements = elements or OpenElements()
    if "<" not in html and "&" not in html:
        return "" if elements.hide else html
    return "".join(text for _, text in visible_runs(html, elements))


def markup_spans(html: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of all that is not text."""
    return (match.span() for match in MARKUP.finditer(html))


def visible_runs(html: str, elements: OpenElements) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each visible stretch of text; a break between blocks is one of white space."""
    position = 0
    while match := MARKUP.search(html, position):
        if match.start() > position and not elements.hide:
            yield position, unescape(html[position : match.start()])
        position = match.end()
        tag = (match["tag"] or "").lower()
        if tag in _BREAKING_ELEMENTS and not (elements.hide or match["end"]):
            yield match.start(), "\n" if tag == "br" else " "
        if tag in _RAW_ELEMENTS and not match["end"]:
            position = end_of_raw(html, tag, position)
        _follow(elements, tag, match)
    if position < len(html) and not elements.hide:
        yield position, unescape(html[position:])


def _follow(elements: OpenElements, tag: str, match: re.Match[str]) -> None:
    if not tag or tag in _VOID_ELEMENTS:
        return
    if match["end"]:
        elements.leave(tag)
    else:
        elements.enter(tag, is_hiding=hides(tag, attributes_of(match["attributes"])))
