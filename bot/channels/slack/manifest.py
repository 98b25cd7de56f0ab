"""The app as Slack wants it described, so that nobody has to click it together.

docs.slack.dev/reference/app-manifest; new apps have an `agent_view`, and `assistant_view` no more.
"""

import yaml

from bot.channels.slack.settings import SlackSettings
from bot.channels.slack.translate.interactions import ANSWER_THIS
from knowledge.errors import SettingsProblem

BOT_SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:read",
    "reactions:write",
    "usergroups:read",
    "users:read",
    "users:read.email",
)
BOT_EVENTS = (
    "app_home_opened",
    "app_mention",
    "app_uninstalled",
    "member_joined_channel",
    "member_left_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "reaction_added",
    "reaction_removed",
    "tokens_revoked",
)
NAME = "AnswerDesk"
DESCRIPTION = "Answers questions from your own documents, with a source under every sentence."
DETAILS = (
    "Mention AnswerDesk in a channel, write to it directly, use /ask, or choose “Answer this” on somebody's message."
    " It answers only what your organisation's documents say, shows where each sentence stands, and hands over to a"
    " person whatever it cannot answer surely enough. It shows nobody a document that they may not read."
)

Part = dict[str, object]


def manifest(settings: SlackSettings) -> Part:
    """Return the manifest for what was chosen; SettingsProblem where HTTP has no address to be reached at."""
    return {
        "display_information": {"name": NAME, "description": DESCRIPTION, "long_description": DETAILS},
        "features": _features(settings),
        "oauth_config": _oauth(settings),
        "settings": _settings(settings),
    }


def manifest_yaml(settings: SlackSettings) -> str:
    """Return the manifest as YAML, to be pasted at api.slack.com/apps, Create New App, From a manifest."""
    return yaml.safe_dump(manifest(settings), sort_keys=False, allow_unicode=True, width=1_000)


def _features(settings: SlackSettings) -> Part:
    prompts = [{"title": prompt, "message": prompt} for prompt in settings.prompts]
    command: Part = {
        "command": settings.command,
        "description": "Ask the documents; only you see the answer until you share it",
        "usage_hint": "your question",
        "should_escape": True,
    }
    shortcut = {"name": "Answer this", "type": "message", "callback_id": ANSWER_THIS, "description": "Answer a message"}
    return {
        "bot_user": {"display_name": NAME, "always_online": True},
        "app_home": {
            "home_tab_enabled": False,
            "messages_tab_enabled": True,
            "messages_tab_read_only_enabled": False,
        },
        "agent_view": {"agent_description": DESCRIPTION, **({"suggested_prompts": prompts} if prompts else {})},
        "slash_commands": [{**command, **_url("url", settings)}],
        "shortcuts": [shortcut],
    }


def _oauth(settings: SlackSettings) -> Part:
    redirect = {"redirect_urls": [f"{_public(settings)}{settings.redirect_path}"]} if settings.oauth else {}
    return {**redirect, "scopes": {"bot": [*BOT_SCOPES]}}


def _settings(settings: SlackSettings) -> Part:
    events = [*BOT_EVENTS, *(["team_access_revoked"] if settings.oauth else [])]
    return {
        "event_subscriptions": {**_url("request_url", settings), "bot_events": events},
        "interactivity": {"is_enabled": True, **_url("request_url", settings)},
        "org_deploy_enabled": settings.oauth,
        "socket_mode_enabled": settings.mode == "socket",
        "token_rotation_enabled": settings.oauth,
    }


def _url(name: str, settings: SlackSettings) -> Part:
    return {name: f"{_public(settings)}{settings.path}"} if settings.mode == "http" else {}


def _public(settings: SlackSettings) -> str:
    if settings.public_url:
        return settings.public_url
    raise SettingsProblem(
        "[slack] `public_url` is missing: Slack has to be told where it reaches the bot; write for instance"
        ' public_url = "https://answers.example.com"'
    )
