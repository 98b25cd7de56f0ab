"""What an API description says of the whole API: what it is, where it is, who may use it, its groups."""

from collections.abc import Iterator, Mapping
from itertools import islice

from knowledge.parse.openapi.page import Line, Page, inline
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.security import Security
from knowledge.parse.openapi.values import Value, entries, fields, shown, word, words

# More tags, servers or variables than these are left out.
MAX_TAGS = 500
_MAX_SERVERS = 20
_MAX_VALUES = 20
_MAX_NESTED_TAGS = 5
_UNTITLED = "API"


def title_of(library: Library) -> str:
    """Return the API's title and version."""
    info = fields(library.root.value.get("info"))
    title, version = word(info.get("title")) or _UNTITLED, word(info.get("version"))
    return f"{title} {version}" if version else title


def write_overview(page: Page, library: Library, security: Security) -> None:
    """Add the opening sections of a description."""
    root = library.root
    info = root.child(root.value.get("info"))
    page.heading(title_of(library), 1, "overview")
    if summary := word(info.value.get("summary")):
        page.paragraph(summary)
    page.listed(_facts(root, info, security))
    page.listed(_tag_lines(root), label="Tags (groups of operations):", context="Tags")
    page.prose(info.value.get("description"), heading_level=1)
    if schemes := list(security.lines()):
        page.heading("Security (authentication)", 2, "security")
        needed = security.needed(root)
        page.paragraph(f"Needed unless an operation says otherwise: {needed}" if needed else "How callers are let in:")
        page.listed(schemes)


def _facts(root: Node, info: Node, security: Security) -> Iterator[Line]:
    version = word(root.value.get("openapi") or root.value.get("swagger"))
    yield Line(f"Described in: {'OpenAPI' if 'openapi' in root.value else 'Swagger'} {version}")
    if api_version := word(info.value.get("version")):
        yield Line(f"Version of the API: {api_version}")
    servers = entries(root.value.get("servers"))
    if not servers:
        yield from (Line(f"Address: {address}") for address in security.addresses(root))
    for server in islice(servers, _MAX_SERVERS):
        yield from _server_lines(fields(server))
    for key, said in (("consumes", "Takes"), ("produces", "Returns")):
        if listed := words(root.value.get(key), _MAX_VALUES):
            yield Line(f"{said}: {', '.join(listed)}")
    for key, said in (("contact", "Contact"), ("license", "Licence")):
        about = fields(info.value.get(key))
        if told := list(filter(None, (word(about.get(part)) for part in ("name", "email", "identifier", "url")))):
            yield Line(f"{said}: {', '.join(dict.fromkeys(told))}")
    if terms := word(info.value.get("termsOfService")):
        yield Line(f"Terms of service: {terms}")
    if more := _documentation(root.value):
        yield Line(f"More: {more}")


def _server_lines(server: Mapping[str, Value]) -> Iterator[Line]:
    name, said = word(server.get("name")), inline(server.get("description"))
    yield Line(f"Address: {word(server.get('url'))}{f' ({name})' if name else ''}{f': {said}' if said else ''}")
    for variable, value in islice(fields(server.get("variables")).items(), _MAX_VALUES):
        stated = fields(value)
        allowed = words(stated.get("enum"), _MAX_VALUES)
        told = [
            inline(stated.get("description")),
            f"One of: {', '.join(allowed)}." if allowed else "",
            f"Default: {shown(stated['default'])}." if "default" in stated else "",
        ]
        yield Line(f"{word(variable)}: {' '.join(filter(None, told))}", 1)


def _documentation(holder: Mapping[str, Value]) -> str:
    documents = fields(holder.get("externalDocs"))
    return ", ".join(filter(None, (inline(documents.get("description")), word(documents.get("url")))))


def _tag_lines(root: Node) -> Iterator[Line]:
    """Yield the tags, each under its parent (version 3.2); one in a circle of parents stands at the top."""
    tags = {word(fields(tag).get("name")): fields(tag) for tag in islice(entries(root.value.get("tags")), MAX_TAGS)}
    children: dict[str, list[str]] = {}
    for name, tag in tags.items():
        parent = word(tag.get("parent"))
        is_below = parent in tags and _leads_up(name, tags)
        children.setdefault(parent if is_below else "", []).append(name)
    yield from _below("", children, tags, 0)


def _leads_up(name: str, tags: Mapping[str, Mapping[str, Value]]) -> bool:
    for _ in range(_MAX_NESTED_TAGS + 1):
        if name not in tags:
            return True
        name = word(tags[name].get("parent"))
    return False


def _below(
    parent: str, children: Mapping[str, list[str]], tags: Mapping[str, Mapping[str, Value]], depth: int
) -> Iterator[Line]:
    for name in children.get(parent, ()):
        if not name:
            continue
        tag = tags[name]
        summary, kind = word(tag.get("summary")), word(tag.get("kind"))
        facts = ", ".join(filter(None, (summary if summary != name else "", kind)))
        told = ": ".join(filter(None, (f"{name} ({facts})" if facts else name, inline(tag.get("description")))))
        more = _documentation(tag)
        yield Line(f"{told} ({more})" if more else told, depth)
        yield from _below(name, children, tags, depth + 1)
