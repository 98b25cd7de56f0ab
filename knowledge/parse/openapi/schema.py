"""Schemas as lists that a person reads: a line for each property, with what it holds beneath it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from knowledge.parse.openapi.page import Line, inline
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.values import Value, entries, fields, more, word
from knowledge.parse.openapi.words import MAX_ALTERNATIVES, Words, is_composed

# More properties of one object than these are counted only.
MAX_PROPERTIES = 100
# Objects inside of objects are shown this deep, and named schemas inside of each other this deep.
MAX_DEPTH = 8
MAX_REFERENCES = 2
# Of an object that is composed of more parts the rest is not looked at.
_MAX_PARTS = 50
_MAX_REQUIRED = 1_000
_MAX_NAMED = 12


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a list stands: how deep, how many named schemas it may still open, and those that are open."""

    depth: int = 0
    references: int = MAX_REFERENCES
    opened: frozenset[str] = frozenset()

    def into(self, node: Node) -> "Walk":
        """Return where the list of a schema's properties stands."""
        if not node.origin:
            return replace(self, depth=self.depth + 1)
        return Walk(self.depth + 1, self.references - 1, self.opened | {node.origin})


@dataclass(frozen=True, slots=True)
class Members:
    """The properties of an object, all parts it is composed of together; `left_out` counts those beyond the limit."""

    properties: Sequence[tuple[str, Node]]
    required: frozenset[str]
    left_out: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list line says beyond its schema: facts in parentheses, a description, sentences at the end."""

    name: str
    facts: Sequence[str] = ()
    description: Value = None
    notes: Sequence[str] = ()


class Schemas:
    """Writes schemas as list lines."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.words = Words(library)
        self._members: dict[str, Members] = {}

    def lines(self, entry: Entry, schema: Node | None, walk: Walk) -> Iterator[Line]:
        """Yield the line of a property, parameter or body, and beneath it those of what it holds."""
        if schema is None:
            yield Line(_line(entry.name, entry.facts, entry.description, entry.notes), walk.depth)
            return
        node = self.words.plain(schema)
        core = self.words.core(node)
        facts = [*self.words.facts(node), *entry.facts]
        notes = [*self.words.notes(node), *entry.notes]
        is_open = is_composed(core) and _may_open(core, walk)
        if is_composed(core) and core.name and not is_open:
            facts.append(f"see schema {core.name}")
            notes = [*([] if core.origin in walk.opened else self._names(core)), *notes]
        description = entry.description or node.value.get("description") or node.value.get("title")
        yield Line(_line(entry.name, facts, description, notes), walk.depth)
        if is_open:
            yield from self.inside(core, walk.into(core))

    def inside(self, node: Node, walk: Walk) -> Iterator[Line]:
        """Yield the lines of what a plain schema holds: its properties, then its alternatives."""
        if walk.depth > MAX_DEPTH:
            return
        members = self._members_of(node)
        for name, schema in members.properties:
            facts = ["required"] if name in members.required else []
            yield from self.lines(Entry(word(name), facts), schema, walk)
        yield from (Line(text, walk.depth) for text in more(members.left_out))
        yield from self._alternatives(node, walk)
        content = node.value.get("additionalProperties")
        if isinstance(content, dict) and content and is_composed(node):
            yield from self.lines(Entry("any other name"), node.child(content), walk)

    def _alternatives(self, node: Node, walk: Walk) -> Iterator[Line]:
        for key, said in (("oneOf", "one of these"), ("anyOf", "any of these")):
            parts = entries(node.value.get(key))
            for part in islice(parts, MAX_ALTERNATIVES):
                yield from self.lines(Entry(said), node.child(part), walk)
            yield from (Line(text, walk.depth) for text in more(len(parts) - MAX_ALTERNATIVES))
        choice = fields(node.value.get("discriminator"))
        if name := word(choice.get("propertyName") or node.value.get("discriminator")):
            targets = islice(fields(choice.get("mapping")).items(), MAX_ALTERNATIVES)
            pairs = ", ".join(f"{word(value)}: {word(target).rpartition('/')[2]}" for value, target in targets)
            yield Line(f"which one it is says {name}{f' ({pairs})' if pairs else ''}", walk.depth)

    def _names(self, node: Node) -> list[str]:
        """Return a sentence with the names of the properties of a schema that is not shown here."""
        properties = self._members_of(node).properties
        names = [word(name) for name, _ in properties[:_MAX_NAMED]] + more(len(properties) - _MAX_NAMED)
        return [f"Has {', '.join(names)}."] if names else []

    def _members_of(self, node: Node) -> Members:
        if not node.origin:
            return self._collected(node)
        if node.origin not in self._members:
            self._members[node.origin] = self._collected(node)
        return self._members[node.origin]

    def _collected(self, node: Node) -> Members:
        found: dict[str, Node] = {}
        required: set[str] = set()
        left_out = 0
        for part in self._parts(node):
            names = (word(name) for name in islice(entries(part.value.get("required")), _MAX_REQUIRED))
            required.update(names)
            for key in ("properties", "patternProperties"):
                listed = fields(part.value.get(key))
                room = MAX_PROPERTIES - len(found)
                for name, schema in islice(listed.items(), room):
                    found.setdefault(name if key == "properties" else f"names like {name}", part.child(schema))
                left_out += max(len(listed) - room, 0)
        return Members(list(found.items()), frozenset(required), left_out)

    def _parts(self, node: Node) -> Iterator[Node]:
        """Yield a schema and all that it is composed of (allOf), each once."""
        waiting = [node]
        seen: set[str] = set()
        for _ in range(_MAX_PARTS):
            if not waiting:
                return
            part = self._library.resolved(waiting.pop(0))
            if part.origin in seen:
                continue
            seen.update({part.origin} - {""})
            yield part
            waiting += [part.child(value) for value in islice(entries(part.value.get("allOf")), _MAX_PARTS)]


def _may_open(node: Node, walk: Walk) -> bool:
    return not node.origin or (node.origin not in walk.opened and walk.references > 0)


def _line(name: str, facts: Sequence[str], description: Value, notes: Sequence[str]) -> str:
    head = f"{name} ({', '.join(dict.fromkeys(facts))})" if facts else name
    said = [text for text in (inline(description), *notes) if text]
    ended = [text if text[-1] in ".!?:…" else f"{text}." for text in said[:-1]]
    return ": ".join(filter(None, (head, " ".join([*ended, *said[-1:]]))))
