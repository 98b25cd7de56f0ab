"""Many workspaces, or a whole organisation, install the app by themselves, and go again."""

import html
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import ClientSession
from yarl import URL

from bot.channels.slack.clients import Clients, open_clients
from bot.channels.slack.settings import SlackSettings
from bot.core.installations import Installation
from knowledge.errors import DatabaseUnavailable, SettingsProblem
from tests.fakes.slack_ports import FakeInstallations, FakeStates, FakeStores
from tests.scenario.slack_listening import listening, secrets_for
from tests.wire.slack import SlackServer, slack_server
from tests.wire.slack.tokens import Token, rotating

# Slack's SDK 3.48 still sends the client's secret in the way that aiohttp 3.14 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")

MANY = {"mode": "http", "oauth": True, "public_url": "https://answers.example.com"}


def with_team(slack: SlackServer, team: str, enterprise: str | None = None) -> Installation:
    """Add a workspace with one person, and return its installation."""
    home = slack.add_workspace(team, enterprise_id=enterprise)
    home.add_user(f"U{team}")
    home.dm(f"U{team}")
    return Installation(enterprise, team, "A1", home.bot_user, home.bot_id, f"xoxb-{team}")


@dataclass
class Browser:
    """Somebody who installs the app."""

    session: ClientSession
    port: int
    cookie: str = ""

    async def begins(self) -> str:
        """Open the page, and return the state that Slack is sent along."""
        async with self.session.get(f"http://127.0.0.1:{self.port}/slack/install") as answer:
            page = await answer.text()
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        url = URL(html.unescape(page.partition('<a href="')[2].partition('"')[0]))
        assert url.query["redirect_uri"] == "https://answers.example.com/slack/oauth_redirect"
        assert "chat:write" in url.query["scope"]
        return url.query["state"]

    async def comes_back(self, **query: str) -> int:
        """Come back from Slack, and return the status of the page."""
        url = URL(f"http://127.0.0.1:{self.port}/slack/oauth_redirect").with_query(query)
        async with self.session.get(url, headers={"Cookie": self.cookie}) as answer:
            return answer.status


@asynccontextmanager
async def browsing(
    slack: SlackServer, installations: FakeInstallations, stores: FakeStores | None = None
) -> AsyncIterator[Browser]:
    served = listening(slack, stores or FakeStores(), choice=MANY, installations=installations, states=FakeStates())
    async with served as listener, ClientSession() as session:
        yield Browser(session, listener.port)


async def test_somebody_installs_the_app_and_is_heard_at_once() -> None:
    installations, stores = FakeInstallations(), FakeStores()
    with slack_server() as slack:
        with_team(slack, "T1")
        async with browsing(slack, installations, stores) as browser:
            state = await browser.begins()
            code = slack.token_book.code_for(Token("xoxb-new", team_id="T1"))
            assert await browser.comes_back(code=code, state=state) == 200
            slack.says("UT1", "DT1", "how?")
            await slack.until(lambda: stores.inbox.messages)

    kept = installations.kept["T1"]
    assert (kept.token, kept.team, kept.bot_user, kept.bot) == ("xoxb-new", "T1", "UT1BOT", "BT1BOT")


async def test_an_installation_ends_once_and_only_in_the_browser_that_began_it() -> None:
    installations = FakeInstallations()
    with slack_server() as slack:
        with_team(slack, "T1")
        async with browsing(slack, installations) as browser:
            state = await browser.begins()
            code = slack.token_book.code_for(Token("xoxb-new", team_id="T1"))
            stranger = Browser(browser.session, browser.port, "slack-app-oauth-state=another")

            assert await stranger.comes_back(code=code, state=state) == 400
            assert await browser.comes_back(code="made-up", state=state) == 401
            assert await browser.comes_back(code=code, state=state) == 401
            assert await browser.comes_back(error="access_denied", state=state) == 200

    assert installations.kept == {}


async def test_an_organisation_installs_it_once_for_all_its_workspaces() -> None:
    installations, stores = FakeInstallations(), FakeStores()
    with slack_server() as slack:
        with_team(slack, "T1", "E1")
        with_team(slack, "T2", "E1")
        token = slack.add_org_install("E1")
        installations.kept["E1"] = Installation("E1", None, "A1", "UT1BOT", "BT1BOT", token.value)
        async with browsing(slack, installations, stores):
            for team in ("T1", "T2"):
                slack.says(f"U{team}", f"D{team}", f"from {team}")
            await slack.until(lambda: len(stores.inbox.messages) == 2)

    assert {one.place.workspace for one in stores.inbox.messages.values()} == {"T1", "T2"}
    assert await installations.workspaces() == ["T1", "T2"]


async def test_a_delivery_from_a_workspace_without_the_app_is_left_alone() -> None:
    stores = FakeStores()
    with slack_server() as slack:
        with_team(slack, "T1")
        installations = FakeInstallations(with_team(slack, "T2"))
        async with browsing(slack, installations, stores):
            slack.says("UT1", "DT1", "from where it is not installed")
            slack.says("UT2", "DT2", "from where it is")
            await slack.until(lambda: stores.inbox.messages)
            await slack.until(lambda: slack.courier.is_idle)

    assert stores.inbox.texts == ["from where it is"]


async def test_while_the_store_of_installations_is_down_nothing_is_acknowledged() -> None:
    class Down(FakeInstallations):
        """Down for the first deliveries."""

        failures = 2

        async def find(self, enterprise: str | None, team: str | None) -> Installation | None:
            if self.failures:
                self.failures -= 1
                raise DatabaseUnavailable("the database failed: it was told to; see whether it runs, then try again")
            return await super().find(enterprise, team)

    stores = FakeStores()
    with slack_server() as slack:
        installations = Down(with_team(slack, "T1"))
        async with browsing(slack, installations, stores):
            slack.says("UT1", "DT1", "how?")
            await slack.until(lambda: stores.inbox.messages)
            await slack.until(lambda: slack.courier.is_idle)

    assert [one.is_acked for one in slack.deliveries_of("message")] == [False, False, True]


@pytest.mark.parametrize("way", ["uninstalls", "revokes_tokens"])
async def test_who_uninstalls_the_app_is_forgotten_with_the_token(way: str) -> None:
    with slack_server() as slack:
        installations = FakeInstallations(with_team(slack, "T1"), with_team(slack, "T2"))
        async with browsing(slack, installations):
            getattr(slack, way)("T1")
            await slack.until(lambda: "T1" not in installations.kept)
            await slack.until(lambda: slack.courier.is_idle)

    assert list(installations.kept) == ["T2"]
    assert all(delivery.is_acked for delivery in slack.deliveries)


async def test_an_organisation_takes_the_app_from_a_workspace() -> None:
    with slack_server() as slack:
        with_team(slack, "T1", "E1")
        token = slack.add_org_install("E1")
        installations = FakeInstallations(Installation("E1", None, "A1", "UT1BOT", "BT1BOT", token.value))
        await installations.seen("E1", "T1")
        async with browsing(slack, installations):
            event = {"type": "team_access_revoked", "team_ids": ["T1"]}
            slack.delivers("events_api", {"type": "event_callback", "enterprise_id": "E1", "event": event})
            await slack.until(lambda: not installations.teams)

    assert list(installations.kept) == ["E1"]


@asynccontextmanager
async def clients_of(slack: SlackServer, installations: FakeInstallations) -> AsyncIterator[Clients]:
    async with open_clients(SlackSettings(api_url=slack.api_url), secrets_for(slack, ""), installations) as clients:
        yield clients


def expiring(slack: SlackServer, within: timedelta) -> Installation:
    """Return an installation whose token expires soon."""
    home = slack.add_workspace("T1")
    token = slack.token_book.add(rotating(Token("", team_id="T1"), within.total_seconds()))
    expires_at = datetime.now(UTC) + within
    return Installation(None, "T1", "A1", home.bot_user, home.bot_id, token.value, (), token.refresh, expires_at)


async def test_a_token_is_renewed_before_it_expires_and_kept() -> None:
    with slack_server() as slack:
        old = expiring(slack, timedelta(minutes=30))
        installations = FakeInstallations(old)
        async with clients_of(slack, installations) as clients:
            client = await clients.of("T1")
            again = await clients.of("T1")
            assert (await client.auth_test())["team_id"] == "T1"

    kept = installations.kept["T1"]
    assert client.token == again.token == kept.token != old.token
    assert kept.refresh_token != old.refresh_token
    assert kept.expires_at is not None
    assert kept.expires_at > datetime.now(UTC) + timedelta(hours=10)
    assert len(slack.calls_of("oauth.v2.access")) == 1


async def test_a_token_that_is_good_for_long_is_left_alone() -> None:
    with slack_server() as slack:
        async with clients_of(slack, FakeInstallations(expiring(slack, timedelta(hours=11)))) as clients:
            await clients.of("T1")

    assert slack.calls_of("oauth.v2.access") == []


async def test_of_two_processes_that_renew_the_same_token_the_second_takes_what_the_first_got() -> None:
    with slack_server() as slack:
        installations = FakeInstallations(expiring(slack, timedelta(minutes=30)))
        async with clients_of(slack, installations) as first, clients_of(slack, installations) as second:
            await second.me("T1")
            ours = await first.of("T1")
            theirs = await second.of("T1")

    assert ours.token == theirs.token


async def test_a_token_that_cannot_be_renewed_is_used_as_long_as_it_is_good() -> None:
    with slack_server() as slack:
        old = expiring(slack, timedelta(minutes=30))
        async with clients_of(slack, FakeInstallations(old)) as clients:
            slack.client_secret = "another"
            assert (await clients.of("T1")).token == old.token


async def test_a_token_that_is_over_and_cannot_be_renewed_says_what_to_do() -> None:
    with slack_server() as slack:
        old = expiring(slack, timedelta(seconds=-1))
        async with clients_of(slack, FakeInstallations(old)) as clients:
            slack.client_secret = "another"
            with pytest.raises(SettingsProblem, match="SLACK_CLIENT_SECRET") as problem:
                await clients.of("T1")

    assert old.token not in str(problem.value)


async def test_an_installation_is_read_again_once_in_a_while_however_often_it_is_used() -> None:
    times = iter((1_000.0, 1_050.0, 1_061.0, 1_061.0))
    with slack_server() as slack:
        installations = FakeInstallations(with_team(slack, "T1"))
        async with ClientSession() as session:
            secrets = secrets_for(slack, "")
            clients = Clients(
                session, api_url=slack.api_url, secrets=secrets, installations=installations, clock=lambda: next(times)
            )
            await clients.of("T1")
            installations.kept["T1"] = replace(installations.kept["T1"], token="xoxb-new")
            tokens = [(await clients.of("T1")).token for _ in range(2)]

    assert tokens == ["xoxb-T1", "xoxb-new"]
