"""Footnotes of Markdown: the marks go, each definition becomes a list item of its own."""

import re
from collections.abc import Mapping, Sequence

from knowledge.types import Span

_DEFINITION = re.compile(r"^([ ]{0,3})\[\^([^\]\s]{1,100})\]:[ \t]*(.*)$", re.MULTILINE)
_MARK = re.compile(r"\[\^([^\]\s]{1,100})\](?!:)")


class Footnotes:
    """The footnotes of one page, and which lines have marks of them."""

    def __init__(self, text: str) -> None:
        self._texts = {label: note for _, label, note in _DEFINITION.findall(text)} if "[^" in text else {}
        self._by_line: dict[int, list[str]] = {}

    @property
    def are_there(self) -> bool:
        """Whether the page has any."""
        return bool(self._texts)

    @property
    def by_line(self) -> Mapping[int, str]:
        """The notes that each line has marks of, as they are written."""
        return {number: " ".join(notes) for number, notes in self._by_line.items()}

    def defines_another(self, line: str) -> bool:
        """Tell whether a line defines a footnote that the page did not have."""
        definition = _DEFINITION.match(line)
        return definition is not None and definition[2] not in self._texts

    def taken_out(self, line: str, number: int, code: Sequence[Span]) -> str:
        """Return a line without marks; a definition as the list item that it becomes."""
        if definition := _DEFINITION.match(line):
            note = self._without_marks(definition[3], number, ()).strip()
            return f"{definition[1]}- {note}" if note else ""
        return self._without_marks(line, number, code)

    def _without_marks(self, line: str, number: int, code: Sequence[Span]) -> str:
        def shown(mark: re.Match[str]) -> str:
            is_code = any(start <= mark.start() < end for start, end in code)
            if is_code or mark[1] not in self._texts:
                return mark[0]
            self._by_line.setdefault(number, []).append(self._texts[mark[1]])
            return ""

        return _MARK.sub(shown, line)
