"""The server: one port for the Web API and for Socket Mode."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from aiohttp import web

from tests.wire.injections import Injection
from tests.wire.serving import Serving, served
from tests.wire.slack.acts import Acts
from tests.wire.slack.api import Api
from tests.wire.slack.clicks import Clicks
from tests.wire.slack.courier import Outcome, Parcel
from tests.wire.slack.faults import Fault
from tests.wire.slack.files import give, take_upload
from tests.wire.slack.records import Delivery, Kind
from tests.wire.slack.responses import at_response_url
from tests.wire.slack.seen import Seen
from tests.wire.slack.signed_http import SignedHttp
from tests.wire.slack.socket_mode import Connection, Reason, SocketMode
from tests.wire.slack.tokens import SCOPES, Token
from tests.wire.slack.workspace import Workspace

T = TypeVar("T")


class SlackServer(Serving, Acts, Clicks, Seen):
    """Slack as an app meets it. All is safe to call from any thread; nothing waits but `wait_until` and `until`."""

    def __init__(self) -> None:
        super().__init__()
        self.socket_mode = SocketMode(self)
        self.signed_http: SignedHttp | None = None
        self.app_token = self.token_book.add(Token("xapp-1-A0-test", "app", scopes=("connections:write",))).value

    @property
    def api_url(self) -> str:
        """The base URL for the SDK."""
        return f"{self.url}/api/"

    @property
    def enforce_limits(self) -> bool:
        """Whether calls over Slack's rate limits are refused."""
        return self.limits.enforced

    @enforce_limits.setter
    def enforce_limits(self, value: bool) -> None:
        self.limits.enforced = value

    def add_workspace(
        self, team_id: str, *, enterprise_id: str | None = None, scopes: tuple[str, ...] = SCOPES, token: str = ""
    ) -> Workspace:
        """Add a workspace with the app installed, by default under the token "xoxb-" and its id."""
        with self.lock:
            home = Workspace(team_id, team_id.casefold(), enterprise_id)
            self.workspaces[team_id] = home
            value = token or f"xoxb-{team_id}"
            self.token_book.add(Token(value, "bot", team_id, enterprise_id, scopes))
            return home

    def add_org_install(self, enterprise_id: str, *, scopes: tuple[str, ...] = SCOPES) -> Token:
        """Install the app in all workspaces of an organisation, in place of their own installations."""
        with self.lock:
            for home in self.workspaces.values():
                if home.enterprise_id == enterprise_id:
                    _forget(self.token_book.tokens, home.id)
            return self.token_book.add(Token(f"xoxb-{enterprise_id}", "bot", None, enterprise_id, scopes))

    def inject(
        self, method: str, fault: Fault, *, times: int | None = 1, channel: str | None = None, after: int = 0
    ) -> None:
        """Give the next calls of a method a fault, perhaps only those for one channel."""
        self.faults.append(Injection(fault, method, times, channel, after))

    def answers_download(self, status: int, *, location: str = "", text: str = "", content_type: str = "") -> None:
        """Answer the next request for a file with this instead."""
        headers = {"Location": location} if location else {}
        body = web.Response(status=status, text=text, content_type=content_type or None, headers=headers)
        self.download_answers.append(body)

    def delivers_to(self, url: str) -> None:
        """Deliver by signed HTTP from now on, instead of Socket Mode."""
        self.signed_http = self.signed_http or SignedHttp(self, url)
        self.signed_http.url = url

    def posts_signed(
        self, body: bytes, content_type: str, *, tamper: str | None = None, kind: Kind = "events_api"
    ) -> None:
        """Send any bytes to the request URL, signed; `tamper` as in `signed_http.signed`."""
        self.courier.take(Parcel(kind, {}, tamper=tamper or "nothing", raw=(body, content_type)))

    def tampers(self, payload: dict[str, object], tamper: str) -> None:
        """Send an event to the request URL with a signature, timestamp or body that is wrong."""
        self.courier.take(Parcel("events_api", payload, tamper=tamper))

    def replays(self, delivery: Delivery) -> None:
        """Send the same bytes with the same signature again."""
        assert self.signed_http is not None
        self._soon(self.signed_http.repeat(delivery))

    def redelivers(self, delivery: Delivery) -> None:
        """Deliver the same event with the same event id again, as if it had not been acknowledged."""
        self.courier.take(Parcel(delivery.kind, delivery.payload, delivery.team_id))

    def resends(self, delivery: Delivery) -> None:
        """Deliver the same event under another event id."""
        payload = {**delivery.payload, "event_id": f"Ev{secrets.token_hex(5).upper()}"}
        self.courier.take(Parcel(delivery.kind, payload, delivery.team_id))

    async def verifies_url(self) -> bool:
        """Tell whether the request URL gives a challenge back."""
        assert self.signed_http is not None
        running = asyncio.run_coroutine_threadsafe(self.signed_http.challenge(secrets.token_hex(16)), self._loop)
        return await asyncio.wrap_future(running)

    def disconnects(self, reason: Reason) -> None:
        """Tell all connections to go; after `link_disabled` no new one is let in."""
        self.manners.socket_mode = self.manners.socket_mode and reason != "link_disabled"
        for connection in self.socket_mode.open:
            self._soon(self.socket_mode.disconnect(connection, reason))

    def cuts_connections(self) -> None:
        """End all connections without a word."""
        for connection in self.socket_mode.open:
            self._loop.call_soon_threadsafe(_cut, connection)

    def deafens(self, *, drops_pings: bool = False) -> None:
        """Let the open connections look alive and get nothing; perhaps without an answer to their pings."""
        for connection in self.socket_mode.open:
            connection.is_deaf, connection.drops_pings = True, drops_pings

    async def carry(self, parcel: Parcel, attempt: int, reason: str) -> Outcome:
        """Carry a parcel by whichever way the app is configured for."""
        return await (self.signed_http or self.socket_mode).carry(parcel, attempt, reason)

    @asynccontextmanager
    async def _at_work(self) -> AsyncIterator[None]:
        self.courier.start(self)
        yield
        await self.courier.stop()
        for connection in self.socket_mode.open:
            await connection.socket.close()
        if self.signed_http is not None:
            await self.signed_http.close()

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_route("*", "/api/{method}", Api(self).answer)
        router.add_get("/link/", self.socket_mode.connect)
        router.add_post("/response/{id}", self._respond)
        router.add_post("/upload/v1/{id}", self._upload)
        router.add_get("/files-pri/{file}/{name:.+}", self._give)

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        return await take_upload(self, request)

    async def _give(self, request: web.Request) -> web.StreamResponse:
        return await give(self, request)

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        return await at_response_url(self, request)

    def _soon(self, work: Coroutine[object, object, T]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop)


def _cut(connection: Connection) -> None:
    if connection.request.transport is not None:
        connection.request.transport.abort()


def _forget(tokens: dict[str, Token], team_id: str) -> None:
    for value in [value for value, token in tokens.items() if token.team_id == team_id]:
        del tokens[value]


@contextmanager
def slack_server() -> Iterator[SlackServer]:
    """Serve an empty Slack; `add_workspace` fills it, and so does `office`."""
    with served(SlackServer(), "slack") as server:
        yield server
