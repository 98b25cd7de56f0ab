"""The regions of a source file become blocks; a long one becomes several, at the borders of its statements."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from knowledge.parse.code.grammars import COMMENTS
from knowledge.parse.code.outline import Region
from knowledge.parse.code.tree import CodeTree
from knowledge.types import Block

if TYPE_CHECKING:
    from tree_sitter import Node

# What is no longer than this is one block: no passage has to be shorter.
WHOLE_CHARACTERS = 400
# Neighbouring statements within something longer are one block up to this.
PART_CHARACTERS = 200
# How deep in its definition a block may begin; borders further inside count as this deep.
DEEPEST = 98
LINE_LEVEL = DEEPEST + 1

_Border = tuple[int, int]
"""Where a part begins, and how deep in the syntax tree."""


def blocks_of(tree: CodeTree, regions: Sequence[Region]) -> Iterator[Block]:
    """Yield the headings and blocks of a file's regions in order; every visible character is in one block.

    The `level` of a code block is 0 where a definition begins; of its further parts, how deep in it they begin.
    """
    ends = [region.start for region in regions[1:]] + [len(tree.text)]
    has_long = any(end - region.start > WHOLE_CHARACTERS for region, end in zip(regions, ends, strict=True))
    borders = list(_borders(tree)) if has_long else []
    position = 0
    above: tuple[str, ...] = ()
    for region, end in zip(regions, ends, strict=True):
        yield from _headings(above, region)
        above = region.path
        while position < len(borders) and borders[position][0] <= region.start:
            position += 1
        first = position
        while position < len(borders) and borders[position][0] < end:
            position += 1
        yield from _blocks(tree.text, region, end, borders[first:position])


def code_block(text: str, start: int, end: int, *, level: int = 0, name: str | None = None, context: str = "") -> Block:
    """Return the block between two offsets without the empty lines and spaces around it."""
    raw = text[start:end]
    first = start + raw.find(raw.lstrip()[:1]) if raw.strip() else end
    begin = text.rfind("\n", start, first) + 1 or start
    seen = text[begin:end].rstrip()
    return Block("code", begin, begin + len(seen), seen, level, name or None, context)


def _headings(above: tuple[str, ...], region: Region) -> Iterator[Block]:
    """Yield the headings that lead from one place to the next; back in an outer class, its own once more."""
    path = region.path
    if path == above:
        return
    known = next((index for index, names in enumerate(zip(above, path, strict=False)) if names[0] != names[1]), None)
    if known is None:
        known = min(len(above), len(path) - 1)
    for index in range(known, len(path)):
        yield Block("heading", region.start, region.start, path[index], level=index + 1)


def _blocks(text: str, region: Region, end: int, borders: Sequence[_Border]) -> Iterator[Block]:
    parts: list[_Border] = [(region.start, 0)]
    if end - region.start > WHOLE_CHARACTERS:
        parts = list(_with_lines(text, _coarse([*parts, *borders], end), end))
    for (start, level), (following, _) in pairwise([*parts, (end, 0)]):
        is_told = level > 0 or region.signature in text[start:following]
        context = region.signature if is_told else ""
        block = code_block(text, start, following, level=level, name=region.name, context=context)
        if block.text:
            yield block


def _coarse(borders: Sequence[_Border], end: int) -> Iterator[_Border]:
    """Leave out borders between small neighbours; one that leads out of a block stays."""
    kept = borders[0]
    yield kept
    for border, (following, _) in pairwise([*borders[1:], (end, 0)]):
        if following - kept[0] > PART_CHARACTERS or border[1] < kept[1]:
            kept = border
            yield kept


def _with_lines(text: str, borders: Iterator[_Border], end: int) -> Iterator[_Border]:
    """Add the lines of what is long and has no borders: a long string, broken code."""
    for (start, level), (following, _) in pairwise([*borders, (end, 0)]):
        yield start, level
        if following - start > WHOLE_CHARACTERS:
            yield from _coarse_lines(text, start, following)


def _coarse_lines(text: str, start: int, end: int) -> Iterator[_Border]:
    line = text.find("\n", start, end) + 1
    while line:
        following = text.find("\n", line, end) + 1
        if (following or end) - start > PART_CHARACTERS and line < end:
            start = line
            yield line, LINE_LEVEL
        line = following


def _borders(tree: CodeTree) -> Iterator[_Border]:
    """Yield where a statement or another named part begins a line, within what is too long for one block."""
    line = commented = -1
    for node, depth in _long_nodes(tree):
        row = node.start_point.row
        if row > line and node.is_named and node.start_byte < node.end_byte and tree.begins_line(node):
            line = row
            if row != commented:
                yield tree.text.rfind("\n", 0, tree.start(node)) + 1, min(depth, DEEPEST)
        if node.type in COMMENTS:
            # What a comment stands directly above is not cut from it.
            commented = row + tree.text.count("\n", tree.start(node), tree.end(node)) + 1


def _long_nodes(tree: CodeTree) -> Iterator[tuple["Node", int]]:
    """Yield the nodes within what is longer than a part, each with its depth, in the order of the text."""
    cursor = tree.root.walk()
    depth = 0
    while node := cursor.node:
        if depth:
            yield node, depth
        if node.end_byte - node.start_byte > PART_CHARACTERS and cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1
