"""The commands on Telegram, the menu that shows them, and links that open the bot with a question."""

import pytest

from bot.channels.telegram.deep_link import payload_of
from bot.core.phrases import languages, phrase
from tests.scenario.telegram_talk import RENEWAL, TelegramTalk
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, UNKNOWN, beginning
from tests.wire.telegram import Message
from tests.wire.telegram.entities import words_of

# What each command is answered with by whoever has asked nothing yet.
AT_FIRST = {
    "/start": ("start", ""),
    "/help": ("help", ""),
    "/nonsense": ("help", ""),
    "/language": ("language_now_auto", ""),
    "/language klingon": ("language_unknown", "languages"),
    "/sources": ("no_answer_yet", ""),
    "/why": ("no_question_yet", ""),
    "/link": ("link_off", ""),
    "/human": ("asked_for_a_person", "ticket"),
}


def test_commands_are_answered_in_the_language_of_whoever_gives_them(telegram_talk: TelegramTalk) -> None:
    people = {language: telegram_talk.person(language=language) for language in ("ru", "uk", "es")}
    for command in AT_FIRST:
        for person in people.values():
            telegram_talk.telegram.says(person, person, command)

    told = {code: [one.text for one in _all(telegram_talk, person, len(AT_FIRST))] for code, person in people.items()}
    wanted = {code: [beginning(name, code, before) for name, before in AT_FIRST.values()] for code in people}
    for language, texts in told.items():
        starts = zip(AT_FIRST, texts, wanted[language], strict=True)
        assert [(command, text) for command, text, start in starts if not text.startswith(start)] == []


def _all(talk: TelegramTalk, chat: int, number: int) -> list[Message]:
    talk.last(chat, number)
    return talk.telegram.answers(chat)


def test_the_menu_shows_the_commands_in_each_language(telegram_talk: TelegramTalk) -> None:
    telegram_talk.until(lambda: len(telegram_talk.telegram.commands) == 2 * (len(languages()) + 1))

    shown = {language: commands for (_, language), commands in telegram_talk.telegram.commands.items()}
    assert shown.keys() == {"", *languages()}
    for language in languages():
        described = {one["command"]: one["description"] for one in shown[language] if isinstance(one, dict)}
        assert described["ask"] == phrase("command_ask", language)


def test_a_chosen_language_is_that_of_all_answers_until_it_is_given_up(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    menu = telegram_talk.answer(asker, telegram.says(asker, asker, "/language"))
    telegram.presses(asker, asker, menu.id, "Español")
    chosen = telegram_talk.last(asker, 2)
    in_spanish = telegram_talk.answer(asker, telegram.says(asker, asker, UNKNOWN))
    telegram_talk.answer(asker, telegram.says(asker, asker, "/language auto"))
    in_english = telegram_talk.answer(asker, telegram.says(asker, asker, UNKNOWN))

    assert chosen.text == phrase("language_set", "es")
    assert in_spanish.text.startswith(beginning("handed_over", "es"))
    assert in_english.text.startswith(beginning("handed_over", "en"))


def test_the_sources_and_the_reasons_of_the_last_answer_are_told(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram_talk.answer(asker, telegram.says(asker, asker, EXPIRES))
    sources = telegram_talk.answer(asker, telegram.says(asker, asker, "/sources"))
    why = telegram_talk.answer(asker, telegram.says(asker, asker, "/why"))

    assert "A VPN certificate expires after 90 days." in sources.text
    assert phrase("why_model", "en") in why.text
    assert EXPIRES in why.text


def test_why_tells_of_what_was_handed_over_too(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram_talk.answer(asker, telegram.says(asker, asker, UNKNOWN))
    why = telegram_talk.answer(asker, telegram.says(asker, asker, "/why"))

    assert beginning("why_ticket_open") in why.text


def test_forget_erases_what_somebody_wrote(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    telegram_talk.answer(asker, telegram.says(asker, asker, EXPIRES))
    told = telegram_talk.answer(asker, telegram.says(asker, asker, "/forget"))

    assert told.text.startswith(beginning("forgotten", before="count"))
    assert EXPIRES not in telegram_talk.rows_of(asker, "text")


def test_a_person_is_asked_for_with_the_words_behind_the_command(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    told = telegram_talk.answer(asker, telegram.says(asker, asker, "/human Мені потрібна людина"))

    assert told.text.startswith(beginning("asked_for_a_person", "uk"))
    assert telegram_talk.tickets(asker) == ["asked"]


def test_in_a_group_nobody_is_told_who_they_are(telegram_talk: TelegramTalk) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    group = telegram_talk.group(asker)
    question = telegram.says(asker, group, "/link ann@example.org")

    assert telegram_talk.answer(group, question).text == phrase("link_elsewhere", "en")


@pytest.mark.parametrize("command", ["/ask", "/nonsense"])
def test_a_command_without_a_question_is_told_how_to_ask(telegram_talk: TelegramTalk, command: str) -> None:
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    told = telegram_talk.answer(asker, telegram.says(asker, asker, command))

    assert told.text == phrase("refused_empty" if command == "/ask" else "help", "en")


@pytest.mark.parametrize(
    ("payload", "question", "fact"),
    [(RENEWAL, RENEWED, IN_HOURS), (payload_of(EXPIRES, {}), EXPIRES, IN_DAYS)],
    ids=["named", "in the link"],
)
def test_a_link_opens_the_bot_with_a_question_which_stands_above_its_answer(
    telegram_talk: TelegramTalk, payload: str, question: str, fact: str
) -> None:
    asker = telegram_talk.person()
    answer = telegram_talk.answer(asker, telegram_talk.telegram.says(asker, asker, f"/start {payload}"))

    assert fact in answer.text
    assert answer.text.startswith(question)
    assert next(words_of(answer.text, one) for one in answer.entities) == question


@pytest.mark.parametrize("payload", ["p_999999999", "q_!!", "nobody_knows", "link_ABCDEFGH"])
def test_a_link_that_means_nothing_does_no_harm(telegram_talk: TelegramTalk, payload: str) -> None:
    asker = telegram_talk.person()
    first = telegram_talk.telegram.says(asker, asker, f"/start {payload}")
    telegram_talk.confirmed(asker, first)
    question = telegram_talk.telegram.says(asker, asker, EXPIRES)

    assert IN_DAYS in telegram_talk.answer(asker, question).text
