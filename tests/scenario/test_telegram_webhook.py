"""By webhook only what shows Telegram's secret comes in; nothing of the rest is read, and one process sets it right."""

import asyncio
import io
import json
import logging
import time

import pytest
from aiohttp import ClientSession

from bot.channels.http_door import MAX_BODY_BYTES
from bot.channels.telegram.listen.http import SECRET_HEADER
from bot.channels.telegram.listen.listener import Listener
from knowledge.errors import SettingsProblem
from tests.fakes.telegram_ports import FakeOffered
from tests.scenario.telegram_listening import SECRETS, listening, open_listener
from tests.wire.telegram import ASKER, TelegramServer, telegram_at_work

WEBHOOK = {"mode": "webhook"}
JSON = "application/json"
SECRET = SECRETS.webhook_secret


def update(text: str = "how?") -> dict[str, object]:
    person = {"id": ASKER, "is_bot": False, "first_name": "Olena"}
    chat = {"id": ASKER, "type": "private", "first_name": "Olena"}
    message = {"message_id": 1, "date": int(time.time()), "chat": chat, "from": person, "text": text}
    return {"update_id": 1, "message": message}


async def status_of(
    listener: Listener, body: bytes, *, secret: str | None = SECRET, content_type: str = JSON, path: str = "/telegram"
) -> int:
    headers = {"Content-Type": content_type} | ({SECRET_HEADER: secret} if secret is not None else {})
    url = f"http://127.0.0.1:{listener.port}{path}"
    async with ClientSession() as session, session.post(url, data=io.BytesIO(body), headers=headers) as answer:
        return answer.status


async def test_what_telegram_posts_is_stored() -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice=WEBHOOK) as listener:
            status = await status_of(listener, json.dumps(update()).encode())

    assert (status, stores.inbox.texts) == (200, ["how?"])


@pytest.mark.parametrize("secret", [None, "", "wrong", SECRET[:-1], SECRET + "0", SECRET.upper(), "é", "\u0661"])
async def test_what_does_not_show_the_secret_is_refused_and_told_nowhere(
    secret: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    stores = FakeOffered()
    caplog.set_level(logging.DEBUG)
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice=WEBHOOK) as listener:
            status = await status_of(listener, json.dumps(update()).encode(), secret=secret)

    assert (status, stores.inbox.messages, listener.counts.updates, listener.counts.forged) == (401, {}, 0, 1)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("bot.")]
    assert not any(shown in message for message in ours for shown in [SECRET, secret or SECRET, "how?"])


async def test_bodies_without_the_secret_are_not_even_read() -> None:
    with telegram_at_work() as telegram:
        async with listening(telegram, FakeOffered(), choice=WEBHOOK) as listener:
            assert await status_of(listener, b"\xff" * (MAX_BODY_BYTES + 1), secret="wrong") == 401


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"x" * (MAX_BODY_BYTES + 1), JSON, 413),
        (b"{}", "text/plain", 415),
        (b"update_id=1", "application/x-www-form-urlencoded", 415),
        (b"\xff\xfe{}", JSON, 400),
        (b"[" * 200_000, JSON, 400),
        (b'{"message":' * 50_000 + b"1" + b"}" * 50_000, JSON, 400),
        (b'{"update_id": 1, "message": ' + b'{"reply_to_message":' * 400 + b"1" + b"}" * 401, JSON, 200),
        (b'{"update_id": ' + b"9" * 5_000 + b"}", JSON, 400),
        (b'{"update_id": true}', JSON, 400),
        (b'{"update_id": "1"}', JSON, 400),
        (b'{"update_id": -1}', JSON, 400),
        (b'{"update_id": 1e3}', JSON, 400),
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b"null", JSON, 400),
        (b"", JSON, 400),
        (b'{"update_id": 1}', JSON, 200),
        (b'{"update_id": 1, "message": []}', JSON, 200),
        (b'{"update_id": 1, "message": {"text": {}}}', JSON, 200),
    ],
)
async def test_bodies_that_mean_nothing_are_refused_or_left_out_at_little_cost(
    body: bytes, content_type: str, status: int
) -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        async with listening(telegram, stores, choice=WEBHOOK) as listener:
            started_s = time.perf_counter()
            answered = await status_of(listener, body, content_type=content_type)
            took_s = time.perf_counter() - started_s

    assert (answered, stores.inbox.messages) == (status, {})
    assert took_s < 2.0


async def test_other_paths_and_methods_are_no_way_in() -> None:
    with telegram_at_work() as telegram:
        async with listening(telegram, FakeOffered(), choice=WEBHOOK) as listener:
            elsewhere = await status_of(listener, b"{}", path="/")
            async with ClientSession() as session, session.get(f"http://127.0.0.1:{listener.port}/telegram") as answer:
                read = answer.status

    assert (elsewhere, read) == (404, 405)


async def test_many_at_once_are_all_stored_while_the_store_is_slow() -> None:
    stores = FakeOffered()
    stores.inbox.delay_s = 0.02
    with telegram_at_work() as telegram:
        people = range(800_000_000, 800_000_040)
        for person in people:
            telegram.add_user(person)
        async with listening(telegram, stores, choice=WEBHOOK):
            for number in range(3):
                for person in people:
                    telegram.says(person, person, f"question {number}")
            await telegram.until(lambda: not telegram.pending_update_ids)

    assert len(stores.inbox.messages) == 120
    for person in people:
        texts = [one.text for one in stores.inbox.messages.values() if one.author == str(person)]
        assert texts == ["question 0", "question 1", "question 2"]


def settings_of(telegram: TelegramServer) -> list[dict[str, object]]:
    return [dict(call.args) for call in telegram.calls_of("setWebhook")]


async def test_the_webhook_is_set_once_with_its_secret_and_what_we_want() -> None:
    with telegram_at_work() as telegram:
        for _ in range(2):
            async with listening(telegram, FakeOffered(), choice=WEBHOOK) as listener:
                await telegram.until(lambda: telegram.webhook.url)
                await telegram.until(lambda: len(telegram.calls_of("getWebhookInfo")) > len(settings_of(telegram)) - 1)

    (setting,) = settings_of(telegram)
    assert setting["url"] == f"http://127.0.0.1:{listener.port}/telegram"
    assert (telegram.webhook.secret_token, telegram.webhook.max_connections) == (SECRET, 40)
    assert "message_reaction" in str(setting["allowed_updates"])
    assert not any(call.flag("drop_pending_updates") for call in telegram.calls)


@pytest.mark.parametrize("changed", ["url", "max_connections", "allowed_updates", "secret"])
async def test_a_webhook_that_is_another_is_set_right(changed: str) -> None:
    with telegram_at_work() as telegram:
        async with listening(telegram, FakeOffered(), choice=WEBHOOK):
            await telegram.until(lambda: telegram.webhook.url)
        telegram.webhook.set_at_s = None
        match changed:
            case "url":
                telegram.webhook.url += "/other"
            case "max_connections":
                telegram.webhook.max_connections = 1
            case "allowed_updates":
                telegram.updates.allow(["message"])
            case "secret":
                telegram.webhook.secret_token = "another"
                telegram.webhook.last_error = "Wrong response from the webhook: 401 Unauthorized"
                telegram.webhook.last_error_at = int(time.time())
        async with listening(telegram, FakeOffered(), choice=WEBHOOK):
            await telegram.until(lambda: len(settings_of(telegram)) == 2)

    assert (telegram.webhook.secret_token, telegram.webhook.max_connections) == (SECRET, 40)


async def test_of_two_processes_one_sets_the_webhook_and_both_take_updates() -> None:
    second = FakeOffered()
    second.election.is_taken = True
    with telegram_at_work() as telegram:
        async with listening(telegram, second, choice=WEBHOOK) as listener:
            status = await status_of(listener, json.dumps(update()).encode())

    assert (status, second.inbox.texts, settings_of(telegram)) == (200, ["how?"], [])


async def test_an_address_that_telegram_does_not_take_is_told() -> None:
    with telegram_at_work() as telegram:
        async with open_listener(telegram, FakeOffered(), choice=WEBHOOK) as listener:
            telegram.manners.webhook_needs_https = True
            with pytest.raises(SettingsProblem, match=r"public_url.*https url must"):
                await listener.listen()


async def test_updates_that_cannot_be_delivered_are_told() -> None:
    stores = FakeOffered()
    stores.inbox.failures = 1_000
    with telegram_at_work() as telegram:
        telegram.manners.webhook_delay_scale = 100.0
        async with listening(telegram, stores, choice=WEBHOOK):
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: telegram.webhook.last_error)
        async with open_listener(telegram, stores, choice=WEBHOOK) as listener:
            task = asyncio.create_task(listener.listen())
            await telegram.until(lambda: "cannot deliver" in str(listener.reach().trouble))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    assert not listener.reach().is_healthy
