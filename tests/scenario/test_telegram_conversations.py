"""Who is answered where on Telegram, by which rules, and what is left alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_talk import PARKING_FACT, PARKING_QUESTION, WAGES_FACT, WAGES_QUESTION
from tests.scenario.telegram_talk import (
    LINKED,
    STAFF_GROUP,
    UNSURE,
    VOLUNTEERED,
    TelegramTalk,
)
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, UNKNOWN, beginning
from tests.wire.telegram import BOT_NAME, MENTION

OTHER = "@other_desk_bot"


def test_a_direct_message_needs_no_mention_and_is_replied_to(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, EXPIRES)
    answer = telegram_talk.answer(asker, question)

    assert IN_DAYS in answer.text
    assert answer.reply_to == question
    assert answer.has_previews_off
    assert telegram_talk.stays(lambda: len(telegram_talk.telegram.answers(asker)) == 1)


def test_a_follow_up_in_private_knows_what_was_said(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    first = telegram_talk.telegram.says(asker, asker, f"{EXPIRES} It is about laptop {asker}")
    telegram_talk.answer(asker, first)
    second = telegram_talk.telegram.says(asker, asker, f"{RENEWED} For {asker}")

    assert IN_HOURS in telegram_talk.answer(asker, second).text
    asked, answered = telegram_talk.asked_of_model(f"For {asker}")[-1].history
    assert f"laptop {asker}" in asked
    assert IN_DAYS in answered


@contextmanager
def privacy(talk: TelegramTalk, is_on: bool) -> Iterator[None]:
    """Let the bot see all of its groups, or not."""
    talk.telegram.privacy_mode, before = is_on, talk.telegram.privacy_mode
    try:
        yield
    finally:
        talk.telegram.privacy_mode = before


@pytest.mark.parametrize("is_private", [True, False], ids=["privacy on", "privacy off"])
def test_a_group_hears_of_the_bot_only_when_it_is_addressed(telegram_talk: TelegramTalk, is_private: bool) -> None:
    asker, colleague = telegram_talk.person(), telegram_talk.person()
    group, telegram = telegram_talk.supergroup(asker, colleague), telegram_talk.telegram
    with privacy(telegram_talk, is_private):
        telegram.says(colleague, group, EXPIRES)
        telegram.says(colleague, group, f"{OTHER} {EXPIRES}")
        telegram.says(colleague, group, f"/ask{OTHER} {EXPIRES}")
        telegram.says(colleague, group, f"/start{OTHER}")
        mention = telegram.says(asker, group, f"{MENTION} {EXPIRES}")
        answer = telegram_talk.answer(group, mention)
        reply = telegram.says(colleague, group, RENEWED, reply_to=answer.id)

        assert IN_HOURS in telegram_talk.answer(group, reply).text
    assert telegram_talk.stays(lambda: len(telegram.answers(group)) == 2)


@pytest.mark.parametrize(
    "text",
    [
        f"👩‍💻🚀 {MENTION} {EXPIRES}",
        f"/ask {EXPIRES}",
        f"/ask@{BOT_NAME} {EXPIRES}",
        f"{EXPIRES} {MENTION.upper()}",
    ],
    ids=["behind an emoji", "by command", "by a command with its name", "behind the question"],
)
def test_a_group_is_answered_however_the_bot_is_addressed(telegram_talk: TelegramTalk, text: str) -> None:
    asker = telegram_talk.person()
    group = telegram_talk.supergroup(asker)
    question = telegram_talk.telegram.says(asker, group, text)

    assert IN_DAYS in telegram_talk.answer(group, question).text
    assert telegram_talk.rows_of(group, "text")[0] not in ("", text)


@pytest.mark.parametrize("text", ["/ask", MENTION], ids=["by command", "by name"])
def test_whoever_points_at_a_message_of_somebody_has_it_answered(telegram_talk: TelegramTalk, text: str) -> None:
    asker, colleague = telegram_talk.person(), telegram_talk.person()
    group = telegram_talk.supergroup(asker, colleague)
    above = telegram_talk.telegram.says(colleague, group, EXPIRES)
    question = telegram_talk.telegram.says(asker, group, text, reply_to=above)

    assert IN_DAYS in telegram_talk.answer(group, question).text


def test_a_question_about_a_message_of_somebody_knows_its_words(telegram_talk: TelegramTalk) -> None:
    asker, colleague = telegram_talk.person(), telegram_talk.person()
    group = telegram_talk.supergroup(asker, colleague)
    above = telegram_talk.telegram.says(colleague, group, f"The gateway of {group} says that something has run out.")
    question = telegram_talk.telegram.says(asker, group, f"{MENTION} {EXPIRES}", reply_to=above)

    assert IN_DAYS in telegram_talk.answer(group, question).text
    told = [prompt.context for prompt in telegram_talk.model.prompts if f"gateway of {group}" in prompt.context]
    assert len(told) == 1


def test_a_comment_below_a_post_of_a_channel_is_answered_there(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    discussion = telegram_talk.supergroup(asker)
    channel = discussion - 500_000_000
    telegram.add_channel(channel, discussion=discussion)
    _, copy = telegram.posts(channel, f"{MENTION} {EXPIRES}")
    comment = telegram.says(asker, discussion, f"{MENTION} {RENEWED}", reply_to=copy)

    assert IN_HOURS in telegram_talk.answer(discussion, comment).text
    assert telegram_talk.stays(lambda: len(telegram.answers(discussion)) == 1)
    assert telegram.answers(channel) == []


def test_where_the_bot_volunteers_it_says_nothing_of_what_it_does_not_know(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram_talk.supergroup(asker, chat=VOLUNTEERED, is_admin=True)
    unknown = telegram.says(asker, VOLUNTEERED, UNKNOWN)
    telegram_talk.confirmed(VOLUNTEERED, unknown)
    telegram_talk.settled(VOLUNTEERED)
    known = telegram.says(asker, VOLUNTEERED, EXPIRES)

    assert IN_DAYS in telegram_talk.answer(VOLUNTEERED, known).text
    assert len(telegram.answers(VOLUNTEERED)) == 1
    assert telegram_talk.tickets(VOLUNTEERED) == []


def test_a_group_may_have_a_threshold_of_its_own(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    telegram_talk.group(asker, chat=UNSURE)
    question = telegram_talk.telegram.says(asker, UNSURE, f"{MENTION} {EXPIRES}")

    assert telegram_talk.answer(UNSURE, question).text.startswith(beginning("handed_over"))


def test_what_only_some_may_read_is_told_where_only_they_read_along(telegram_talk: TelegramTalk) -> None:
    stranger, telegram = telegram_talk.person(), telegram_talk.telegram
    if LINKED not in telegram.users:
        telegram.add_user(LINKED, "Linked", language="en")
    group = telegram_talk.group(stranger, LINKED)
    by_stranger = telegram.says(stranger, stranger, WAGES_QUESTION)
    in_group = telegram.says(LINKED, group, f"{MENTION} {WAGES_QUESTION}")
    in_private = telegram.says(LINKED, LINKED, WAGES_QUESTION)

    assert WAGES_FACT in telegram_talk.answer(LINKED, in_private).text
    assert WAGES_FACT not in telegram_talk.answer(stranger, by_stranger).text
    told = telegram_talk.parts(group, in_group)
    assert all(WAGES_FACT not in one.text for one in told)
    assert told[-1].text == phrase("in_private", "en")
    assert [button["text"] for button in told[-1].buttons] == [phrase("button_private", "en")]


def test_the_members_of_a_group_read_what_its_audience_may(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    telegram_talk.group(asker, chat=STAFF_GROUP)
    other = telegram_talk.group(asker)
    inside = telegram_talk.telegram.says(asker, STAFF_GROUP, f"{MENTION} {PARKING_QUESTION}")
    outside = telegram_talk.telegram.says(asker, other, f"{MENTION} {PARKING_QUESTION}")

    assert PARKING_FACT in telegram_talk.answer(STAFF_GROUP, inside).text
    assert all(PARKING_FACT not in one.text for one in telegram_talk.parts(other, outside))


def test_thanks_are_not_taken_for_a_question(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, EXPIRES)
    telegram_talk.answer(asker, question)
    telegram_talk.telegram.says(asker, asker, "Great, thanks a lot! 🙏")

    assert telegram_talk.stays(lambda: len(telegram_talk.telegram.answers(asker)) == 1)
    assert telegram_talk.tickets(asker) == []


@pytest.mark.parametrize(
    ("question", "fact", "small_print"),
    [
        ("Сколько действует пропуск?", "12 месяцев", "обновлено"),
        ("Скільки триває щорічна відпустка?", "28 днів", "оновлено"),
        ("¿En cuántos días se reembolsan los gastos de viaje?", "15 días", "actualizado"),
    ],
    ids=["ru", "uk", "es"],
)
def test_who_asks_in_a_language_is_answered_in_it(
    telegram_talk: TelegramTalk, question: str, fact: str, small_print: str
) -> None:
    asker = telegram_talk.person(language="en")
    answer = telegram_talk.answer(asker, telegram_talk.telegram.says(asker, asker, question))

    assert fact in answer.text
    assert small_print in answer.text


def test_nobody_is_mentioned_by_an_answer(telegram_talk: TelegramTalk) -> None:
    asker = telegram_talk.person()
    group = telegram_talk.supergroup(asker)
    question = telegram_talk.telegram.says(asker, group, f"{MENTION} {EXPIRES} Tell @colleague and #everybody, /now")
    answer = telegram_talk.answer(group, question)

    clickable = {str(one["type"]) for one in answer.all_entities}
    assert clickable <= {"text_link", "code", "italic", "bold"}


def test_business_and_guest_messages_are_left_alone(telegram_talk: TelegramTalk) -> None:
    owner, customer = telegram_talk.person(), telegram_talk.person()
    connection = telegram_talk.telegram.connects_business(owner)
    telegram_talk.telegram.says(customer, owner, EXPIRES, business=connection)
    guest = {"message_id": 7, "date": 1, "chat": {"id": customer, "type": "private"}, "text": EXPIRES}
    guest |= {"from": {"id": customer, "is_bot": False, "first_name": "Guest"}, "guest_query_id": "g1"}
    telegram_talk.telegram.sends_update({"guest_message": guest})

    assert telegram_talk.stays(
        lambda: not telegram_talk.telegram.answers(owner) and not telegram_talk.telegram.answers(customer)
    )
    assert telegram_talk.messages(owner, "true") == telegram_talk.messages(customer, "true") == 0
