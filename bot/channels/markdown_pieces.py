"""The pieces of a block of Markdown that is too long for one part: each of them shows as a block by itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.channels.markdown_cuts import Cuts, Length, between_signs, farthest
from bot.core.inert import WORD_JOINER

# With less room than this for their own text, pieces go without a header or fence.
LEAST_ROOM = 0.25
_QUOTE = re.compile(r"(?: {0,3}> ?)*")
_LIST_MARKS = re.compile(r"(?:[ >]|[-*+][ \t]|\d{1,9}[.)][ \t])*")
_FENCE = re.compile(r"(?P<before>.*?)(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\$")
_BEGINS_BLOCK = re.compile(
    r"[-+*](?:\s|$)|#{1,6}(?:\s|$)|>|\d{1,9}[.)](?:\s|$)|`{3}|~{3}|=+\s*$|-+\s*$|\||<[a-z!/?]|\[[^\]]+\]:"
    r"|([-*_] ?){3,}$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that is not cut again.

    `glue` stands before it within a part; `head` where a part begins with it, `tail` behind it where one ends with it.
    `holds_next`: a heading, which no part ends with. `is_nested`: it stands in a list or quote.
    """

    text: str
    glue: str = "\n\n"
    head: str = ""
    tail: str = ""
    holds_next: bool = False
    is_nested: bool = False


def prose_pieces(text: str, limit: int, length: Length) -> list[Piece]:
    """Return running text in pieces that end at a line, a sentence, a word."""
    quote = quote_of(text)
    cuts = Cuts.of(text)
    pieces: list[Piece] = []
    start, glue, room = 0, "", limit
    while start < len(text):
        is_last = length(text[start:]) <= room
        end = len(text) if is_last else cuts.best(start, room, length)
        head = _head(text[start:end], quote) if start else ""
        pieces.append(Piece(_without_break(text[start:end]), glue, head))
        following = len(text) - len(text[end:].lstrip())
        start, glue = following, text[end:following]
        room = limit - length(quote or WORD_JOINER)
    return pieces


def _head(text: str, quote: str) -> str:
    """Return what keeps the rest of a paragraph what it is at the beginning of a part."""
    if quote:
        return "" if text.startswith(quote.rstrip()) else quote
    # A joiner keeps what follows it at the beginning of a line from being read as a mark.
    return WORD_JOINER if _BEGINS_BLOCK.match(text) else ""


def _without_break(text: str) -> str:
    return _BREAK.sub(r"\1", text.rstrip()) if text.endswith("\\") else text.rstrip()


def quote_of(text: str) -> str:
    """Return the marks of a quote that a line begins with."""
    found = _QUOTE.match(text)
    return found[0] if found else ""


def fence_pieces(text: str, limit: int, length: Length) -> list[Piece]:
    """Return a fenced block in pieces of its lines, each of which can be a fence with the same language."""
    opening, *lines = text.split("\n")
    found = _FENCE.match(opening)
    if not found:
        return prose_pieces(text, limit, length)
    before = _blank(found["before"])
    closing = f"{before}{found['fence']}"
    if lines and lines[-1].strip(" \t>").startswith(found["fence"]) and not lines[-1].strip(" \t>`~"):
        lines.pop()
    head, tail = f"{closing}{found['info']}\n", f"\n{closing}"
    room = limit - length(head) - length(tail)
    if room < limit * LEAST_ROOM:
        return prose_pieces(text, limit, length)
    pieces = [
        Piece(line, glue, head + inner, tail)
        for line, glue, inner in _short_lines(lines, room, length, before=before, mark=found["fence"][0])
    ]
    if not pieces:
        return [Piece(f"{opening}{tail}")]
    pieces[0] = replace(pieces[0], text=f"{opening}\n{pieces[0].text}", head="")
    pieces[-1] = replace(pieces[-1], text=f"{pieces[-1].text}{tail}", tail="")
    return pieces


def _short_lines(
    lines: list[str], room: int, length: Length, *, before: str, mark: str
) -> Iterator[tuple[str, str, str]]:
    """Yield the lines in pieces, each with the glue before it and what the rest of a cut line has to stand behind."""
    for line in lines:
        start, glue, inner = 0, "\n", ""
        while length(line[start:]) > room - length(inner):
            end = between_signs(line, start, farthest(line, start, room - length(inner), length))
            while end > start + 1 and line[end] == mark:
                end -= 1
            yield line[start:end], glue, inner
            start, glue, inner = end, "", before
        yield line[start:], glue, inner


def code_pieces(text: str, limit: int, length: Length) -> list[Piece]:
    """Return an indented block of code in pieces that are fences: the shape that can be closed and opened again."""
    indent = min(len(line) - len(line.lstrip(" ")) for line in text.split("\n") if line.strip())
    ticks = ticks_around(text)
    lines = [line[indent:] for line in text.split("\n")]
    return fence_pieces("\n".join([ticks, *lines, ticks]), limit, length)


def ticks_around(code: str) -> str:
    """Return the marks of a fence that nothing in some code closes."""
    return "`" * (max((len(run) for run in re.findall("`{3,}", code)), default=2) + 1)


def table_pieces(text: str, limit: int, length: Length) -> list[Piece]:
    """Return a table in pieces of its rows, each of which can stand below the same header."""
    first, rule, *rows = text.split("\n")
    found = _LIST_MARKS.match(first)
    marks = found[0] if found else ""
    header = f"{_blank(marks)}{first[len(marks) :]}\n{rule}\n"
    room = limit - length(header)
    if room < limit * LEAST_ROOM or not rows:
        return prose_pieces(text, limit, length)
    pieces: list[Piece] = []
    is_below_row = False
    for row in rows:
        if length(row) > room:
            pieces += [replace(piece, glue="\n\n") for piece in prose_pieces(row, limit, length)]
        else:
            pieces.append(Piece(row, "\n" if is_below_row else f"\n\n{header}", header))
        is_below_row = length(row) <= room
    if not pieces[0].head:
        return [Piece(f"{first}\n{rule}"), *pieces]
    return [replace(pieces[0], text=f"{first}\n{rule}\n{pieces[0].text}", head=""), *pieces[1:]]


def _blank(marks: str) -> str:
    """Return list marks as the space that they take; the marks of a quote stay."""
    return re.sub(r"[^>\s]", " ", marks)
