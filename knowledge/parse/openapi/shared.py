"""The shared parts of an API description: schemas, each a section of its own, and what operations share."""

from collections.abc import Iterator
from itertools import islice

from knowledge.parse.openapi.message import Messages
from knowledge.parse.openapi.operation import parameter_lines
from knowledge.parse.openapi.page import Line, Page, slug
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.schema import Schemas, Walk
from knowledge.parse.openapi.values import fields, word

# More shared parts of one kind are left out.
MAX_SHARED = 20_000


def write_shared(page: Page, library: Library, schemas: Schemas) -> None:
    """Add the shared schemas and after them the shared parameters, bodies and responses."""
    root = library.root
    components = root.child(root.value.get("components"))
    named = (
        components.child(components.value.get("schemas"))
        if components.value
        else root.child(root.value.get("definitions"))
    )
    if named.value:
        page.heading("Schemas", 2, "schemas")
    for name, value in islice(named.value.items(), MAX_SHARED):
        _write_schema(page, schemas, word(name), named.child({"$ref": _reference(root, name)} if value else value))
        if page.is_full:
            return
    _write_parts(page, library, schemas, components if components.value else root)


def _write_schema(page: Page, schemas: Schemas, name: str, schema: Node) -> None:
    node = schemas.words.plain(schema)
    page.heading(name or "schema", 3, f"schema-{slug(name)}")
    core = schemas.words.core(node)
    facts = ", ".join(fact for fact in schemas.words.facts(node) if fact != name)
    page.paragraph(f"Schema {name} ({facts})" if facts else f"Schema {name}")
    page.prose(node.value.get("description") or node.value.get("title"))
    page.listed(Line(note) for note in schemas.words.notes(node))
    walk = Walk(references=2).into(core)
    page.listed(schemas.inside(core, Walk(0, walk.references, walk.opened)), context=f"Schema {name}")


def _reference(root: Node, name: str) -> str:
    """Return the JSON Pointer of a shared schema."""
    key = name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    return f"#/components/schemas/{key}" if "components" in root.value else f"#/definitions/{key}"


def _write_parts(page: Page, library: Library, schemas: Schemas, holder: Node) -> None:
    messages = Messages(library, schemas)
    parts = {
        "parameters": ("Shared parameters", _parameters),
        "requestBodies": ("Shared request bodies", _bodies),
        "responses": ("Shared responses", _responses),
    }
    for key, (title, lines_of) in parts.items():
        shared = {name: library.resolved(holder.child(value)) for name, value in fields(holder.value.get(key)).items()}
        if shared:
            page.heading(title, 2, slug(title))
            page.listed(lines_of(shared, messages, schemas))


def _parameters(shared: dict[str, Node], _: Messages, schemas: Schemas) -> Iterator[Line]:
    for parameter in shared.values():
        yield from parameter_lines(schemas, parameter)


def _bodies(shared: dict[str, Node], messages: Messages, _: Schemas) -> Iterator[Line]:
    for name, body in shared.items():
        written = messages.body(Node({"requestBody": dict(body.value)}, body.file), Walk(1, 0))
        if written:
            yield Line(f"{word(name)}: {written.title}")
            yield from written.lines


def _responses(shared: dict[str, Node], messages: Messages, _: Schemas) -> Iterator[Line]:
    for name, response in shared.items():
        yield from messages.response(word(name), response, Walk(0, 0), response.child(None))
