"""The connection to Slack is always there: opened anew when it ends, and when it only seems to be open."""

import asyncio
import os

import pytest

from bot.channels.slack.clients import open_clients
from bot.channels.slack.listen.keeper import Stores
from bot.channels.slack.listen.listener import Listener, Way
from bot.channels.slack.settings import SlackSettings
from knowledge.errors import SettingsProblem
from tests.fakes.slack_ports import FakeStores
from tests.scenario.slack_listening import FAST, listening, secrets_for
from tests.wire.slack import ASKER, DIRECT, PUBLIC, Fault, SlackServer, slack_at_work


@pytest.mark.parametrize("reason", ["refresh_requested", "warning", "too_many_websockets"])
async def test_when_slack_sends_a_connection_away_another_one_is_opened(reason: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            slack.disconnects(reason)  # type: ignore[arg-type] # the table has only reasons
            await slack.until(lambda: listener.counts.reconnects)
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)

    assert listener.counts.reconnects >= 1


async def test_a_connection_that_breaks_is_opened_anew_and_what_was_under_way_comes_again() -> None:
    stores = FakeStores()
    stores.inbox.delay_s = 0.3
    with slack_at_work() as slack:
        async with listening(slack, stores) as listener:
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: slack.deliveries_of("message"))
            slack.cuts_connections()
            await slack.until(lambda: listener.counts.reconnects)
            await slack.until(lambda: slack.courier.is_idle)

    assert stores.inbox.texts == ["how?"]
    assert any(delivery.is_acked for delivery in slack.deliveries_of("message"))


@pytest.mark.parametrize(
    ("drops_pings", "choice"),
    [(True, {"silent_s": 0.6}), (False, {"deaf_minutes": 0.01})],
    ids=["without an answer to pings", "with answers to pings and nothing else"],
)
async def test_a_deaf_socket_is_noticed_and_replaced(drops_pings: bool, choice: dict[str, object]) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.3, (0.5, 0.5, 0.5, 0.5)
        async with listening(slack, stores, choice=choice) as listener:
            slack.deafens(drops_pings=drops_pings)
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)

    assert listener.counts.reconnects >= 1


async def test_while_slack_is_down_a_quiet_socket_is_left_alone() -> None:
    with slack_at_work() as slack:
        slack.inject("api.test", Fault.html(503), times=None)
        async with listening(slack, FakeStores(), choice={"deaf_minutes": 0.005}) as listener:
            await slack.until(lambda: len(slack.calls_of("api.test")) > 1)

    assert (listener.counts.reconnects, len(slack.socket_mode.connections)) == (0, 1)


async def test_slack_may_be_away_at_the_start_and_is_waited_for() -> None:
    with slack_at_work() as slack:
        slack.inject("apps.connections.open", Fault.html(503), times=1)
        async with listening(slack, FakeStores()) as listener:
            assert listener.health.healthy

    assert len(slack.calls_of("apps.connections.open")) == 2


async def test_to_stop_is_to_acknowledge_first_what_is_stored() -> None:
    stores = FakeStores()
    stores.inbox.delay_s = 0.5
    with slack_at_work() as slack:
        async with listening(slack, stores):
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: slack.deliveries_of("message"))
            await asyncio.sleep(0.1)
        await slack.until(lambda: slack.deliveries_of("message")[0].is_over)

    assert stores.inbox.texts == ["how?"]
    assert slack.deliveries_of("message")[0].is_acked


@pytest.mark.parametrize(
    ("bot_token", "app_token", "named"),
    [("xoxb-wrong", None, "SLACK_BOT_TOKEN"), (None, "xapp-wrong", "SLACK_APP_TOKEN")],
)
async def test_a_token_that_slack_refuses_is_named_and_nothing_is_tried_again(
    bot_token: str | None, app_token: str | None, named: str
) -> None:
    with slack_at_work() as slack:
        problem = await refused(slack, bot_token, app_token)

    assert named in problem
    assert "wrong" not in problem
    assert len([call for call in slack.calls if call.error == "invalid_auth"]) == 1


async def refused(slack: SlackServer, bot_token: str | None, app_token: str | None) -> str:
    settings, secrets, stores = SlackSettings(api_url=slack.api_url), secrets_for(slack), FakeStores()
    given = type(secrets)(bot_token or secrets.bot_token, app_token or secrets.app_token)
    async with open_clients(settings, given) as clients:
        kept = Stores(stores.intake(), stores.feedback, stores.heard)
        with pytest.raises(SettingsProblem) as problem:
            async with asyncio.timeout(5):
                await Listener(Way(settings, given, FAST), clients, kept).listen()
    return str(problem.value)


async def test_credentials_of_oauth_in_the_environment_change_nothing() -> None:
    stores = FakeStores()
    os.environ["SLACK_CLIENT_ID"], os.environ["SLACK_CLIENT_SECRET"] = "111.222", "somebody else's"
    try:
        with slack_at_work() as slack:
            async with listening(slack, stores):
                slack.says(ASKER, DIRECT, "how?")
                await slack.until(lambda: stores.inbox.messages)
    finally:
        del os.environ["SLACK_CLIENT_ID"], os.environ["SLACK_CLIENT_SECRET"]

    assert stores.inbox.texts == ["how?"]


async def test_health_says_when_something_came_last() -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores()) as listener:
            assert listener.health.last_event_at is None
            slack.says(ASKER, PUBLIC, "not for us")
            await slack.until(lambda: listener.counts.acks)
            assert listener.health.last_event_at is not None
        assert not listener.health.healthy
