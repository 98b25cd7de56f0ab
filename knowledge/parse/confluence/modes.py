"""What becomes of the text of an element of Confluence's storage format."""

from collections.abc import Callable, Mapping
from enum import Enum

from knowledge.parse.html.elements import Close


class Mode(Enum):
    """What becomes of an element's text."""

    SHOWN = "written to the page"
    BETWEEN = "white space between elements, left out"
    CAPTURED = "kept for its element's end, without markup"
    HIDDEN = "left out with all that is inside"


Opened = tuple[Mode, Close | None]
"""What becomes of an element's text, and what is to be done at its end."""

Handler = Callable[[Mapping[str, str], str], Opened]
"""Opens an element with its attributes inside of an element of that name."""


class Capture:
    """Keeps the text of one element at a time."""

    def __init__(self) -> None:
        self._takes_target = False
        self._texts: list[str] = []

    def add(self, text: str) -> None:
        """Add to the text of the open element."""
        self._texts.append(text)

    def add_target(self, name: str) -> None:
        """Add the name of a linked thing, if the element is named by one."""
        if self._takes_target and name:
            self._texts.append(name)
            self._takes_target = False

    def open(self, keep: Callable[[str], None], *, takes_target: bool = False) -> Opened:
        """Begin an element whose text, or the name of the first thing linked in it, goes to `keep` at its end."""
        self._texts = []
        self._takes_target = takes_target
        return Mode.CAPTURED, lambda: keep("".join(self._texts))
