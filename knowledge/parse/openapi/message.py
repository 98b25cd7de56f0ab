"""Request bodies and responses of an operation as list lines."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from knowledge.parse.openapi.page import Line, inline
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.schema import Entry, Schemas, Walk
from knowledge.parse.openapi.values import Value, entries, fields, more, shown, word, words

# More responses, media types, headers or links than these are counted only.
MAX_LISTED = 50
_MAX_SAME_TYPES = 8
_CONTENT_SCHEMAS = (("schema", ""), ("itemSchema", "a stream, each entry"))


@dataclass(frozen=True, slots=True)
class Body:
    """A request body: its title and its lines."""

    title: str
    lines: Iterable[Line]


class Messages:
    """Writes what an operation takes and returns, in the form of any version."""

    def __init__(self, library: Library, schemas: Schemas) -> None:
        self._library = library
        self._schemas = schemas

    def body(self, operation: Node, walk: Walk | None = None) -> Body | None:
        """Return the request body of an operation since version 3.0."""
        if not isinstance(operation.value.get("requestBody"), dict):
            return None
        node = self._library.resolved(operation.child(operation.value["requestBody"]))
        walk = walk or Walk()
        if node.missing:
            return Body("Request body", [Line(f"{node.name} (defined elsewhere: {node.missing})", walk.depth)])
        said = _first_line(node.value.get("description"))
        title = f"Request body ({'required' if node.value.get('required') is True else 'optional'})"
        return Body(title + said, self._content(node, walk))

    def two_body(self, operation: Node, parameter: Node) -> Body:
        """Return the request body of an operation of version 2.0: its parameter in the body."""
        said = _first_line(parameter.value.get("description"))
        title = f"Request body ({'required' if parameter.value.get('required') is True else 'optional'})"
        entry = Entry(self._media_types(operation, "consumes") or word(parameter.value.get("name")) or "body")
        return Body(title + said, self._schemas.lines(entry, parameter.child(parameter.value.get("schema")), Walk()))

    def responses(self, operation: Node, walk: Walk | None = None) -> Iterator[Line]:
        """Yield the responses by their status; what a failure returns is named only."""
        walk = walk or Walk()
        listed = fields(operation.value.get("responses"))
        for status, value in islice(listed.items(), MAX_LISTED):
            if not status.startswith("x-"):
                node = self._library.resolved(operation.child(value))
                is_failure = not status.startswith(("1", "2", "3"))
                yield from self.response(
                    word(status), node, replace(walk, references=0) if is_failure else walk, operation
                )
        yield from (Line(text, walk.depth) for text in more(len(listed) - MAX_LISTED))

    def response(self, status: str, node: Node, walk: Walk, operation: Node) -> Iterator[Line]:
        """Yield the lines of one response."""
        if node.missing:
            yield Line(f"{status} (defined elsewhere: {node.missing})", walk.depth)
            return
        said = inline(node.value.get("description")) or word(node.value.get("summary"))
        yield Line(f"{status}: {said}" if said else status, walk.depth)
        inner = replace(walk, depth=walk.depth + 1)
        if "schema" in node.value:
            entry = Entry(self._media_types(operation, "produces") or "returns", notes=list(_two_examples(node)))
            yield from self._schemas.lines(entry, node.child(node.value["schema"]), inner)
        else:
            yield from (Line(note, inner.depth) for note in _two_examples(node))
        yield from self._content(node, inner)
        yield from self._headers(node, inner)
        yield from self._links(node, inner)

    def _content(self, holder: Node, walk: Walk) -> Iterator[Line]:
        for names, media_type in self._grouped(holder):
            notes = list(self._schemas.words.examples(media_type))
            stated = [(said, media_type.value[key]) for key, said in _CONTENT_SCHEMAS if key in media_type.value]
            if not stated:
                yield from self._schemas.lines(Entry(names, notes=notes), None, walk)
            for said, schema in stated:
                name = f"{names}, {said}" if said else names
                yield from self._schemas.lines(Entry(name, notes=notes), media_type.child(schema), walk)

    def _grouped(self, holder: Node) -> Iterator[tuple[str, Node]]:
        """Yield the media types, those that say the same together."""
        groups: list[tuple[list[str], Node, Value]] = []
        content = fields(holder.value.get("content"))
        for name, value in islice(content.items(), MAX_LISTED):
            same = next((names for names, _, other in groups if other is value or _refers_alike(other, value)), None)
            if same is None:
                groups.append(([word(name)], self._library.resolved(holder.child(value)), value))
            else:
                same.append(word(name))
        for names, node, _ in groups:
            yield ", ".join(names[:_MAX_SAME_TYPES] + more(len(names) - _MAX_SAME_TYPES)), node

    def _headers(self, response: Node, walk: Walk) -> Iterator[Line]:
        for name, value in islice(fields(response.value.get("headers")).items(), MAX_LISTED):
            header = self._library.resolved(response.child(value))
            facts = ["required"] if header.value.get("required") is True else []
            schema = header.child(header.value["schema"]) if "schema" in header.value else None
            # In version 2.0 a header is a schema itself.
            schema = schema or (
                Node({**header.value, "description": None}, header.file) if "type" in header.value else None
            )
            facts += [f"defined elsewhere: {header.missing}"] if header.missing else []
            entry = Entry(f"header {word(name)}", facts, header.value.get("description"))
            yield from self._schemas.lines(entry, schema, replace(walk, references=0))

    def _links(self, response: Node, walk: Walk) -> Iterator[Line]:
        for name, value in islice(fields(response.value.get("links")).items(), MAX_LISTED):
            link = self._library.resolved(response.child(value))
            target = word(link.value.get("operationId") or link.value.get("operationRef")) or link.missing
            given = ", ".join(
                f"{word(key)} = {shown(part, 100)}"
                for key, part in islice(fields(link.value.get("parameters")).items(), 20)
            )
            said = inline(link.value.get("description"))
            text = f"link {word(name)} leads to {target}{f' with {given}' if given else ''}"
            yield Line(f"{text}: {said}" if said else text, walk.depth)

    def _media_types(self, operation: Node, key: str) -> str:
        stated = operation.value.get(key) or self._library.root.value.get(key)
        return ", ".join(words(stated, _MAX_SAME_TYPES)) if entries(stated) else ""


def _first_line(description: Value) -> str:
    said = inline(description).split("\n", 1)[0].rstrip(".:")
    return f": {said}" if said else ""


def _refers_alike(first: Value, second: Value) -> bool:
    """Tell whether two media types hold one reference to the same schema and nothing else."""
    schemas: list[Mapping[str, Value]] = [fields(fields(value).get("schema")) for value in (first, second)]
    is_alone = len(fields(first)) == len(fields(second)) == len(schemas[0]) == len(schemas[1]) == 1
    return is_alone and "$ref" in schemas[0] and schemas[0] == schemas[1]


def _two_examples(response: Node) -> Iterator[str]:
    """Yield the examples of a response of version 2.0, by media type."""
    for name, value in islice(fields(response.value.get("examples")).items(), MAX_LISTED):
        yield f"Example ({word(name)}): {shown(value)}"
