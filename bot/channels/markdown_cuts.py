"""Where a long text may be cut: between its lines, sentences or words, and within nothing that belongs together."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast
from unicodedata import category

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, backtick, emphasis, entity, escape, html_inline, image, link
from markdown_it.rules_inline import strikethrough as strike
from markdown_it.rules_inline.state_inline import Delimiter

Length = Callable[[str], int]
Span = tuple[int, int]
_Rule = Callable[[StateInline, bool], bool]

# A line or sentence that ends in the first half of a part leaves too much of it empty.
LEAST_FILLED = 0.5
# No cluster of signs that is seen as one is longer; what is, was made to be.
MOST_SIGNS_IN_CLUSTER = 64
# Brackets and marks in a row take the square of a text's length.
_MAX_INLINE_CHARACTERS = 100_000

_LINE_END = re.compile(r"[ \t]*\n")
_SENTENCE_END = re.compile(r"""[.!?…。！？؟]["'»”’)\]]*(?:[ \t]*(?:\[\d{1,3}\])+)?(?=\s)""")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
_MARKERS_FOLLOW = re.compile(r"\s*\[\d{1,3}\]")
_ZERO_WIDTH_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Cuts:
    """A text with the spans (links, code, emphasis, escapes) that no cut should go through."""

    text: str
    spans: Sequence[Span]

    @classmethod
    def of(cls, text: str) -> "Cuts":
        """Return a text of inline Markdown with its spans."""
        return cls(text, _merged(inline_spans(text)))

    def best(self, start: int, room: int, length: Length) -> int:
        """Return where to end a part that begins at `start` and may be `room` long; there is more text than that."""
        end = farthest(self.text, start, room, length)
        least = start + (end - start) * LEAST_FILLED
        for border in (_LINE_END, _SENTENCE_END):
            last = max(self._borders(border, start, end), default=start)
            if last >= least:
                return last
        last = max(self._borders(_WORD_END, start, end), default=start)
        return last if last > start else self._last_resort(start, end)

    def _borders(self, border: re.Pattern[str], start: int, end: int) -> Iterator[int]:
        for found in border.finditer(self.text, start, min(end + 1, len(self.text))):
            at = found.start() if border is _LINE_END else found.end()
            if start < at <= end and not self._span_around(at) and not _MARKERS_FOLLOW.match(self.text, at):
                yield at

    def _last_resort(self, start: int, end: int) -> int:
        """Cut before a span, at a space within it, or, where there is none, in a word."""
        around = self._span_around(end)
        if around and around[0] > start:
            return around[0]
        spaces = [found.end() for found in _WORD_END.finditer(self.text, start + 1, min(end + 1, len(self.text)))]
        return spaces[-1] if spaces else between_signs(self.text, start, end)

    def _span_around(self, at: int) -> Span | None:
        index = bisect_left(self.spans, (at, 0)) - 1
        return self.spans[index] if index >= 0 and self.spans[index][1] > at else None


def farthest(text: str, start: int, room: int, length: Length) -> int:
    """Return the last end of a piece from `start` that is not longer than `room`, and at least one sign long."""
    most = min(len(text), start + max(room, 1))
    if length(text[start:most]) <= room:
        return most
    ends = range(start + 1, most + 1)
    return max(start + bisect_right(ends, room, key=lambda end: length(text[start:end])), start + 1)


def between_signs(text: str, start: int, end: int) -> int:
    """Return the nearest place up to `end` that parts nothing a reader sees as one sign; `end` where there is none."""
    for at in range(end, max(start, end - MOST_SIGNS_IN_CLUSTER), -1):
        if not _is_in_cluster(text, at):
            return at
    return end


def _is_in_cluster(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    is_modifier = "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f"
    is_low_half = "\udc00" <= after <= "\udfff"
    is_joined = _ZERO_WIDTH_JOINER in (before, after)
    return category(after)[0] == "M" or is_modifier or is_low_half or is_joined or _is_in_flag(text, at)


def _is_in_flag(text: str, at: int) -> bool:
    first = at
    while first > 0 and "\U0001f1e6" <= text[first - 1] <= "\U0001f1ff":
        first -= 1
    return (at - first) % 2 == 1 and "\U0001f1e6" <= text[at] <= "\U0001f1ff"


def inline_spans(text: str) -> list[Span]:
    """Return where links, images, code, emphasis, escapes, entities and tags of inline Markdown begin and end."""
    if len(text) > _MAX_INLINE_CHARACTERS:
        return []
    read = _Read([], [])
    _parser().parseInline(text, {_READ: read})
    places = {(id(delimiters), index): place for delimiters, index, place in read.delimiters}
    for delimiters, index, (start, _) in read.delimiters:
        if (closing := delimiters[index].end) >= 0:
            read.spans.append((start, places[id(delimiters), closing][1]))
    return read.spans


@dataclass(frozen=True, slots=True)
class _Read:
    """What the parser passed by: whole spans, and the marks of emphasis, which it pairs in the end."""

    spans: list[Span]
    delimiters: list[tuple[list[Delimiter], int, Span]]


_READ = "read"
_SPAN_RULES: dict[str, _Rule] = {
    "escape": escape,
    "backticks": backtick,
    "link": link,
    "image": image,
    "autolink": autolink,
    "html_inline": html_inline,
    "entity": entity,
}


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("strikethrough")
    for name, rule in _SPAN_RULES.items():
        parser.inline.ruler.at(name, _noting_span(rule))
    parser.inline.ruler.at("emphasis", _noting_delimiters(emphasis.tokenize, width=1))
    parser.inline.ruler.at("strikethrough", _noting_delimiters(strike.tokenize, width=2))
    return parser


def _noting_span(rule: _Rule) -> _Rule:
    def note(state: StateInline, silent: bool) -> bool:
        start = state.pos
        is_found = rule(state, silent)
        # A backslash at the end of a line is a break, and a good place to cut.
        if is_found and not silent and state.src[start : start + 2] != "\\\n":
            cast(_Read, state.env[_READ]).spans.append((start, state.pos))
        return is_found

    return note


def _noting_delimiters(rule: _Rule, *, width: int) -> _Rule:
    def note(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.delimiters)
        is_found = rule(state, silent)
        first = state.pos - width * (len(state.delimiters) - before)
        for number in range(len(state.delimiters) - before):
            place = first + number * width
            noted = (state.delimiters, before + number, (max(start, place), place + width))
            cast(_Read, state.env[_READ]).delimiters.append(noted)
        return is_found

    return note


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
