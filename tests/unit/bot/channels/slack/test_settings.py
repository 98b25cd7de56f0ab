"""What is chosen of Slack, and the secrets that each choice needs."""

import pytest
from pydantic import ValidationError

from bot.channels.slack.secrets import secrets_of
from bot.channels.slack.settings import SlackSettings
from knowledge.errors import SettingsProblem

SOCKET = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
HTTP = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "s"}
OAUTH = {"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "c"}


def test_a_socket_is_the_default_and_listens_on_no_address_for_the_world() -> None:
    settings = SlackSettings()

    assert (settings.mode, settings.host, settings.port, settings.path) == (
        "socket",
        "127.0.0.1",
        3000,
        "/slack/events",
    )


@pytest.mark.parametrize(
    "given",
    [
        {"mode": "carrier pigeon"},
        {"path": "slack/events"},
        {"public_url": "http://example.com"},
        {"public_url": "https://example.com/"},
        {"api_url": "https://slack.com/api"},
        {"reaction": ":eyes:"},
        {"command": "ask"},
        {"prompts": ["1", "2", "3", "4", "5"]},
        {"bot_token": "xoxb-1"},
    ],
)
def test_what_cannot_work_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SlackSettings.model_validate(given)


@pytest.mark.parametrize(
    ("settings", "environment"),
    [
        (SlackSettings(), SOCKET),
        (SlackSettings(mode="http"), HTTP),
        (SlackSettings(oauth=True), {**OAUTH, "SLACK_APP_TOKEN": "xapp-1"}),
        (SlackSettings(mode="http", oauth=True), {**OAUTH, "SLACK_SIGNING_SECRET": "s"}),
        (SlackSettings(), {**SOCKET, "SLACK_BOT_TOKEN": " xoxe.xoxb-1-2 \n"}),
    ],
)
def test_each_choice_needs_its_secrets_and_no_others(settings: SlackSettings, environment: dict[str, str]) -> None:
    secrets_of(environment, settings)

    for name in environment:
        with pytest.raises(SettingsProblem, match=name):
            secrets_of({key: value for key, value in environment.items() if key != name}, settings)


def test_the_credentials_of_oauth_in_the_environment_do_not_choose_it() -> None:
    secrets = secrets_of({**SOCKET, **OAUTH}, SlackSettings())

    assert (secrets.bot_token, secrets.client_id, secrets.client_secret) == ("xoxb-1", "", "")


def test_all_that_is_missing_is_told_at_once_and_where_to_get_it() -> None:
    with pytest.raises(SettingsProblem) as problem:
        secrets_of({}, SlackSettings())

    lines = str(problem.value).splitlines()
    assert ["SLACK_BOT_TOKEN" in lines[0], "SLACK_APP_TOKEN" in lines[1]] == [True, True]
    assert all("api.slack.com/apps" in line for line in lines)


def test_another_kind_of_token_is_noticed_and_never_shown() -> None:
    swapped = {"SLACK_BOT_TOKEN": "xapp-secret", "SLACK_APP_TOKEN": "xoxb-secret"}

    with pytest.raises(SettingsProblem) as problem:
        secrets_of(swapped, SlackSettings())

    assert "SLACK_BOT_TOKEN does not begin with xoxb-" in str(problem.value)
    assert "secret" not in str(problem.value)


def test_secrets_are_not_in_what_is_printed_of_them() -> None:
    assert "xoxb-1" not in repr(secrets_of(SOCKET, SlackSettings()))
