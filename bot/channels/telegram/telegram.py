"""What listens to Telegram and what sends there, over the same bot."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.channels.telegram.channel import Ports, TelegramChannel
from bot.channels.telegram.check import check
from bot.channels.telegram.clients import TelegramBot, open_bot
from bot.channels.telegram.listen.listener import Listener, Way, desks_of
from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.send.stage import Means
from bot.channels.telegram.settings import TelegramSettings
from bot.core.offered import Offered, Reach
from knowledge.errors import SettingsProblem


class Telegram(TelegramChannel):
    """The channel that also hears, and can be checked."""

    def __init__(self, way: Way, bot: TelegramBot, offered: Offered) -> None:
        settings = way.settings
        super().__init__(
            bot,
            audiences=Audiences(offered.people, offered.reader_of, settings.audiences),
            ports=Ports(offered.moves, offered.fetch),
            means=Means(settings.typing, settings.stream),
            recording_s=settings.recording_s,
        )
        self._way = way
        self._bot = bot
        self._volunteers = offered.volunteers
        self._desks = desks_of(offered)
        self.listener = Listener(way, bot, offered)

    async def listen(self) -> None:
        """Listen until cancelled; SettingsProblem says what somebody has to change."""
        await self.listener.listen()

    def reach(self) -> Reach:
        return self.listener.reach()

    async def check(self) -> str:
        """Return what works; SettingsProblem says for all that does not what to do."""
        findings = await check(self._way.settings, self._bot, self._volunteers, self._desks)
        if bad := [str(finding) for finding in findings if not finding.is_good]:
            raise SettingsProblem("; ".join(bad))
        return "; ".join(map(str, findings))


@asynccontextmanager
async def open_telegram(
    settings: TelegramSettings, secrets: TelegramSecrets, offered: Offered
) -> AsyncIterator[Telegram]:
    """Open the bot; nothing is called before somebody listens or something is sent."""
    async with open_bot(settings, secrets) as bot:
        yield Telegram(Way(settings, secrets), bot, offered)
