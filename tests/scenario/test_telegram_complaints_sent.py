"""What people complained about in other bots on Telegram, and how this one behaves: what is sent, and what is refused.

The numbers are those of the reference list of complaints that the project keeps; each test says the complaint itself.
"""

import re
import time
from collections.abc import Sequence

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_talk import EVERYTHING
from tests.scenario.telegram_talk import (
    AT_LENGTH,
    CODE,
    GRADUALLY,
    ODD_FACT,
    ODD_QUESTION,
    SCRIPT_QUESTION,
    SHELVES,
    TelegramTalk,
)
from tests.scenario.whole_bot import EXPIRES, IN_DAYS, beginning
from tests.wire.telegram import MENTION, Call, Fault, Message
from tests.wire.telegram.entities import length, words_of

MESSAGE_HOLDS = 4096
KETTLE, IN_WEEKS = "When is the kettle descaled?", "6 weeks"
WRITES = ("sendMessage", "editMessageText", "sendMessageDraft")
CANNOT_PARSE = Fault.refused(400, "Bad Request: can't parse entities: Can't find end of the entity")
ARCHIVE_QUESTION = "Что лежит на каждой полке бумажного архива? Расскажи {at_length}"
GROWING = f"What does the paper archive hold? Tell me {GRADUALLY}, shelf by shelf"
CLOCKS_DIFFER_S = 0.05


def test_17_stray_signs_of_markdown_arrive_as_they_are(telegram_talk: TelegramTalk) -> None:
    """One stray `_` or `*` makes Telegram refuse the message, and the answer is lost."""
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, ODD_QUESTION)
    answer = telegram_talk.answer(asker, question)

    assert ODD_FACT in answer.text
    assert answer.parse_mode is None
    assert answer.dropped == []


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
def test_17_an_answer_whose_form_is_refused_comes_as_plain_text(telegram_talk: TelegramTalk, method: str) -> None:
    """One stray `_` or `*` makes Telegram refuse the message, and the answer is lost."""
    asker = telegram_talk.person()
    group = telegram_talk.group(asker)
    telegram_talk.telegram.inject(method, CANNOT_PARSE, chat=group, times=1)
    text = GROWING if method == "editMessageText" else ODD_QUESTION
    question = telegram_talk.telegram.says(asker, group, f"{MENTION} {text}")
    answers = telegram_talk.parts(group, question)

    assert [("Shelf" if text == GROWING else ODD_FACT) in answer.text for answer in answers] == [True]
    assert [call.status for call in written(telegram_talk, group) if call.method == method][:2] == [400, 200]


@pytest.mark.parametrize("characters", [5_000, 12_000])
def test_18_a_very_long_answer_arrives_whole_in_parts(telegram_talk: TelegramTalk, characters: int) -> None:
    """An answer of 5,000 characters fails as HTML and again as plain text, and nobody gets anything."""
    asker = telegram_talk.person(language="ru")
    question = telegram_talk.telegram.says(asker, asker, ARCHIVE_QUESTION.format(at_length=f"{AT_LENGTH} {characters}"))
    parts = telegram_talk.parts(asker, question, at_least=2)

    assert all(length(part.text) <= MESSAGE_HOLDS for part in parts)
    said = [line for part in parts for line in part.text.splitlines() if "бумажного архива 📦" in line]
    assert sum(map(len, said)) >= characters
    assert all(re.fullmatch(r"На полке .+👩‍💻.+, которые хранятся \d+ лет\. \[\d+\]", line) for line in said)
    assert len(set(said)) == len(said)
    assert "[1] Бумажный архив" in parts[-1].text


def test_18_code_stays_together_as_code(telegram_talk: TelegramTalk) -> None:
    """What is too long is cut anywhere: within code, a link, a character."""
    asker = telegram_talk.person()
    question = telegram_talk.telegram.says(asker, asker, SCRIPT_QUESTION)
    parts = telegram_talk.parts(asker, question)

    code = [words_of(part.text, one) for part in parts for one in part.entities if one["type"] == "pre"]
    assert "\n".join(code).splitlines() == CODE.splitlines()


def test_19_nothing_is_cut_and_the_parts_are_numbered(telegram_talk: TelegramTalk) -> None:
    """Long answers are cut at 4,096 without notice."""
    asker = telegram_talk.person()
    group = telegram_talk.group(asker)
    question = telegram_talk.telegram.says(
        asker, group, f"{MENTION} Tell me {EVERYTHING} that is held in the paper archive"
    )
    parts = telegram_talk.parts(group, question)

    total = len(parts)
    ends = [part.text.splitlines()[-1] for part in parts]
    assert total > 2
    assert ends == [phrase("continued", "en", part=number, parts=total) for number in range(1, total + 1)]
    whole = "".join(part.text for part in parts)
    assert [whole.count(f"of the year {1990 + number}, ") for number in range(SHELVES)] == [8] * SHELVES
    assert [bool(part.keyboard) for part in parts] == [False] * (total - 1) + [True]


def test_20_what_grows_stops_while_telegram_wants_to_wait_and_the_answer_arrives(telegram_talk: TelegramTalk) -> None:
    """Edits while an answer grows meet a limit of 137 s, and the answer is never finished."""
    asker, other = telegram_talk.person(), telegram_talk.person()
    chats = {"sendMessageDraft": asker, "editMessageText": telegram_talk.group(other)}
    for method, chat in chats.items():
        telegram_talk.telegram.inject(method, Fault.flood(3), chat=chat)
        telegram_talk.telegram.says(asker if chat == asker else other, chat, f"{MENTION} {GROWING}")

    for chat in chats.values():
        answer = telegram_talk.last(chat, 1)
        assert "Shelf" in answer.text
        assert answer.keyboard, "it is the whole answer, and not what grew"
        assert len(telegram_talk.telegram.answers(chat)) == 1
        assert kept_waiting(written(telegram_talk, chat), 3.0)


def test_21_one_chat_waits_as_long_as_telegram_says_and_no_other_does(telegram_talk: TelegramTalk) -> None:
    """The wait that Telegram asks for is ignored, hundreds of times."""
    asker, other = telegram_talk.person(), telegram_talk.person()
    limited = telegram_talk.group(asker)
    telegram_talk.telegram.inject("sendMessage", Fault.flood(4), chat=limited)
    waits = telegram_talk.telegram.says(asker, limited, f"{MENTION} {EXPIRES}")
    telegram_talk.until(lambda: written(telegram_talk, limited))
    started = time.monotonic()
    goes_on = telegram_talk.telegram.says(other, other, EXPIRES)
    telegram_talk.until(lambda: telegram_talk.telegram.answers(other, reply_to=goes_on))

    assert time.monotonic() - started < 3.0
    assert IN_DAYS in telegram_talk.answer(limited, waits).text
    assert kept_waiting(written(telegram_talk, limited), 4.0)


def written(talk: TelegramTalk, chat: int) -> list[Call]:
    """Return all calls by which something was to appear in a chat, oldest first."""
    return [call for call in list(talk.telegram.calls) if call.method in WRITES and call.chat == chat]


def kept_waiting(calls: Sequence[Call], seconds: float) -> bool:
    """Tell whether there was one refusal for flooding, and no call within its time."""
    (refused_at,) = [number for number, call in enumerate(calls) if call.status == 429]
    behind = calls[refused_at + 1 :]
    refused_at_s = calls[refused_at].answered_at_s or calls[refused_at].at_s
    return bool(behind) and behind[0].at_s - refused_at_s >= seconds - CLOCKS_DIFFER_S


# What becomes of a question when its first message is refused so: all but these have an answer.
REFUSALS = {
    "bad form": Fault.refused(400, 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0'),
    "empty": Fault.refused(400, "Bad Request: message text is empty"),
    "too long": Fault.refused(400, "Bad Request: message is too long"),
    "too many bytes": Fault.refused(400, "Bad Request: text is too long"),
    "no reply": Fault.refused(400, "Bad Request: message to be replied not found"),
    "no topic": Fault.refused(400, "Bad Request: message thread not found"),
    "topic closed": Fault.refused(400, "Bad Request: TOPIC_CLOSED"),
    "button": Fault.refused(400, "Bad Request: BUTTON_DATA_INVALID"),
    "unheard of": Fault.refused(400, "Bad Request: SOMETHING_NEW_IS_WRONG"),
    "flood": Fault.flood(1),
    "gateway": Fault.html_502(),
    "server error": Fault.refused(500, "Internal Server Error"),
    "wrong token": Fault.refused(401, "Unauthorized"),
    "unknown method": Fault.refused(404, "Not Found: method not found"),
    "other poller": Fault.refused(409, "Conflict: terminated by other getUpdates request"),
    "cut": Fault.cut_before(),
    "lost": Fault.lost_confirmation(),
    "hang": Fault.hang(1.0),
}
LOST = {
    "no chat": Fault.refused(400, "Bad Request: chat not found"),
    "no rights": Fault.refused(400, "Bad Request: not enough rights to send text messages to the chat"),
    "blocked": Fault.refused(403, "Forbidden: bot was blocked by the user"),
    "kicked": Fault.refused(403, "Forbidden: bot was kicked from the supergroup chat"),
    "deactivated": Fault.refused(403, "Forbidden: user is deactivated"),
    "never started": Fault.refused(403, "Forbidden: bot can't initiate conversation with a user"),
}


def test_22_no_refusal_of_one_message_ends_the_process_or_keeps_the_next_question_waiting(
    telegram_talk: TelegramTalk,
) -> None:
    """One error that nobody catches ends the process."""
    telegram, process = telegram_talk.telegram, telegram_talk.at_work.bot.process
    askers = {name: telegram_talk.person() for name in (*REFUSALS, *LOST)}
    for name, asker in askers.items():
        telegram.inject("sendMessage", {**REFUSALS, **LOST}[name], chat=asker)
        telegram.says(asker, asker, EXPIRES)
    for asker in askers.values():
        telegram_talk.settled(asker)
    second = {name: telegram.says(asker, asker, KETTLE) for name, asker in askers.items()}

    later = {name: telegram_talk.parts(asker, second[name]) for name, asker in askers.items()}
    assert telegram_talk.at_work.bot.process is process
    assert telegram_talk.at_work.bot.is_running
    assert {name for name, answers in later.items() if not has(answers, IN_WEEKS)} == set()
    assert {name for name in REFUSALS if not has(telegram.answers(askers[name]), IN_DAYS)} == set()
    undeliverable = {name for name, one in askers.items() if telegram_talk.messages(one, "state = 'undeliverable'")}
    assert undeliverable == set(LOST)


def has(answers: Sequence[Message], fact: str) -> bool:
    """Tell whether a fact is in an answer."""
    return any(fact in answer.text for answer in answers)


def test_22_an_answer_depends_on_nothing_that_is_only_shown(telegram_talk: TelegramTalk) -> None:
    """One error that nobody catches ends the process."""
    askers = {method: telegram_talk.person() for method in ("sendMessageDraft", "sendChatAction")}
    for method, asker in askers.items():
        telegram_talk.telegram.inject(method, Fault.refused(400, "Bad Request: wrong parameter"), chat=asker, times=2)
        telegram_talk.telegram.says(asker, asker, GROWING)

    assert ["Shelf" in telegram_talk.last(asker, 1).text for asker in askers.values()] == [True, True]


def test_22_a_button_does_what_it_says_though_its_press_cannot_be_answered(telegram_talk: TelegramTalk) -> None:
    """One error that nobody catches ends the process."""
    asker, telegram = telegram_talk.person(), telegram_talk.telegram
    answer = telegram_talk.answer(asker, telegram.says(asker, asker, EXPIRES))
    telegram.inject("answerCallbackQuery", Fault.refused(400, "Bad Request: query is too old"))
    query = telegram.presses(asker, asker, answer.id, phrase("button_human", "en"))

    assert telegram_talk.last(asker, 2).text.startswith(beginning("asked_for_a_person"))
    with telegram.lock:
        telegram.queries.pop(query)
