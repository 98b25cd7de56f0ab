"""The listener with the real python-telegram-bot, at a Telegram on loopback, over stores in memory."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import pytest
from telegram import Bot

from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.listen.listener import Listener, Way
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings
from tests.fakes.telegram_ports import FakeOffered
from tests.wire.telegram import TOKEN, TelegramServer

MODES = pytest.mark.parametrize("mode", ["polling", "webhook"])
SECRETS = TelegramSecrets(TOKEN)
Choice = Mapping[str, object]


def settings_for(telegram: TelegramServer, choice: Choice | None = None) -> TelegramSettings:
    """Return settings for the server; what was chosen is put over the defaults."""
    return TelegramSettings.model_validate({"api_url": telegram.url, "port": 0, "menu": False, **(choice or {})})


@asynccontextmanager
async def listening(
    telegram: TelegramServer, stores: FakeOffered, *, choice: Choice | None = None
) -> AsyncIterator[Listener]:
    """Listen to the server, and yield once it is heard."""
    async with open_listener(telegram, stores, choice=choice) as listener:
        task = asyncio.create_task(listener.listen())
        try:
            await telegram.until(lambda: listener.reach().is_healthy or task.done())
            if task.done():
                task.result()
            yield listener
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def open_listener(
    telegram: TelegramServer, stores: FakeOffered, *, choice: Choice | None = None
) -> AsyncIterator[Listener]:
    """Open a listener that does not listen yet; its webhook is at a port that is free."""
    settings = settings_for(telegram, choice)
    if settings.mode == "webhook":
        telegram.manners.webhook_needs_https = False
        # Telegram takes no other address within a second.
        port = urlsplit(telegram.webhook.url).port or _free_port()
        settings = settings.model_copy(update={"port": port, "public_url": f"http://127.0.0.1:{port}"})
    async with open_bot(settings, SECRETS) as bot:
        yield Listener(Way(settings, SECRETS), bot, stores.offered())


def _free_port() -> int:

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@asynccontextmanager
async def speaking(telegram: TelegramServer) -> AsyncIterator[Bot]:
    """Open the bot as it sends."""
    async with open_bot(settings_for(telegram), SECRETS) as bot:
        yield bot
