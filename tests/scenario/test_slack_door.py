"""By HTTP only what Slack has just signed comes in; nothing of the rest is parsed or stored."""

import asyncio
import io
import json
import logging
import time

import pytest
from aiohttp import ClientSession

from bot.channels.http_door import MAX_BODY_BYTES
from tests.fakes.slack_ports import FakeStores
from tests.scenario.slack_listening import listening
from tests.wire.slack import ASKER, DIRECT, SlackServer, slack_at_work
from tests.wire.slack.signed_http import signed

HTTP = {"mode": "http"}
JSON = "application/json"


def event(text: str = "how?") -> dict[str, object]:
    written = {"type": "message", "user": ASKER, "text": text, "ts": "1764244800.000100", "channel": DIRECT}
    return {
        "type": "event_callback",
        "team_id": "T0HOME",
        "event_id": "Ev1",
        "event": {**written, "channel_type": "im"},
    }


async def status_of(slack: SlackServer, headers: dict[str, str], body: bytes) -> int:
    assert slack.signed_http is not None
    posted = io.BytesIO(body)
    async with ClientSession() as session, session.post(slack.signed_http.url, data=posted, headers=headers) as answer:
        return answer.status


async def test_the_request_url_is_verified() -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores(), choice=HTTP):
            assert await slack.verifies_url()


@pytest.mark.parametrize("tamper", ["wrong_signature", "no_signature", "no_timestamp", "changed_byte", "old_timestamp"])
async def test_what_slack_did_not_just_sign_is_refused(tamper: str) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=HTTP) as listener:
            slack.tampers(event(), tamper)
            await slack.until(lambda: slack.courier.is_idle and slack.deliveries)

    assert [delivery.status for delivery in slack.deliveries] == [401]
    assert (stores.inbox.messages, listener.counts.events, listener.counts.forged) == ({}, 0, 1)


@pytest.mark.parametrize(
    ("timestamp", "signature"),
    [("soon", "v0=00"), ("1e9", "v0=00"), ("-1", "v0=00"), ("9" * 30, "v0=00"), ("\u0661", "v0=00"), (None, "v0=é")],
)
async def test_odd_headers_are_refused_too(timestamp: str | None, signature: str) -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores(), choice=HTTP):
            headers = {
                "Content-Type": JSON,
                "X-Slack-Request-Timestamp": timestamp or str(int(time.time())),
                "X-Slack-Signature": signature,
            }

            assert await status_of(slack, headers, b"{}") == 401


async def test_what_was_overheard_and_sent_again_has_no_second_effect() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=HTTP) as listener:
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: listener.counts.acks == 1)
            slack.replays(slack.deliveries[0])
            await slack.until(lambda: listener.counts.acks == 2)

    assert stores.inbox.texts == ["how?"]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"x" * (MAX_BODY_BYTES + 1), JSON, 413),
        (b"{}", "text/plain", 415),
        (b"{}", "multipart/form-data; boundary=x", 415),
        (b"\xff\xfe{}", JSON, 400),
        (b"[" * 200_000, JSON, 400),
        (b'{"event":' * 50_000 + b"1" + b"}" * 50_000, JSON, 400),
        (b"payload=" + b"%5B" * 100_000, "application/x-www-form-urlencoded", 400),
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b"7", JSON, 400),
        (b"null", JSON, 400),
        (b'"text"', JSON, 400),
    ],
)
async def test_bodies_that_are_no_delivery_are_refused_at_little_cost(
    body: bytes, content_type: str, status: int
) -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=HTTP) as listener:
            headers, body = signed_as_it_is(slack, body, content_type)
            started = time.perf_counter()
            answered = await status_of(slack, headers, body)
            took_s = time.perf_counter() - started

    assert (answered, stores.inbox.messages, listener.counts.stored) == (status, {}, 0)
    assert took_s < 2.0


def signed_as_it_is(slack: SlackServer, body: bytes, content_type: str) -> tuple[dict[str, str], bytes]:
    return signed(slack.signing_secret, body, content_type)


async def test_packed_bodies_are_not_unpacked() -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores(), choice=HTTP):
            headers, body = signed_as_it_is(slack, b"{}", JSON)

            assert await status_of(slack, {**headers, "Content-Encoding": "gzip"}, body) in (400, 415)


@pytest.mark.parametrize("path", ["/", "/slack/install", "/slack/oauth_redirect", "/metrics"])
async def test_there_is_no_other_address(path: str) -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores(), choice=HTTP) as listener, ClientSession() as session:
            answer = await session.get(f"http://127.0.0.1:{listener.port}{path}")

            assert answer.status == 404


async def test_a_signed_body_that_means_nothing_is_acknowledged_and_left_alone() -> None:
    stores = FakeStores()
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=HTTP) as listener:
            body = json.dumps({"type": "event_callback", "team_id": "T0HOME", "event": {"type": "something_new"}})
            headers, raw = signed_as_it_is(slack, body.encode(), JSON)

            assert await status_of(slack, headers, raw) == 200

    assert (listener.counts.ignored, stores.inbox.messages) == (1, {})


async def test_no_secret_is_written_down_at_the_noisiest_level(caplog: pytest.LogCaptureFixture) -> None:
    stores = FakeStores()
    stores.inbox.failures = 1
    caplog.set_level(logging.DEBUG)
    with slack_at_work() as slack:
        async with listening(slack, stores, choice=HTTP):
            slack.tampers(event(), "wrong_signature")
            slack.says(ASKER, DIRECT, "how?")
            await slack.until(lambda: stores.inbox.messages)
        async with listening(slack, stores):
            slack.disconnects("refresh_requested")
            await slack.until(lambda: len(slack.socket_mode.connections) > 1)

    secrets = [slack.signing_secret, slack.app_token, "xoxb-T0HOME", "ticket="]
    text = caplog.text + "".join(repr(record.__dict__) for record in caplog.records)
    assert "not stored, so not acknowledged" in text
    assert [secret for secret in secrets if secret in text] == []


async def test_by_http_nobody_is_missed_who_does_not_write() -> None:
    with slack_at_work() as slack:
        async with listening(slack, FakeStores(), choice={"mode": "http", "silent_s": 0.1}) as listener:
            await asyncio.sleep(0.3)

            assert listener.health.healthy
