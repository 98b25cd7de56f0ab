"""A wiki behind a port: who may call, what is recorded, which calls go wrong."""

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock

from tests.wire.confluence.answers import Answer, Refused, Request
from tests.wire.confluence.cloud import cloud_routes
from tests.wire.confluence.cursors import Cursors
from tests.wire.confluence.data_center import data_center_routes
from tests.wire.confluence.faults import Behaviour, Fault, Injection
from tests.wire.confluence.listener import Listener, listening
from tests.wire.confluence.routes import dispatch
from tests.wire.confluence.site import Kind, Site
from tests.wire.confluence.v1 import binary
from tests.wire.confluence.wiki import Wiki

CONTEXTS: dict[Kind, str] = {"cloud": "/wiki", "data_center": "/confluence"}


class ConfluenceServer:
    """A running server.

    `url` is the base address with its context path; `email` and `token` open Cloud (Basic), `token` (Bearer) or
    `username` and `password` (Basic) open Data Center. `requests` holds every call in the order of arrival,
    `media_requests` those to the host that Cloud sends downloads to. `behaviour` may be changed at any time.
    """

    email = "bot@example.com"
    token = "token-of-the-bot"
    username = "bot"
    password = "password-of-the-bot"

    def __init__(self, wiki: Wiki, kind: Kind, version: tuple[int, int]) -> None:
        self.wiki = wiki
        self.kind = kind
        self.requests: list[Request] = []
        self.media_requests: list[Request] = []
        self.behaviour = Behaviour()
        self.listener = Listener(self._answer)
        self.media_listener = Listener(self._answer_media)
        self.stopping = Event()
        self._injections: list[Injection] = []
        self._lock = Lock()
        self._routes = cloud_routes() if kind == "cloud" else data_center_routes()
        self._site = Site(
            wiki=wiki,
            kind=kind,
            base=self.listener.url + CONTEXTS[kind],
            context=CONTEXTS[kind],
            media=self.media_listener.url,
            version=version,
            behaviour=self.behaviour,
            cursors=Cursors(),
        )

    @property
    def url(self) -> str:
        """The base address, with the context path."""
        return self._site.base

    @property
    def site_url(self) -> str:
        """The root of the host."""
        return self.listener.url

    @property
    def media_url(self) -> str:
        """The host that Cloud sends downloads to."""
        return self.media_listener.url

    @property
    def headers(self) -> dict[str, str]:
        """An Authorization header that is let in."""
        if self.kind == "cloud":
            return {"Authorization": _basic(self.email, self.token)}
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def pending_faults(self) -> int:
        """How many injected faults still wait for a call (those without an end count until they are cleared)."""
        return sum(injection.times != 0 for injection in self._injections)

    def inject(self, pattern: str, fault: Fault, *, nth: int = 1, times: int | None = 1) -> None:
        """Give a fault to calls that match: the `nth` from now on and the following, `times` in all (None: for good).

        The pattern is searched in "GET /wiki/api/v2/pages/100?body-format=view" (decoded). Of several faults the first
        one applies.
        """
        self._injections.append(Injection(re.compile(pattern), fault, nth - 1, times))

    def clear_faults(self) -> None:
        """Take all injected faults away."""
        self._injections.clear()

    def calls(self, pattern: str = "") -> list[Request]:
        """Return the recorded calls that match a pattern, as `inject` reads it."""
        return [request for request in list(self.requests) if re.search(pattern, request.call)]

    def count(self, pattern: str = "") -> int:
        """Count the recorded calls that match a pattern."""
        return len(self.calls(pattern))

    def _answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            fault = next((one.fault for one in self._injections if one.takes(request.call)), Fault())
        self.stopping.wait(fault.delay_s)
        if fault.status is None:
            return replace(self._real_answer(request), cut_after_bytes=fault.cut_after_bytes)
        refusal = Refused.v2 if "/api/v2/" in request.path else Refused.v1
        answer = refusal(fault.status, "This answer was injected.").answer
        headers = {**(answer.headers if fault.body is None else {}), **fault.headers}
        return Answer(fault.status, headers, answer.body if fault.body is None else fault.body, fault.cut_after_bytes)

    def _real_answer(self, request: Request) -> Answer:
        if not self._lets_in(request.headers.get("authorization", "")):
            return self._unauthorised()
        try:
            return dispatch(self._site, self._routes, request)
        except Refused as refused:
            return refused.answer

    def _lets_in(self, authorization: str) -> bool:
        if self.kind == "cloud":
            return authorization == _basic(self.email, self.token)
        return authorization in {f"Bearer {self.token}", _basic(self.username, self.password)}

    def _unauthorised(self) -> Answer:
        challenge = {"WWW-Authenticate": 'Basic realm="protected-area"', "Content-Type": "text/plain"}
        if self.kind == "data_center":
            challenge["X-Seraph-LoginReason"] = "AUTHENTICATED_FAILED"
        return Answer(401, challenge, b"Basic authentication with passwords is deprecated.")

    def _answer_media(self, request: Request) -> Answer:
        self.media_requests.append(request)
        if "authorization" in request.headers:
            return Answer(400, {}, b"Only one way to authenticate is allowed: the token in the address.")
        found = re.fullmatch(r"/file/([^/]+)/binary", request.path)
        file = self.wiki.attachments.get(found[1]) if found else None
        if request.method != "GET" or file is None or request.query.get("token") != "signed":
            return Answer(404)
        return binary(file, int(request.query["version"]))


@contextmanager
def serve(wiki: Wiki, kind: Kind = "cloud", *, version: tuple[int, int] = (9, 2)) -> Iterator[ConfluenceServer]:
    """Serve a wiki until the block ends; `version` is that of Data Center, which decides which calls exist."""
    server = ConfluenceServer(wiki, kind, version)
    with listening(server.listener), listening(server.media_listener):
        try:
            yield server
        finally:
            server.stopping.set()


def _basic(name: str, secret: str) -> str:
    return "Basic " + b64encode(f"{name}:{secret}".encode()).decode()
