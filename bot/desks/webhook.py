"""A desk that is any ticket system: it is told by signed webhooks, and answers by them (docs/webhook-desk.md)."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec

from bot.core.errors import Undeliverable
from bot.core.intake import Intake
from bot.core.outgoing import Channel
from bot.core.tickets.files import File
from bot.desks.configured import OpenDesk, desk_of
from bot.desks.webhook_settings import WebhookDeskSettings
from knowledge.errors import SettingsProblem

PACKAGES = ("aiohttp", "standardwebhooks")


def need_packages() -> None:
    """Raise SettingsProblem, with the remedy, where something is not installed."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise SettingsProblem(f'a webhook desk needs {", ".join(missing)}: pip install "answerdesk[webhook]"')


@asynccontextmanager
async def build(
    settings: WebhookDeskSettings,
    *,
    channels: Mapping[str, Channel],
    intake: Intake,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[OpenDesk]:
    """Open the desk, with a channel of its own; files are fetched from the open `channels`."""
    need_packages()
    from bot.desks.webhook_acts import PLATFORM, place_of
    from bot.desks.webhook_channel import WebhookChannel, open_line

    async def fetch(file: File) -> bytes:
        channel = channels.get(file.platform)
        if channel is None or file.platform == PLATFORM:
            raise Undeliverable(f"a file lies on {file.platform}, which is not open here")
        return await channel.file(file)

    async with open_line(settings, os.environ if environment is None else environment) as line:
        channel = WebhookChannel({settings.name: line}, intake, fetch)
        yield OpenDesk(desk_of(settings, place=place_of(settings.name)), channel)
