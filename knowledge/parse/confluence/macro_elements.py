"""The macros of a page in storage format: their titles, bodies and what they show in the line of text."""

from collections.abc import Mapping

from knowledge.parse import markdown
from knowledge.parse.confluence.macros import Body, Macro
from knowledge.parse.confluence.modes import Capture, Handler, Mode, Opened
from knowledge.parse.confluence.names import HeadingAnchors
from knowledge.parse.html import write_html
from knowledge.parse.readable import ReadableText

# Where a macro stands that is a block of its own; anywhere else it stands in a line of text.
_AROUND_BLOCKS = frozenset(
    {
        *("", "page", "div", "blockquote", "section", "li", "td", "th"),
        *("ac:layout-cell", "ac:rich-text-body", "ac:task-body", "ac:adf-content", "ac:adf-fallback"),
    }
)
CONDITIONAL = (
    "a macro shows a part of the page to some of its readers only (show-if, hide-if); that part is left out, move it"
    " to a page with that restriction"
)


class MacroElements:
    """Writes what is visible of macros."""

    def __init__(self, page: ReadableText, anchors: HeadingAnchors, capture: Capture) -> None:
        self._page = page
        self._anchors = anchors
        self._capture = capture
        self._macros: list[Macro] = []
        self.has_conditional = False

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What opens each of the elements."""
        return {
            "ac:structured-macro": self._open_macro,
            "ac:macro": self._open_macro,
            "ac:parameter": self._open_parameter,
            "ac:default-parameter": self._open_parameter,
            "ac:rich-text-body": self._open_rich_body,
            "ac:plain-text-body": self._open_plain_body,
        }

    @property
    def background(self) -> str:
        """The background colour of the innermost macro's body."""
        return self._macro.background

    @property
    def _macro(self) -> Macro:
        """The innermost macro, or one that is nothing where bodies and parameters stand outside of any."""
        return self._macros[-1] if self._macros else Macro("", is_block=True)

    def _open_macro(self, attributes: Mapping[str, str], outside: str) -> Opened:
        macro = Macro(attributes.get("ac:name", ""), is_block=outside in _AROUND_BLOCKS)
        self._macros.append(macro)
        self.has_conditional |= macro.is_conditional
        return Mode.HIDDEN if macro.is_unseen else Mode.BETWEEN, self._close_macro

    def _close_macro(self) -> None:
        macro = self._macros.pop()
        self._show_title(macro)
        if macro.text:
            self._page.write(f" {macro.text} ")
        if macro.anchor:
            name_place = self._page.anchors.set_here if macro.name == "anchor" else self._page.anchors.note
            name_place(self._anchors.of_macro(macro.anchor))

    def _show_title(self, macro: Macro) -> None:
        if title := macro.take_title():
            self._page.end_paragraph()
            self._page.write(title)
            self._page.end_paragraph()

    def _open_parameter(self, attributes: Mapping[str, str], _: str) -> Opened:
        macro, name = self._macro, attributes.get("ac:name", "")
        if not macro.needs(name):
            return Mode.HIDDEN, None
        return self._capture.open(lambda text: macro.parameters.update({name: text.strip()}), takes_target=True)

    def _open_rich_body(self, _: Mapping[str, str], __: str) -> Opened:
        macro = self._macro
        if macro.hides_body:
            return Mode.HIDDEN, None
        self._show_title(macro)
        if not macro.is_block:
            return Mode.SHOWN, None
        self._page.end_paragraph()
        return Mode.SHOWN, self._page.end_paragraph

    def _open_plain_body(self, _: Mapping[str, str], __: str) -> Opened:
        macro = self._macro
        if macro.hides_body:
            return Mode.HIDDEN, None
        self._show_title(macro)
        match macro.plain_body:
            case Body.HTML:
                return self._capture.open(lambda text: write_html(text, self._page))
            case Body.MARKDOWN:
                return self._capture.open(lambda text: _write_markdown(text, self._page))
            case Body.FORMULA if not macro.is_block:
                return self._capture.open(lambda text: self._page.write(f" {text} "))
        self._page.open_code()
        return Mode.SHOWN, self._page.close_code


def _write_markdown(text: str, page: ReadableText) -> None:
    """Add what is visible of Markdown to a page; rows of tables and items of lists become paragraphs."""
    page.end_paragraph()
    for block in markdown.parse(text).blocks:
        if block.kind == "heading":
            page.open_heading(block.level, block.anchor)
            page.write(block.text)
            page.close_heading()
        elif block.kind == "code":
            page.open_code()
            page.write(block.text)
            page.close_code()
        else:
            page.write(block.text)
            page.end_paragraph()
