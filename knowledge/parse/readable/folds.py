"""Parts of a page that fold away, such as the answers of a list of questions: the question is their heading."""

from knowledge.parse.readable.sheet import Part, Sheet

# How a question ends (Latin, Greek, Arabic, Armenian, full width) or begins (Spanish).
_QUESTION_ENDS = ("?", "\u037e", "\u061f", "\u055e", "\uff1f")
_QUESTION_BEGINS = "¿"
# Folds in folds: a passage is found by all headings above it, so there must not be any number of them.
_MAX_LEVEL = 9
_NO_HEADING = Part("heading", "", level=1)


def is_question(text: str) -> bool:
    """Tell whether a line asks something."""
    return text.endswith(_QUESTION_ENDS) or text.startswith(_QUESTION_BEGINS)


class Folds:
    """Knows the heading that text stands under, through folds that have headings of their own."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._heading: Part | None = None
        self._outside: list[Part | None] = []

    @property
    def level(self) -> int:
        """The level of a heading over the innermost fold."""
        outside = self._outside[-1] if self._outside else self._heading
        return min(outside.level + 1 if outside else 1, _MAX_LEVEL)

    def note_heading(self, heading: Part) -> None:
        """Take down the heading that was written last."""
        self._heading = heading

    def open(self) -> None:
        """Begin a fold."""
        self._outside.append(self._heading)

    def close(self) -> None:
        """End the fold: what follows stands under the heading before it."""
        if not self._outside:
            return
        outside = self._outside.pop()
        if outside is not self._heading:
            self._heading = outside
            self._sheet.resume(outside or _NO_HEADING)
