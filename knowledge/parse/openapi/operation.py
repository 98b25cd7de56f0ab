"""One operation of an API description as a section: its verb and path in words, what it takes and what it returns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from knowledge.parse.openapi.message import Messages
from knowledge.parse.openapi.page import Line, Page, first_sentence, slug
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.schema import MAX_REFERENCES, Entry, Schemas, Walk
from knowledge.parse.openapi.security import Security
from knowledge.parse.openapi.values import Value, entries, fields, more, shown, spoken, word, words

MAX_HEADING_CHARACTERS = 200
# More parameters, responses, tags, callbacks or links than these are counted only.
MAX_LISTED = 100
_MAX_CALLBACK_DEPTH = 2
_VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
# What a verb does by its definition (RFC 9110, RFC 5789), said where the description says nothing.
_DOES = {
    "GET": "reads",
    "QUERY": "searches",
    "PUT": "replaces",
    "POST": "creates or sends",
    "DELETE": "deletes",
    "PATCH": "changes",
    "HEAD": "checks",
    "OPTIONS": "tells what is allowed for",
    "TRACE": "traces",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation, the path or webhook it belongs to, and what that says for all of its operations."""

    verb: str
    path: str
    node: Node
    around: Node
    is_webhook: bool = False

    @property
    def name(self) -> str:
        """The verb and the path."""
        return f"Webhook {self.path}: {self.verb}" if self.is_webhook else f"{self.verb} {self.path}"

    @property
    def anchor(self) -> str:
        """The place of its section: its own id, else one made of verb and path."""
        return "-".join(word(self.node.value.get("operationId")).split()) or slug(f"{self.verb} {self.path}")

    @property
    def summary(self) -> str:
        """What it does: as its description says, else as its id or its verb does."""
        said = word(self.node.value.get("summary"), MAX_HEADING_CHARACTERS).rstrip(".:")
        said = said or first_sentence(self.node.value.get("description"), MAX_HEADING_CHARACTERS)
        said = said or spoken(word(self.node.value.get("operationId")))
        if self.is_webhook:
            body = fields(self.node.value.get("requestBody"))
            return said or first_sentence(body.get("description"), MAX_HEADING_CHARACTERS) or spoken(self.path)
        return said or f"{_DOES.get(self.verb, self.verb)} {_thing(self.path)}"


def operations(library: Library, listed: Node, *, is_webhook: bool = False) -> Iterator[Operation]:
    """Yield the operations of paths or webhooks in the order they are written."""
    for path, value in listed.value.items():
        if path.startswith("x-"):
            continue
        around = library.resolved(listed.child(value))
        for key, operation in around.value.items():
            if key in _VERBS and isinstance(operation, dict):
                yield Operation(key.upper(), word(path), around.child(operation), around, is_webhook)
        for verb, operation in fields(around.value.get("additionalOperations")).items():
            if isinstance(operation, dict):
                yield Operation(word(verb), word(path), around.child(operation), around, is_webhook)


class Operations:
    """Writes operations to a page."""

    def __init__(self, library: Library, page: Page, schemas: Schemas, security: Security) -> None:
        self._library = library
        self._page = page
        self._schemas = schemas
        self._security = security
        self._messages = Messages(library, schemas)

    def write(self, operation: Operation, addresses: Sequence[str]) -> None:
        """Add the section of an operation; `addresses` are those of the whole API."""
        page = self._page
        summary = operation.summary
        page.heading(f"{operation.name} — {summary}", 2, operation.anchor)
        page.paragraph(_opening(operation, summary))
        described = operation.node.value.get("description") or operation.around.value.get("description")
        if word(described, 2 * MAX_HEADING_CHARACTERS).rstrip(".:") != summary:
            page.prose(described)
        page.listed(self._facts(operation, addresses))
        parameters = list(self._parameters(operation))
        plain = [parameter for parameter in parameters if parameter.value.get("in") != "body"]
        page.listed(self._parameter_lines(plain), label="Parameters:", context=f"Parameters of {operation.name}")
        bodies = [self._messages.two_body(operation.node, node) for node in parameters if node not in plain]
        for body in filter(None, [*bodies, self._messages.body(operation.node)]):
            page.listed(body.lines, label=f"{body.title}:", context=f"{body.title} of {operation.name}")
        responses = self._messages.responses(operation.node)
        page.listed(responses, label="Responses:", context=f"Responses of {operation.name}")
        page.listed(self._callbacks(operation.node), label="Callbacks:", context=f"Callbacks of {operation.name}")

    def _facts(self, operation: Operation, addresses: Sequence[str]) -> Iterator[Line]:
        value = operation.node.value
        if value.get("deprecated") is True:
            yield Line("Deprecated: do not use it in new programs.")
        own = self._security.addresses(operation.node) or self._security.addresses(operation.around) or addresses
        if own and not operation.is_webhook:
            yield Line(f"Address: {' or '.join(address.rstrip('/') + operation.path for address in own)}")
        if identifier := word(value.get("operationId")):
            yield Line(f"Operation: {identifier}")
        if tags := words(value.get("tags"), MAX_LISTED):
            yield Line(f"Tags: {', '.join(tags)}")
        if needed := self._security.needed(operation.node):
            yield Line(f"Security: {needed}")
        if link := word(fields(value.get("externalDocs")).get("url")):
            said = word(fields(value.get("externalDocs")).get("description"))
            yield Line(f"More: {said + ', ' if said else ''}{link}")

    def _parameters(self, operation: Operation) -> Iterable[Node]:
        """Return the operation's parameters and those of its path; the operation's own count."""
        found: dict[tuple[str, str], Node] = {}
        for holder in (operation.around, operation.node):
            for value in islice(entries(holder.value.get("parameters")), MAX_LISTED):
                parameter = self._library.resolved(holder.child(value))
                key = word(parameter.value.get("name")) or parameter.name, word(parameter.value.get("in"))
                found[key] = parameter
        return found.values()

    def _parameter_lines(self, parameters: Sequence[Node]) -> Iterator[Line]:
        for parameter in parameters:
            yield from parameter_lines(self._schemas, parameter)

    def _callbacks(self, node: Node, depth: int = 0) -> Iterator[Line]:
        callbacks = fields(node.value.get("callbacks"))
        for name, value in islice(callbacks.items(), MAX_LISTED):
            callback = self._library.resolved(node.child(value))
            if callback.missing:
                yield Line(f"{word(name)} (defined elsewhere: {callback.missing})", depth)
            for called in islice(operations(self._library, callback), MAX_LISTED):
                yield Line(f"{word(name)}: {called.verb} {called.path}: {called.summary}", depth)
                if body := self._messages.body(called.node, Walk(depth + 2)):
                    yield Line(body.title, depth + 1)
                    yield from body.lines
                yield from self._messages.responses(called.node, Walk(depth + 1, MAX_REFERENCES - 1))
                if depth < _MAX_CALLBACK_DEPTH:
                    yield from self._callbacks(called.node, depth + 1)
        yield from (Line(text, depth) for text in more(len(callbacks) - MAX_LISTED))


def parameter_lines(schemas: Schemas, parameter: Node) -> Iterator[Line]:
    """Yield the lines of one parameter, in the form of any version."""
    value = parameter.value
    if parameter.missing:
        yield Line(f"{parameter.name} (defined elsewhere: {parameter.missing})")
        return
    is_required = value.get("required") is True or value.get("in") == "path"
    facts = [f"in {word(value.get('in'))}" if value.get("in") else "", "required" if is_required else "optional"]
    facts += ["deprecated"] if value.get("deprecated") is True else []
    notes = list(schemas.words.examples(parameter)) if "schema" in value or "content" in value else []
    if style := word(value.get("collectionFormat") or value.get("style")):
        notes.append(f"Style of the values: {style}.")
    entry = Entry(word(value.get("name")), [fact for fact in facts if fact], value.get("description"), notes)
    yield from schemas.lines(entry, _schema_of(parameter), Walk(0, 1))


def _schema_of(parameter: Node) -> Node:
    value: Mapping[str, Value] = parameter.value
    content = next(iter(fields(value.get("content")).values()), None)
    stated = value.get("schema", fields(content).get("schema"))
    if stated is not None:
        return parameter.child(stated)
    # In version 2.0 a parameter is a schema itself.
    beside = ("name", "in", "required", "description", "content", "deprecated")
    return Node({key: part for key, part in value.items() if key not in beside}, parameter.file)


def _opening(operation: Operation, summary: str) -> str:
    """Return the sentence that answers which verb and path do what."""
    if operation.is_webhook:
        return f"{summary}: webhook {operation.path}, sent to you with the HTTP method (verb) {operation.verb}."
    return f"{summary}: HTTP method (verb) {operation.verb}, path {operation.path}"


def _thing(path: str) -> str:
    """Return what a path is about: the words of its last part that is no place holder."""
    parts = [part for part in path.split("/") if part and not part.startswith("{")]
    return spoken(parts[-1]) if parts else shown(path)
