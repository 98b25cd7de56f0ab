"""Tells Telegram where to deliver updates to, and looks now and then whether it still does."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

from telegram import WebhookInfo

from bot.channels.telegram.clients import TelegramBot
from bot.channels.telegram.errors import asked
from bot.channels.telegram.listen.kinds import kinds
from bot.channels.telegram.listen.pulse import Pulse
from bot.channels.telegram.settings import TelegramSettings
from bot.core.errors import CoreError
from knowledge.errors import RateLimited, SettingsProblem, TransientError

LOOK_EVERY_S = 60.0
AGAIN_AFTER_S = 10.0
# So many requests Telegram may make at once.
MAX_CONNECTIONS = 40
# A failure that is older is over.
FAILS_FOR = timedelta(minutes=3)
WITHOUT_SECRET = "401"

log = logging.getLogger(__name__)


class Registration:
    """The webhook as Telegram knows it; one process of all keeps it right."""

    def __init__(self, settings: TelegramSettings, bot: TelegramBot, pulse: Pulse, *, secret: str) -> None:
        self._settings = settings
        self._bot = bot
        self._pulse = pulse
        self._secret = secret
        self._set_at: datetime | None = None

    async def run(self) -> None:
        """Keep it right until cancelled; SettingsProblem where Telegram does not take the address."""
        while True:
            pause_s = LOOK_EVERY_S
            try:
                await self._look()
            except TransientError as exc:
                pause_s = exc.retry_after_s if isinstance(exc, RateLimited) else AGAIN_AFTER_S
                self._pulse.failed(str(exc))
                log.warning("the webhook cannot be looked at, trying again in %g s: %s", pause_s, exc)
            except CoreError as exc:
                raise SettingsProblem(f"[telegram] public_url {self._settings.public_url!r}: {exc}") from exc
            await asyncio.sleep(pause_s)

    async def _look(self) -> None:
        info = await asked(self._bot.get_webhook_info(), "getWebhookInfo")
        if self._is_other(info):
            await self._set()
            self._pulse.alive()
        elif is_failing(info, datetime.now(UTC)):
            self._pulse.failed(f"Telegram cannot deliver updates: {info.last_error_message}")
        else:
            self._pulse.alive()

    def _is_other(self, info: WebhookInfo) -> bool:
        """Tell whether Telegram delivers elsewhere, or something else; which secret it shows it does not tell."""
        failed_at = info.last_error_date
        is_newer = failed_at is not None and (self._set_at is None or failed_at > self._set_at)
        is_refused_by_us = is_newer and WITHOUT_SECRET in (info.last_error_message or "")
        return (
            info.url != webhook_url(self._settings)
            or set(info.allowed_updates) != set(kinds(self._settings))
            or info.max_connections != MAX_CONNECTIONS
            or is_refused_by_us
        )

    async def _set(self) -> None:
        setting = self._bot.set_webhook(
            webhook_url(self._settings),
            allowed_updates=kinds(self._settings),
            max_connections=MAX_CONNECTIONS,
            secret_token=self._secret,
        )
        await asked(setting, "setWebhook")
        self._set_at = datetime.now(UTC)
        log.info("Telegram delivers updates to %s from now on", webhook_url(self._settings))


def webhook_url(settings: TelegramSettings) -> str:
    """Return the address that Telegram delivers to."""
    return f"{settings.public_url}{settings.path}"


def is_failing(info: WebhookInfo, now: datetime) -> bool:
    """Tell whether updates wait because they cannot be delivered."""
    failed_at = info.last_error_date
    return bool(info.pending_update_count and failed_at and now - failed_at < FAILS_FOR)
