"""Confluence's macros: which of their parameters a reader sees, and which decide what becomes of their bodies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# The parameters that a reader sees, by macro: in the line of text, or as a title over the macro's body.
_SEEN_IN_LINE = {
    "status": "title",
    "jira": "key",
    "mathinline": "body",
    "unit": "body",
    "cfm-footnote": "text",
    "cfm-tooltip": "text",
    "tooltip": "text",
}
_SEEN_ABOVE = {
    **dict.fromkeys(("panel", "info", "note", "tip", "warning", "expand", "ui-expand"), "title"),
    **dict.fromkeys(("code", "paste-code-macro", "noformat", "ui-tab", "auitabspage", "card"), "title"),
    "mathblock": "body",
}
_HIDDEN_BY = {"excerpt": "hidden", "details": "hidden"}
_BACKGROUNDS = {"panel": "bgColor"}
_NAMES = {"anchor": ""}
_UNSEEN = frozenset({"style", "css"})


@dataclass(slots=True)
class Macro:
    """One macro of a page, with those of its parameters that matter here; `is_block` when it stands between blocks."""

    name: str
    is_block: bool
    parameters: dict[str, str] = field(default_factory=dict)

    def needs(self, parameter: str) -> bool:
        """Tell whether the value of a parameter matters."""
        tables = (_SEEN_IN_LINE, _SEEN_ABOVE, _HIDDEN_BY, _BACKGROUNDS, _NAMES)
        return any(table.get(self.name) == parameter for table in tables)

    @property
    def is_unseen(self) -> bool:
        """Whether nothing of the macro is for readers."""
        return self.name in _UNSEEN

    @property
    def hides_body(self) -> bool:
        """Whether the body is there for other pages only."""
        return self._value(_HIDDEN_BY) == "true"

    @property
    def text(self) -> str:
        """What the macro shows in the line of text."""
        return self._value(_SEEN_IN_LINE)

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
        if title:
            del self.parameters[_SEEN_ABOVE[self.name]]
        return title

    def _value(self, table: Mapping[str, str]) -> str:
        return self.parameters.get(table[self.name], "") if self.name in table else ""
