"""What an operator should know of one run, a line for each kind of thing."""

from collections.abc import Sequence

SHOWN = 5


class Notes:
    """Collects notes; what is said of many things is said once, with their number and the first of them."""

    def __init__(self) -> None:
        self._about: dict[str, dict[str, None]] = {}

    def add(self, text: str, *things: str) -> None:
        """Note something, perhaps about things named by their ids."""
        self._about.setdefault(text, {}).update(dict.fromkeys(things))

    @property
    def lines(self) -> Sequence[str]:
        """The notes in the order in which they were first made."""
        return [_line(text, list(things)) for text, things in self._about.items()]


def _line(text: str, things: Sequence[str]) -> str:
    if not things:
        return text
    shown = ", ".join(things[:SHOWN]) + (", ..." if len(things) > SHOWN else "")
    return f"{text}: {len(things)} ({shown})"
