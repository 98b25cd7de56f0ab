"""Everything by which Telegram reaches us: one listener, by long polling or by webhook."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass

from bot.channels.telegram.clients import TelegramBot
from bot.channels.telegram.errors import asked
from bot.channels.telegram.listen.admission import Doorman
from bot.channels.telegram.listen.clicks import Clicks
from bot.channels.telegram.listen.counts import Counts
from bot.channels.telegram.listen.http import Door
from bot.channels.telegram.listen.keeper import Keeper, Stores
from bot.channels.telegram.listen.polling import Poller
from bot.channels.telegram.listen.pulse import Pulse
from bot.channels.telegram.listen.reception import Reception
from bot.channels.telegram.listen.standpoint import Standpoint
from bot.channels.telegram.listen.webhook import Registration
from bot.channels.telegram.menu import show_menu
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.settings import TelegramSettings
from bot.channels.telegram.translate.values import PLATFORM
from bot.core.offered import Offered, Reach
from knowledge.errors import DatabaseUnavailable, RateLimited, SettingsProblem, TransientError

SETTLE_WITHIN_S = 3.0
ASKED_AGAIN_AFTER_S = 10.0
# Another process that listens may have heard that a chat has moved.
LOOK_EVERY_S = 60.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Way:
    """How a deployment is reached: what was chosen, and the secrets for it."""

    settings: TelegramSettings
    secrets: TelegramSecrets


def desks_of(offered: Offered) -> frozenset[str]:
    """Return the chats where people take over."""
    return frozenset(channel for platform, channel in offered.desks if platform == PLATFORM)


class Listener:
    """Listens to Telegram; what it confirms is stored."""

    def __init__(self, way: Way, bot: TelegramBot, offered: Offered) -> None:
        settings, secrets = way.settings, way.secrets
        self._way = way
        self._bot = bot
        self._election = offered.election
        self.counts = Counts()
        self._pulse = Pulse()
        desks = desks_of(offered)
        self._standpoint = Standpoint(settings, secrets.bot_id, offered.moves, desks=desks)
        keeper = Keeper(
            Stores(offered.intake, offered.feedback),
            Doorman(frozenset(settings.chats), offered.people, desks=desks),
            self._standpoint,
            Clicks(bot),
            self.counts,
        )
        self._reception = Reception(keeper, self._standpoint, self._pulse, self.counts)
        receive = self._reception.receive
        self._door = Door(settings, bot, receive, secret=secrets.webhook_secret, counts=self.counts)
        self._poller = Poller(settings, bot, receive, self._pulse)
        self._registration = Registration(settings, bot, self._pulse, secret=secrets.webhook_secret)

    @property
    def port(self) -> int:
        """Where it listens by HTTP."""
        return self._door.port

    def reach(self) -> Reach:
        """Return how Telegram reaches us now."""
        return self._pulse.reach(asdict(self.counts))

    async def listen(self) -> None:
        """Listen until cancelled; SettingsProblem says what somebody has to change."""
        self._standpoint.username = await self._until_telegram_answers()
        await self._standpoint.look()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._look_again())
                tasks.create_task(self._poll() if self._way.settings.mode == "polling" else self._serve())
        except* (SettingsProblem, DatabaseUnavailable, TransientError) as problems:
            raise problems.exceptions[0] from None
        finally:
            self._pulse.failed("stopped")
            await self._reception.settle(SETTLE_WITHIN_S)

    async def _until_telegram_answers(self) -> str:
        """Return the bot's name, once Telegram has said it: without that, nobody could call us by it."""
        while True:
            try:
                me = await asked(self._bot.get_me(), "getMe")
            except TransientError as exc:
                pause_s = exc.retry_after_s if isinstance(exc, RateLimited) else ASKED_AGAIN_AFTER_S
                self._pulse.failed(str(exc))
                log.warning("trying again in %g s: %s", pause_s, exc)
                await asyncio.sleep(pause_s)
            else:
                return str(me.username)

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                await self._standpoint.look()
            except TransientError as exc:
                log.info("which chats have moved is looked at later: %s", exc)

    async def _poll(self) -> None:
        await self._lead(self._poller.run, stand_by=self._pulse.stands_by)

    async def _serve(self) -> None:
        """Take what Telegram brings, in every process; one of them tells it where to."""
        async with self._door.open():
            await self._lead(self._registration.run, stand_by=self._pulse.alive)

    async def _lead(self, listen: Callable[[], Awaitable[None]], *, stand_by: Callable[[], None]) -> None:
        async def work() -> None:
            self._pulse.leads()
            menu = asyncio.create_task(self._show_menu())
            try:
                await listen()
            finally:
                menu.cancel()
                await asyncio.wait({menu})

        await self._election.lead(f"telegram {self._way.secrets.bot_id}", work, stand_by=stand_by)

    async def _show_menu(self) -> None:
        if self._way.settings.menu:
            await show_menu(self._bot)
