"""Socket Mode with the real Bolt: events, acknowledgements, redelivery, reconnecting."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
import pytest

from tests.wire.slack import ASKER, MENTION, PUBLIC, TEAM, SlackServer, slack_at_work
from tests.wire.slack.apps import PING_S, app_of, client_of, connected, error_of_call, listening
from tests.wire.slack.socket_mode import Reason

Acknowledge = Callable[..., Awaitable[None]]


async def raw_connection(slack: SlackServer, session: aiohttp.ClientSession) -> aiohttp.ClientWebSocketResponse:
    """Open a connection that acknowledges nothing by itself."""
    address = (await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token))["url"]
    return await session.ws_connect(address)


async def test_a_mention_comes_twice_with_the_same_ts_and_two_event_ids() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            ts = slack.says(ASKER, PUBLIC, f"{MENTION} hello")
            await slack.until(lambda: len(heard) == 2)

        assert {one["event"]["type"] for one in heard} == {"app_mention", "message"}
        assert {one["event"]["ts"] for one in heard} == {ts}
        assert len({one["event_id"] for one in heard}) == 2


async def test_every_acknowledgement_is_on_record_with_its_latency() -> None:
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, [])):
            slack.says(ASKER, PUBLIC, "hello")
            await slack.until(lambda: slack.acks)

        (delivery,), (ack,) = slack.deliveries, slack.acks
        assert (delivery.envelope_id, delivery.attempt, ack.is_late) == (ack.envelope_id, 0, False)
        assert delivery.latency_s is not None
        assert delivery.latency_s < slack.manners.ack_within_s


async def test_what_is_not_acknowledged_comes_again_in_a_new_envelope() -> None:
    with slack_at_work() as slack:
        slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.1, (0.0, 0.05)
        async with aiohttp.ClientSession() as session:
            socket = await raw_connection(slack, session)
            assert (await socket.receive_json())["type"] == "hello"
            slack.says(ASKER, PUBLIC, "hello")
            envelopes = [await socket.receive_json(timeout=5) for _ in range(3)]
            await slack.until(lambda: slack.lost)
            await socket.close()

        assert [(one["retry_attempt"], one["retry_reason"]) for one in envelopes] == [
            (0, ""),
            (1, "timeout"),
            (2, "timeout"),
        ]
        assert len({one["envelope_id"] for one in envelopes}) == 3
        assert len({one["payload"]["event_id"] for one in envelopes}) == 1


async def test_what_a_dead_process_left_unacknowledged_comes_to_the_next_one() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with aiohttp.ClientSession() as session:
            socket = await raw_connection(slack, session)
            await socket.receive_json()
            slack.says(ASKER, PUBLIC, "hello")
            await socket.receive_json(timeout=5)
        async with connected(slack, listening(slack, heard)):
            await slack.until(lambda: heard)

        assert [(one.attempt, one.is_acked) for one in slack.deliveries] == [(0, False), (1, True)]


async def test_an_acknowledgement_that_comes_too_late_is_marked() -> None:
    with slack_at_work() as slack:
        slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.05, ()
        async with aiohttp.ClientSession() as session:
            socket = await raw_connection(slack, session)
            await socket.receive_json()
            slack.says(ASKER, PUBLIC, "hello")
            envelope = await socket.receive_json(timeout=5)
            await slack.until(lambda: slack.lost)
            await socket.send_json({"envelope_id": envelope["envelope_id"]})
            await slack.until(lambda: slack.acks)
            await socket.close()

        assert [ack.is_late for ack in slack.acks] == [True]


@pytest.mark.parametrize("text", ["no json", json.dumps({"id": 1}), json.dumps({"envelope_id": "unknown"})])
async def test_a_frame_that_acknowledges_nothing_raises_the_alarm(text: str) -> None:
    with slack_at_work() as slack:
        async with aiohttp.ClientSession() as session:
            socket = await raw_connection(slack, session)
            await socket.send_str(text)
            await slack.until(lambda: slack.alarms)
            await socket.close()

        assert slack.acks == []


async def test_an_address_is_good_for_one_connection() -> None:
    with slack_at_work() as slack:
        address = (await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token))["url"]
        async with aiohttp.ClientSession() as session:
            socket = await session.ws_connect(address)
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(address)
            await socket.close()


async def test_several_connections_take_turns() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard), connections=3):
            for number in range(6):
                slack.says(ASKER, PUBLIC, str(number))
            await slack.until(lambda: len(heard) == 6)

        used = [delivery.connection for delivery in slack.deliveries]
        assert sorted(used.count(number) for number in {*used}) == [2, 2, 2]


async def test_one_connection_too_many_is_sent_away() -> None:
    with slack_at_work() as slack:
        slack.manners.most_connections = 1
        async with aiohttp.ClientSession() as session:
            first = await raw_connection(slack, session)
            second = await raw_connection(slack, session)
            frame = await second.receive_json()
            await first.close()

        assert (frame["type"], frame["reason"]) == ("disconnect", "too_many_websockets")


@pytest.mark.parametrize("reason", ["refresh_requested", "warning", "too_many_websockets"])
async def test_bolt_connects_anew_when_it_is_told_to_go(reason: Reason) -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            slack.disconnects(reason)
            await slack.until(lambda: len(slack.calls_of("apps.connections.open")) >= 2)
            await slack.until(lambda: slack.socket_mode.open)
            slack.says(ASKER, PUBLIC, "still there?")
            await slack.until(lambda: heard)

        assert [one["event"]["text"] for one in heard] == ["still there?"]


async def test_a_cut_connection_is_opened_anew_and_nothing_is_lost() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            slack.cuts_connections()
            await slack.until(lambda: not slack.socket_mode.open)
            slack.says(ASKER, PUBLIC, "said while nobody listened")
            await slack.until(lambda: heard)

        assert (len(heard), slack.lost) == (1, [])


async def test_after_link_disabled_no_connection_is_let_in() -> None:
    with slack_at_work() as slack:
        slack.disconnects("link_disabled")

        error = await error_of_call(client_of(slack, slack.app_token), "apps.connections.open")
        assert error == "socket_mode_not_enabled"


async def test_a_deaf_connection_answers_pings_and_brings_nothing() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.2, ()
        async with connected(slack, listening(slack, heard)):
            (connection,) = slack.socket_mode.open
            slack.deafens()
            slack.says(ASKER, PUBLIC, "hello?")
            await slack.until(lambda: slack.lost)
            pings = connection.pings
            await slack.until(lambda: connection.pings > pings + 2)

            assert (heard, slack.socket_mode.open) == ([], [connection])


async def test_without_answers_to_its_pings_bolt_gives_a_connection_up() -> None:
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, [])):
            slack.deafens(drops_pings=True)
            await slack.until(lambda: len(slack.socket_mode.connections) > 1, within_s=100 * PING_S)

        given_up, *_ = slack.socket_mode.connections
        assert given_up.pings > 0
        assert len(slack.calls_of("apps.connections.open")) > 1


async def test_what_is_held_back_can_come_in_another_order() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            slack.courier.hold()
            ts = slack.says(ASKER, PUBLIC, "first")
            slack.edits(PUBLIC, ts, "second")
            slack.courier.release(reverse=True)
            await slack.until(lambda: len(heard) == 2)

        assert [one["event"].get("subtype") for one in heard] == ["message_changed", None]


async def test_a_delivery_can_be_repeated_under_the_same_id_and_under_another() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            slack.says(ASKER, PUBLIC, "hello")
            await slack.until(lambda: heard)
            slack.redelivers(slack.deliveries[0])
            slack.resends(slack.deliveries[0])
            await slack.until(lambda: len(heard) == 3)

        assert len({one["event_id"] for one in heard}) == 2
        assert len({one["event"]["ts"] for one in heard}) == 1


async def test_the_bots_own_posts_come_back_and_bolt_drops_them() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            await client_of(slack).chat_postMessage(channel=PUBLIC, text="from us")
            slack.says(ASKER, PUBLIC, "from somebody")
            await slack.until(lambda: len(slack.acks) == 2)
            await slack.until(lambda: heard)

        own = next(one for one in slack.deliveries if one.event.get("bot_id"))
        assert own.event["bot_id"] == slack.workspaces[TEAM].bot_id
        assert [one["event"]["text"] for one in heard] == ["from somebody"]


async def test_a_slash_command_can_be_answered_with_its_acknowledgement() -> None:
    with slack_at_work() as slack:
        app = app_of(slack)

        @app.command("/ask")
        async def ask(ack: Acknowledge, command: dict[str, Any]) -> None:
            await ack(f"you asked: {command['text']}")

        async with connected(slack, app):
            slack.runs(ASKER, PUBLIC, "/ask", "leave")
            await slack.until(lambda: slack.whispers(PUBLIC, ASKER))

        assert [one.text for one in slack.whispers(PUBLIC, ASKER)] == ["you asked: leave"]


async def test_fifty_messages_a_second_are_acknowledged_by_bolt() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, listening(slack, heard)):
            for number in range(100):
                slack.says(ASKER, PUBLIC, str(number))
                await asyncio.sleep(0.02)
            await slack.until(lambda: len(heard) == 100)

        assert len({ack.envelope_id for ack in slack.acks if not ack.is_late}) == 100
