"""Faults and rate limits of the Web API, met by the real SDK."""

import asyncio
import time

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler

from tests.wire.slack import ASKER, DESK, PUBLIC, Fault, slack_at_work
from tests.wire.slack.apps import client_of, error_of_call


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        (Fault.error("internal_error"), []),
        (Fault.rate_limited(), []),
        (Fault.html(503), []),
        (Fault.server_error(), []),
        (Fault.hang_up(), []),
        (Fault.silent(0.05), []),
        (Fault.lost_confirmation(), ["x"]),
        (Fault.failed_confirmation(), ["x"]),
        (Fault.silent(0.05, does_work=True), ["x"]),
    ],
    ids=lambda value: value.name + " done" * value.does_work if isinstance(value, Fault) else "",
)
async def test_a_fault_fails_the_call_and_leaves_its_work_done_or_not(fault: Fault, seen: list[str]) -> None:
    with slack_at_work() as slack:
        slack.inject("chat.postMessage", fault)
        with pytest.raises((SlackApiError, aiohttp.ClientError)):
            await client_of(slack).chat_postMessage(channel=PUBLIC, text="x")

        assert [post.text for post in slack.posts(PUBLIC)] == seen
        assert slack.calls[-1].fault == fault.name


async def test_a_fault_can_wait_for_one_channel_and_for_some_calls_to_pass() -> None:
    with slack_at_work() as slack:
        slack.inject("chat.postMessage", Fault.error("fatal_error"), times=2, channel=DESK, after=1)
        client = client_of(slack)
        errors = [
            await error_of_call(client, "chat.postMessage", channel=channel, text="x")
            for channel in (DESK, PUBLIC, DESK, DESK, DESK)
        ]

        assert errors == ["", "", "fatal_error", "fatal_error", ""]


async def test_a_delayed_answer_comes_late_and_its_work_is_done_at_once() -> None:
    with slack_at_work() as slack:
        slack.inject("chat.postMessage", Fault.delayed(0.3))
        call = asyncio.create_task(client_of(slack).chat_postMessage(channel=PUBLIC, text="x"))
        await slack.until(lambda: slack.posts(PUBLIC), within_s=5)

        assert not call.done()
        assert (await call)["ok"]


async def test_the_retry_handler_waits_as_long_as_it_is_told() -> None:
    with slack_at_work() as slack:
        slack.inject("chat.postMessage", Fault.rate_limited(1))
        client = client_of(slack)
        client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
        await client.chat_postMessage(channel=PUBLIC, text="x")

        first, second = slack.calls_of("chat.postMessage")
        assert second.at_s - first.at_s >= 1
        assert len(slack.posts(PUBLIC)) == 1


async def test_posting_to_a_channel_is_limited_apart_from_others() -> None:
    with slack_at_work() as slack:
        slack.enforce_limits = True
        client = client_of(slack)
        calls = (error_of_call(client, "chat.postMessage", channel=PUBLIC, text="x") for _ in range(9))
        errors = await asyncio.gather(*calls)

        assert 4 <= errors.count("") < 9
        assert await error_of_call(client, "chat.postMessage", channel=DESK, text="x") == ""
        assert slack.limits.refused == ["chat.postMessage"] * errors.count("ratelimited")


async def test_methods_are_limited_by_the_minute_as_their_tier_says() -> None:
    with slack_at_work() as slack:
        slack.enforce_limits = True
        client = client_of(slack)
        errors = [await error_of_call(client, "users.list") for _ in range(21)]
        with pytest.raises(SlackApiError) as raised:
            await client.users_list()
        wait_s = int(raised.value.response.headers["Retry-After"])
        slack.limits.minute_s = 0.0

        assert errors == [""] * 20 + ["ratelimited"]
        assert 30 < wait_s <= 60
        assert await error_of_call(client, "users.list") == ""


async def test_limits_are_off_unless_they_are_asked_for() -> None:
    with slack_at_work() as slack:
        client = client_of(slack)
        errors = {await error_of_call(client, "chat.postMessage", channel=PUBLIC, text="x") for _ in range(9)}

        assert errors == {""}


async def test_many_posts_at_once_are_kept_apart() -> None:
    with slack_at_work() as slack:
        client, start_s = client_of(slack), time.monotonic()
        for _ in range(10):
            await asyncio.gather(*(client.chat_postMessage(channel=PUBLIC, text="x") for _ in range(20)))

        assert len(slack.posts(PUBLIC)) == 200
        assert time.monotonic() - start_s < 30
        assert len({post.ts for post in slack.posts(PUBLIC)}) == 200
        assert slack.says(ASKER, PUBLIC, "later") > max(post.ts for post in slack.answers(PUBLIC))
