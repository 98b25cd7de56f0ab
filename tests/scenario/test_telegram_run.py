"""`answerdesk run`, `status` and `check` on Telegram: one process, or several, and who is let in."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from bot.channels.telegram.listen.pulse import STANDS_BY
from bot.cli import TERMINATED
from bot.core.phrases import phrase
from tests.databases import fresh_database
from tests.scenario.slack_talk import SLOW
from tests.scenario.telegram_bot import TelegramBot, telegram_bot
from tests.scenario.telegram_talk import TelegramTalk
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED
from tests.wire.telegram import ASKER, COLLEAGUE, GROUP, MENTION, STRANGER, SUPERGROUP, TOKEN

STARTS_WITHIN_S = 60.0
STOPS_WITHIN_S = 10.0
TAKES_OVER_WITHIN_S = 15.0
TELLS_WITHIN_S = 15.0
CONFLICT = "another program gets the updates with the same token"


def test_told_to_stop_it_ends_soon_and_the_question_is_answered_by_the_next_one(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, SLOW)
    telegram_talk.until(lambda: telegram_talk.messages(asker, "state = 'answering'"))
    started = time.monotonic()
    code = telegram_talk.at_work.bot.stop()
    stopped_s = time.monotonic() - started
    telegram_talk.at_work.start()

    assert (code, stopped_s < STOPS_WITHIN_S) == (TERMINATED, True)
    assert IN_DAYS in telegram_talk.answer(asker, question).text
    assert len(telegram_talk.telegram.answers(asker)) == 1


def test_26_of_two_bots_one_listens_and_the_other_says_that_it_stands_by(telegram_talk: TelegramTalk) -> None:
    """Two instances take the updates from each other, and get 409 for ever."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    conflicts = telegram_talk.at_work.bot.log.read_text(encoding="utf-8").count(CONFLICT)
    with telegram_talk.beside():
        telegram_talk.until(lambda: STANDS_BY in said_since_last_start(telegram_talk))
        telegram_talk.until(lambda: STANDS_BY in status(telegram_talk), TELLS_WITHIN_S)
        telegram_talk.at_work.bot.kill()
        killed = time.monotonic()
        question = telegram.says(asker, asker, EXPIRES)
        telegram_talk.confirmed(asker, question)
        taken_over_s = time.monotonic() - killed
        answer = telegram_talk.answer(asker, question)
    telegram_talk.at_work.start()

    assert taken_over_s < TAKES_OVER_WITHIN_S
    assert IN_DAYS in answer.text
    assert telegram_talk.at_work.bot.log.read_text(encoding="utf-8").count(CONFLICT) == conflicts


def said_since_last_start(talk: TelegramTalk) -> str:
    """Return what the log says since a process was started last."""
    return talk.at_work.bot.log.read_text(encoding="utf-8").rpartition("running: ")[2]


def status(talk: TelegramTalk) -> str:
    """Return what `answerdesk status` says."""
    bot = talk.at_work.bot
    places = {"ANSWERDESK_HOME": str(bot.home), "DATABASE_URL": bot.database_url, "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-m", "bot", "status"],
        cwd=bot.folder,
        env={**os.environ, **bot.secrets, **places},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_26_a_foreign_program_with_the_same_token_is_named_in_the_log(telegram_talk: TelegramTalk) -> None:
    """Two instances take the updates from each other, and get 409 for ever."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    before = telegram_talk.at_work.bot.log.read_text(encoding="utf-8").count(CONFLICT)

    def is_told() -> bool:
        takes_updates(f"{telegram.base_url}{TOKEN}/getUpdates?timeout=1")
        return telegram_talk.at_work.bot.log.read_text(encoding="utf-8").count(CONFLICT) > before

    telegram_talk.until(is_told)
    question = telegram.says(asker, asker, EXPIRES)
    assert IN_DAYS in telegram_talk.answer(asker, question).text


def takes_updates(url: str) -> None:
    """Ask for updates as another program would; it may be told that it is not alone."""
    try:
        with urllib.request.urlopen(url) as answer:
            answer.read()
    except HTTPError as exc:
        assert exc.code == 409


@pytest.mark.parametrize("event", ["blocked", "kicked"])
def test_who_cannot_be_answered_any_more_is_noted_and_all_others_are_answered(
    telegram_talk: TelegramTalk, event: str
) -> None:
    asker, other, telegram = telegram_talk.person(), telegram_talk.person(), telegram_talk.telegram
    chat = asker if event == "blocked" else telegram_talk.supergroup(asker)
    telegram.says(asker, chat, f"{MENTION} {SLOW}")
    telegram_talk.until(lambda: telegram_talk.messages(chat, "state = 'answering'"))
    telegram.blocks(asker) if event == "blocked" else telegram.kicks(chat, by=asker)
    telegram_talk.until(lambda: telegram_talk.messages(chat, "state = 'undeliverable'"))
    question = telegram.says(other, other, RENEWED)

    assert IN_HOURS in telegram_talk.answer(other, question).text
    sent = [call for call in telegram.calls_of("sendMessage") if call.chat == chat]
    assert telegram_talk.stays(
        lambda: len([c for c in telegram.calls_of("sendMessage") if c.chat == chat]) == len(sent)
    )


def test_whoever_lets_the_bot_in_again_is_answered(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram.blocks(asker)
    telegram.unblocks(asker)
    question = telegram.says(asker, asker, EXPIRES)

    assert IN_DAYS in telegram_talk.answer(asker, question).text


@pytest.fixture(scope="module")
def members_only(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[TelegramBot]:
    """A bot for one group, and for the one person whom its operator knows."""
    folder = tmp_path_factory.mktemp("members")
    more = f'[linking.people]\n"telegram:{COLLEAGUE}" = "colleague@example.com"\n'
    with fresh_database(database_server, template=database_template) as database_url:
        chats = f'chats = ["{GROUP}"]'
        with telegram_bot(folder, embedded_home, database_url, telegram=chats, more=more) as at_work:
            at_work.bot.sync()
            at_work.start()
            yield at_work


def test_strangers_are_told_once_that_the_bot_is_for_members(members_only: TelegramBot) -> None:
    telegram = members_only.telegram
    telegram.says(ASKER, ASKER, EXPIRES)
    telegram.wait_until(lambda: telegram.answers(ASKER))
    telegram.says(ASKER, ASKER, RENEWED)
    telegram.wait_until(lambda: not telegram.pending_update_ids)
    telegram.wait_until(members_only.is_settled)

    assert [answer.text for answer in telegram.answers(ASKER)] == [phrase("refused_stranger", "uk")]


def test_members_are_answered_in_their_group_and_who_is_known_in_private_too(members_only: TelegramBot) -> None:
    telegram = members_only.telegram
    in_group = telegram.says(STRANGER, GROUP, f"{MENTION} {EXPIRES}")
    in_private = telegram.says(COLLEAGUE, COLLEAGUE, EXPIRES)

    telegram.wait_until(lambda: telegram.answers(GROUP, reply_to=in_group), STARTS_WITHIN_S)
    telegram.wait_until(lambda: telegram.answers(COLLEAGUE, reply_to=in_private), STARTS_WITHIN_S)
    telegram.wait_until(members_only.is_settled)
    assert IN_DAYS in telegram.answers(GROUP)[0].text
    assert IN_DAYS in telegram.answers(COLLEAGUE)[0].text


def test_in_a_foreign_group_the_bot_is_silent(members_only: TelegramBot) -> None:
    telegram = members_only.telegram
    telegram.says(COLLEAGUE, SUPERGROUP, f"{MENTION} {EXPIRES}")
    telegram.says(COLLEAGUE, SUPERGROUP, "/help")
    telegram.wait_until(lambda: not telegram.pending_update_ids)
    telegram.wait_until(members_only.is_settled)

    assert telegram.answers(SUPERGROUP) == []
    assert members_only.rows(f"select text from message where channel = '{SUPERGROUP}'") == []
