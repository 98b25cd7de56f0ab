"""The webhook's own end: Telegram posts to us; what does not show the secret is refused before it is read."""

import hmac
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from telegram import Update

from bot.channels.http_door import MAX_BODY_BYTES, body_of, serving
from bot.channels.telegram.clients import TelegramBot, update_number
from bot.channels.telegram.listen.counts import Counts
from bot.channels.telegram.listen.reception import NotStored
from bot.channels.telegram.settings import TelegramSettings

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
CONTENT_TYPES = frozenset({"application/json"})

log = logging.getLogger(__name__)


class Door:
    """The address that Telegram comes to; what `receive` has stored is confirmed, and nothing else."""

    def __init__(
        self,
        settings: TelegramSettings,
        bot: TelegramBot,
        receive: Callable[[Update], Awaitable[None]],
        *,
        secret: str,
        counts: Counts,
    ) -> None:
        self._settings = settings
        self._bot = bot
        self._receive = receive
        self._secret = secret.encode()
        self._counts = counts
        # The one that was really taken, where the settings leave it open (0).
        self.port = settings.port

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve as long as the block lasts."""
        application = web.Application(client_max_size=MAX_BODY_BYTES)
        application.router.add_post(self._settings.path, self._deliver)
        async with serving(application, self._settings.host, self._settings.port, table="telegram") as self.port:
            log.info("listening for Telegram on %s:%d", self._settings.host, self.port)
            yield

    async def _deliver(self, request: web.Request) -> web.Response:
        if not self._is_from_telegram(request):
            self._counts.forged += 1
            log.info("a request without Telegram's secret was refused")
            return web.Response(status=401)
        body = await body_of(request, CONTENT_TYPES)
        if isinstance(body, web.Response):
            return body
        update = self._update(body)
        if update is None:
            return web.Response(status=400)
        try:
            await self._receive(update)
        except NotStored:
            # Telegram brings it again; nothing behind it in its chat comes before.
            return web.Response(status=503)
        return web.Response()

    def _is_from_telegram(self, request: web.Request) -> bool:
        shown = request.headers.get(SECRET_HEADER, "")
        return hmac.compare_digest(shown.encode("utf-8", "surrogateescape"), self._secret)

    def _update(self, body: str) -> Update | None:
        """Return the update in a body; None where that is no JSON, nested too deeply, or no update."""
        try:
            found = json.loads(body)
            return self._bot.read(found) if isinstance(found, dict) and update_number(found) is not None else None
        except (ValueError, RecursionError):
            return None
