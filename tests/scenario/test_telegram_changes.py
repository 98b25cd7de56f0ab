"""What becomes of a question on Telegram that is changed or taken back, or comes as something else than words."""

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_talk import SLOW
from tests.scenario.telegram_talk import AT_LENGTH, TelegramTalk
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED
from tests.wire.telegram import MENTION

KETTLE, IN_WEEKS = "When is the kettle descaled?", "6 weeks"
LONG = f"Что лежит на каждой полке бумажного архива? Расскажи {AT_LENGTH} 5000"


def test_an_edited_question_has_its_answer_revised_in_place(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    question = telegram.says(asker, asker, KETTLE)
    first = telegram_talk.answer(asker, question)
    telegram.edits(asker, asker, question, EXPIRES)
    telegram_talk.until(lambda: IN_DAYS in telegram.message(asker, first.id).text)
    telegram_talk.settled(asker)

    (answer,) = telegram.answers(asker)
    assert (answer.id, IN_WEEKS in answer.text, bool(answer.keyboard)) == (first.id, False, True)


def test_of_a_long_answer_the_surplus_goes_when_the_question_is_edited(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    question = telegram.says(asker, asker, LONG)
    parts = telegram_talk.parts(asker, question, at_least=2)
    telegram.edits(asker, asker, question, EXPIRES)
    telegram_talk.until(lambda: len(telegram.answers(asker)) == 1)
    telegram_talk.settled(asker)

    (answer,) = telegram.answers(asker)
    assert (answer.id, IN_DAYS in answer.text) == (parts[0].id, True)


def test_a_longer_answer_to_an_edited_question_goes_on_behind_the_first_part(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    question = telegram.says(asker, asker, EXPIRES)
    first = telegram_talk.answer(asker, question)
    telegram.edits(asker, asker, question, LONG)
    telegram_talk.until(lambda: len(telegram.answers(asker)) > 1)
    telegram_talk.settled(asker)

    answers = telegram.answers(asker)
    assert answers[0].id == first.id
    assert not any(IN_DAYS in answer.text for answer in answers)
    assert "[1] Бумажный архив" in answers[-1].text


@pytest.mark.parametrize("is_group", [False, True], ids=["in private", "in a group"])
def test_an_edit_during_the_answer_changes_the_question(telegram_talk: TelegramTalk, is_group: bool) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    chat = telegram_talk.supergroup(asker) if is_group else asker
    question = telegram.says(asker, chat, f"{MENTION} {SLOW}")
    telegram_talk.until(lambda: telegram_talk.messages(chat, "state = 'answering'"))
    telegram.edits(asker, chat, question, f"{MENTION} {KETTLE}")
    telegram_talk.until(lambda: any(IN_WEEKS in answer.text for answer in telegram.answers(chat)))
    telegram_talk.settled(chat)

    assert [IN_DAYS in answer.text for answer in telegram.answers(chat)] == [False]


def test_an_edit_before_the_answer_changes_the_question(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    question = telegram.says(asker, asker, KETTLE)
    telegram.edits(asker, asker, question, EXPIRES)

    assert IN_DAYS in telegram_talk.answer(asker, question).text
    assert [IN_WEEKS in answer.text for answer in telegram.answers(asker)] == [False]


def test_a_mention_added_by_an_edit_asks(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    group = telegram_talk.supergroup(asker)
    question = telegram.says(asker, group, EXPIRES)
    telegram.edits(asker, group, question, f"{MENTION} {EXPIRES}")

    assert IN_DAYS in telegram_talk.answer(group, question).text


def test_a_question_that_is_deleted_has_its_answer_all_the_same(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    question = telegram.says(asker, asker, SLOW)
    telegram_talk.until(lambda: telegram_talk.messages(asker, "state = 'answering'"))
    telegram.deletes(asker, question)
    answer = telegram_talk.last(asker, 1)

    assert (IN_DAYS in answer.text, answer.reply_to) == (True, None)


@pytest.mark.parametrize("media", ["photo", "document", "video"])
def test_a_caption_is_a_question(telegram_talk: TelegramTalk, media: str) -> None:
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, EXPIRES, media=media)

    assert IN_DAYS in telegram_talk.answer(asker, question).text


@pytest.mark.parametrize("caption", [EXPIRES, ""], ids=["with a caption", "without"])
def test_an_album_is_answered_once(telegram_talk: TelegramTalk, caption: str) -> None:
    asker = telegram_talk.person()
    pictures = telegram_talk.telegram.says_album(asker, asker, caption)
    for picture in pictures:
        telegram_talk.confirmed(asker, picture)
    answer = telegram_talk.last(asker, 1)

    assert (IN_DAYS if caption else phrase("refused_files", "en")) in answer.text
    assert answer.reply_to in pictures
    assert telegram_talk.stays(lambda: len(telegram_talk.telegram.answers(asker)) == 1)


@pytest.mark.parametrize(
    ("media", "told"),
    [
        ("photo", "refused_files"),
        ("document", "refused_files"),
        ("video", "refused_files"),
        ("voice", "refused_recording"),
        ("audio", "refused_recording"),
        ("video_note", "refused_recording"),
    ],
)
def test_what_holds_no_words_is_told_so_in_the_language_of_its_author(
    telegram_talk: TelegramTalk, media: str, told: str
) -> None:
    asker = telegram_talk.person(language="uk")
    question = telegram_talk.telegram.says(asker, asker, media=media)

    assert telegram_talk.answer(asker, question).text == phrase(told, "uk")
    assert telegram_talk.tickets(asker) == []


def test_stickers_and_service_messages_are_left_alone(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    group, telegram = telegram_talk.group(asker), telegram_talk.telegram
    telegram.says(asker, asker, media="sticker")
    telegram.says(asker, asker, media="animation")
    telegram.serves(group, {"new_chat_title": f"{MENTION} {EXPIRES}"}, by=asker)
    telegram.serves(group, {"left_chat_member": {"id": asker, "is_bot": False, "first_name": "A"}}, by=asker)
    question = telegram.says(asker, asker, RENEWED)

    assert IN_HOURS in telegram_talk.answer(asker, question).text
    assert [len(telegram.answers(chat)) for chat in (asker, group)] == [1, 0]
