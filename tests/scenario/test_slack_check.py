"""`check` finds what is missing on Slack's side, and says what to click."""

import pytest

from bot.channels.finding import Finding
from bot.channels.slack.check import check
from bot.channels.slack.clients import open_clients
from bot.channels.slack.manifest import BOT_SCOPES
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.settings import SlackSettings
from bot.core.installations import Installation
from tests.fakes.slack_ports import FakeInstallations
from tests.scenario.slack_listening import secrets_for
from tests.wire.slack import SlackServer, slack_server


async def found_at(
    slack: SlackServer,
    secrets: SlackSecrets,
    settings: SlackSettings | None = None,
    installations: FakeInstallations | None = None,
    desks: frozenset[str] = frozenset(),
) -> list[Finding]:
    chosen = (settings or SlackSettings()).model_copy(update={"api_url": slack.api_url})
    async with open_clients(chosen, secrets, installations) as clients:
        return await check(chosen, secrets, clients, desks)


async def test_an_app_from_our_manifest_is_as_it_should_be() -> None:
    with slack_server() as slack:
        slack.add_workspace("T1", scopes=BOT_SCOPES)
        found = await found_at(slack, secrets_for(slack, "xoxb-T1"))

    assert [str(finding) for finding in found if not finding.is_good] == []
    assert any("Socket Mode is on" in finding.text for finding in found)


async def test_missing_scopes_are_named_with_the_events_that_they_cost() -> None:
    with slack_server() as slack:
        slack.add_workspace(
            "T1", scopes=tuple(scope for scope in BOT_SCOPES if scope not in ("im:history", "commands"))
        )
        found = await found_at(slack, secrets_for(slack, "xoxb-T1"))

    (problem,) = [finding for finding in found if not finding.is_good]
    assert "commands, im:history" in problem.text
    assert "message.im" in problem.text
    assert "Reinstall to Workspace" in problem.remedy


async def test_tokens_that_slack_refuses_are_told_without_showing_them() -> None:
    with slack_server() as slack:
        found = await found_at(slack, SlackSecrets("xoxb-wrong", "xapp-wrong"))

    problems = [str(finding) for finding in found if not finding.is_good]
    assert len(problems) == 2
    assert "SLACK_BOT_TOKEN" in problems[0]
    assert "SLACK_APP_TOKEN" in problems[1]
    assert "wrong" not in "".join(problems)


async def test_http_has_to_be_reached_from_outside() -> None:
    with slack_server() as slack:
        slack.add_workspace("T1", scopes=BOT_SCOPES)
        without = await found_at(slack, secrets_for(slack, "xoxb-T1"), SlackSettings(mode="http"))
        public = SlackSettings(mode="http", public_url="https://answers.example.com")
        within = await found_at(slack, secrets_for(slack, "xoxb-T1"), public)

    assert ["public_url" in finding.remedy for finding in without if not finding.is_good] == [True]
    assert any("https://answers.example.com/slack/events" in finding.text for finding in within)


async def test_each_workspace_is_looked_at_where_there_are_many() -> None:
    settings = SlackSettings(oauth=True)
    with slack_server() as slack:
        slack.add_workspace("T1", scopes=BOT_SCOPES)
        installed = FakeInstallations(
            Installation(None, "T1", "A1", "UT1BOT", "BT1BOT", "xoxb-T1"),
            Installation(None, "T2", "A1", "UT2BOT", "BT2BOT", "xoxb-gone"),
        )
        some = await found_at(slack, secrets_for(slack, ""), settings, installed)
        none = await found_at(slack, secrets_for(slack, ""), settings, FakeInstallations())

    assert ["T2" in finding.text for finding in some if not finding.is_good] == [True]
    assert ["/slack/install" in finding.remedy for finding in none if not finding.is_good] == [True]


@pytest.mark.parametrize(
    ("channel", "told"),
    [("C1IN", "the bot is in it"), ("C1OUT", "the bot is not in it"), ("C1OLD", "is archived"), ("C1NONE", "C1NONE")],
)
async def test_a_desk_is_a_channel_that_the_bot_is_in(channel: str, told: str) -> None:
    with slack_server() as slack:
        home = slack.add_workspace("T1", scopes=BOT_SCOPES)
        home.add_channel("C1IN")
        home.add_channel("C1OUT", has_bot=False)
        home.add_channel("C1OLD").is_archived = True
        found = await found_at(slack, secrets_for(slack, "xoxb-T1"), desks=frozenset({channel}))

    (desk,) = [finding for finding in found if "the desk in" in finding.text]
    assert (told in desk.text, desk.is_good) == (True, channel == "C1IN")
    assert desk.is_good or desk.remedy
