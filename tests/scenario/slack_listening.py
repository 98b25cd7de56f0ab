"""The listener with the real Bolt and SDK, at a Slack on loopback, over stores in memory."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import pytest

from bot.channels.slack.clients import open_clients
from bot.channels.slack.listen.keeper import Stores
from bot.channels.slack.listen.listener import Listener, Way
from bot.channels.slack.listen.socket import Pace
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from tests.fakes.slack_ports import FakeInstallations, FakeStates, FakeStores
from tests.wire.slack import BOT_TOKEN, SlackServer

FAST = Pace(ping_every_s=0.2, check_every_s=0.05)
MODES = pytest.mark.parametrize("mode", ["socket", "http"])
Choice = Mapping[str, object]


def secrets_for(slack: SlackServer, bot_token: str = BOT_TOKEN) -> SlackSecrets:
    """Return the secrets that the server takes."""
    return SlackSecrets(bot_token, slack.app_token, slack.signing_secret, slack.client_id, slack.client_secret)


@asynccontextmanager
async def listening(
    slack: SlackServer,
    stores: FakeStores,
    *,
    choice: Choice | None = None,
    installations: FakeInstallations | None = None,
    states: FakeStates | None = None,
) -> AsyncIterator[Listener]:
    """Listen to the server, and yield once it is heard; what was chosen is put over the defaults."""
    settings = SlackSettings.model_validate(
        {"api_url": slack.api_url, "port": 0, "catch_up_hours": 0, **(choice or {})}
    )
    secrets = secrets_for(slack, "" if installations else BOT_TOKEN)
    async with open_clients(settings, secrets, installations) as clients:
        kept = Stores(stores.intake(), stores.feedback, stores.heard, installations)
        listener = Listener(Way(settings, secrets, FAST), clients, kept, states=states)
        task = asyncio.create_task(listener.listen())
        try:
            await slack.until(lambda: listener.health.healthy or task.done())
            if task.done():
                task.result()
            if settings.mode == "http":
                slack.delivers_to(f"http://127.0.0.1:{listener.port}{settings.path}")
            yield listener
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
