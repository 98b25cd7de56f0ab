"""Faults and rate limits of the Bot API, met by the real python-telegram-bot."""

import asyncio
import time

import pytest
from telegram.error import RetryAfter

from tests.wire.telegram import ASKER, COLLEAGUE, GROUP, STRANGER, SUPERGROUP, Fault, telegram_at_work
from tests.wire.telegram.apps import error_of, talking

pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")


@pytest.mark.parametrize(
    ("fault", "error", "seen"),
    [
        (Fault.refused(403, "Forbidden: user is deactivated"), "Forbidden", []),
        (Fault.refused(400, "Bad Request: message can't be edited"), "BadRequest", []),
        (Fault.refused(400, "Bad Request: x", {"migrate_to_chat_id": -1001}), "ChatMigrated", []),
        (Fault.refused(409, "Conflict: x"), "Conflict", []),
        (Fault.refused(500, "Internal Server Error"), "NetworkError", []),
        (Fault.flood(3), "RetryAfter", []),
        (Fault.html_502(), "NetworkError", []),
        (Fault.html_502(does_work=True), "NetworkError", ["x"]),
        (Fault.cut_before(), "NetworkError", []),
        (Fault.lost_confirmation(), "NetworkError", ["x"]),
        (Fault.hang(0.05), "NetworkError", []),
        (Fault.hang(0.05, does_work=True), "NetworkError", ["x"]),
        (Fault.delayed(0.05), "", ["x"]),
    ],
    ids=lambda value: value.name + " done" * value.does_work if isinstance(value, Fault) else "",
)
async def test_a_fault_fails_the_call_and_leaves_its_work_done_or_not(
    fault: Fault, error: str, seen: list[str]
) -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.inject("sendMessage", fault)
            found, _ = await error_of(bot.send_message(ASKER, "x"))

        assert found == error
        assert [one.text for one in telegram.answers(ASKER)] == seen
        assert telegram.calls_of("sendMessage")[0].fault == fault.name


async def test_a_call_that_hangs_longer_than_the_client_waits_is_timed_out() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.inject("sendMessage", Fault.hang(0.5))

            assert (await error_of(bot.send_message(ASKER, "x", read_timeout=0.1)))[0] == "TimedOut"


async def test_a_fault_can_wait_for_one_chat_and_for_some_calls_to_pass() -> None:
    with telegram_at_work() as telegram:
        async with talking(telegram) as bot:
            telegram.inject("sendmessage", Fault.refused(403, "Forbidden: x"), times=2, chat=GROUP, after=1)
            chats = (GROUP, ASKER, GROUP, GROUP, GROUP)
            errors = [(await error_of(bot.send_message(chat, "x")))[0] for chat in chats]

        assert errors == ["", "", "Forbidden", "Forbidden", ""]


async def test_a_flood_says_for_how_long_and_a_call_after_that_goes_well() -> None:
    with telegram_at_work() as telegram:
        telegram.enforce_limits = True
        async with talking(telegram) as bot:
            await bot.send_message(ASKER, "a")
            with pytest.raises(RetryAfter) as raised:
                await bot.send_message(ASKER, "b")
            await bot.send_message(COLLEAGUE, "c")
            await asyncio.sleep(1)
            await bot.send_message(ASKER, "d")

        assert raised.value.retry_after == 1
        assert [one.text for one in telegram.answers(ASKER)] == ["a", "d"]
        (refusal,) = telegram.limits.refused
        assert (refusal.chat, refusal.rule, refusal.method) == (ASKER, "chat", "sendMessage")
        assert time.monotonic() - refusal.at_s < 5


async def test_edits_and_drafts_count_like_messages_and_what_is_refused_for_another_reason_does_not() -> None:
    with telegram_at_work() as telegram:
        telegram.enforce_limits = True
        async with talking(telegram) as bot:
            sent = await bot.send_message(ASKER, "a")
            errors = [
                await error_of(bot.edit_message_text("b", ASKER, sent.message_id)),
                await error_of(bot.send_message_draft(ASKER, 1, "b")),
                await error_of(bot.send_message(SUPERGROUP, "")),
                await error_of(bot.send_message(SUPERGROUP, "a")),
            ]

        assert [error for error, _ in errors] == ["RetryAfter", "RetryAfter", "BadRequest", ""]


async def test_thirty_a_second_is_all_for_all_chats_together() -> None:
    with telegram_at_work() as telegram:
        telegram.enforce_limits = True
        people = [telegram.add_user(800_000_000 + number).id for number in range(40)]
        async with talking(telegram) as bot:
            errors = await asyncio.gather(*(error_of(bot.send_message(user, "x")) for user in people))

        refused = [error for error, _ in errors if error]
        assert set(refused) <= {"RetryAfter"}
        assert len(telegram.all_answers()) == 40 - len(refused)
        assert {one.rule for one in telegram.limits.refused} <= {"overall"}
        assert telegram.messages(STRANGER) == []
