"""Confluence's macros: which of their parameters a reader sees, and what becomes of their bodies.

No other parameter is ever shown: a macro that is not named here shows its body, or nothing when it has none. So do
those whose content is made when the page is rendered (contents lists, searches, reports, pages of a tree, changes).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import unquote

# The parameters that a reader sees, by macro, the first one that is there: in the line of text ...
_FORMULA, _FILE, _ADDRESS, _NOTE = ("body",), ("name", "file", "filename"), ("url", "src"), ("text",)
_SEEN_IN_LINE = {
    "status": ("title",),
    "jira": ("key",),
    "jiraissues": ("key",),
    **dict.fromkeys(("mathinline", "unit", "latex-inline", "eazy-math-inline"), _FORMULA),
    **dict.fromkeys(("cfm-footnote", "cfm-tooltip", "tooltip"), _NOTE),
    **dict.fromkeys(("view-file", "viewpdf", "viewdoc", "viewxls", "viewppt", "multimedia", "preview"), _FILE),
    **dict.fromkeys(("widget", "iframe"), _ADDRESS),
    **dict.fromkeys(("ui-button", "auibutton", "lozenge"), ("title",)),
}
# ... or as a title over the macro's body.
_SEEN_ABOVE = {
    **dict.fromkeys(("panel", "info", "note", "tip", "warning", "success", "expand", "ui-expand"), ("title",)),
    **dict.fromkeys(("code", "newcode", "paste-code-macro", "noformat", "ui-tab", "auitabspage"), ("title",)),
    **dict.fromkeys(("gallery", "chart", "aura-panel", "aura-tab"), ("title",)),
    "card": ("label", "title"),
    "tab": ("name", "title"),
    **dict.fromkeys(("mathblock", "eazy-math-block"), _FORMULA),
}
# Their body is there for other pages only.
_HIDDEN_BY = {"excerpt": ("hidden",), "details": ("hidden",)}
_BACKGROUNDS = {"panel": ("bgColor",)}
_NAMES = {"anchor": ("", "name"), "mathblock": ("anchor",)}
# Nothing of them is for readers: styles, what only an export shows, and programs, of which readers see what they print.
_UNSEEN = frozenset(
    {
        *("style", "css", "script", "javascript", "user-css"),
        *("scroll-only", "scroll-only-inline", "scroll-pdf-only", "scroll-pdf-only-inline", "scroll-indexterm"),
        *("sql", "sql-query", "sql-file", "groovy", "beanshell", "jython", "velocity", "run", "loremipsum"),
    }
)
# They show their body to some readers of the page and not to others.
_CONDITIONAL = frozenset({"show-if", "hide-if", "show-to", "hide-from"})
_RAW_HTML = frozenset({"html", "html-bobswift", "html-wrap"})
_MARKDOWN = frozenset({"markdown", "markdown-macro", "mohamicorp-markdown", "md-macro"})
_URI_ENCODED = "--uriencoded--"


class Body(Enum):
    """What a macro's body without elements is."""

    CODE = "text as it is written"
    HTML = "markup"
    MARKDOWN = "text with signs for markup"
    FORMULA = "a formula"


@dataclass(slots=True)
class Macro:
    """One macro of a page, with those of its parameters that matter here; `is_block` when it stands between blocks."""

    name: str
    is_block: bool
    parameters: dict[str, str] = field(default_factory=dict)

    def needs(self, parameter: str) -> bool:
        """Tell whether the value of a parameter matters."""
        tables = (_SEEN_IN_LINE, _SEEN_ABOVE, _HIDDEN_BY, _BACKGROUNDS, _NAMES)
        return any(parameter in table.get(self.name, ()) for table in tables)

    @property
    def is_unseen(self) -> bool:
        """Whether nothing of the macro is for readers."""
        return self.name in _UNSEEN or self.is_conditional

    @property
    def is_conditional(self) -> bool:
        """Whether the macro shows its body to some readers of the page only."""
        return self.name in _CONDITIONAL

    @property
    def hides_body(self) -> bool:
        """Whether the body is there for other pages only."""
        return self._value(_HIDDEN_BY) == "true"

    @property
    def plain_body(self) -> Body:
        """What a body without elements is."""
        if self.name in _RAW_HTML:
            return Body.HTML
        if self.name in _MARKDOWN:
            return Body.MARKDOWN
        return (
            Body.FORMULA if "body" in _SEEN_ABOVE.get(self.name, ()) + _SEEN_IN_LINE.get(self.name, ()) else Body.CODE
        )

    @property
    def text(self) -> str:
        """What the macro shows in the line of text."""
        text = self._value(_SEEN_IN_LINE)
        is_address = _SEEN_IN_LINE.get(self.name) is _ADDRESS
        return "" if is_address and not text.startswith(("https://", "http://")) else text

    @property
    def background(self) -> str:
        """The background colour of the body."""
        return self._value(_BACKGROUNDS)

    @property
    def anchor(self) -> str:
        """The name that the macro gives to its place."""
        return self._value(_NAMES)

    def take_title(self) -> str:
        """Return what the macro shows over its body, the first time."""
        title = self._value(_SEEN_ABOVE)
        for name in _SEEN_ABOVE.get(self.name, ()) if title else ():
            self.parameters.pop(name, None)
        return title

    def _value(self, table: Mapping[str, tuple[str, ...]]) -> str:
        names = table.get(self.name, ())
        value = next((self.parameters[name] for name in names if self.parameters.get(name)), "")
        return unquote(value.removeprefix(_URI_ENCODED)) if value.startswith(_URI_ENCODED) else value
