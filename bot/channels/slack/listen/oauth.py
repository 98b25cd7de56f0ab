"""How many workspaces install the app by themselves: Slack's own flow, kept in our store."""

from datetime import UTC, datetime

from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import Installation as SdkInstallation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from bot.channels.slack.clients import Clients, sdk_log
from bot.channels.slack.manifest import BOT_SCOPES
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.installations import Installation, Installations, States


def install_flow(
    settings: SlackSettings, secrets: SlackSecrets, clients: Clients, installations: Installations, states: States
) -> AsyncOAuthFlow:
    """Return Slack's flow: it sends people to Slack, and stores what Slack gives when they come back."""
    redirect = f"{settings.public_url}{settings.redirect_path}" if settings.public_url else None
    return AsyncOAuthFlow(
        client=clients.with_token(None),
        logger=sdk_log(),
        settings=AsyncOAuthSettings(
            client_id=secrets.client_id,
            client_secret=secrets.client_secret,
            scopes=[*BOT_SCOPES],
            user_scopes=[],
            redirect_uri=redirect,
            install_path=settings.install_path,
            redirect_uri_path=settings.redirect_path,
            installation_store=_Store(installations, clients),
            state_store=_States(states),
            logger=sdk_log(),
        ),
    )


class _States(AsyncOAuthStateStore):
    """Our states, as Bolt asks for them."""

    def __init__(self, states: States) -> None:
        self._states = states

    async def async_issue(self, *args: object, **kwargs: object) -> str:
        return await self._states.issue()

    async def async_consume(self, state: str) -> bool:
        return await self._states.consume(state)


class _Store(AsyncInstallationStore):
    """Our installations, as Bolt saves them."""

    def __init__(self, installations: Installations, clients: Clients) -> None:
        self._installations = installations
        self._clients = clients

    async def async_save(self, installation: SdkInstallation) -> None:
        await self._installations.save(_ours(installation))
        self._clients.forget()


def _ours(given: SdkInstallation) -> Installation:
    """Return what Slack gave; that of an organisation has no team, whatever else it says."""
    expires_at = given.bot_token_expires_at
    return Installation(
        enterprise=given.enterprise_id,
        team=None if given.is_enterprise_install else given.team_id,
        app=given.app_id or "",
        bot_user=given.bot_user_id or "",
        bot=given.bot_id or "",
        token=given.bot_token or "",
        scopes=tuple(given.bot_scopes or ()),
        refresh_token=given.bot_refresh_token,
        expires_at=datetime.fromtimestamp(expires_at, UTC) if expires_at else None,
        installed_by=given.user_id or "",
    )
