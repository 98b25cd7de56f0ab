"""Socket Mode: one connection that is always there, and opened anew when it is deaf."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient

from bot.channels.slack.clients import Clients, sdk_log
from bot.channels.slack.errors import SDK_ERRORS, asked
from bot.channels.slack.listen.watchdog import Watchdog
from bot.channels.slack.secrets import APP_TOKEN
from bot.channels.slack.translate.read import Payload, word
from knowledge.errors import RateLimited, TransientError

PING_EVERY_S = 10.0
CONNECT_WITHIN_S = 20.0
# While Slack cannot be reached, it is tried again after so long; the last goes on for ever.
TRIED_AGAIN_AFTER_S = (1.0, 2.0, 5.0, 10.0, 30.0)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How often the socket is pinged and looked at."""

    ping_every_s: float = PING_EVERY_S
    check_every_s: float = 5.0


class Socket:
    """Keeps one connection to Slack open; `on_connected` is called each time that it is new.

    `settle` waits for what is under way: its acknowledgement needs the connection.
    """

    def __init__(
        self,
        app: AsyncApp,
        clients: Clients,
        *,
        app_token: str,
        watchdog: Watchdog,
        on_connected: Callable[[], None],
        settle: Callable[[], Awaitable[None]],
    ) -> None:
        self._app = app
        self._clients = clients
        self._app_token = app_token
        self._watchdog = watchdog
        self._on_connected = on_connected
        self._settle = settle
        self.pace = Pace()

    async def run(self) -> None:
        """Receive until cancelled; SettingsProblem where Slack does not take the app's token."""
        handler = await self._connect()
        try:
            while True:
                await asyncio.sleep(self.pace.check_every_s)
                self._watchdog.pong(handler.client.last_ping_pong_time)
                if await self._is_to_be_replaced():
                    # The new one first: what Slack sends meanwhile comes by one of the two.
                    replaced, handler = handler, await self._connect()
                    await _closed(replaced)
        finally:
            await self._settle()
            await _closed(handler)
            self._watchdog.disconnected("stopped")

    async def _is_to_be_replaced(self) -> bool:
        trouble = self._watchdog.trouble()
        if trouble is None:
            return False
        if trouble == "deaf" and not await self._is_slack_there():
            return False
        log.warning("the socket is %s; opening another one", trouble)
        return True

    async def _is_slack_there(self) -> bool:
        """Tell whether Slack answers otherwise: then it is the socket that nothing comes through."""
        client = self._clients.with_token(None)
        try:
            await asked(client.api_test(), "api.test")
        except TransientError:
            return False
        return True

    async def _connect(self) -> AsyncSocketModeHandler:
        """Return an open connection, however long it takes to get one."""
        attempt = 0
        while True:
            try:
                return await self._opened()
            except TransientError as exc:
                wait_s = TRIED_AGAIN_AFTER_S[min(attempt, len(TRIED_AGAIN_AFTER_S) - 1)]
                if isinstance(exc, RateLimited):
                    wait_s = max(wait_s, exc.retry_after_s)
                attempt += 1
                self._watchdog.disconnected(str(exc))
                log.warning("no connection to Slack, trying again in %g s: %s", wait_s, exc)
                await asyncio.sleep(wait_s)

    async def _opened(self) -> AsyncSocketModeHandler:
        client = self._clients.with_token(None)
        call = client.apps_connections_open(app_token=self._app_token)
        answer = await asked(call, f"apps.connections.open with {APP_TOKEN}")
        handler = AsyncSocketModeHandler(
            self._app,
            self._app_token,
            logger=sdk_log(),
            web_client=client,
            ping_interval=self.pace.ping_every_s,
        )
        # Ours, so that it fails where we can see it: the handler would try again for ever with the same address.
        handler.client.wss_uri = str(answer["url"])
        handler.client.message_listeners.append(self._frame)
        self._watchdog.opened()
        try:
            async with asyncio.timeout(CONNECT_WITHIN_S):
                await handler.connect_async()  # type: ignore[no-untyped-call] # Bolt gives no types here
        except BaseException as exc:
            await _closed(handler)
            if isinstance(exc, TimeoutError):
                raise TransientError("Slack's socket did not open in time") from exc
            raise
        return handler

    async def _frame(self, client: AsyncBaseSocketModeClient, message: Payload, raw: str | None) -> None:
        """Take note of what the socket brought; Slack greets on each connection, also where the SDK made it."""
        self._watchdog.frame(is_event=word(message, "type") == "events_api")
        if word(message, "type") == "hello":
            self._watchdog.connected()
            self._on_connected()


async def _closed(handler: AsyncSocketModeHandler) -> None:
    with suppress(*SDK_ERRORS):
        await handler.close_async()  # type: ignore[no-untyped-call] # Bolt gives no types here
