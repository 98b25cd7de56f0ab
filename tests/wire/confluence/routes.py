"""Which call goes where; what is not in a table is refused in the form of the API it was sent to."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.site import Site

Handler: TypeAlias = Callable[..., Answer]
"""Takes the site, the request and the variable parts of the path."""


@dataclass(frozen=True, slots=True)
class Route:
    """One call: its method, its path below the context with `{}` for variable parts, the parameters it knows.

    The real service passes over parameters it does not know. This one refuses them, so that neither a misspelt
    parameter nor one that this server does not reproduce goes unnoticed.
    """

    method: str
    path: str
    handler: Handler
    parameters: str = ""

    def match(self, path: str) -> re.Match[str] | None:
        """Match a path below the context."""
        return re.fullmatch(re.escape(self.path).replace(r"\{\}", "([^/]+)"), path)


def dispatch(site: Site, routes: Sequence[Route], request: Request) -> Answer:
    """Answer a call, or refuse it as 404 or 405."""
    path = request.path.removeprefix(site.context)
    refuse = Refused.v2 if path.startswith("/api/v2/") else Refused.v1
    methods = []
    for route in routes:
        found = route.match(path) if request.path.startswith(site.context) else None
        if found and route.method == request.method:
            _refuse_unknown(route, request, refuse)
            with site.wiki.lock:
                return route.handler(site, request, *found.groups())
        if found:
            methods.append(route.method)
    if methods:
        raise refuse(405, "HTTP 405 Method Not Allowed", headers={"Allow": ", ".join(methods)})
    raise refuse(404, f"null for uri: {request.path}")


def _refuse_unknown(route: Route, request: Request, refuse: Callable[[int, str], Refused]) -> None:
    unknown = set(request.query) - set(route.parameters.split())
    if unknown:
        raise refuse(400, f"{route.path} of the test server knows no parameter {', '.join(sorted(unknown))}")
