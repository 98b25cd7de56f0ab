"""What people call the things in a source file: modules, classes, functions, and their signatures."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from knowledge.parse.code.grammars import Grammar
from knowledge.parse.code.tree import CodeTree

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NAME_CHARACTERS = 120
MAX_SIGNATURE_CHARACTERS = 300
_PACKAGES = {
    "package_clause": "package_identifier",
    "package_declaration": "scoped_identifier",
    "namespace_definition": "namespace_name",
}
_SOURCE_FOLDER = "src"
_SQL_QUOTES = str.maketrans("", "", '"`[]')
_NAME_FIELDS = ("name", "left", "property")


def module_of(path: str, language: str, tree: CodeTree | None = None) -> str:
    """Return a file's module as its language names it: the package, the dotted path, or else the path."""
    package = _package(tree) if tree else None
    if language == "python":
        return _python_module(path)
    if language == "go" and package:
        return _go_package(path, package)
    return package or path


def name_of(node: "Node", tree: CodeTree) -> str:
    """Return the name that a definition gives; "" for one without."""
    if node.type == "impl_item":
        return _short(_implementation(node, tree))
    fields = (node.child_by_field_name(field) for field in _NAME_FIELDS)
    named = next(filter(None, fields), None) or _named_child(node)
    name = tree.seen(named).strip("\"'`") if named else ""
    return _short(plain_name(name) if named and named.type == "object_reference" else name)


def plain_name(name: str) -> str:
    """Return an SQL name without the marks that quote its parts."""
    return name.translate(_SQL_QUOTES)


def receiver_of(node: "Node", tree: CodeTree) -> str:
    """Return the type that a Go method belongs to; "" for anything else."""
    receiver = node.child_by_field_name("receiver")
    parts = tree.seen(receiver).strip("() ").partition("[")[0].replace("*", " ").split() if receiver else []
    return _short(parts[-1]) if parts else ""


def signature_of(outer: "Node", node: "Node", tree: CodeTree, grammar: Grammar) -> str:
    """Return a definition without its comments, decorators and body, on one line."""
    attached = [child for child in _heads(outer, node) if child.type in grammar.attached]
    start = max((tree.end(child) for child in attached), default=tree.start(outer))
    body = _body(node, grammar)
    if body and tree.start(body) > start:
        text = tree.text[start : tree.start(body)]
    else:
        text = tree.text[start : tree.end(node)].lstrip().partition("\n")[0]
    return " ".join(text.split())[:MAX_SIGNATURE_CHARACTERS].rstrip(" {(=:")


def value_of(node: "Node") -> "Node | None":
    """Return what a declaration, field or assignment gives to its only name."""
    if node.type in ("lexical_declaration", "variable_declaration") and node.named_child_count == 1:
        node = node.named_child(0)
    return node.child_by_field_name("value") or node.child_by_field_name("right")


def _package(tree: CodeTree) -> str | None:
    for node in tree.root.children:
        kind = _PACKAGES.get(node.type)
        found = [child for child in node.named_children if child.type in (kind, "identifier")] if kind else []
        if found:
            return _short(tree.seen(found[0]))
    return None


def _python_module(path: str) -> str:
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if _SOURCE_FOLDER in parts[:-1]:
        parts = parts[parts.index(_SOURCE_FOLDER) + 1 :]
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) if all(part.isidentifier() for part in parts) else path


def _go_package(path: str, package: str) -> str:
    folder = PurePosixPath(path).parent
    is_known_by_folder = folder.name and package in (folder.name, "main")
    return str(folder) if is_known_by_folder else package


def _implementation(node: "Node", tree: CodeTree) -> str:
    of, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
    name = tree.seen(of).partition("<")[0] if of else ""
    return f"impl {tree.seen(trait)} for {name}" if trait else name


def _named_child(node: "Node") -> "Node | None":
    """Return the child that holds the name where no field does: a declarator, a reference to a table."""
    for child in node.named_children:
        if child.type == "object_reference":
            return child
        if child.type == "variable_declarator":
            return child.child_by_field_name("name")
    return None


def _heads(outer: "Node", node: "Node") -> Iterator["Node"]:
    """Yield what may stand before a definition's own words."""
    yield from outer.children
    if node != outer:
        yield from node.children
    for child in node.children[:1]:
        yield from child.children


def _body(node: "Node", grammar: Grammar) -> "Node | None":
    body = node.child_by_field_name("body")
    if body:
        return body
    function = value_of(node)
    if function and function.type in grammar.function_values:
        return function.child_by_field_name("body")
    return next((child for child in node.children if child.type in grammar.bodies), None)


def _short(name: str) -> str:
    return name[:MAX_NAME_CHARACTERS]
