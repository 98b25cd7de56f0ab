"""The commands in Telegram's menu, in each of our languages."""

import logging
from collections.abc import AsyncIterator, Sequence

from telegram import Bot, BotCommand, BotCommandScope, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

from bot.channels.telegram.errors import asked
from bot.core.errors import CoreError
from bot.core.phrases import languages, phrase
from knowledge.errors import KnowledgeError

FALLBACK_LANGUAGE = "en"
IN_PRIVATE = ("ask", "human", "bot", "sources", "why", "language", "link", "forget", "help", "start")
IN_GROUPS = ("ask", "help", "human", "bot", "sources", "why", "language")

log = logging.getLogger(__name__)


async def show_menu(bot: Bot) -> None:
    """Have Telegram show the commands, where it does not yet; nobody depends on that."""
    try:
        async for scope, language, wanted in missing(bot):
            setting = bot.set_my_commands(wanted, scope=scope, language_code=language)
            await asked(setting, "setMyCommands")
    except (KnowledgeError, CoreError) as exc:
        log.info("the menu stays as it is: %s", exc)


async def missing(bot: Bot) -> AsyncIterator[tuple[BotCommandScope, str | None, Sequence[BotCommand]]]:
    """Yield what the menu should be where it is not: the kind of chats, the language (None: others), the commands."""
    for scope, names in ((BotCommandScopeAllPrivateChats(), IN_PRIVATE), (BotCommandScopeAllGroupChats(), IN_GROUPS)):
        for language in (None, *languages()):
            wanted = [BotCommand(name, phrase(f"command_{name}", language or FALLBACK_LANGUAGE)) for name in names]
            shown = await asked(bot.get_my_commands(scope=scope, language_code=language), "getMyCommands")
            if [*shown] != wanted:
                yield scope, language, wanted
