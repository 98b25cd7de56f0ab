"""Where an API is and what a caller needs to be let in."""

from collections.abc import Iterator
from itertools import islice

from knowledge.parse.openapi.page import Line, inline
from knowledge.parse.openapi.reference import Library, Node
from knowledge.parse.openapi.values import Value, entries, fields, word, words

# More servers of one operation, alternatives, scopes or variables than these are left out.
MAX_SERVERS = 3
_MAX_LISTED = 20
_MAX_SCOPES = 200
_PLACES = {
    "authorizationUrl": "authorisation at",
    "tokenUrl": "token from",
    "refreshUrl": "refreshed at",
    "deviceAuthorizationUrl": "devices at",
}


class Security:
    """Knows the servers and the security schemes of a description."""

    def __init__(self, library: Library) -> None:
        self._library = library
        root = library.root
        components = root.child(root.value.get("components"))
        holder = components if "securitySchemes" in components.value else root
        key = "securitySchemes" if holder is components else "securityDefinitions"
        self._schemes = holder.child(holder.value.get(key))

    def addresses(self, holder: Node) -> list[str]:
        """Return where the description, a path or an operation says the API is."""
        servers = islice(entries(holder.value.get("servers")), MAX_SERVERS)
        stated = [word(fields(server).get("url")) for server in servers]
        if host := word(holder.value.get("host")):
            scheme = (words(holder.value.get("schemes"), 1) or ["https"])[0]
            stated.append(f"{scheme}://{host}{word(holder.value.get('basePath'))}")
        elif base := word(holder.value.get("basePath")):
            stated.append(base)
        return [address for address in stated if address]

    def needed(self, operation: Node) -> str:
        """Return what a caller needs for an operation, "" when nothing is said on it."""
        stated = operation.value.get("security", self._library.root.value.get("security"))
        if not isinstance(stated, list):
            return ""
        if not stated:
            return "none needed"
        ways = [self._way(way) for way in stated[:_MAX_LISTED]]
        return "; or ".join(way or "none" for way in ways)

    def lines(self) -> Iterator[Line]:
        """Yield what the security schemes are."""
        for name, value in islice(self._schemes.value.items(), _MAX_LISTED * 5):
            scheme = self._library.resolved(self._schemes.child(value))
            kind = f"defined elsewhere: {scheme.missing}" if scheme.missing else _kind(scheme)
            said = inline(scheme.value.get("description"))
            yield Line(f"{word(name)}{f' ({kind})' if kind else ''}{f': {said}' if said else ''}")
            # In version 2.0 a scheme has the fields of its only flow.
            flows = fields(scheme.value.get("flows")) or {word(scheme.value.get("flow")): dict(scheme.value)}
            for flow, stated in islice(flows.items(), _MAX_LISTED):
                yield from _flow_lines(flow, stated)

    def _way(self, way: Value) -> str:
        named = fields(way)
        return " and ".join(self._scheme(word(name), scopes) for name, scopes in islice(named.items(), _MAX_LISTED))

    def _scheme(self, name: str, scopes: Value) -> str:
        kind = _kind(self._library.resolved(self._schemes.child(self._schemes.value.get(name))))
        needed = ", ".join(words(scopes, _MAX_LISTED))
        return f"{name}{f' ({kind})' if kind else ''}{f' with the scopes {needed}' if needed else ''}"


def _kind(scheme: Node) -> str:
    value = scheme.value
    match word(value.get("type")):
        case "apiKey":
            return f"API key {word(value.get('name'))} in {word(value.get('in'))}"
        case "http":
            form = word(value.get("bearerFormat"))
            return f"HTTP {word(value.get('scheme'))}{f', {form}' if form else ''}"
        case "oauth2":
            return "OAuth 2"
        case "openIdConnect":
            return f"OpenID Connect at {word(value.get('openIdConnectUrl'))}"
        case kind:
            return kind


def _flow_lines(flow: str, stated: Value) -> Iterator[Line]:
    places = [f"{said} {word(fields(stated).get(key))}" for key, said in _PLACES.items() if fields(stated).get(key)]
    if places:
        yield Line(f"flow {flow}: {', '.join(places)}", 1)
    for scope, said in islice(fields(fields(stated).get("scopes")).items(), _MAX_SCOPES):
        yield Line(f"scope {word(scope)}: {word(said)}", 2 if places else 1)
