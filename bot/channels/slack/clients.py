"""The Web API, as the bot of one workspace or of many; tokens that expire are renewed in time."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import aiohttp
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.errors import SDK_ERRORS, asked, masked, slack_error
from bot.channels.slack.secrets import BOT_TOKEN, SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.installations import Installation, Installations
from knowledge.errors import SettingsProblem

TIMEOUT_S = 10
# Another process may have renewed a token or forgotten an installation: so long it may go unnoticed.
REMEMBERED_S = 60.0
# A token lives for twelve hours (docs.slack.dev/authentication/using-token-rotation).
RENEWED_BEFORE_MINUTES = 120

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Me:
    """The bot itself, as a workspace knows it."""

    user_id: str
    bot_id: str
    team_id: str
    is_org_wide: bool = False


class NotInstalled(SettingsProblem):
    """A workspace does not have the app, or no longer."""


class Clients:
    """Clients that speak for the bot; they try nothing twice, so that nothing is posted twice."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        *,
        api_url: str,
        secrets: SlackSecrets,
        installations: Installations | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._session = session
        self._api_url = api_url
        self._secrets = secrets
        self._installations = installations
        self._only = self.with_token(secrets.bot_token) if installations is None else None
        self._remembered: dict[str, tuple[float, Installation]] = {}
        self._only_known: Me | None = None
        self._seen: set[tuple[str, str]] = set()
        self._renewing = asyncio.Lock()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connections to Slack, for what is no call of the Web API."""
        return self._session

    @property
    def api_url(self) -> str:
        """Where the Web API is."""
        return self._api_url

    def with_token(self, token: str | None) -> AsyncWebClient:
        """Return a client that speaks with a token of its own, or with none."""
        return AsyncWebClient(
            token=token,
            base_url=self._api_url,
            timeout=TIMEOUT_S,
            session=self._session,
            logger=sdk_log(),
            retry_handlers=[],
        )

    async def of(self, workspace: str) -> AsyncWebClient:
        """Return the client of a workspace; SettingsProblem where the app is not installed there."""
        if self._only is not None:
            return self._only
        assert self._installations is not None, "there is one token or a store of them"
        known = await self._installed(workspace)
        installation = await self._fresh(known, self._installations)
        if installation is not known:
            self._remembered[workspace] = (self._clock(), installation)
        return self.with_token(installation.token)

    async def me(self, workspace: str) -> Me:
        """Return who the bot is in a workspace; asked for once."""
        if self._only is not None:
            return await self._only_me(self._only)
        installation = await self._installed(workspace)
        return Me(installation.bot_user, installation.bot, workspace, is_org_wide=installation.team is None)

    async def workspaces(self) -> Sequence[str]:
        """Return the workspaces that the bot can speak in."""
        if self._installations is not None:
            return await self._installations.workspaces()
        assert self._only is not None, "without installations there is one token"
        return [(await self._only_me(self._only)).team_id]

    async def workspace_of(self, enterprise: str | None, team: str | None) -> str | None:
        """Return the workspace that a delivery belongs to; None where the app is not, or no longer, installed."""
        if self._only is not None:
            me = await self._only_me(self._only)
            return team if me.is_org_wide and team else me.team_id
        assert self._installations is not None, "there is one token or a store of them"
        workspace = team or enterprise
        if workspace is None:
            return None
        try:
            installation = await self._installed(workspace, enterprise)
        except NotInstalled as exc:
            log.warning("%s", exc)
            return None
        if team and enterprise and installation.team is None and (enterprise, team) not in self._seen:
            await self._installations.seen(enterprise, team)
            self._seen.add((enterprise, team))
        return workspace

    def forget(self) -> None:
        """Ask for every installation anew."""
        self._remembered.clear()
        self._seen.clear()

    async def _only_me(self, client: AsyncWebClient) -> Me:
        self._only_known = self._only_known or await _asked_who(client)
        return self._only_known

    async def _installed(self, workspace: str, enterprise: str | None = None) -> Installation:
        """Return the installation of a workspace, whose token may have to be renewed before it is used."""
        assert self._installations is not None, "only asked for where there are many"
        found_at, installation = self._remembered.get(workspace, (0.0, None))
        if installation and self._clock() - found_at < REMEMBERED_S:
            return installation
        org = workspace if workspace.startswith("E") else enterprise
        installation = await self._installations.find(org, None if workspace.startswith("E") else workspace)
        if installation is None:
            raise NotInstalled(f"the app is not installed in the workspace {workspace}; install it there once more")
        self._remembered[workspace] = (self._clock(), installation)
        return installation

    async def _fresh(self, installation: Installation, installations: Installations) -> Installation:
        """Return an installation whose token does not expire soon."""
        if not installation.expires_at or not installation.refresh_token:
            return installation
        if (installation.expires_at - datetime.now(UTC)).total_seconds() > RENEWED_BEFORE_MINUTES * 60:
            return installation
        async with self._renewing:
            # Whoever waited here may find it renewed.
            current = await installations.find(installation.enterprise, installation.team)
            if current and current.token != installation.token:
                return current
            return await self._renewed(installation, installations)

    async def _renewed(self, installation: Installation, installations: Installations) -> Installation:
        rotator = AsyncTokenRotator(
            client=self.with_token(None),
            client_id=self._secrets.client_id,
            client_secret=self._secrets.client_secret,
        )
        try:
            bot = await rotator.perform_bot_token_rotation(
                bot=_as_bot(installation), minutes_before_expiration=RENEWED_BEFORE_MINUTES
            )
        except SDK_ERRORS as exc:
            return await self._otherwise_renewed(installation, installations, exc)
        if bot is None:
            return installation
        renewed = replace(
            installation,
            token=bot.bot_token,
            refresh_token=bot.bot_refresh_token,
            expires_at=datetime.fromtimestamp(bot.bot_token_expires_at, UTC) if bot.bot_token_expires_at else None,
        )
        await installations.renew(renewed, instead_of=installation.token)
        log.info("token renewed", extra={"workspace": installation.team or installation.enterprise})
        return renewed

    async def _otherwise_renewed(
        self, installation: Installation, installations: Installations, exc: Exception
    ) -> Installation:
        """Return what another process has renewed at the same time, or the old token while it is still good."""
        current = await installations.find(installation.enterprise, installation.team)
        if current and current.token != installation.token:
            return current
        if installation.expires_at and installation.expires_at > datetime.now(UTC):
            log.warning("a token was not renewed: %s", slack_error(exc, "oauth.v2.access"))
            return installation
        raise slack_error(exc, "oauth.v2.access") from exc


async def _asked_who(client: AsyncWebClient) -> Me:
    answer = await asked(client.auth_test(), f"auth.test with {BOT_TOKEN}")
    return Me(
        user_id=str(answer["user_id"]),
        bot_id=str(answer.get("bot_id") or ""),
        team_id=str(answer["team_id"]),
        is_org_wide=bool(answer.get("is_enterprise_install")),
    )


def _as_bot(installation: Installation) -> Bot:
    return Bot(
        app_id=installation.app,
        enterprise_id=installation.enterprise,
        team_id=installation.team,
        bot_token=installation.token,
        bot_id=installation.bot,
        bot_user_id=installation.bot_user,
        bot_scopes=",".join(installation.scopes),
        bot_refresh_token=installation.refresh_token,
        bot_token_expires_at=int(installation.expires_at.timestamp()) if installation.expires_at else None,
        installed_at=time.time(),
    )


@asynccontextmanager
async def open_clients(
    settings: SlackSettings, secrets: SlackSecrets, installations: Installations | None = None
) -> AsyncIterator[Clients]:
    """Open the clients: of one workspace by its token, or of all `installations`."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session:
        yield Clients(session, api_url=settings.api_url, secrets=secrets, installations=installations)


def sdk_log() -> logging.Logger:
    """Return the log of Slack's packages: below "info" they write down what they send, secrets included."""
    return _quiet("bot.channels.slack.sdk", logging.INFO)


def bolt_log() -> logging.Logger:
    """Return the log of Bolt, which warns of what is as it should be."""
    return _quiet("bot.channels.slack.bolt", logging.ERROR)


def _quiet(name: str, level: int) -> logging.Logger:
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if not logger.filters:
        logger.addFilter(_without_secrets)
    return logger


def _without_secrets(record: logging.LogRecord) -> bool:
    record.msg, record.args = masked(record.getMessage()), ()
    # A traceback repeats addresses with tickets in them; the message has said what was wrong.
    record.exc_info = None
    return True
