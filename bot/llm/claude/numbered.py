"""The answers of models that know no citations: `[n]` marks in the text name the sentences of their sources."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.core.answer import Claim
from bot.llm.claude.asides import Asides
from bot.llm.claude.draft import Draft
from bot.llm.claude.events import StreamEvent, Words
from knowledge.quotable import Unit

_SPECIAL = re.compile(r"[ \t]*\[|`+|\n|[ \t]+\Z")
_MARK = re.compile(r"[ \t]*\[[ \t]*(\d{1,4}(?:[ \t]*[,;–-][ \t]*\d{1,4})*)[ \t]*\]")
_BEGUN_MARK = re.compile(r"[ \t]*(?:\[[\d \t,;–-]{0,40})?")
_RANGE = re.compile(r"(\d+)(?:[ \t]*[–-][ \t]*(\d+))?")
_LONGEST_RANGE = 10
_FENCE_CHARACTERS = 3
_SPACE_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,])")
_ENDED = re.compile(r"[.!?…。！？؟][\"'”’»)\]*_]*\Z")


class NumberedReader:
    """Reads text in which marks stand behind what they bear out: "text [1].", "text. [1][2]", "text [1, 2]."."""

    def __init__(self, units: Mapping[int, Unit], language: str) -> None:
        self._units = units
        self._draft = Draft(language)
        self._marks = Marks()
        self._tail = ""
        self.asides = Asides()

    def read(self, event: StreamEvent) -> Iterator[Claim]:
        """Yield the sentences that this event completed."""
        if not isinstance(event, Words):
            return
        for part in self._marks.read(self.asides.hear(event.text)):
            self._take(part)
        yield from _tidy(self._draft.complete())
        if self._is_settled():
            self._take(self._marks.held_space())
            self._draft.know(self._draft.length)
            yield from _tidy(self._draft.complete(at_pause=True))

    def rest(self) -> Iterator[Claim]:
        """Yield what is left of an answer that came to its end."""
        for part in self._marks.read(self.asides.rest()):
            self._take(part)
        self._take(self._marks.rest())
        yield from _tidy(self._draft.rest())

    def _take(self, part: str | tuple[int, ...]) -> None:
        if isinstance(part, tuple):
            here = self._draft.length
            self._draft.cite(here, here, [self._units[number] for number in part if number in self._units])
            return
        # A mark behind this text is none of a sentence that ended before it.
        words = len(part.rstrip())
        if words:
            self._draft.know(self._draft.length + words - 1)
            self._tail = part[:words][-8:]
        self._draft.add(part)
        if "\n" in part and self._draft.ends_cited:
            self._draft.know(self._draft.length)

    def _is_settled(self) -> bool:
        """Tell whether a sentence that has its marks is followed by a space: the marks of one stand together."""
        return self._marks.holds_space and self._draft.ends_cited and bool(_ENDED.search(self._tail))


class Marks:
    """Splits text that comes in pieces into words and the numbers of marks; in code there are no marks."""

    def __init__(self) -> None:
        self._held = ""
        self._is_fenced = False
        self._is_inline = False
        self._begins_line = True

    @property
    def holds_space(self) -> bool:
        """Whether nothing but white space is held back: it would be dropped in front of a mark."""
        return bool(self._held) and not self._held.strip()

    def held_space(self) -> str:
        """Return that white space as text."""
        return self.rest()

    def rest(self) -> str:
        """Return what is still held back as text."""
        held, self._held = self._held, ""
        return held

    def read(self, text: str) -> Iterator[str | tuple[int, ...]]:
        """Yield the parts of the text in order, without what may go on as a mark."""
        pending, self._held = self._held + text, ""
        while special := _SPECIAL.search(pending):
            if special.start():
                self._begins_line = False
                yield pending[: special.start()]
            pending = pending[special.start() :]
            part, length = self._special(pending, special[0])
            if part is None:
                self._held = pending
                return
            yield part
            pending = pending[length:]
        if pending:
            self._begins_line = False
            yield pending

    def _special(self, pending: str, found: str) -> tuple[str | tuple[int, ...] | None, int]:
        """Return the next part and its length; no part where more text must tell what it is."""
        if found == "\n":
            self._is_inline, self._begins_line = False, True
        elif found.startswith("`"):
            if len(found) == len(pending):
                return None, 0
            self._follow_code(found)
        elif not (self._is_fenced or self._is_inline):
            if mark := _MARK.match(pending):
                return numbers_of(mark[1]), mark.end()
            if _BEGUN_MARK.fullmatch(pending):
                return None, 0
        return found, len(found)

    def _follow_code(self, ticks: str) -> None:
        if len(ticks) >= _FENCE_CHARACTERS and self._begins_line:
            self._is_fenced = not self._is_fenced
        elif not self._is_fenced:
            self._is_inline = not self._is_inline


def numbers_of(mark: str) -> tuple[int, ...]:
    """Return the numbers that stand in a mark: "1, 3-5" is 1, 3, 4 and 5."""
    numbers: list[int] = []
    for first, last in _RANGE.findall(mark):
        start, stop = int(first), int(last or first)
        numbers.extend(range(start, min(stop, start + _LONGEST_RANGE) + 1) if stop >= start else (start, stop))
    return tuple(dict.fromkeys(numbers))


def _tidy(claims: Iterator[Claim]) -> Iterator[Claim]:
    """Close the gap that a mark left in front of a full stop."""
    for claim in claims:
        yield claim if claim.is_code else replace(claim, text=_SPACE_BEFORE_STOP.sub("", claim.text))
