"""The elements of Confluence's storage format: which of them a reader sees, and as what."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from knowledge.errors import SourceProblem
from knowledge.parse.confluence_macros import Macro
from knowledge.parse.confluence_names import HeadingAnchors, picture_of
from knowledge.parse.html import Close, background_of, is_hidden, open_element, write_html
from knowledge.parse.readable import ReadableText

_UNSEEN_ELEMENTS = frozenset(
    {"ac:placeholder", "ac:task-id", "ac:task-uuid", "ac:adf-attribute", "ac:adf-parameter", "ac:adf-mark"}
)
# Elements whose own text is only the white space between those inside.
_CONTAINERS = frozenset({"ac:task", "ac:layout", "ac:layout-section", "ac:adf-node"})
# Where a macro stands that is a block of its own; anywhere else it stands in a line of text.
_AROUND_BLOCKS = frozenset(
    {
        *("", "page", "div", "blockquote", "section", "li", "td", "th"),
        *("ac:layout-cell", "ac:rich-text-body", "ac:task-body", "ac:adf-content", "ac:adf-fallback"),
    }
)
# What a link without a body shows is the first of these that its target has.
_TARGETS = ("ri:content-title", "ri:filename", "ri:value", "ri:parameter", "ri:space-key")
_OPEN_TASK, _DONE_TASK = "☐ ", "☑ "


class _Mode(Enum):
    """What becomes of an element's text."""

    SHOWN = "written to the page"
    BETWEEN = "white space between elements, left out"
    CAPTURED = "kept for its element's end, without markup"
    HIDDEN = "left out with all that is inside"


@dataclass(frozen=True, slots=True)
class _Open:
    tag: str
    mode: _Mode
    close: Close | None
    background: str


@dataclass(slots=True)
class _Label:
    """What a link without a body or an image shows."""

    text: str = ""
    caption: str | None = None
    has_body: bool = False


_Opened = tuple[_Mode, Close | None]


class StorageElements:
    """Writes what is visible of a page in storage format."""

    def __init__(self, page: ReadableText, anchors: HeadingAnchors, *, max_depth: int | None = None) -> None:
        self._page = page
        self._anchors = anchors
        self._max_depth = max_depth
        self._open = [_Open("", _Mode.SHOWN, None, "")]
        self._named: Counter[str] = Counter()
        self._captured: list[str] = []
        self._macros: list[Macro] = []
        self._labels: list[_Label] = []
        self._parts_before_extension: list[int] = []
        self._task_marker = _OPEN_TASK
        self._handlers: dict[str, Callable[[Mapping[str, str]], _Opened]] = {
            "ac:structured-macro": self._open_macro,
            "ac:macro": self._open_macro,
            "ac:parameter": self._open_parameter,
            "ac:default-parameter": self._open_parameter,
            "ac:rich-text-body": self._open_rich_body,
            "ac:plain-text-body": self._open_plain_body,
            "ac:link": self._open_link,
            "ac:link-body": self._open_link_body,
            "ac:plain-text-link-body": self._open_link_body,
            "ac:image": self._open_image,
            "ac:caption": self._open_caption,
            "ac:emoticon": self._open_emoticon,
            "ac:task-list": self._open_task_list,
            "ac:task-status": self._open_task_status,
            "ac:task-body": self._open_task,
            "ac:layout-cell": self._open_block,
            "ac:adf-extension": self._open_extension,
            "ac:adf-content": self._open_block,
            "ac:adf-fallback": self._open_fallback,
            "time": self._open_time,
        }

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element; raise SourceProblem when too many are open."""
        outside = self._open[-1]
        if self._max_depth is not None and len(self._open) > self._max_depth:
            raise SourceProblem(f"the page nests more than {self._max_depth:,} elements; simplify or exclude it")
        mode, close, background = outside.mode, None, outside.background
        if mode not in (_Mode.CAPTURED, _Mode.HIDDEN):
            if is_hidden(tag, attributes, background):
                mode = _Mode.HIDDEN
            else:
                mode, close = self._opened(tag, attributes)
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
        if mode is _Mode.SHOWN:
            self._page.write(text)
        elif mode is _Mode.CAPTURED:
            self._captured.append(text)

    def data(self, text: str) -> None:
        """Write what stands in CDATA: text like any other."""
        self.text(text)

    def _opened(self, tag: str, attributes: Mapping[str, str]) -> _Opened:
        if handler := self._handlers.get(tag):
            return handler(attributes)
        if tag in _UNSEEN_ELEMENTS or tag.startswith("at:"):
            return _Mode.HIDDEN, None
        if tag.startswith("ri:"):
            return self._open_target(attributes)
        if tag in _CONTAINERS:
            return _Mode.BETWEEN, None
        return _Mode.SHOWN, open_element(self._page, tag, attributes)

    def _stated_background(self, tag: str, attributes: Mapping[str, str]) -> str:
        return self._macro.background if tag == "ac:rich-text-body" else background_of(attributes)

    @property
    def _macro(self) -> Macro:
        """The innermost macro, or one that is nothing where bodies and parameters stand outside of any."""
        return self._macros[-1] if self._macros else Macro("", is_block=True)

    def _capture(self, keep: Callable[[str], None]) -> _Opened:
        self._captured = []
        return _Mode.CAPTURED, lambda: keep("".join(self._captured))

    def _open_macro(self, attributes: Mapping[str, str]) -> _Opened:
        macro = Macro(attributes.get("ac:name", ""), is_block=self._open[-1].tag in _AROUND_BLOCKS)
        self._macros.append(macro)
        return _Mode.HIDDEN if macro.is_unseen else _Mode.BETWEEN, self._close_macro

    def _close_macro(self) -> None:
        macro = self._macros.pop()
        self._show_title(macro)
        if macro.text:
            self._page.write(f" {macro.text} ")
        if macro.anchor:
            self._page.set_anchor(self._anchors.of_macro(macro.anchor))

    def _show_title(self, macro: Macro) -> None:
        if title := macro.take_title():
            self._page.end_paragraph()
            self._page.write(title)
            self._page.end_paragraph()

    def _open_parameter(self, attributes: Mapping[str, str]) -> _Opened:
        macro, name = self._macro, attributes.get("ac:name", "")
        if not macro.needs(name):
            return _Mode.HIDDEN, None
        return self._capture(lambda text: macro.parameters.update({name: text.strip()}))

    def _open_rich_body(self, _: Mapping[str, str]) -> _Opened:
        macro = self._macro
        if macro.hides_body:
            return _Mode.HIDDEN, None
        self._show_title(macro)
        return self._open_block({}) if macro.is_block else (_Mode.SHOWN, None)

    def _open_plain_body(self, _: Mapping[str, str]) -> _Opened:
        macro = self._macro
        if macro.name == "html":
            return self._capture(lambda text: write_html(text, self._page))
        self._show_title(macro)
        self._page.open_code()
        return _Mode.SHOWN, self._page.close_code

    def _open_block(self, _: Mapping[str, str]) -> _Opened:
        self._page.end_paragraph()
        return _Mode.SHOWN, self._page.end_paragraph

    def _open_link(self, attributes: Mapping[str, str]) -> _Opened:
        self._labels.append(_Label(attributes.get("ac:anchor", "")))
        return _Mode.BETWEEN, self._close_link

    def _close_link(self) -> None:
        label = self._labels.pop()
        if not label.has_body:
            self._page.write(label.text)

    def _open_link_body(self, _: Mapping[str, str]) -> _Opened:
        if self._labels:
            self._labels[-1].has_body = True
        return _Mode.SHOWN, None

    def _open_target(self, attributes: Mapping[str, str]) -> _Opened:
        if self._open[-1].tag == "ac:link":
            shown = next((attributes[name] for name in _TARGETS if name in attributes), "")
            self._labels[-1].text = shown or self._labels[-1].text
        return _Mode.BETWEEN, None

    def _open_image(self, attributes: Mapping[str, str]) -> _Opened:
        self._labels.append(_Label(attributes.get("ac:alt") or attributes.get("ac:title", "")))
        is_block = "ac:layout" in attributes
        if is_block:
            self._page.end_paragraph()
        return _Mode.BETWEEN, lambda: self._close_image(is_block=is_block)

    def _close_image(self, *, is_block: bool) -> None:
        label = self._labels.pop()
        self._page.write(f" {label.text} ")
        if label.caption and label.caption.split() != label.text.split():
            self._page.break_line()
            self._page.write(label.caption)
        if is_block:
            self._page.end_paragraph()

    def _open_caption(self, _: Mapping[str, str]) -> _Opened:
        if self._open[-1].tag != "ac:image":
            return self._open_block({})
        label = self._labels[-1]
        return self._capture(lambda text: setattr(label, "caption", text))

    def _open_emoticon(self, attributes: Mapping[str, str]) -> _Opened:
        self._page.write(f" {picture_of(attributes)} ")
        return _Mode.BETWEEN, None

    def _open_task_list(self, _: Mapping[str, str]) -> _Opened:
        self._page.open_list()
        return _Mode.BETWEEN, self._page.close_list

    def _open_task_status(self, _: Mapping[str, str]) -> _Opened:
        return self._capture(self._mark_task)

    def _mark_task(self, status: str) -> None:
        self._task_marker = _DONE_TASK if status.strip() == "complete" else _OPEN_TASK

    def _open_task(self, _: Mapping[str, str]) -> _Opened:
        self._page.open_item(self._task_marker)
        self._task_marker = _OPEN_TASK
        return _Mode.SHOWN, self._page.close_item

    def _open_extension(self, _: Mapping[str, str]) -> _Opened:
        self._page.end_paragraph()
        self._parts_before_extension.append(self._page.parts)
        return _Mode.BETWEEN, self._close_extension

    def _close_extension(self) -> None:
        self._page.end_paragraph()
        self._parts_before_extension.pop()

    def _open_fallback(self, _: Mapping[str, str]) -> _Opened:
        """Show what stands for the content of an extension, when that itself had nothing to show."""
        self._page.end_paragraph()
        if self._parts_before_extension and self._page.parts > self._parts_before_extension[-1]:
            return _Mode.HIDDEN, None
        return self._open_block({})

    def _open_time(self, attributes: Mapping[str, str]) -> _Opened:
        self._page.write(attributes.get("datetime", ""))
        return _Mode.SHOWN, None
