"""Comments of Markdown, its templates and its components: no reader sees them, so no text keeps them."""

from collections.abc import Sequence

from knowledge.types import Span

_CLOSED_BY = {
    "<!--": "-->",
    "{/*": "*/}",
    "{# ": "#}",
    "{#-": "#}",
    "{% comment": "endcomment %}",
    "{%- comment": "endcomment",
}


class Comments:
    """Takes the comments out of a page's lines, from the first to the last."""

    def __init__(self, lines: list[str], text: str) -> None:
        self._lines = lines
        # Those that the page closes from here on.
        self._openings = [opening for opening, closing in _CLOSED_BY.items() if opening in text and closing in text]

    def take_out(self, number: int, code: Sequence[Span]) -> None:
        """Take what begins in this line out of it, and out of those that it reaches into."""
        for opening in tuple(self._openings):
            position = self._lines[number].find(opening)
            while position >= 0:
                if any(start <= position < end for start, end in code):
                    position = self._lines[number].find(opening, position + 1)
                    continue
                if not self._cut(number, position, opening):
                    break
                code = ()
                position = self._lines[number].find(opening, position)

    def _cut(self, number: int, position: int, opening: str) -> bool:
        closing = _CLOSED_BY[opening]
        line = self._lines[number]
        end = line.find(closing, position + len(opening))
        if end >= 0:
            self._lines[number] = _joined(line[:position], line[end + len(closing) :])
            return True
        is_paragraph = bool(line[:position].strip(" >"))
        for last in range(number + 1, len(self._lines)):
            if is_paragraph and not self._lines[last].strip():
                return False
            end = self._lines[last].find(closing)
            if end >= 0:
                self._lines[number] = line[:position].rstrip()
                self._lines[number + 1 : last] = [""] * (last - number - 1)
                self._lines[last] = self._lines[last][end + len(closing) :].lstrip()
                return True
        self._openings.remove(opening)
        return False


def _joined(before: str, after: str) -> str:
    if not after.strip():
        return before.rstrip()
    return before + (after.lstrip() if not before or before[-1].isspace() else after)
