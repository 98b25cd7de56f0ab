"""The definitions of a source file in order, each with the module and classes that it stands in."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from knowledge.parse.code.grammars import ASSIGNMENTS, COMMENTS, Grammar
from knowledge.parse.code.names import name_of, receiver_of, signature_of, value_of
from knowledge.parse.code.tree import CodeTree

if TYPE_CHECKING:
    from tree_sitter import Node

# Classes further inside are read as a whole.
MAX_HEADINGS = 6
STATEMENTS, IMPORTS, DEFINITION = "statements", "imports", "definition"


@dataclass(frozen=True, slots=True)
class Region:
    """A definition, or neighbouring statements of one kind, from `start` to where the next region starts.

    `path` is the module and the classes around it, and the class itself for a class's head and fields.
    """

    start: int
    path: tuple[str, ...]
    kind: str
    name: str = ""
    signature: str = ""


def outline(tree: CodeTree, grammar: Grammar, module: str) -> list[Region]:
    """Return the file's regions in order, without gaps: the first one starts with the text."""
    found = _Outline(tree, grammar).regions(module) or [Region(0, (module,), STATEMENTS)]
    ends = [*(region.start for region in found[1:]), len(tree.text)]
    first, *others = [region for region, end in zip(found, ends, strict=True) if region.start < end]
    return [replace(first, start=0), *others]


@dataclass(frozen=True, slots=True)
class _Around:
    """The headings around a node, and the class that the last of them names."""

    path: tuple[str, ...]
    name: str = ""
    signature: str = ""


class _Outline:
    """Walks from definition to definition.

    `_waiting` are comments and decorators, and `_opening` is a wrapper of several things, that belong to what follows.
    """

    def __init__(self, tree: CodeTree, grammar: Grammar) -> None:
        self._tree = tree
        self._grammar = grammar
        self._found: list[Region] = []
        self._waiting: list[Node] = []
        self._opening: Node | None = None

    def regions(self, module: str) -> list[Region]:
        opened: list[tuple[Iterator[Node], _Around]] = [(iter(self._tree.root.children), _Around((module,)))]
        while opened:
            children, around = opened[-1]
            node = next(children, None)
            if node is None:
                self._statement(None, around, STATEMENTS)
                opened.pop()
            elif node.is_named and node.start_byte < node.end_byte and (inside := self._read(node, around)):
                opened.append((iter(inside[0].children), inside[1]))
        return self._found

    def _read(self, outer: "Node", around: _Around) -> "tuple[Node, _Around] | None":
        """Take a node in; return what is to be read member by member, with what stands around its members."""
        grammar = self._grammar
        if outer.type in grammar.attached:
            if outer.type not in COMMENTS or self._tree.begins_line(outer):
                self._waiting.append(outer)
            return None
        node = self._unwrapped(outer)
        name = name_of(node, self._tree) if self._is_definition(node) else ""
        if node.type in grammar.containers and name and len(around.path) < MAX_HEADINGS:
            return node, self._container(outer, node, around, name)
        if name or node.type in grammar.definitions:
            self._definition(outer, node, around, name)
            return None
        if node.type in grammar.wrappers:
            self._opening = node
            return node, around
        self._statement(outer, around, IMPORTS if node.type in grammar.imports else STATEMENTS)
        return (node, around) if node.is_error or node.type in grammar.inner | grammar.containers else None

    def _unwrapped(self, node: "Node") -> "Node":
        """Return the only thing that wrappers hold: the class of an export, the function below decorators."""
        while node.type in self._grammar.wrappers:
            inside = [child for child in node.named_children if child.type not in self._grammar.attached]
            if len(inside) != 1:
                break
            node = inside[0]
        return node

    def _is_definition(self, node: "Node") -> bool:
        grammar = self._grammar
        if node.type in grammar.containers:
            return node.child_by_field_name("body") is not None
        return node.type in grammar.types or node.type in grammar.definitions or self._holds_function(node)

    def _holds_function(self, node: "Node") -> bool:
        """Tell whether a function is what a name is given, alone or as what another function is called with."""
        kinds = self._grammar.function_values
        value = value_of(node) if kinds and node.type in ASSIGNMENTS else None
        if value is None:
            return False
        arguments = value.child_by_field_name("arguments")
        return value.type in kinds or any(child.type in kinds for child in (arguments.children if arguments else []))

    def _container(self, outer: "Node", node: "Node", around: _Around, name: str) -> _Around:
        qualified = self._qualified(around.path, name)
        signature = signature_of(outer, node, self._tree, self._grammar)
        start = self._start(outer, around)
        self._found.append(Region(start, (*around.path, name), STATEMENTS, qualified, signature))
        return _Around((*around.path, name), qualified, signature)

    def _definition(self, outer: "Node", node: "Node", around: _Around, name: str) -> None:
        heading = name if node.type in self._grammar.types else receiver_of(node, self._tree)
        path = (*around.path, heading) if heading and len(around.path) < MAX_HEADINGS else around.path
        above = around.path if heading == name else path
        signature = signature_of(outer, node, self._tree, self._grammar)
        start = self._start(outer, around)
        self._found.append(Region(start, path, DEFINITION, self._qualified(above, name), signature))

    def _statement(self, node: "Node | None", around: _Around, kind: str) -> None:
        """Take in a statement with what waits, or only that; it goes on where one of its kind is above it."""
        first = next(filter(None, [*self._waiting[:1], self._opening, node]), None)
        self._waiting.clear()
        self._opening = None
        last = self._found[-1] if self._found else None
        if first and (last is None or (last.path, last.kind) != (around.path, kind)):
            start = self._line_start(self._tree.start(first))
            self._found.append(Region(start, around.path, kind, around.name, around.signature))

    def _start(self, node: "Node", around: _Around) -> int:
        """Return where a definition starts with the comments and decorators directly above it."""
        start = self._with_attached(node)
        if self._opening:
            start = self._with_attached(self._opening)
            self._opening = None
        self._statement(None, around, STATEMENTS)
        return self._line_start(start)

    def _with_attached(self, node: "Node") -> int:
        start = self._tree.start(node)
        while self._waiting and self._belongs(self._waiting[-1], node, start):
            start = self._tree.start(self._waiting.pop())
        return start

    def _belongs(self, above: "Node", node: "Node", start: int) -> bool:
        gap = self._tree.text[self._tree.end(above) : start]
        is_aligned = above.type not in COMMENTS or above.start_point.column == node.start_point.column
        return is_aligned and not gap.strip() and gap.count("\n") <= 1

    def _line_start(self, offset: int) -> int:
        """Return the start of the line where only its indentation stands before the offset."""
        start = self._tree.text.rfind("\n", 0, offset) + 1
        return offset if self._tree.text[start:offset].strip() else start

    def _qualified(self, path: tuple[str, ...], name: str) -> str:
        # Of "impl Display for Point" people say Point.
        above = [part.rpartition(" ")[2] for part in path[1:]]
        return self._grammar.separator.join([*above, name] if name else above)
