"""What Slack gives in confidence: read from the environment, never shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.channels.slack.settings import SlackSettings
from knowledge.errors import SettingsProblem

BOT_TOKEN = "SLACK_BOT_TOKEN"
APP_TOKEN = "SLACK_APP_TOKEN"
SIGNING_SECRET = "SLACK_SIGNING_SECRET"
CLIENT_ID = "SLACK_CLIENT_ID"
CLIENT_SECRET = "SLACK_CLIENT_SECRET"
WHERE = {
    BOT_TOKEN: "the Bot User OAuth Token (xoxb-…): api.slack.com/apps, your app, OAuth & Permissions",
    APP_TOKEN: "an app-level token (xapp-…) with connections:write: api.slack.com/apps, Basic Information",
    SIGNING_SECRET: "the Signing Secret: api.slack.com/apps, your app, Basic Information, App Credentials",
    CLIENT_ID: "the Client ID: api.slack.com/apps, your app, Basic Information, App Credentials",
    CLIENT_SECRET: "the Client Secret: api.slack.com/apps, your app, Basic Information, App Credentials",
}
PREFIXES = {BOT_TOKEN: "xoxb-", APP_TOKEN: "xapp-"}


@dataclass(frozen=True, slots=True)
class SlackSecrets:
    """The secrets that the chosen mode needs; "" for those that it does not."""

    bot_token: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    client_id: str = ""
    client_secret: str = field(default="", repr=False)


def needed(settings: SlackSettings) -> tuple[str, ...]:
    """Return the environment variables that a choice needs."""
    way_in = APP_TOKEN if settings.mode == "socket" else SIGNING_SECRET
    return (CLIENT_ID, CLIENT_SECRET, way_in) if settings.oauth else (BOT_TOKEN, way_in)


def secrets_of(environment: Mapping[str, str], settings: SlackSettings) -> SlackSecrets:
    """Read the secrets; SettingsProblem names every variable that is missing or mistaken, and where to get it."""
    names = needed(settings)
    given = {name: environment.get(name, "").strip() for name in names}
    problems = [f"{name} is not set; it is {WHERE[name]}" for name in names if not given[name]]
    for name, prefix in PREFIXES.items():
        # Bot tokens that rotate begin with "xoxe.xoxb-".
        if given.get(name) and prefix not in given[name][:10]:
            problems.append(f"{name} does not begin with {prefix}: it is another kind of token; set {WHERE[name]}")
    if problems:
        raise SettingsProblem("\n".join(problems))
    return SlackSecrets(
        bot_token=given.get(BOT_TOKEN, ""),
        app_token=given.get(APP_TOKEN, ""),
        signing_secret=given.get(SIGNING_SECRET, ""),
        client_id=given.get(CLIENT_ID, ""),
        client_secret=given.get(CLIENT_SECRET, ""),
    )
