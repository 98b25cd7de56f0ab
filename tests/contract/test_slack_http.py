"""The Events API over HTTP with Bolt's own server: signatures, repeats, forms."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from aiohttp import web

from tests.wire.slack import ASKER, BOT_TOKEN, PUBLIC, TEAM, SlackServer, slack_at_work
from tests.wire.slack.apps import app_of, client_of, listening, serving

EVENT: dict[str, object] = {
    "type": "event_callback",
    "team_id": TEAM,
    "event_id": "Ev1",
    "event": {"type": "message", "channel": PUBLIC, "user": ASKER, "text": "hello", "ts": "1.1"},
}
Answer = Callable[[web.Request], Awaitable[web.Response]]


async def served_by(slack: SlackServer, answer: Answer, port: int = 0) -> web.AppRunner:
    """Serve something that is no Bolt, and deliver to it."""
    application = web.Application()
    application.router.add_post("/events", answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    slack.delivers_to(f"http://127.0.0.1:{runner.addresses[0][1]}/events")
    return runner


async def test_bolt_takes_a_signed_event() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with serving(slack, listening(slack, heard)):
            assert await slack.verifies_url()
            slack.says(ASKER, PUBLIC, "hello")
            await slack.until(lambda: heard and slack.deliveries[-1].is_acked)

        assert [one.status for one in slack.deliveries] == [200, 200]


@pytest.mark.parametrize(
    ("tamper", "status"),
    [
        ("wrong_signature", 401),
        ("no_signature", 401),
        ("no_timestamp", 401),
        ("old_timestamp", 401),
        ("changed_byte", 401),
    ],
)
async def test_bolt_refuses_what_is_not_signed_right(tamper: str, status: int) -> None:
    with slack_at_work() as slack:
        async with serving(slack, app_of(slack)):
            slack.tampers(EVENT, tamper)
            await slack.until(lambda: slack.deliveries and slack.deliveries[0].is_over)

        assert [one.status for one in slack.deliveries] == [status]


async def test_the_same_bytes_can_be_sent_again() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with serving(slack, listening(slack, heard)):
            slack.says(ASKER, PUBLIC, "hello")
            await slack.until(lambda: heard)
            slack.replays(slack.deliveries[0])
            await slack.until(lambda: len(heard) == 2)

        first, second = slack.deliveries
        assert (first.body, first.headers) == (second.body, second.headers)


async def test_any_bytes_can_be_sent_with_a_right_signature() -> None:
    with slack_at_work() as slack:
        seen: list[bytes] = []

        async def answer(request: web.Request) -> web.Response:
            seen.append(await request.read())
            return web.Response()

        runner = await served_by(slack, answer)
        slack.posts_signed(b"\xff\xfe" + b"[" * 100_000, "application/json")
        await slack.until(lambda: seen)
        await runner.cleanup()

        assert seen[0].startswith(b"\xff\xfe[")


async def test_what_fails_comes_again_with_the_same_event_id_and_its_number() -> None:
    with slack_at_work() as slack:
        slack.manners.retry_delays_s = (0.0, 0.05, 0.05)

        async def answer(request: web.Request) -> web.Response:
            return web.Response(status=500)

        runner = await served_by(slack, answer)
        slack.says(ASKER, PUBLIC, "hello")
        await slack.until(lambda: slack.lost)
        await runner.cleanup()

        numbers = [one.headers.get("X-Slack-Retry-Num") for one in slack.deliveries]
        reasons = {one.headers.get("X-Slack-Retry-Reason") for one in slack.deliveries[1:]}
        assert (numbers, reasons) == ([None, "1", "2", "3"], {"http_error"})
        assert len({one.event_id for one in slack.deliveries}) == 1


async def test_an_app_can_ask_for_no_repeat() -> None:
    with slack_at_work() as slack:

        async def answer(request: web.Request) -> web.Response:
            return web.Response(status=500, headers={"X-Slack-No-Retry": "1"})

        runner = await served_by(slack, answer)
        slack.says(ASKER, PUBLIC, "hello")
        await slack.until(lambda: slack.deliveries and slack.courier.is_idle)
        await runner.cleanup()

        assert len(slack.deliveries) == 1


async def test_where_nobody_listens_the_reason_says_so() -> None:
    with slack_at_work() as slack:
        slack.manners.retry_delays_s, slack.manners.waits_for_connection = (0.0,), False
        slack.delivers_to("http://127.0.0.1:9/events")
        slack.says(ASKER, PUBLIC, "hello")
        await slack.until(lambda: slack.lost)

        assert slack.deliveries[1].reason == "connection_failed"


async def test_what_was_said_during_a_restart_comes_when_somebody_listens_again() -> None:
    with slack_at_work() as slack:

        async def answer(request: web.Request) -> web.Response:
            return web.Response()

        runner = await served_by(slack, answer)
        port = runner.addresses[0][1]
        await runner.cleanup()
        slack.says(ASKER, PUBLIC, "hello")
        await slack.until(lambda: slack.deliveries and slack.deliveries[0].is_over)
        runner = await served_by(slack, answer, port)
        await slack.until(lambda: len(slack.deliveries) == 2 and slack.deliveries[1].is_acked)
        await runner.cleanup()

        assert [(one.attempt, one.reason) for one in slack.deliveries] == [(0, ""), (1, "connection_failed")]


async def test_silence_ends_with_a_timeout() -> None:
    with slack_at_work() as slack:
        slack.manners.ack_within_s, slack.manners.retry_delays_s = 0.1, (0.0,)
        release: list[None] = []

        async def answer(request: web.Request) -> web.Response:
            await slack.until(lambda: release)
            return web.Response()

        runner = await served_by(slack, answer)
        slack.says(ASKER, PUBLIC, "hello")
        await slack.until(lambda: slack.lost)
        release.append(None)
        await runner.cleanup()

        assert slack.deliveries[1].reason == "http_timeout"


async def test_clicks_and_commands_come_as_forms() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        app = app_of(slack)

        @app.action("go")
        @app.command("/ask")
        async def keep(ack: Callable[..., Awaitable[None]], body: dict[str, Any]) -> None:
            heard.append(body)
            await ack()

        button = {"type": "button", "text": {"type": "plain_text", "text": "Go"}, "action_id": "go", "value": "1"}
        blocks = [{"type": "actions", "elements": [button]}]
        answer = await client_of(slack).chat_postMessage(channel=PUBLIC, text="x", blocks=blocks)
        async with serving(slack, app):
            slack.clicks(ASKER, PUBLIC, str(answer["ts"]), "go")
            slack.runs(ASKER, PUBLIC, "/ask", "ärger & leave")
            await slack.until(lambda: len(heard) == 2)

        click = next(one for one in heard if "actions" in one)
        command = next(one for one in heard if "command" in one)
        assert (click["actions"][0]["value"], click["message"]["ts"]) == ("1", answer["ts"])
        assert command["text"] == "ärger & leave"
        forms = [one for one in slack.deliveries if one.kind != "events_api"]
        assert {one.headers["Content-Type"] for one in forms} == {"application/x-www-form-urlencoded"}


async def test_bolt_asks_once_who_its_token_is() -> None:
    with slack_at_work() as slack:
        async with serving(slack, app_of(slack)):
            slack.says(ASKER, PUBLIC, "hello")
            await slack.until(lambda: slack.deliveries and slack.deliveries[0].is_over)

        assert {call.token for call in slack.calls_of("auth.test")} == {BOT_TOKEN}
        assert json.loads(slack.deliveries[0].body)["event"]["text"] == "hello"
