"""Several workspaces, installations, tokens that expire."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.wire.slack import SlackServer, slack_server
from tests.wire.slack.apps import client_of, error_of_call
from tests.wire.slack.tokens import Token, rotating

# The SDK's own way to send the client's secret.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")


def with_two(slack: SlackServer, enterprise_id: str | None = None) -> None:
    """Add two workspaces with a channel each."""
    for team_id in ("T1", "T2"):
        slack.add_workspace(team_id, enterprise_id=enterprise_id).add_channel(f"C{team_id}")


async def test_a_token_sees_its_own_workspace_only() -> None:
    with slack_server() as slack:
        with_two(slack)

        assert await error_of_call(client_of(slack, "xoxb-T1"), "conversations.info", channel="CT1") == ""
        error = await error_of_call(client_of(slack, "xoxb-T1"), "conversations.info", channel="CT2")
        assert error == "channel_not_found"


async def test_an_organisations_token_sees_all_its_workspaces() -> None:
    with slack_server() as slack:
        with_two(slack, "E1")
        client = client_of(slack, slack.add_org_install("E1").value)
        answer = await client.auth_test()

        assert (answer["is_enterprise_install"], answer["enterprise_id"]) == (True, "E1")
        for channel in ("CT1", "CT2"):
            assert await error_of_call(client, "chat.postMessage", channel=channel, text="x") == ""
        assert await error_of_call(client, "users.list") == "missing_argument"
        assert await error_of_call(client, "users.list", team_id="T2") == ""


def test_an_event_names_its_workspace_and_how_the_app_is_installed() -> None:
    with slack_server() as slack:
        with_two(slack, "E1")
        slack.add_org_install("E1")
        slack.workspaces["T2"].add_user("U1")
        slack.says("U1", "CT2", "hello")

        payload = slack.parcels[0].payload
        assert (payload["team_id"], payload["enterprise_id"]) == ("T2", "E1")
        assert isinstance(payload["authorizations"], list)
        assert payload["authorizations"][0]["is_enterprise_install"]


async def test_a_code_is_good_for_one_installation() -> None:
    with slack_server() as slack:
        slack.add_workspace("T1")
        code = slack.token_book.code_for(Token("xoxb-new", team_id="T1"))
        args = {"client_id": slack.client_id, "client_secret": slack.client_secret, "code": code}
        answer = await client_of(slack, None).oauth_v2_access(**args)

        assert (answer["access_token"], answer["team"]["id"], answer["enterprise"]) == ("xoxb-new", "T1", None)
        assert await error_of_call(client_of(slack, "xoxb-new"), "auth.test") == ""
        with pytest.raises(SlackApiError, match="invalid_code"):
            await client_of(slack, None).oauth_v2_access(**args)


async def test_a_wrong_secret_installs_nothing() -> None:
    with slack_server() as slack, pytest.raises(SlackApiError, match="bad_client_secret"):
        await client_of(slack, None).oauth_v2_access(client_id=slack.client_id, client_secret="x", code="y")


async def test_a_token_that_expired_is_renewed_once() -> None:
    with slack_server() as slack:
        slack.add_workspace("T1")
        old = slack.token_book.add(rotating(Token("", team_id="T1"), lifetime_s=-1))
        assert await error_of_call(client_of(slack, old.value), "auth.test") == "token_expired"
        args = {"client_id": slack.client_id, "client_secret": slack.client_secret}
        renewal = {**args, "grant_type": "refresh_token", "refresh_token": str(old.refresh)}
        answer = await client_of(slack, None).oauth_v2_access(**renewal)

        assert answer["expires_in"] == 43_200
        assert await error_of_call(client_of(slack, answer["access_token"]), "auth.test") == ""
        with pytest.raises(SlackApiError, match="invalid_refresh_token"):
            await client_of(slack, None).oauth_v2_access(**renewal)


async def test_a_revoked_token_is_worthless() -> None:
    with slack_server() as slack:
        slack.add_workspace("T1")
        await client_of(slack, "xoxb-T1").auth_revoke()

        assert await error_of_call(client_of(slack, "xoxb-T1"), "auth.test") == "token_revoked"
