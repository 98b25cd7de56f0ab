"""What listens to Slack and what sends there, over the same clients."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

from bot.channels.slack.channel import SlackChannel
from bot.channels.slack.check import check
from bot.channels.slack.clients import Clients, open_clients
from bot.channels.slack.listen.keeper import Stores
from bot.channels.slack.listen.listener import Listener, Way
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.send.stage import Means
from bot.channels.slack.settings import SlackSettings
from bot.core.offered import Offered, Reach
from knowledge.errors import SettingsProblem


class Slack(SlackChannel):
    """The channel that also hears, and can be checked."""

    def __init__(self, way: Way, clients: Clients, offered: Offered) -> None:
        settings = way.settings
        self._desks = frozenset(channel for platform, channel in offered.desks if platform == self.platform)
        super().__init__(
            clients,
            reader_of=offered.reader_of,
            fetch=offered.fetch,
            means=Means(settings.status, settings.reaction, settings.stream),
            workspace_tags=settings.workspace_tags,
        )
        stores = Stores(
            offered.intake,
            offered.feedback,
            offered.heard,
            offered.installations if settings.oauth else None,
            self.forget,
            self._desks,
            self.name_of,
        )
        self._way = way
        self._clients = clients
        self.listener = Listener(way, clients, stores, states=offered.states)

    async def listen(self) -> None:
        """Listen until cancelled; SettingsProblem says what somebody has to change."""
        await self.listener.listen()

    def reach(self) -> Reach:
        health, counts = self.listener.health, asdict(self.listener.counts)
        return Reach(health.healthy, health.trouble, health.last_event_at, counts)

    async def check(self) -> str:
        """Return what works; SettingsProblem says for all that does not what to click."""
        findings = await check(self._way.settings, self._way.secrets, self._clients, self._desks)
        if bad := [str(finding) for finding in findings if not finding.is_good]:
            raise SettingsProblem("; ".join(bad))
        return "; ".join(map(str, findings))


@asynccontextmanager
async def open_slack(settings: SlackSettings, secrets: SlackSecrets, offered: Offered) -> AsyncIterator[Slack]:
    """Open the clients; nothing is called before somebody listens or something is sent."""
    installations = offered.installations if settings.oauth else None
    async with open_clients(settings, secrets, installations) as clients:
        yield Slack(Way(settings, secrets), clients, offered)
