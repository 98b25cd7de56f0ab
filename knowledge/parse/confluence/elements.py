"""The elements of Confluence's storage format: which of them a reader sees, and as what."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.errors import SourceProblem
from knowledge.parse.confluence.editor import EditorElements
from knowledge.parse.confluence.links import LinkElements, target_of
from knowledge.parse.confluence.macro_elements import CONDITIONAL, MacroElements
from knowledge.parse.confluence.modes import Capture, Mode, Opened
from knowledge.parse.confluence.names import HeadingAnchors
from knowledge.parse.html.elements import Close, background_of, is_hidden, open_element
from knowledge.parse.readable import ReadableText

_UNSEEN_ELEMENTS = frozenset(
    {"ac:placeholder", "ac:task-id", "ac:task-uuid", "ac:adf-attribute", "ac:adf-parameter", "ac:adf-mark"}
)
# Elements whose own text is only the white space between those inside.
_CONTAINERS = frozenset({"ac:task", "ac:layout", "ac:layout-section"})


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    mode: Mode
    close: Close | None
    background: str


class StorageElements:
    """Writes what is visible of a page in storage format."""

    def __init__(self, page: ReadableText, anchors: HeadingAnchors, *, max_depth: int) -> None:
        self._page = page
        self._max_depth = max_depth
        self._open = [_Open("", Mode.SHOWN, None, "")]
        self._named: Counter[str] = Counter()
        self._capture = Capture()
        self._macros = MacroElements(page, anchors, self._capture)
        self._links = LinkElements(page, self._capture)
        self._handlers = {
            **self._macros.handlers,
            **self._links.handlers,
            **EditorElements(page, self._capture).handlers,
        }

    @property
    def problems(self) -> tuple[str, ...]:
        """What an operator should know of the page."""
        return (CONDITIONAL,) if self._macros.has_conditional else ()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element; raise SourceProblem when too many are open."""
        outside = self._open[-1]
        if len(self._open) > self._max_depth:
            raise SourceProblem(f"the page nests more than {self._max_depth:,} elements; simplify or exclude it")
        mode, close, background = outside.mode, None, outside.background
        if mode is Mode.CAPTURED:
            if tag.startswith("ri:"):
                self._capture.add_target(target_of(attributes))
        elif mode is not Mode.HIDDEN:
            if is_hidden(tag, attributes, background):
                mode = Mode.HIDDEN
            else:
                mode, close = self._opened(tag, attributes, outside.tag)
                background = self._stated_background(tag, attributes) or background
        self._open.append(_Open(tag, mode, close, background))
        self._named[tag] += 1

    def end(self, tag: str) -> None:
        """Close the last element of this name with all inside it; an end without a beginning changes nothing."""
        while self._named[tag]:
            last = self._open.pop()
            self._named[last.tag] -= 1
            if last.close:
                last.close()
            if last.tag == tag:
                return

    def text(self, text: str) -> None:
        """Write text, if it is visible here."""
        mode = self._open[-1].mode
        if mode is Mode.SHOWN:
            self._page.write(text)
        elif mode is Mode.CAPTURED:
            self._capture.add(text)

    def data(self, text: str) -> None:
        """Write what stands in CDATA: text like any other."""
        self.text(text)

    def _opened(self, tag: str, attributes: Mapping[str, str], outside: str) -> Opened:
        if handler := self._handlers.get(tag):
            return handler(attributes, outside)
        if tag in _UNSEEN_ELEMENTS or tag.startswith("at:"):
            return Mode.HIDDEN, None
        if tag.startswith("ri:"):
            return self._links.open_target(attributes, outside)
        if tag in _CONTAINERS:
            return Mode.BETWEEN, None
        return Mode.SHOWN, open_element(self._page, tag, attributes)

    def _stated_background(self, tag: str, attributes: Mapping[str, str]) -> str:
        return self._macros.background if tag == "ac:rich-text-body" else background_of(attributes)
