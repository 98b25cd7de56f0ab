"""What people complained about in other bots on Telegram, and how this one behaves: what is heard, and where.

The numbers are those of the reference list of complaints that the project keeps; each test says the complaint itself.
Complaint 26, of two bots with one token, is among the tests of `answerdesk run`.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_talk import SLOWLY
from tests.scenario.telegram_talk import MIGRATES, TelegramTalk
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, UNKNOWN, beginning
from tests.wire.telegram import GENERAL, MENTION, TOPIC, Call

KETTLE, IN_WEEKS = "When is the kettle descaled?", "6 weeks"
COFFEE, IN_CUPBOARD = "Where are the coffee beans?", "left cupboard"
VERSION, FROM_5_4 = "Which version is the VPN client?", "5.4"
HOUR_S = 3600
NOT_STORED_S = 1.0


@contextmanager
def stopped(talk: TelegramTalk) -> Iterator[None]:
    """Let the bot be down for a while."""
    talk.at_work.bot.stop()
    try:
        yield
    finally:
        talk.at_work.start()


def test_23_what_was_written_while_the_bot_was_down_is_answered_in_order(telegram_talk: TelegramTalk) -> None:
    """What is sent during a restart is dropped on purpose."""
    asker, now = telegram_talk.person(), int(time.time())
    asked = {EXPIRES: IN_DAYS, RENEWED: IN_HOURS, KETTLE: IN_WEEKS, COFFEE: IN_CUPBOARD, VERSION: FROM_5_4}
    with stopped(telegram_talk):
        questions = [
            telegram_talk.telegram.says(asker, asker, text, date=now - (5 - number) * HOUR_S // 2)
            for number, text in enumerate(asked)
        ]
    telegram_talk.last(asker, len(asked))

    answers = telegram_talk.telegram.answers(asker)
    assert [answer.reply_to for answer in answers] == questions
    assert [fact in answer.text for fact, answer in zip(asked.values(), answers, strict=True)] == [True] * len(asked)


def test_23_what_has_waited_too_long_gets_one_apology_and_is_answered_by_its_button(
    telegram_talk: TelegramTalk,
) -> None:
    """What is sent during a restart is dropped on purpose."""
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, EXPIRES, date=int(time.time()) - 7 * HOUR_S)
    apology = telegram_talk.answer(asker, question)
    for _ in range(2):
        telegram_talk.telegram.presses(asker, asker, apology.id, phrase("button_retry", "en"))

    assert apology.text.startswith(beginning("too_late"))
    assert IN_DAYS in telegram_talk.last(asker, 2).text
    assert telegram_talk.stays(lambda: len(telegram_talk.telegram.answers(asker)) == 2)
    assert telegram_talk.tickets(asker) == ["stale"]


def test_24_an_update_is_stored_before_its_offset_moves(telegram_talk: TelegramTalk) -> None:
    """A crash between the fetch of an update and its handling loses it."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    with psycopg.connect(telegram_talk.at_work.bot.database_url) as connection:
        connection.execute("lock table message in exclusive mode")
        question = telegram.says(asker, asker, EXPIRES)
        update = telegram.update_of(asker, question) or 0
        telegram_talk.until(lambda: any(update in poll.returned for poll in telegram.polls))
        assert telegram_talk.stays(lambda: max(telegram.offsets) <= update, NOT_STORED_S)
        assert update in telegram.pending_update_ids

    telegram_talk.until(lambda: max(telegram.offsets) > update)
    assert telegram_talk.messages(asker, "role = 'user'") == 1
    assert IN_DAYS in telegram_talk.answer(asker, question).text


def test_25_in_general_no_topic_is_named(telegram_talk: TelegramTalk) -> None:
    """Replying with the number that was received fails in the topic General."""
    asker = telegram_talk.person()
    forum = telegram_talk.supergroup(asker, is_forum=True)
    first = telegram_talk.telegram.says(asker, forum, f"{MENTION} {EXPIRES}")
    answer = telegram_talk.answer(forum, first)
    second = telegram_talk.telegram.says(asker, forum, RENEWED, reply_to=answer.id)

    assert IN_DAYS in answer.text
    assert IN_HOURS in telegram_talk.answer(forum, second).text
    assert {one.topic for one in telegram_talk.telegram.answers(forum)} == {GENERAL}
    assert {named_topic(call) for call in calls_about(telegram_talk, forum)} == {None}


def test_25_a_topic_is_answered_there(telegram_talk: TelegramTalk) -> None:
    """What is asked in a topic is answered in General."""
    asker = telegram_talk.person()
    forum = telegram_talk.supergroup(asker, is_forum=True)
    topic = telegram_talk.telegram.add_topic(forum, "VPN", topic=TOPIC, opened_by=asker)
    question = telegram_talk.telegram.says(asker, forum, f"{MENTION} {EXPIRES}", topic=topic)
    answer = telegram_talk.answer(forum, question)

    assert (IN_DAYS in answer.text, answer.topic) == (True, topic)
    assert {named_topic(call) for call in calls_about(telegram_talk, forum)} == {topic}


def test_25_a_reply_outside_of_topics_names_none(telegram_talk: TelegramTalk) -> None:
    """Replying with the number that was received fails where there are no topics."""
    asker, colleague = telegram_talk.person(), telegram_talk.person()
    group = telegram_talk.supergroup(asker, colleague)
    above = telegram_talk.telegram.says(colleague, group, "The gateway does not let me in.")
    question = telegram_talk.telegram.says(asker, group, f"{MENTION} {EXPIRES}", reply_to=above)

    assert telegram_talk.telegram.message(group, question).thread == above
    assert IN_DAYS in telegram_talk.answer(group, question).text
    assert {named_topic(call) for call in calls_about(telegram_talk, group)} == {None}


def calls_about(talk: TelegramTalk, chat: int) -> list[Call]:
    """Return all calls about a chat."""
    return [call for call in list(talk.telegram.calls) if call.chat == chat]


def named_topic(call: Call) -> int | None:
    """Return the topic that a call names."""
    return call.number("message_thread_id") or None


def test_27_a_group_that_becomes_a_supergroup_takes_everything_along(telegram_talk: TelegramTalk) -> None:
    """A group became a supergroup, its number changed, and nothing can be sent any more."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram_talk.group(asker, chat=MIGRATES)
    telegram.says(asker, MIGRATES, f"{MENTION} {UNKNOWN}")
    telegram_talk.until(lambda: telegram_talk.tickets(MIGRATES))
    telegram_talk.settled(MIGRATES)
    telegram.says(asker, MIGRATES, f"{MENTION} When is the kettle descaled {SLOWLY}?")
    telegram_talk.until(lambda: telegram_talk.messages(MIGRATES, "state = 'answering'"))
    chat = telegram.migrates(MIGRATES)
    telegram_talk.until(lambda: any(IN_WEEKS in answer.text for answer in telegram.answers(chat)))
    elsewhere = telegram.says(asker, chat, f"{MENTION} {EXPIRES}")

    assert telegram_talk.answer(chat, elsewhere).text.startswith(beginning("handed_over")), "its sources are the same"
    assert len(telegram_talk.tickets(chat)) == 1, "the ticket has moved as well, and the second question is added to it"
    assert len(telegram.answers(chat)) == 2


def test_27_a_move_that_is_told_only_when_the_answer_is_sent_is_followed(telegram_talk: TelegramTalk) -> None:
    """A group became a supergroup, its number changed, and nothing can be sent any more."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    group, chat = telegram_talk.group(asker), telegram_talk.supergroup(asker)
    telegram.says(asker, group, f"{MENTION} Please say {SLOWLY} when a VPN certificate expires")
    telegram_talk.until(lambda: telegram_talk.messages(group, "state = 'answering'"))
    telegram.chats[group].migrated_to = chat
    telegram_talk.last(chat, 1)
    question = telegram.says(asker, chat, f"{MENTION} {KETTLE}")

    assert IN_WEEKS in telegram_talk.answer(chat, question).text
    assert [IN_DAYS in answer.text for answer in telegram.answers(chat)] == [True, False]


@pytest.mark.parametrize("is_group", [False, True], ids=["in private", "in a group"])
def test_28_what_is_written_in_one_go_is_one_question(telegram_talk: TelegramTalk, is_group: bool) -> None:
    """A question that comes in pieces is answered, or refused, piece by piece."""
    asker = telegram_talk.person()
    chat = telegram_talk.supergroup(asker, is_admin=True) if is_group else asker
    for piece in (f"{MENTION} hello", "my laptop is the new one", EXPIRES):
        telegram_talk.telegram.says(asker, chat, piece)

    assert IN_DAYS in telegram_talk.last(chat, 1).text
    assert telegram_talk.stays(lambda: len(telegram_talk.telegram.answers(chat)) == 1)
    assert telegram_talk.tickets(chat) == []
