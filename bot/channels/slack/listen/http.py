"""HTTP mode: Slack posts to us; what is not surely from Slack is refused before anything of it is parsed."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from bot.channels.http_door import MAX_BODY_BYTES, body_of, serving
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.settings import SlackSettings
from knowledge.errors import KnowledgeError

CONTENT_TYPES = frozenset({"application/json", "application/x-www-form-urlencoded"})

log = logging.getLogger(__name__)


class Door:
    """The addresses that Slack, and people who install the app, come to."""

    def __init__(
        self,
        settings: SlackSettings,
        *,
        app: AsyncApp | None,
        signing_secret: str,
        counts: Counts,
        flow: AsyncOAuthFlow | None = None,
    ) -> None:
        self._settings = settings
        self._app = app
        self._counts = counts
        self._flow = flow
        self._verifier = SignatureVerifier(signing_secret) if app else None
        # The one that was really taken, where the settings leave it open (0).
        self.port = settings.port

    def application(self) -> web.Application:
        """Return what is to be served."""
        application = web.Application(client_max_size=MAX_BODY_BYTES)
        if self._app:
            application.router.add_post(self._settings.path, self._deliver)
        if self._flow:
            application.router.add_get(self._settings.install_path, self._install)
            application.router.add_get(self._settings.redirect_path, self._install)
        return application

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve as long as the block lasts; what is under way at its end is finished."""
        async with serving(self.application(), self._settings.host, self._settings.port, table="slack") as self.port:
            log.info("listening for Slack on %s:%d", self._settings.host, self.port)
            yield

    async def _deliver(self, request: web.Request) -> web.Response:
        assert self._app is not None, "the route exists for it"
        body = await self._signed(request)
        if isinstance(body, web.Response):
            return body
        try:
            bolt_request = _bolt_request(request, body)
        except (ValueError, RecursionError, AttributeError, TypeError):
            # It is no JSON, nested too deeply, or no object: what Slack signs is.
            return web.Response(status=400)
        return await to_aiohttp_response(await self._app.async_dispatch(bolt_request))

    async def _signed(self, request: web.Request) -> str | web.Response:
        """Return the body of a request that Slack signed a moment ago, or what the others are told."""
        assert self._verifier is not None, "the route exists for it"
        body = await body_of(request, CONTENT_TYPES)
        if isinstance(body, web.Response):
            return body
        if not self._is_from_slack(body, request):
            self._counts.forged += 1
            log.info("a request without Slack's signature was refused")
            return web.Response(status=401)
        return body

    def _is_from_slack(self, body: str, request: web.Request) -> bool:
        assert self._verifier is not None, "the route exists for it"
        timestamp = request.headers.get("x-slack-request-timestamp", "")
        signature = request.headers.get("x-slack-signature", "")
        # What is no number, or not ASCII, the verifier raises over.
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12 and signature.isascii()):
            return False
        return self._verifier.is_valid(body, timestamp, signature)

    async def _install(self, request: web.Request) -> web.Response:
        assert self._flow is not None, "the route exists for it"
        bolt_request = _bolt_request(request, "")
        begins = request.path == self._settings.install_path
        try:
            handled = self._flow.handle_installation if begins else self._flow.handle_callback
            return await to_aiohttp_response(await handled(bolt_request))
        except KnowledgeError as exc:
            log.warning("the app was not installed: %s", exc)
            return web.Response(status=503, text="The app was not installed. Please try again in a minute.")


def _bolt_request(request: web.Request, body: str) -> AsyncBoltRequest:
    headers = {name.lower(): value for name, value in request.headers.items()}
    return AsyncBoltRequest(body=body, query=request.query_string, headers={**headers})
