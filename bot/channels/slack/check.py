"""Verifies what Slack knows of the app against what we need, and says what to click."""

from collections.abc import AsyncIterator

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.finding import Finding
from bot.channels.slack.check_desk import desk_finding
from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import asked
from bot.channels.slack.manifest import BOT_EVENTS, BOT_SCOPES
from bot.channels.slack.secrets import APP_TOKEN, BOT_TOKEN, SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.errors import CoreError
from knowledge.errors import KnowledgeError

APPS = "api.slack.com/apps, your app"
# The scopes that an event's subscription takes with it: without one, the event cannot be subscribed to.
_EVENTS_OF = {
    "app_mentions:read": "app_mention",
    "channels:history": "message.channels",
    "groups:history": "message.groups",
    "im:history": "message.im",
    "mpim:history": "message.mpim",
    "reactions:read": "reaction_added, reaction_removed",
}


async def check(
    settings: SlackSettings, secrets: SlackSecrets, clients: Clients, desks: frozenset[str] = frozenset()
) -> list[Finding]:
    """Return what was found, in the order in which things are to be set right.

    `desks`: the channels where people take over.
    """
    if settings.oauth:
        found = [finding async for finding in _installed(clients)]
    else:
        found = [finding async for finding in _token(clients.with_token(secrets.bot_token), BOT_TOKEN)]
    if settings.mode == "socket":
        found.append(await _app_token(clients.with_token(None), secrets.app_token))
    else:
        found.append(_address(settings))
    found += [await _desk(clients, channel) for channel in sorted(desks)]
    events = ", ".join(BOT_EVENTS)
    found.append(
        Finding(True, f"Slack does not tell which events are subscribed to; see {APPS}, Event Subscriptions: {events}")
    )
    return found


async def _desk(clients: Clients, channel: str) -> Finding:
    try:
        return await desk_finding(clients, channel)
    except (KnowledgeError, CoreError) as exc:
        return Finding(False, f"the desk in {channel}", str(exc))


async def _installed(clients: Clients) -> AsyncIterator[Finding]:
    workspaces = await clients.workspaces()
    if not workspaces:
        yield Finding(False, "no workspace has installed the app", "open /slack/install at the public address")
    for workspace in workspaces:
        try:
            client = await clients.of(workspace)
        except (KnowledgeError, CoreError) as exc:
            yield Finding(False, f"workspace {workspace}", str(exc))
            continue
        async for finding in _token(client, f"workspace {workspace}"):
            yield finding


async def _token(client: AsyncWebClient, name: str) -> AsyncIterator[Finding]:
    try:
        answer = await asked(client.auth_test(), "auth.test")
    except (KnowledgeError, CoreError) as exc:
        yield Finding(False, name, str(exc))
        return
    yield Finding(True, f"{name}: the bot is {answer.get('user', '?')} in {answer.get('team', '?')}")
    if not answer.get("bot_id"):
        yield Finding(
            False, f"{name} is a person's token", f"use the Bot User OAuth Token: {APPS}, OAuth & Permissions"
        )
    yield _scopes(answer, name)


def _scopes(answer: AsyncSlackResponse, name: str) -> Finding:
    header = next((str(value) for key, value in answer.headers.items() if key.lower() == "x-oauth-scopes"), None)
    if header is None:
        return Finding(False, f"{name}: Slack did not tell the token's scopes", "compare them with the manifest")
    granted = {scope.strip() for scope in header.split(",")}
    missing = [scope for scope in BOT_SCOPES if scope not in granted]
    if not missing:
        return Finding(True, f"{name}: all {len(BOT_SCOPES)} scopes are granted")
    lost = [_EVENTS_OF[scope] for scope in missing if scope in _EVENTS_OF]
    unheard = f" (without which these events do not come: {', '.join(lost)})" if lost else ""
    return Finding(
        False,
        f"{name}: scopes are missing: {', '.join(missing)}{unheard}",
        f"add them in {APPS}, OAuth & Permissions, Bot Token Scopes, then Reinstall to Workspace",
    )


async def _app_token(client: AsyncWebClient, app_token: str) -> Finding:
    try:
        await asked(client.apps_connections_open(app_token=app_token), "apps.connections.open")
    except (KnowledgeError, CoreError) as exc:
        remedy = f"switch on {APPS}, Socket Mode, and make a token with connections:write in Basic Information"
        return Finding(False, f"{APP_TOKEN}: {exc}", remedy)
    return Finding(True, f"{APP_TOKEN}: Socket Mode is on")


def _address(settings: SlackSettings) -> Finding:
    here = f"listening on {settings.host}:{settings.port}{settings.path}"
    if settings.public_url:
        where = f"{settings.public_url}{settings.path}"
        return Finding(True, f"{here}; in {APPS}, Event Subscriptions and Interactivity, the Request URL is {where}")
    return Finding(
        False, here, '`public_url` is missing: write for instance public_url = "https://answers.example.com"'
    )
