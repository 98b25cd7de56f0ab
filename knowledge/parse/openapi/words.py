"""What one schema says in words: its type, its limits and its values (JSON Schema 2020-12 and the older dialects)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.values import Value, clipped, entries, fields, more, shown, word, words

# More values of an enumeration, alternatives or types than these are counted only.
MAX_VALUES = 50
MAX_ALTERNATIVES = 10
MAX_EXAMPLES = 3
# A schema that is a list of lists, or one wrapped in others, is followed this far.
MAX_WRAPPINGS = 6
_MAX_TYPE_DEPTH = 3
_MAX_TYPE_CHARACTERS = 400
_LIMITS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "pattern": "pattern",
    "minItems": "minimum number of entries",
    "maxItems": "maximum number of entries",
    "minProperties": "minimum number of properties",
    "maxProperties": "maximum number of properties",
}
_MARKS = {"deprecated": "deprecated", "readOnly": "read-only", "writeOnly": "write-only"}
_COMPOSED = ("properties", "patternProperties", "allOf", "oneOf", "anyOf")


class Words:
    """Says what a schema is; references are followed as far as a name."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def plain(self, schema: Node) -> Node:
        """Return a schema behind its references and wrappings: one of a single part, or of a part and null."""
        node = self._library.resolved(schema)
        for _ in range(MAX_WRAPPINGS):
            part, is_nullable = _only_part(node)
            if part is None:
                break
            inner = self._library.resolved(node.child(part))
            around = {key: value for key, value in node.value.items() if key not in ("allOf", "oneOf", "anyOf")}
            nullable: dict[str, Value] = {"nullable": True} if is_nullable else {}
            # Told what it is, a reader looks for the part's name, not for that of its wrapping.
            named = inner if inner.name else node
            value = {**inner.value, **around, **nullable}
            node = Node(value, inner.file, named.name, named.origin, inner.missing)
        return node

    def core(self, node: Node) -> Node:
        """Return what a list or a map of a plain schema holds, however often: the schema whose properties matter."""
        for _ in range(MAX_WRAPPINGS):
            if is_composed(node):
                break
            content = node.value.get("items") or node.value.get("additionalProperties")
            if not isinstance(content, dict):
                break
            node = self.plain(node.child(content))
        return node

    def type_of(self, node: Node, depth: int = 0) -> str:
        """Return what a plain schema is called: array of Pet, string or null."""
        if node.missing:
            return f"defined elsewhere: {node.missing}"
        name = self._name(node, depth)
        is_nullable = node.value.get("nullable") is True or node.value.get("x-nullable") is True
        says_null = name.endswith("null")
        return clipped(name + (" or null" if is_nullable and not says_null else ""), _MAX_TYPE_CHARACTERS)

    def _name(self, node: Node, depth: int) -> str:
        value = node.value
        if depth > _MAX_TYPE_DEPTH:
            return node.name or "…"
        types = _types(value.get("type"))
        if "array" in types or (not types and "items" in value):
            return self._held(node, depth)
        if node.name and is_composed(node):
            return node.name
        for key, joined in (("oneOf", "one of "), ("anyOf", "any of ")):
            if (parts := entries(value.get(key))) and "properties" not in value:
                return joined + ", ".join(dict.fromkeys(self._names(node, parts, depth)))
        return self._simple_name(node, types, depth)

    def _simple_name(self, node: Node, types: Sequence[str], depth: int) -> str:
        content = node.value.get("additionalProperties")
        if isinstance(content, dict) and content and not is_composed(node):
            return f"object with any names, each {self.type_of(self.plain(node.child(content)), depth + 1)}"
        if types:
            return " or ".join(types)
        if is_composed(node):
            return "object"
        return "nothing" if node.value.get("not") == {} else "" if _is_fixed(node) else "any"

    def _held(self, node: Node, depth: int) -> str:
        if first := entries(node.value.get("prefixItems")):
            return f"array of {', '.join(self._names(node, first, depth))}, in this order"
        items = node.value.get("items")
        if not isinstance(items, dict):
            return "array"
        return f"array of {self.type_of(self.plain(node.child(items)), depth + 1)}"

    def _names(self, node: Node, parts: Sequence[Value], depth: int) -> list[str]:
        names = [self.type_of(self.plain(node.child(part)), depth + 1) for part in islice(parts, MAX_ALTERNATIVES)]
        return names + more(len(parts) - MAX_ALTERNATIVES)

    def facts(self, node: Node) -> list[str]:
        """Return the short facts that stand in parentheses behind a name."""
        marks = [mark for key, mark in _MARKS.items() if node.value.get(key) is True]
        return [fact for fact in (self.type_of(node), word(node.value.get("format")), *marks) if fact]

    def notes(self, node: Node) -> Iterator[str]:
        """Yield sentences on the values that a plain schema allows."""
        yield from _values(node)
        if limits := [f"{said} {word(node.value[key])}" for key, said in _LIMITS.items() if word(node.value.get(key))]:
            yield _sentence("; ".join(limits))
        if node.value.get("uniqueItems") is True:
            yield "No entry twice."
        held = self.core(node)
        if held is not node and not is_composed(held):
            yield from (f"Of an entry: {note}" for note in _values(held))
        if "default" in node.value:
            yield f"Default: {shown(node.value['default'])}."
        yield from self.examples(node)

    def examples(self, node: Node) -> Iterator[str]:
        """Yield the examples of a schema, parameter or media type, each on a line of its own."""
        if "example" in node.value:
            yield f"Example: {shown(node.value['example'])}"
        stated = node.value.get("examples")
        yield from (f"Example: {shown(value)}" for value in islice(entries(stated), MAX_EXAMPLES))
        for name, value in islice(fields(stated).items(), MAX_EXAMPLES):
            example = self._library.resolved(node.child(value))
            told = next(
                (example.value[key] for key in ("value", "dataValue", "serializedValue") if key in example.value), value
            )
            said = word(example.value.get("summary"))
            if not example.missing and "externalValue" not in example.value:
                yield f"Example {word(name)}{f' ({said})' if said else ''}: {shown(told)}"


def is_composed(node: Node) -> bool:
    """Tell whether a schema has properties or alternatives of its own."""
    return any(node.value.get(key) for key in _COMPOSED)


def _only_part(node: Node) -> tuple[Value, bool]:
    """Return the one schema that a schema wraps, and whether null is allowed beside it."""
    if node.value.get("properties") or node.value.get("required"):
        return None, False
    parts = next((found for key in ("allOf", "oneOf", "anyOf") if (found := entries(node.value.get(key)))), ())
    if len(parts) > 2:
        return None, False
    real = [part for part in parts if fields(part).get("type") != "null"]
    return (real[0], len(parts) == 2) if len(real) == 1 and isinstance(real[0], dict) else (None, False)


def _types(stated: Value) -> list[str]:
    if isinstance(stated, list):
        # Without quotation marks it is the value null.
        return words(["null" if name is None else name for name in stated[: MAX_ALTERNATIVES + 1]], MAX_ALTERNATIVES)
    return [name] if (name := word(stated)) else []


def _is_fixed(node: Node) -> bool:
    return bool(node.value.get("enum")) or "const" in node.value


def _values(node: Node) -> Iterator[str]:
    if "const" in node.value:
        yield f"Always {shown(node.value['const'])}."
    if values := entries(node.value.get("enum")):
        listed = [shown(value, 100) for value in islice(values, MAX_VALUES)]
        yield f"One of: {', '.join(listed + more(len(values) - MAX_VALUES))}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
