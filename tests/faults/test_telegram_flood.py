"""Many chats at once while Telegram enforces its limits: all are answered in order, and none waits for another's."""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.scenario.telegram_bot import TelegramBot, telegram_bot
from tests.scenario.whole_bot import EXPIRES, IN_DAYS
from tests.wire.telegram import ASKER, Asked, Fault
from tests.wire.telegram.limits import OVERALL_PER_S

CHATS, MESSAGES = 100, 5
FIRST_CHAT = 900_000_000
ANSWERED_WITHIN_S = 120.0
FLOOD_S = 3


@pytest.fixture
def at_work(tmp_path: Path, embedded_home: Path, database_url: str) -> Iterator[TelegramBot]:
    """A bot in the documents' own words, to a Telegram that enforces its limits."""
    with telegram_bot(tmp_path, embedded_home, database_url) as at_work:
        at_work.bot.sync()
        at_work.telegram.enforce_limits = True
        yield at_work


def test_a_burst_from_many_chats_is_answered_within_the_limits(at_work: TelegramBot) -> None:
    telegram = at_work.telegram
    chats = range(FIRST_CHAT, FIRST_CHAT + CHATS)
    began = int(time.time()) - MESSAGES
    for chat in chats:
        telegram.add_user(chat)
    asked = [
        Asked(chat, telegram.says(chat, chat, EXPIRES, date=began + number), outcome="answered")
        for number in range(MESSAGES)
        for chat in chats
    ]

    at_work.start()
    telegram.wait_until(lambda: len(telegram.all_answers()) >= len(asked), ANSWERED_WITHIN_S)
    telegram.wait_until(at_work.is_settled)

    assert at_work.problems(*asked) == []
    by_window = [refused.at_s // 1.0 for refused in telegram.limits.refused]
    assert len(by_window) == len(set(by_window))
    sent = sorted(call.at_s for call in telegram.calls_of("sendMessage"))
    assert max(_within_a_second(sent)) <= OVERALL_PER_S
    assert _longest_gap(sent) < FLOOD_S


def test_a_chat_that_must_wait_stops_no_other(at_work: TelegramBot) -> None:
    telegram, other = at_work.telegram, FIRST_CHAT
    telegram.add_user(other)
    at_work.start()
    telegram.inject("sendMessage", Fault.flood(FLOOD_S), chat=ASKER)
    held = telegram.says(ASKER, ASKER, EXPIRES)
    telegram.wait_until(lambda: [call for call in telegram.calls_of("sendMessage") if call.chat == ASKER], 30)
    refused_at_s = telegram.calls_of("sendMessage")[-1].at_s
    free = telegram.says(other, other, EXPIRES)

    telegram.wait_until(lambda: telegram.answers(other, reply_to=free), FLOOD_S)
    telegram.wait_until(lambda: telegram.answers(ASKER, reply_to=held), 30)

    again = [call for call in telegram.calls_of("sendMessage") if call.chat == ASKER]
    assert [IN_DAYS in message.text for message in telegram.answers(ASKER)] == [True]
    assert again[1].at_s - refused_at_s >= FLOOD_S
    assert len(again) == 2


def _within_a_second(times: list[float]) -> list[int]:
    return [sum(first <= at < first + 1.0 for at in times) for first in times]


def _longest_gap(times: list[float]) -> float:
    return max(after - before for before, after in pairwise(times))
