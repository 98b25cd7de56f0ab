"""The sentences of an answer as Markdown: items, rows and code stay what they are, all else is plain words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.channels.markdown_rows import cells_of, is_rule
from bot.channels.slack.render.text import cell, fence, prose
from bot.core.messages import Sentence

_ITEM = re.compile(r"- +(?=\S)")
# Two spaces at the end of a line: the next sentence begins a line, in the same paragraph.
_LINE_BREAK = "  \n"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of an answer; `text` is Markdown, with the rule below it where it begins a table of so many `columns`."""

    kind: Literal["prose", "item", "row", "code"]
    text: str
    columns: int = 0


def answer_markdown(sentences: Sequence[Sentence]) -> str:
    """Return the Markdown of an answer; that of its first sentences is what that of all of them begins with."""
    shown: list[str] = []
    before: _Line | None = None
    for sentence in sentences:
        for line in _lines(sentence, before):
            shown += [_between(before, line) if before else "", line.text]
            before = line
    return "".join(shown)


def _lines(sentence: Sentence, before: _Line | None) -> Iterator[_Line]:
    if sentence.is_code:
        yield _Line("code", "\n".join(filter(None, [fence(sentence.text.strip("\n")), sentence.markers])))
        return
    *texts, last = [line.strip() for line in sentence.text.splitlines() if line.strip()] or [""]
    for text, markers in [*((text, "") for text in texts), (last, sentence.markers)]:
        is_below_row = before is not None and before.kind == "row" and not markers
        if not (is_below_row and is_rule(text)):
            before = _line(text, markers, before)
            yield before


def _line(text: str, markers: str, before: _Line | None) -> _Line:
    marked = f" {markers}" if markers else ""
    if cells := cells_of(text):
        return _row([*map(cell, cells)], marked, before)
    if item := _ITEM.match(text):
        return _Line("item", f"- {prose(text[item.end() :])}{marked}")
    return _Line("prose", f"{prose(text)}{marked}")


def _row(cells: Sequence[str], marked: str, before: _Line | None) -> _Line:
    row = f"| {' | '.join(cells)}{marked} |"
    if before and before.kind == "row" and before.columns == len(cells):
        return _Line("row", row, len(cells))
    # The first row of a table is its header: Markdown has no table without one.
    return _Line("row", f"{row}\n|{'---|' * len(cells)}", len(cells))


def _between(before: _Line, line: _Line) -> str:
    """Return what parts two lines; nothing of it depends on what comes later."""
    if before.kind != line.kind or line.kind == "code" or before.columns != line.columns:
        return "\n\n"
    return _LINE_BREAK if line.kind == "prose" else "\n"
