"""References of an API description (`$ref`), followed inside its source only: no network, no disk.

JSON Pointer is RFC 6901; what stands beside a `$ref` counts as well, as OpenAPI 3.1 allows.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from knowledge.parse.openapi.load import MAX_CHARACTERS, Unreadable, load
from knowledge.parse.openapi.values import Value, clipped, fields, visible

# A reference that leads to a reference, and so on, is followed this far.
MAX_STEPS = 32
# A longer address of a file is none.
MAX_ADDRESS_CHARACTERS = 1_000
# Further references to nowhere are counted only.
_MAX_NAMED = 5
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//")


@dataclass(frozen=True, slots=True)
class Node:
    """A mapping of the description and the file it stands in; `name` and `origin` are those of its last reference.

    `missing` names what a reference leads to when that cannot be found here.
    """

    value: Mapping[str, Value]
    file: str
    name: str = ""
    origin: str = ""
    missing: str = ""

    def child(self, value: Value) -> "Node":
        """Return a value of the same file; one that is no mapping as an empty one."""
        return Node(fields(value), self.file)


class Library:
    """The files of a source, read when a reference leads there; remembers which references lead nowhere."""

    def __init__(self, root: Value, path: str, files: Mapping[str, str]) -> None:
        self._files = files
        self._path = path
        self._values: dict[str, Value] = {path: root}
        self._left_characters = MAX_CHARACTERS
        own = fields(root).get("$self")
        self._address = own.partition("#")[0] if isinstance(own, str) else ""
        self._missing: dict[str, None] = {}

    @property
    def root(self) -> Node:
        """The description itself."""
        return Node(fields(self._values[self._path]), self._path)

    @property
    def problems(self) -> list[str]:
        """One sentence that names the references to nowhere."""
        if not self._missing:
            return []
        named = ", ".join(list(self._missing)[:_MAX_NAMED])
        further = f" and {len(self._missing) - _MAX_NAMED} more" if len(self._missing) > _MAX_NAMED else ""
        return [f"defined elsewhere and only named in the text: {named}{further}; add the files to the source"]

    def resolved(self, node: Node) -> Node:
        """Follow the node's reference, if it is one; the result is never a reference."""
        beside: dict[str, Value] = {}
        seen: set[tuple[str, str]] = set()
        while isinstance(reference := node.value.get("$ref"), str):
            if (node.file, reference) in seen or len(seen) >= MAX_STEPS:
                return Node(beside, node.file, node.name, node.origin)
            seen.add((node.file, reference))
            beside = {**{key: value for key, value in node.value.items() if key != "$ref"}, **beside}
            node = self._target(reference, node.file)
        return Node({**node.value, **beside}, node.file, node.name, node.origin, node.missing) if beside else node

    def _target(self, reference: str, base: str) -> Node:
        address, _, fragment = reference.partition("#")
        file = self._file(address, base)
        pointer = unquote(fragment)
        name = _name(file or address, pointer)
        found = None if file is None else _at(self._value(file), pointer)
        if isinstance(found, dict):
            return Node(found, file or base, name, f"{file}#{pointer}")
        if isinstance(found, bool):
            return Node({} if found else {"not": {}}, file or base, name, f"{file}#{pointer}")
        named = clipped(" ".join(visible(reference).split()), 200)
        self._missing[named] = None
        return Node({}, base, name, reference, named)

    def _file(self, address: str, base: str) -> str | None:
        """Return the path inside the source, None for what lies outside."""
        if address == self._address or not address:
            return self._path if address else base
        if _SCHEME.match(address) or len(address) > MAX_ADDRESS_CHARACTERS:
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(address)))

    def _value(self, file: str) -> Value:
        if file not in self._values:
            self._values[file] = self._read(self._files.get(file))
        return self._values[file]

    def _read(self, text: str | None) -> Value:
        if text is None or len(text) > self._left_characters:
            return None
        self._left_characters -= len(text)
        try:
            return load(text).value
        except Unreadable:
            return None


def _at(value: Value, pointer: str) -> Value:
    """Return what a JSON Pointer leads to, None where it leads nowhere."""
    if pointer and not pointer.startswith("/"):
        return None
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and len(key) < 10 and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _name(file: str, pointer: str) -> str:
    """Return what a reader calls the target: its last key, or its file's name."""
    last = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    name = last or posixpath.splitext(posixpath.basename(file))[0]
    return clipped(" ".join(visible(name).split()), 100)
