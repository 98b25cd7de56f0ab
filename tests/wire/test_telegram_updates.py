"""getUpdates and the webhook, met by the real python-telegram-bot."""

import asyncio
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from telegram import Update

from tests.wire.telegram import ASKER, COLLEAGUE, GROUP, MENTION, TOKEN, Fault, TelegramServer, telegram_at_work
from tests.wire.telegram.apps import error_of, hook, polling, talking

DATA = Path(__file__).parents[1] / "data" / "telegram"
RECORDED = sorted([*DATA.glob("update-*.json"), *DATA.glob("constructed-*.json")])


def texts(updates: tuple[Update, ...]) -> list[str | None]:
    return [update.message.text if update.message else None for update in updates]


def poll_and_die(telegram: TelegramServer) -> None:
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{telegram.base_url}{TOKEN}/getUpdates", params={"timeout": 5}, timeout=0.3)


async def test_updates_come_again_until_an_offset_confirms_them() -> None:
    with telegram_at_work() as telegram:
        for text in ("a", "b", "c"):
            telegram.says(ASKER, ASKER, text)
        async with talking(telegram) as bot:
            first = await bot.get_updates(limit=2)
            again = await bot.get_updates()
            rest = await bot.get_updates(offset=first[-1].update_id + 1)

        assert [texts(first), texts(again), texts(rest)] == [["a", "b"], ["a", "b", "c"], ["c"]]
        assert telegram.updates.confirmed == [one.update_id for one in first]
        assert telegram.offsets == [0, rest[0].update_id]


async def test_a_negative_offset_forgets_all_but_the_last() -> None:
    with telegram_at_work() as telegram:
        for text in ("a", "b", "c"):
            telegram.says(ASKER, ASKER, text)
        async with talking(telegram) as bot:
            assert texts(await bot.get_updates(offset=-1)) == ["c"]
            assert texts(await bot.get_updates()) == ["c"]


async def test_a_request_is_held_until_an_update_comes() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            call = asyncio.create_task(bot.get_updates(timeout=5))
            await telegram.until(lambda: telegram.polls)
            await asyncio.sleep(0.2)
            assert not call.done()
            said_at_s = time.monotonic()
            telegram.says(ASKER, ASKER, "a")

            assert texts(await call) == ["a"]
            assert time.monotonic() - said_at_s < 1


async def test_a_request_that_was_held_long_enough_brings_nothing_and_is_in_nobodys_way() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            assert await bot.get_updates(timeout=1) == ()
            assert await bot.get_updates() == ()

        assert 0.9 < (telegram.polls[0].ended_at_s or 0) - telegram.polls[0].at_s < 3
        assert [poll.outcome for poll in telegram.polls] == ["answered", "answered"]


async def test_of_two_pollers_the_first_is_thrown_out() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as one, talking(telegram) as other:
            first = asyncio.create_task(error_of(one.get_updates(timeout=5)))
            await telegram.until(lambda: telegram.polls)
            second = asyncio.create_task(other.get_updates(timeout=5))
            error = await first
            telegram.says(ASKER, ASKER, "a")

            assert error[0] == "Conflict"
            assert "terminated by other getUpdates request" in error[1]
            assert texts(await second) == ["a"]


async def test_a_poller_that_died_keeps_nothing_from_the_next() -> None:
    with telegram_at_work() as telegram:
        dying = asyncio.create_task(asyncio.to_thread(poll_and_die, telegram))
        await telegram.until(lambda: telegram.polls)
        await dying
        telegram.says(ASKER, ASKER, "a")
        async with talking(telegram) as bot:
            assert texts(await bot.get_updates(timeout=5)) == ["a"]


async def test_no_kind_comes_that_the_bot_did_not_ask_for_and_it_need_ask_once() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            await bot.get_updates(allowed_updates=["callback_query", "message_reaction"])
            await bot.get_updates()
            message = telegram.says(ASKER, ASKER, "a")
            telegram.reacts(ASKER, ASKER, message, "👍")
            updates = await bot.get_updates()

        assert [update.message_reaction is not None for update in updates] == [True]
        assert [list(one) for one in telegram.updates.withheld] == [["message"]]


async def test_reactions_come_only_on_request() -> None:
    with telegram_at_work() as telegram:
        telegram.reacts(ASKER, ASKER, telegram.says(ASKER, ASKER, "a"), "👍")
        async with talking(telegram) as bot:
            assert texts(await bot.get_updates()) == ["a"]


async def test_updates_grow_old() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.says(ASKER, ASKER, "a")
            await asyncio.sleep(1.2)
            telegram.says(ASKER, ASKER, "b")
            telegram.manners.updates_live_s = 1.0

            assert texts(await bot.get_updates()) == ["b"]
        assert len(telegram.updates.expired) == 1


async def test_a_confirmed_update_can_come_again_under_its_id() -> None:
    with telegram_at_work() as telegram:
        telegram.says(ASKER, ASKER, "a")
        async with talking(telegram) as bot:
            (update,) = await bot.get_updates()
            await bot.get_updates(offset=update.update_id + 1)
            telegram.redelivers(update.update_id)

            assert await bot.get_updates(offset=update.update_id + 1) == (update,)
            assert await bot.get_updates(offset=update.update_id + 1) == ()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem[:40])
def test_every_recorded_update_arrives_as_it_is(path: Path) -> None:
    update = json.loads(path.read_text(encoding="utf-8"))
    with telegram_at_work() as telegram:
        update_id = telegram.sends_update(update)
        answer = httpx.get(f"{telegram.base_url}{TOKEN}/getUpdates")

        assert answer.json()["result"] == [{**update, "update_id": update_id}]


async def test_the_updater_polls_from_one_update_to_the_next_and_survives_what_fails() -> None:
    heard: list[str] = []

    async def answer(update: Update) -> None:
        assert update.message is not None
        heard.append(update.message.text or "")
        await update.message.reply_text("yes", do_quote=True)

    with telegram_at_work() as telegram:
        telegram.inject("getUpdates", Fault.cut_before(), after=1)
        telegram.inject("getUpdates", Fault.html_502(), after=1)
        async with polling(telegram, answer):
            for text in ("a", "b", "c"):
                question = telegram.says(ASKER, ASKER, text)
                await telegram.until(partial(telegram.answers, ASKER, reply_to=question))

        assert heard == ["a", "b", "c"]
        assert telegram.pending_update_ids == []


async def take(request: web.Request) -> web.Response:
    return web.Response()


async def set_hook(telegram: TelegramServer, url: str, **more: Any) -> tuple[str, str]:
    telegram.manners.webhook_needs_https = False
    async with talking(telegram) as bot:
        return await error_of(bot.set_webhook(url, **more))


async def test_a_webhook_gets_the_updates_with_its_secret_in_order() -> None:
    got: list[tuple[str | None, Any]] = []

    async def note(request: web.Request) -> web.Response:
        got.append((request.headers.get("X-Telegram-Bot-Api-Secret-Token"), await request.json()))
        return web.Response()

    with telegram_at_work() as telegram:
        telegram.says(ASKER, ASKER, "before")
        async with hook(note) as url:
            await set_hook(telegram, url, secret_token="s-e_c")
            for text in ("a", "b", "c"):
                telegram.says(ASKER, ASKER, text)
            await telegram.until(lambda: not telegram.pending_update_ids)

        assert [secret for secret, _ in got] == ["s-e_c"] * 4
        assert [update["message"]["text"] for _, update in got] == ["before", "a", "b", "c"]


async def test_an_update_that_the_webhook_does_not_take_blocks_its_chat_and_no_other() -> None:
    failures = 3

    async def fail_first(request: web.Request) -> web.Response:
        nonlocal failures
        update = await request.json()
        if update["message"]["text"] == "a" and failures:
            failures -= 1
            return web.Response(status=500)
        return web.Response()

    with telegram_at_work() as telegram:
        async with hook(fail_first) as url:
            await set_hook(telegram, url)
            for user, text in ((ASKER, "a"), (ASKER, "b"), (COLLEAGUE, "c")):
                telegram.says(user, user, text)
            await telegram.until(lambda: not telegram.pending_update_ids)

        tries = [(one.update["message"]["text"], one.status) for one in telegram.deliveries]  # type: ignore[index]
        assert [one for one in tries if one[0] != "c"] == [("a", 500)] * 3 + [("a", 200), ("b", 200)]
        assert [one.attempt for one in telegram.deliveries_of_chat(ASKER)] == [1, 2, 3, 4, 1]
        assert tries.index(("c", 200)) < len(tries) - 1


async def test_a_webhook_that_asks_for_time_gets_it() -> None:
    async def busy(request: web.Request) -> web.Response:
        return web.Response(status=503, headers={"Retry-After": "20"} if len(telegram.deliveries) == 1 else {})

    with telegram_at_work() as telegram:
        telegram.manners.webhook_delay_scale = 0.02
        async with hook(busy) as url:
            await set_hook(telegram, url)
            telegram.says(ASKER, ASKER, "a")
            await telegram.until(lambda: len(telegram.deliveries) > 1)

        first, second = telegram.deliveries[:2]
        assert second.at_s - first.at_s >= 0.4


async def test_a_webhook_that_fails_is_told_of_in_its_info() -> None:
    with telegram_at_work() as telegram:
        await set_hook(telegram, "http://127.0.0.1:9/hook")
        telegram.says(ASKER, GROUP, f"{MENTION} hello")
        await telegram.until(lambda: telegram.deliveries and telegram.deliveries[0].ended_at_s)
        async with talking(telegram) as bot:
            info = await bot.get_webhook_info()

        assert (info.url, info.pending_update_count) == ("http://127.0.0.1:9/hook", 1)
        assert info.last_error_message == "Connection refused"


async def test_with_a_webhook_nobody_may_poll_until_it_is_gone() -> None:
    with telegram_at_work() as telegram:
        async with hook(take) as url, talking(telegram) as bot:
            held = asyncio.create_task(error_of(bot.get_updates(timeout=5)))
            await telegram.until(lambda: telegram.polls)
            await set_hook(telegram, url)
            errors = [await held, await error_of(bot.get_updates())]
            await bot.delete_webhook()

            assert await bot.get_updates() == ()
        assert [error for error, _ in errors] == ["Conflict", "Conflict"]
        assert "setWebhook" in errors[0][1]
        assert "can't use getUpdates method while webhook is active" in errors[1][1]


@pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")
async def test_a_webhook_is_set_once_a_second_by_https_and_with_a_plain_secret() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            errors = [
                await error_of(bot.set_webhook("http://bot.example/hook")),
                await error_of(bot.set_webhook("https://bot.example:9000/hook")),
                await error_of(bot.set_webhook("https://bot.example/hook", secret_token="a b")),
                await error_of(bot.set_webhook("https://127.0.0.1:8443/hook")),
                await error_of(bot.set_webhook("https://127.0.0.1:8443/hook")),
            ]

        assert [error for error, _ in errors] == ["BadRequest", "BadRequest", "BadRequest", "", "RetryAfter"]
