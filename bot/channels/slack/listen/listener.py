"""Everything by which Slack reaches us: one listener, by socket or by HTTP, for one workspace or many."""

import asyncio
import logging
import math
from dataclasses import dataclass, field
from datetime import timedelta

from bot.channels.slack.clients import Clients
from bot.channels.slack.listen.app import Reception, bolt_app
from bot.channels.slack.listen.catch_up import CatchUp
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.listen.http import Door
from bot.channels.slack.listen.keeper import Keeper, Stores
from bot.channels.slack.listen.oauth import install_flow
from bot.channels.slack.listen.socket import Pace, Socket
from bot.channels.slack.listen.watchdog import Health, Watchdog
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.installations import States
from knowledge.errors import SettingsProblem, TransientError

SETTLE_WITHIN_S = 3.0
ASKED_AGAIN_AFTER_S = 10.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Way:
    """How a deployment is reached: what was chosen, the secrets for it, and the pace of its socket."""

    settings: SlackSettings
    secrets: SlackSecrets
    pace: Pace = field(default_factory=Pace)


class Listener:
    """Listens to Slack; what it acknowledges is stored."""

    def __init__(self, way: Way, clients: Clients, stores: Stores, *, states: States | None = None) -> None:
        self._way = way
        self._clients = clients
        self._stores = stores
        self.counts = Counts()
        settings = way.settings
        self._catch_up = CatchUp(clients, stores, self.counts, window=timedelta(hours=settings.catch_up_hours))
        keeper = Keeper(settings, clients, stores, self.counts, note=self._catch_up.note)
        self._reception = Reception(settings, clients, keeper, self.counts)
        is_http = settings.mode == "http"
        # Nothing is pinged by HTTP: that nobody writes is no trouble.
        silent_s = math.inf if is_http else settings.silent_s
        self._watchdog = Watchdog(silent_s=silent_s, deaf_s=settings.deaf_minutes * 60)
        self._app = bolt_app(self._reception, clients, way.secrets)
        flow = None
        if settings.oauth and stores.installations and states:
            flow = install_flow(settings, way.secrets, clients, stores.installations, states)
        self._door = Door(
            settings,
            app=self._app if is_http else None,
            signing_secret=way.secrets.signing_secret,
            counts=self.counts,
            flow=flow,
        )

    @property
    def health(self) -> Health:
        """Whether Slack reaches us."""
        return self._watchdog.health

    @property
    def port(self) -> int:
        """Where it listens by HTTP."""
        return self._door.port

    async def listen(self) -> None:
        """Listen until cancelled; SettingsProblem says what somebody has to change."""
        await self._until_slack_answers()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._catch_up.run())
                if self._way.settings.mode == "http" or self._way.settings.oauth:
                    tasks.create_task(self._serve())
                if self._way.settings.mode == "socket":
                    tasks.create_task(self._socket().run())
        except* SettingsProblem as problems:
            raise problems.exceptions[0] from None
        finally:
            await self._settle()

    async def _settle(self) -> None:
        await self._reception.settle(SETTLE_WITHIN_S)

    async def _until_slack_answers(self) -> None:
        """Return once Slack has said who we are: without that we would answer ourselves."""
        while True:
            try:
                await self._clients.workspaces()
            except TransientError as exc:
                self._watchdog.disconnected(str(exc))
                log.warning("Slack cannot be reached, trying again in %g s: %s", ASKED_AGAIN_AFTER_S, exc)
                await asyncio.sleep(ASKED_AGAIN_AFTER_S)
            else:
                return

    def _socket(self) -> Socket:
        socket = Socket(
            self._app,
            self._clients,
            app_token=self._way.secrets.app_token,
            watchdog=self._watchdog,
            on_connected=self._connected,
            settle=self._settle,
        )
        socket.pace = self._way.pace
        return socket

    def _connected(self) -> None:
        self.counts.reconnects = self.health.reconnects
        self._catch_up.want()

    async def _serve(self) -> None:
        async with self._door.open():
            if self._way.settings.mode == "http":
                self._watchdog.connected()
                self._catch_up.want()
            await asyncio.Event().wait()
