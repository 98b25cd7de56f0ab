"""What people press on Telegram instead of writing."""

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_talk import WAGES_FACT, WAGES_QUESTION
from tests.scenario.telegram_talk import LINKED, TelegramTalk
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, beginning
from tests.wire.telegram import MENTION, Message

GOOD, BAD = "👍", "👎"
HUMAN, SOURCES, MORE = (phrase(name, "en") for name in ("button_human", "button_sources", "button_more"))


def answered(talk: TelegramTalk, asker: int, chat: int) -> Message:
    """Ask something, and return the answer with its buttons."""
    return talk.answer(chat, talk.telegram.says(asker, chat, f"{MENTION} {EXPIRES}"))


def verdicts(talk: TelegramTalk, actor: int) -> list[tuple[object, ...]]:
    """Return what somebody thinks of answers, as it is stored."""
    return talk.at_work.rows(f"select verdict, reason, comment from feedback where actor = '{actor}'")


def told(talk: TelegramTalk, query: str) -> str:
    """Wait until a pressed button is answered, and return what was shown to whoever pressed it."""
    talk.until(lambda: any(one.query_id == query for one in talk.telegram.callback_answers))
    return next(one.text for one in talk.telegram.callback_answers if one.query_id == query)


def test_a_thumb_is_noted_and_the_last_one_counts(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    good = telegram.presses(asker, asker, answer.id, GOOD)
    assert told(telegram_talk, good) == phrase("feedback_noted", "en")
    assert verdicts(telegram_talk, asker) == [("good", None, None)]
    bad = telegram.presses(asker, asker, answer.id, BAD)

    assert told(telegram_talk, bad) == phrase("feedback_noted", "en")
    assert verdicts(telegram_talk, asker) == [("bad", None, None)]


def test_a_reason_may_be_given_with_a_thumb_down(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    telegram.presses(asker, asker, answer.id, BAD)
    label = phrase("feedback_outdated", "en")
    telegram_talk.until(lambda: label in labels(telegram.message(asker, answer.id)))
    telegram.presses(asker, asker, answer.id, label)
    telegram_talk.until(lambda: GOOD in labels(telegram.message(asker, answer.id)))

    assert verdicts(telegram_talk, asker) == [("bad", "outdated", None)]
    assert labels(telegram.message(asker, answer.id)) == labels(answer)


def test_whoever_gives_no_reason_has_the_buttons_back(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    telegram.presses(asker, asker, answer.id, BAD)
    cancel = phrase("button_cancel", "en")
    telegram_talk.until(lambda: cancel in labels(telegram.message(asker, answer.id)))
    telegram.presses(asker, asker, answer.id, cancel)

    telegram_talk.until(lambda: labels(telegram.message(asker, answer.id)) == labels(answer))
    assert verdicts(telegram_talk, asker) == [("bad", None, None)]


def labels(message: Message) -> list[object]:
    """Return what stands on the buttons below a message."""
    return [button["text"] for button in message.buttons]


def test_a_person_is_asked_for_once_however_often_the_button_is_pressed(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    group = telegram_talk.group(asker)
    answer = answered(telegram_talk, asker, group)
    queries = [telegram.presses(asker, group, answer.id, HUMAN) for _ in range(3)]
    handed_over = telegram_talk.last(group, 2)
    for query in queries:
        told(telegram_talk, query)

    assert telegram_talk.stays(lambda: len(telegram.answers(group)) == 2)
    assert telegram_talk.tickets(group) == ["asked"]
    assert handed_over.text.startswith(beginning("asked_for_a_person"))
    assert handed_over.reply_to == answer.id


def test_a_person_is_not_asked_for_about_an_answer_of_another_chat(telegram_talk: TelegramTalk) -> None:
    asker, stranger, telegram = telegram_talk.person(), telegram_talk.person(), telegram_talk.telegram
    private, own = answered(telegram_talk, asker, asker), answered(telegram_talk, stranger, stranger)
    # Whoever makes up what a button sends names an answer that they have not seen.
    foreign = next(str(one["callback_data"]) for one in private.buttons if one["text"] == HUMAN)
    telegram.presses_raw(stranger, stranger, own.id, foreign)

    telegram_talk.until(lambda: telegram_talk.messages(stranger, "state = 'refused'"))
    assert telegram_talk.tickets(stranger) == telegram_talk.tickets(asker) == []
    assert len(telegram.answers(stranger)) == 1


@pytest.mark.parametrize(
    ("button", "said"),
    [(SOURCES, "A VPN certificate expires after 90 days."), (MORE, "version 5.4 or newer")],
    ids=["sources", "more"],
)
def test_what_an_answer_stands_on_is_shown_below_it(telegram_talk: TelegramTalk, button: str, said: str) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    query = telegram.presses(asker, asker, answer.id, button)
    shown = telegram_talk.last(asker, 2)

    assert said in shown.text
    assert shown.reply_to == answer.id
    assert told(telegram_talk, query) == ""


@pytest.mark.parametrize("data", ["z:1", "g:999999999", "", "h:1:x"], ids=["unknown", "no answer", "empty", "odd"])
def test_a_button_that_means_nothing_any_more_says_so(telegram_talk: TelegramTalk, data: str) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    query = telegram.presses_raw(asker, asker, answer.id, data)

    assert told(telegram_talk, query) == phrase("refused_old_button", "en")
    assert telegram_talk.stays(lambda: len(telegram.answers(asker)) == 1, 0.5)


def test_a_button_below_a_message_that_is_gone_is_answered(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = answered(telegram_talk, asker, asker)
    telegram.deletes(asker, answer.id)
    data = next(str(one["callback_data"]) for one in answer.buttons if one["text"] == BAD)
    query = telegram.presses_raw(asker, asker, answer.id, data)

    assert told(telegram_talk, query) == phrase("feedback_noted", "en")
    assert verdicts(telegram_talk, asker) == [("bad", None, None)]


def test_a_late_question_is_asked_again_by_its_author_alone(telegram_talk: TelegramTalk) -> None:
    asker, colleague, telegram = telegram_talk.person(), telegram_talk.person(), telegram_talk.telegram
    group = telegram_talk.group(asker, colleague)
    question = telegram.says(asker, group, f"{MENTION} {EXPIRES}", date=1_700_000_000)
    apology = telegram_talk.answer(group, question)
    telegram.presses(colleague, group, apology.id, phrase("button_retry", "en"))

    assert telegram_talk.stays(lambda: len(telegram.answers(group)) == 1)
    telegram.presses(asker, group, apology.id, phrase("button_retry", "en"))
    assert IN_DAYS in telegram_talk.last(group, 2).text


def test_what_may_not_be_told_in_a_group_is_told_in_private_by_a_button(telegram_talk: TelegramTalk) -> None:
    telegram, colleague = telegram_talk.telegram, telegram_talk.person()
    if LINKED not in telegram.users:
        telegram.add_user(LINKED, "Linked", language="en")
    group = telegram_talk.group(LINKED, colleague)
    offer = telegram_talk.parts(group, telegram.says(LINKED, group, f"{MENTION} {WAGES_QUESTION}"))[-1]
    before = len(telegram.answers(LINKED))
    query = telegram.presses(LINKED, group, offer.id, phrase("button_private", "en"))
    told(telegram_talk, query)
    address = telegram.calls_of("answerCallbackQuery")[-1].text("url")
    telegram.says(LINKED, LINKED, f"/start {address.rpartition('=')[2]}")

    assert WAGES_FACT in telegram_talk.last(LINKED, before + 1).text
    assert all(WAGES_FACT not in one.text for one in telegram.answers(group))


def test_thumbs_under_an_answer_are_feedback_and_can_be_taken_back(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    group = telegram_talk.supergroup(asker, is_admin=True)
    answer = answered(telegram_talk, asker, group)
    telegram.reacts(asker, group, answer.id, BAD)
    telegram_talk.until(lambda: verdicts(telegram_talk, asker))
    given = [row[0] for row in verdicts(telegram_talk, asker)]
    telegram.reacts(asker, group, answer.id, None)
    telegram_talk.until(lambda: not verdicts(telegram_talk, asker))

    assert given == ["bad"]
