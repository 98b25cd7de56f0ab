"""Telegram, open: what listens and what sends, over the same bot."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec

from bot.channels.telegram.secrets import secrets_of
from bot.channels.telegram.settings import TelegramSettings
from bot.core.offered import Listening, Offered
from knowledge.errors import SettingsProblem

PACKAGES = ("aiohttp", "telegram")


def need_packages() -> None:
    """Raise SettingsProblem, with the remedy, where something is not installed."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise SettingsProblem(f'Telegram needs {", ".join(missing)}: pip install "answerdesk[telegram]"')


@asynccontextmanager
async def build(
    settings: TelegramSettings, *, offered: Offered, environment: Mapping[str, str] | None = None
) -> AsyncIterator[Listening]:
    """Open Telegram; nothing is called before somebody listens or something is sent."""
    need_packages()
    if settings.mode == "webhook" and not settings.public_url:
        raise SettingsProblem(
            '[telegram] mode = "webhook" needs `public_url`: write for instance public_url = "https://answers.example.com"'
        )
    secrets = secrets_of(os.environ if environment is None else environment)
    # Telegram's package takes a second to import: only who talks there waits for it.
    from bot.channels.telegram.telegram import open_telegram

    async with open_telegram(settings, secrets, offered) as telegram:
        yield telegram
