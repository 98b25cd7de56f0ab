"""Long polling by the library's own Updater: its offset moves only when all before it is stored.

The Updater awaits `put` of its queue for each update, and only behind the last one of a batch it moves the offset; what
`put` raises as a TelegramError makes it ask for the same offset again, a little later each time
(telegram.ext._updater, telegram.ext._utils.networkloop).
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import cast
from urllib.parse import urlsplit

from telegram import Bot, Update
from telegram.error import InvalidToken, TelegramError
from telegram.ext import Updater

from bot.channels.telegram.clients import TelegramBot
from bot.channels.telegram.errors import asked, telegram_error
from bot.channels.telegram.listen.kinds import kinds
from bot.channels.telegram.listen.pulse import Pulse
from bot.channels.telegram.secrets import BOT_TOKEN, WHERE
from bot.channels.telegram.settings import TelegramSettings
from knowledge.errors import SettingsProblem, TransientError

LOOK_EVERY_S = 1.0
TOLD_AGAIN_AFTER_S = 60.0
# Longer than the library's longest pause together with its slowest request.
DEAD_AFTER_S = 120.0
# How long the library may go on with a pause, and then with the request by which it confirms what is stored.
PAUSE_ENDS_WITHIN_S, CONFIRMED_WITHIN_S = 0.5, 1.5

log = logging.getLogger(__name__)


class StoringQueue(asyncio.Queue[object]):
    """A queue in which nothing ever stands: `put` stores, and returns when that is done."""

    def __init__(self, receive: Callable[[Update], Awaitable[None]]) -> None:
        super().__init__()
        self._receive = receive

    async def put(self, item: object) -> None:
        """Store an update; what is raised keeps it from being confirmed."""
        assert isinstance(item, Update), "the Updater puts nothing else"
        await self._receive(item)


class PolledBot:
    """The bot, as the Updater calls it: opening and closing it is not the Updater's business, for others send by it.

    What comes of each call is told to `pulse`: of a timeout, or a token that is refused, the Updater tells nobody.
    """

    def __init__(self, bot: TelegramBot, pulse: Pulse) -> None:
        self._bot = bot
        self._pulse = pulse
        self._told: dict[str, float] = {}
        self.is_refused = False

    async def initialize(self) -> None:
        """Leave the bot as it is."""

    async def shutdown(self) -> None:
        """Leave the bot as it is."""

    async def delete_webhook(self, drop_pending_updates: bool | None = None) -> bool:
        """Remove the webhook, if there is one, and say so; nothing that waits is ever dropped."""
        try:
            info = await self._bot.get_webhook_info()
            if info.url:
                host = urlsplit(info.url).hostname
                log.warning('updates were delivered to %s; [telegram] mode is "polling", so that ends now', host)
                await self._bot.delete_webhook(drop_pending_updates=False)
        except TelegramError as exc:
            self._note(exc)
            raise
        return True

    async def get_updates(
        self,
        offset: int,
        timeout: timedelta,  # noqa: ASYNC109 - the Updater's name for what Telegram waits
        allowed_updates: Sequence[str] | None,
    ) -> tuple[Update, ...]:
        """Return what came since; after trouble nothing is waited for, so that its end is known at once."""
        wait = timedelta() if self._pulse.is_lost else timeout
        try:
            found = await self._bot.get_updates(offset=offset, timeout=wait, allowed_updates=allowed_updates)
        except TelegramError as exc:
            self._note(exc)
            raise
        except Exception as exc:
            # Over what is none of its own errors the Updater makes no pause.
            log.exception("what Telegram brings cannot be read")
            self._pulse.failed("what Telegram brings cannot be read")
            raise TelegramError("unreadable") from exc
        self._pulse.alive()
        return found

    def _note(self, exc: TelegramError) -> None:
        """Take note of what went wrong; the log tells it once a minute at most."""
        self.is_refused = isinstance(exc, InvalidToken)
        problem, now = str(telegram_error(exc, "getUpdates")), time.monotonic()
        self._pulse.failed(problem)
        if now - self._told.get(problem, -TOLD_AGAIN_AFTER_S) >= TOLD_AGAIN_AFTER_S:
            self._told[problem] = now
            log.warning("no updates: %s", problem)


class Poller:
    """Asks Telegram for updates, and has each stored by `receive`."""

    def __init__(
        self,
        settings: TelegramSettings,
        bot: TelegramBot,
        receive: Callable[[Update], Awaitable[None]],
        pulse: Pulse,
    ) -> None:
        self._settings = settings
        self._bot = bot
        self._receive = receive
        self._pulse = pulse

    async def run(self) -> None:
        """Receive until cancelled; SettingsProblem where Telegram does not take the token."""
        bot = PolledBot(self._bot, self._pulse)
        updater = Updater(cast(Bot, bot), StoringQueue(self._receive))
        await updater.initialize()
        try:
            await self._start(updater)
            await self._watch(bot)
        finally:
            await _stopped(updater)

    async def _start(self, updater: Updater) -> None:
        starting = updater.start_polling(
            timeout=timedelta(seconds=self._settings.poll_s),
            bootstrap_retries=-1,
            allowed_updates=kinds(self._settings),
            # What goes wrong was told already, where it happened.
            error_callback=lambda _: None,
        )
        await asked(starting, "deleteWebhook")
        log.info("listening for Telegram by long polling")

    async def _watch(self, bot: PolledBot) -> None:
        """Return never: the Updater ends without a word where it breaks, or where the token is refused."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if bot.is_refused:
                raise SettingsProblem(f"Telegram does not take {BOT_TOKEN} any more; {WHERE}")
            if self._pulse.silent_s > DEAD_AFTER_S + self._settings.poll_s:
                raise TransientError("nothing has been heard of Telegram for too long")


async def _stopped(updater: Updater) -> None:
    """Stop the Updater; its pauses it would end in its own time, and its last request takes as long as any."""
    if not updater.running:
        return
    stopping = asyncio.create_task(updater.stop())
    for patience_s in (PAUSE_ENDS_WITHIN_S, CONFIRMED_WITHIN_S):
        await asyncio.wait({stopping}, timeout=patience_s)
        stopping.cancel()
    await asyncio.gather(stopping, return_exceptions=True)
