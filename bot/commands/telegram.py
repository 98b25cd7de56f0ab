"""`answerdesk telegram`."""

import os

from rich.console import Console

from bot.channels.telegram.open import need_packages
from bot.channels.telegram.secrets import secrets_of
from bot.channels.telegram.settings import TelegramSettings
from bot.cli import DONE
from bot.settings import Settings


async def deep_link(settings: Settings, question: str) -> int:
    """Print a link that opens the bot with a question."""
    need_packages()
    # Telegram's package takes a second to import.
    from bot.channels.telegram.clients import open_bot
    from bot.channels.telegram.deep_link import payload_of
    from bot.channels.telegram.errors import asked

    chosen = next((chosen.settings for chosen in settings.channels if chosen.kind == "telegram"), TelegramSettings())
    assert isinstance(chosen, TelegramSettings), "the registry validates each table by its own model"
    payload = payload_of(question, chosen.questions)
    async with open_bot(chosen, secrets_of(os.environ)) as bot:
        me = await asked(bot.get_me(), "getMe")
    Console(highlight=False, markup=False).print(f"https://t.me/{me.username}?start={payload}", soft_wrap=True)
    return DONE
