"""The blocks of a stored passage, found again in its text: the cut leaves marks and a table's header behind."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from knowledge.parse import markdown
from knowledge.parse import text as plain_text
from knowledge.parse.lines import line_starts
from knowledge.parse.rows import BETWEEN_CELLS
from knowledge.types import Block, Hit

# An indented text with a larger share of letters is prose that a converter has indented, not code.
PROSE_LETTERS = 0.9
# The headings, the context of a table (caption, header) and its notes.
_MAX_LINES_ABOVE_ROWS = 8
_FENCES = ("```", "~~~")
_CELL_BORDER = re.compile(r"(?<!\\)\|(?!\s*$)")
_MARKDOWN_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_ITEM_MARKER = re.compile(r"\s*(?:[-*•‣–]|\d{1,3}[.)])\s+(?=\S)")


def blocks_of(hit: Hit) -> Sequence[Block]:
    """Return the passage's blocks in reading order, with offsets into `hit.text`."""
    if hit.media_type != "text/markdown":
        return list(_plain_blocks(hit))
    blocks = markdown.blocks_of(hit.text)
    is_within_table = hit.text.lstrip().startswith("|") and bool(blocks) and blocks[0].kind in ("paragraph", "code")
    return [_as_prose(block, hit.text) for block in ((is_within_table and _table_blocks(hit)) or blocks)]


def _table_blocks(hit: Hit) -> Sequence[Block]:
    """Return the blocks of a passage that begins inside a table, parsed under its header; none where that fails."""
    lines = hit.text.split("\n")
    names = _column_names(hit, len(_CELL_BORDER.findall(lines[0].strip())))
    header = [f"|{'|'.join(names)}|", f"|{'---|' * len(names)}"]
    # Rows of a table in a list item stand as deep as its text, where without the item they would be code.
    rows = [line.lstrip() if line.lstrip().startswith("|") else line for line in lines]
    shown = "\n".join([*header, *rows])
    first, *below = markdown.blocks_of(shown)
    if first.kind != "header":
        return []
    places, starts = line_starts(shown), line_starts(hit.text)
    moved = {
        place: starts[max(line - len(header), 0)] for line, place in enumerate(places[: len(starts) + len(header)])
    }
    moved[len(shown)] = len(hit.text)
    return [replace(block, start=moved[block.start], end=moved[block.end]) for block in below]


def _column_names(hit: Hit, columns: int) -> list[str]:
    """Return the names as the cut keeps them, above what is indexed of the rows; empty ones where there are none."""
    above = hit.search_text.split("\n")[1 : 1 + (_MAX_LINES_ABOVE_ROWS if columns > 1 else 1)]
    for line in above:
        names = line.split(BETWEEN_CELLS)
        if len(names) == columns and line not in hit.text:
            return [_MARKDOWN_SIGN.sub(r"\\\g<0>", name) or " " for name in names]
    return [" "] * columns


def _as_prose(block: Block, text: str) -> Block:
    raw = text[block.start : block.end]
    if block.kind != "code" or raw.lstrip().startswith(_FENCES):
        return block
    letters = sum(character.isalpha() or character.isspace() for character in raw)
    return replace(block, kind="paragraph") if letters >= PROSE_LETTERS * len(raw) else block


def _plain_blocks(hit: Hit) -> Iterator[Block]:
    """Yield paragraphs, and list items and table rows as lines of their own; a row's text names its columns."""
    rendered = hit.search_text.split("\n")[1:]
    for paragraph in plain_text.parse(hit.text).blocks:
        grouped: list[Block] = []
        for line in _lines(paragraph, hit.text, rendered):
            if grouped and _goes_on(grouped[-1], line):
                grouped[-1] = replace(grouped[-1], end=line.end, text=f"{grouped[-1].text}\n{line.text}")
            else:
                grouped.append(line)
        yield from grouped


def _lines(paragraph: Block, text: str, rendered: Sequence[str]) -> Iterator[Block]:
    starts = line_starts(text[paragraph.start : paragraph.end])
    for start, end in pairwise(starts):
        line = text[paragraph.start + start : paragraph.start + end]
        kind, seen = _read(line, rendered)
        indent = len(line) - len(line.lstrip())
        yield Block(kind, paragraph.start + start, paragraph.start + end, seen, level=indent)


def _read(line: str, rendered: Sequence[str]) -> tuple[str, str]:
    """Return what kind of block a line begins, and what a reader sees of it; rows stand rendered in the index."""
    shown = line.strip()
    cells = shown.split(BETWEEN_CELLS)
    if len(cells) > 1 and shown in rendered:
        is_header = any(row.startswith(f"{cells[0]}: ") for row in rendered)
        return ("header" if is_header else "paragraph"), shown
    if len(cells) > 1 and (row := _rendering(cells, rendered)):
        return "row", row
    if marker := _ITEM_MARKER.match(line):
        return "item", line[marker.end() :].strip()
    return "paragraph", shown


def _rendering(cells: Sequence[str], rendered: Sequence[str]) -> str | None:
    """Return the line that holds just these cells, each with or without the name of its column."""
    row = re.compile("; ".join(f"(?:[^;]*?: )?{re.escape(cell.strip())}" for cell in cells if cell.strip()))
    return next((line for line in rendered if row.fullmatch(line)), None)


def _goes_on(block: Block, line: Block) -> bool:
    """Tell whether a line belongs to the block above it: running text, and what is indented under a list item."""
    if block.kind == "item":
        return line.kind != "row" and line.level > block.level
    return block.kind == line.kind == "paragraph"
