"""A source file as its syntax tree, made by tree-sitter, with offsets in characters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from knowledge.parse.code.grammars import Grammar
from knowledge.parse.lines import line_starts

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

# A step is a hundred operations of tree-sitter: a sound file takes one for 50 bytes at most. It is read twice, but
# from many places where long comments are looked ahead into.
MIN_STEPS = 500
MIN_BYTES_A_STEP = 20
MIN_READS = 1_000
MAX_READINGS = 30
_READ_BYTES = 4_096


class UnreadableCode(Exception):
    """The syntax tree would take too long."""


@dataclass(frozen=True, slots=True)
class CodeTree:
    """The tree of `text`, and where in the text its nodes stand."""

    text: str
    root: "Node"
    # The character that each byte belongs to; empty where bytes are characters.
    characters: Sequence[int]
    # For each line the offset of its first character that is no white space.
    first_in_line: Sequence[int]

    def start(self, node: "Node") -> int:
        """Return the offset of the node's first character."""
        return self._offset(node.start_byte)

    def end(self, node: "Node") -> int:
        """Return the offset behind the node's last character that is no white space."""
        start, end = self._offset(node.start_byte), self._offset(node.end_byte)
        return start + len(self.text[start:end].rstrip())

    def seen(self, node: "Node") -> str:
        """Return the node's text on one line."""
        return " ".join(self.text[self.start(node) : self.end(node)].split())

    def begins_line(self, node: "Node") -> bool:
        """Tell whether only white space stands before the node in its line."""
        return self.first_in_line[node.start_point.row] >= self.start(node)

    def _offset(self, byte: int) -> int:
        return int(self.characters[byte]) if len(self.characters) else byte


def tree_of(text: str, grammar: Grammar) -> CodeTree:
    """Return the syntax tree of a text; raise UnreadableCode for one that takes too long.

    Raise ImportError where tree-sitter or the grammar is not installed.
    """
    data = text.encode("utf-8", "replace")
    tree = _parsed(data, grammar)
    return CodeTree(text, tree.root_node, () if text.isascii() else _characters(data), _first_in_line(text))


def error_share(tree: CodeTree) -> float:
    """Return the share of the file, in [0, 1], that is no code of its language."""
    size = tree.root.end_byte - tree.root.start_byte
    return sum(node.end_byte - node.start_byte for node in _errors(tree.root)) / size if size else 0.0


def _parsed(data: bytes, grammar: Grammar) -> "Tree":
    from tree_sitter import Language, Parser

    language = Language(getattr(import_module(grammar.package), grammar.entry)())
    view = memoryview(data)
    reads = _Budget(MIN_READS + len(data) // _READ_BYTES * MAX_READINGS)
    steps = _Budget(MIN_STEPS + len(data) // MIN_BYTES_A_STEP)
    try:
        tree = Parser(language).parse(
            lambda byte, _: view[byte : byte + _READ_BYTES] if reads.spend() else b"",
            progress_callback=lambda *_: not (reads.left and steps.spend()),
        )
    except ValueError as exc:
        raise UnreadableCode from exc
    if not reads.left:
        raise UnreadableCode
    return tree


@dataclass(slots=True)
class _Budget:
    """What may still be spent."""

    left: int

    def spend(self) -> bool:
        """Tell whether one more was left."""
        self.left = max(self.left - 1, 0)
        return self.left > 0


def _characters(data: bytes) -> Sequence[int]:
    """Return the number of the character that each byte, and the end of the data, belongs to."""
    begins = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
    numbers = np.cumsum(begins, dtype=np.int64) - 1
    numbers_and_end: list[int] = numbers.tolist()
    return [*numbers_and_end, int(begins.sum())]


def _first_in_line(text: str) -> Sequence[int]:
    starts = line_starts(text)
    lines = text.split("\n")
    found = [start + len(line) - len(line.lstrip()) for start, line in zip(starts, lines, strict=False)]
    # A last line without any text, where zero-width nodes stand.
    return [*found, len(text), len(text)]


def _errors(root: "Node") -> Iterator["Node"]:
    """Yield the outermost nodes that could not be parsed."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            yield node
        elif node.has_error:
            waiting += node.children
