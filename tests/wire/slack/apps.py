"""The real SDK and Bolt, pointed at the server."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession, web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.wire.slack.office import BOT_TOKEN
from tests.wire.slack.server import SlackServer

TIMEOUT_S = 5
PING_S = 0.1


def client_of(slack: SlackServer, token: str | None = BOT_TOKEN) -> AsyncWebClient:
    """Return the real client; it tries once, as nothing is to be hidden."""
    return AsyncWebClient(token=token, base_url=slack.api_url, timeout=TIMEOUT_S, retry_handlers=[])


def app_of(slack: SlackServer) -> AsyncApp:
    """Return a Bolt app that listens to nothing yet."""
    return AsyncApp(client=client_of(slack), signing_secret=slack.signing_secret)


def listening(slack: SlackServer, heard: list[Mapping[str, Any]]) -> AsyncApp:
    """Return a Bolt app that keeps the events it hears of messages."""
    app = app_of(slack)

    @app.event("app_mention")
    @app.event("message")
    async def keep(body: dict[str, Any]) -> None:
        heard.append(body)

    return app


@asynccontextmanager
async def connected(slack: SlackServer, app: AsyncApp, *, connections: int = 1) -> AsyncIterator[None]:
    """Connect an app by Socket Mode, once or several times."""
    handlers = [
        AsyncSocketModeHandler(app, slack.app_token, web_client=client_of(slack, None), ping_interval=PING_S)
        for _ in range(connections)
    ]
    try:
        for handler in handlers:
            await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's own
        await slack.until(lambda: len(slack.socket_mode.open) >= connections)
        yield
    finally:
        for handler in handlers:
            await handler.close_async()  # type: ignore[no-untyped-call]  # Bolt's own


@asynccontextmanager
async def serving(slack: SlackServer, app: AsyncApp) -> AsyncIterator[None]:
    """Serve an app over HTTP with Bolt's own server, and deliver to it."""
    runner = web.AppRunner(app.web_app("/slack/events"), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    slack.delivers_to(f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events")
    try:
        yield
    finally:
        await runner.cleanup()


async def error_of_call(client: AsyncWebClient, method: str, **args: object) -> str:
    """Return the error code of a call, "" where it succeeds."""
    try:
        await client.api_call(method, json=args)
    except SlackApiError as error:
        return str(error.response["error"])
    return ""


async def respond(address: str, **body: object) -> int:
    """Answer at a response URL; return the status."""
    async with ClientSession() as session, session.post(address, json=body) as response:
        return response.status
