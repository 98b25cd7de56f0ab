"""Verifies what Telegram knows of the bot against what we need, and says what to do about it."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from telegram import Bot, User, WebhookInfo

from bot.channels.finding import Finding
from bot.channels.telegram.check_desk import desk_finding
from bot.channels.telegram.errors import asked, masked
from bot.channels.telegram.listen.webhook import is_failing, webhook_url
from bot.channels.telegram.menu import missing
from bot.channels.telegram.secrets import BOT_TOKEN
from bot.channels.telegram.settings import TelegramSettings
from bot.core.errors import CoreError
from knowledge.errors import KnowledgeError

OPEN_UP = (
    "/setprivacy at @BotFather, Disable, then take the bot out of each group and add it again, "
    "for it holds only from then on"
)
_GROUP = re.compile(r"-\d+")


async def check(
    settings: TelegramSettings,
    bot: Bot,
    volunteers: frozenset[str] = frozenset(),
    desks: frozenset[str] = frozenset(),
) -> list[Finding]:
    """Return what was found, in the order in which things are to be set right.

    `volunteers`: the groups where also what is not addressed to the bot is answered; `desks`: those where people take
    over.
    """
    found = []
    try:
        async for finding in _findings(settings, bot, volunteers):
            found.append(finding)
        found += [await desk_finding(bot, chat) for chat in sorted(desks)]
    except (KnowledgeError, CoreError) as exc:
        found.append(Finding(False, str(exc)))
    return found


async def _findings(settings: TelegramSettings, bot: Bot, volunteers: frozenset[str]) -> AsyncIterator[Finding]:
    me = await asked(bot.get_me(), f"getMe with {BOT_TOKEN}")
    yield Finding(True, f"{BOT_TOKEN}: the bot is @{me.username} ({masked(me.full_name)})")
    yield _groups(me, {chat for chat in volunteers if _GROUP.fullmatch(chat)})
    info = await asked(bot.get_webhook_info(), "getWebhookInfo")
    yield _polling(info) if settings.mode == "polling" else _webhook(info, settings)
    if settings.menu:
        async for _ in missing(bot):
            yield Finding(True, "the menu does not show all commands yet: `answerdesk run` sees to it")
            return
        yield Finding(True, "the menu shows the commands")


def _groups(me: User, volunteers: set[str]) -> Finding:
    """Return what the bot is shown of groups: of all of them, or only what is meant for it."""
    if not me.can_join_groups:
        return Finding(False, "nobody can add the bot to a group", "/setjoingroups at @BotFather, Enable")
    if me.can_read_all_group_messages:
        return Finding(True, "privacy mode is off: the bot sees all of a group, and answers what is addressed to it")
    text = "privacy mode is on: in groups the bot sees commands, mentions and replies to it, which is enough"
    if not volunteers:
        return Finding(True, f"{text} (to change that: {OPEN_UP})")
    named = ", ".join(sorted(volunteers))
    return Finding(False, f"{text}, but not for `answers_all` in {named}", f"{OPEN_UP}; or make it an administrator")


def _polling(info: WebhookInfo) -> Finding:
    waiting = f"{info.pending_update_count} updates wait"
    if not info.url:
        return Finding(True, f"long polling: no webhook is set, {waiting}")
    return Finding(
        True, f"long polling: a webhook at {_host(info)} is set, {waiting}; `answerdesk run` removes it and takes them"
    )


def _webhook(info: WebhookInfo, settings: TelegramSettings) -> Finding:
    here = f"{settings.host}:{settings.port}{settings.path}"
    waiting = f"{info.pending_update_count} updates wait"
    if info.url != webhook_url(settings):
        is_at = f"it is at {_host(info)}" if info.url else "none is set"
        return Finding(True, f"webhook: {is_at}, {waiting}; `answerdesk run` sets it to {webhook_url(settings)}")
    if is_failing(info, datetime.now(UTC)):
        said = masked(info.last_error_message or "")
        remedy = f"see that `answerdesk run` runs, and that the proxy hands {info.url} on to {here}"
        return Finding(False, f"webhook: {waiting}, for Telegram cannot deliver: {said}", remedy)
    return Finding(True, f"webhook: {info.url}, handed on to {here}; {waiting}")


def _host(info: WebhookInfo) -> str:
    """Return where a webhook is; what stands behind the host may be secret."""
    return urlsplit(info.url).hostname or "?"
