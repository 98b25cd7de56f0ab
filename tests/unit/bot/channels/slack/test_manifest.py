"""The manifest fits what was chosen, and what the code uses."""

import pytest
import yaml

from bot.channels.slack.manifest import BOT_EVENTS, BOT_SCOPES, manifest, manifest_yaml
from bot.channels.slack.settings import SlackSettings
from bot.channels.slack.translate.events import EVENTS
from bot.channels.slack.translate.interactions import ANSWER_THIS
from bot.channels.slack.translate.read import items, part, word
from knowledge.errors import SettingsProblem
from tests.wire.slack.state import SUBSCRIPTIONS
from tests.wire.slack.tokens import SCOPES

HTTP = SlackSettings(mode="http", public_url="https://answers.example.com")


def test_it_is_yaml_of_the_same() -> None:
    assert yaml.safe_load(manifest_yaml(SlackSettings())) == manifest(SlackSettings())


def test_a_socket_needs_no_address_at_all() -> None:
    text = manifest_yaml(SlackSettings())

    assert "https://" not in text
    assert "socket_mode_enabled: true" in text


def test_http_has_one_address_for_events_buttons_and_the_command() -> None:
    written = manifest(HTTP)
    address = "https://answers.example.com/slack/events"

    assert part(written, "settings").get("socket_mode_enabled") is False
    assert word(written, "settings", "event_subscriptions", "request_url") == address
    assert word(written, "settings", "interactivity", "request_url") == address
    assert items(part(written, "features"), "slash_commands")[0]["url"] == address


@pytest.mark.parametrize("settings", [SlackSettings(mode="http"), SlackSettings(oauth=True)])
def test_without_a_public_address_it_says_what_is_missing(settings: SlackSettings) -> None:
    with pytest.raises(SettingsProblem, match="public_url"):
        manifest(settings)


def test_many_workspaces_come_back_to_an_address_with_tokens_that_rotate() -> None:
    written = manifest(SlackSettings(oauth=True, public_url="https://answers.example.com"))

    assert part(written, "oauth_config")["redirect_urls"] == ["https://answers.example.com/slack/oauth_redirect"]
    assert part(written, "settings")["token_rotation_enabled"] is True
    assert "team_access_revoked" in str(part(written, "settings", "event_subscriptions"))


def test_it_subscribes_to_what_is_understood_and_to_nothing_else() -> None:
    subscribed = {name.partition(".")[0] for name in BOT_EVENTS} | {"team_access_revoked"}

    assert subscribed == set(EVENTS)


def test_all_other_tests_grant_and_send_what_it_asks_for_and_no_more() -> None:
    assert set(BOT_SCOPES) == set(SCOPES)
    assert {*BOT_EVENTS, "team_access_revoked"} == set(SUBSCRIPTIONS)


def test_it_has_the_command_the_shortcut_and_the_prompts() -> None:
    features = part(manifest(SlackSettings(prompts=("How do I start?",), command="/wiki")), "features")

    assert items(features, "slash_commands")[0]["command"] == "/wiki"
    assert items(features, "shortcuts")[0]["callback_id"] == ANSWER_THIS
    assert items(part(features, "agent_view"), "suggested_prompts") == [
        {"title": "How do I start?", "message": "How do I start?"}
    ]
    assert "assistant_view" not in features


def test_it_stays_within_slacks_lengths() -> None:
    shown = part(manifest(SlackSettings()), "display_information")

    assert len(word(shown, "description")) <= 140
    assert 174 <= len(word(shown, "long_description")) <= 4_000
    assert len(set(BOT_SCOPES)) == len(BOT_SCOPES)
