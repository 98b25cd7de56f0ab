"""Buttons are stored as what they mean, and who pressed one sees that at once; nothing waits for that."""

import asyncio
from collections.abc import Sequence

import pytest
from telegram import InlineKeyboardMarkup

from bot.channels.telegram.render.keyboards import Keyboard, answer_keyboard, notice_keyboard, reply_markup
from bot.core.phrases import phrase
from tests.fakes.slack_ports import FakeFeedback
from tests.fakes.telegram_ports import FakeOffered
from tests.scenario.telegram_listening import listening, speaking
from tests.wire.telegram import ASKER, BOT_NAME, GROUP, STRANGER, Fault, TelegramServer, telegram_at_work

ANSWER = answer_keyboard("7", "en")


async def posted(telegram: TelegramServer, chat: int, keyboard: Keyboard) -> int:
    async with speaking(telegram) as bot:
        markup = InlineKeyboardMarkup.de_json(reply_markup(keyboard), bot)
        return (await bot.send_message(chat, "an answer", reply_markup=markup)).message_id


def said(telegram: TelegramServer) -> list[str]:
    return [answer.text for answer in telegram.callback_answers]


def shown(telegram: TelegramServer, chat: int, message: int) -> Sequence[object]:
    return [button.get("callback_data") for button in telegram.message(chat, message).buttons]


async def test_a_verdict_is_stored_thanked_for_and_a_bad_one_asked_about() -> None:
    stores = FakeOffered(feedback=FakeFeedback((7, str(ASKER))))
    with telegram_at_work() as telegram:
        ours = await posted(telegram, ASKER, ANSWER)
        async with listening(telegram, stores):
            telegram.presses(ASKER, ASKER, ours, "b:7")
            await telegram.until(lambda: "w:7:outdated" in shown(telegram, ASKER, ours))
            telegram.presses(ASKER, ASKER, ours, "w:7:outdated")
            await telegram.until(lambda: "b:7" in shown(telegram, ASKER, ours))

    assert stores.feedback.verdicts == {(7, str(ASKER)): "bad"}
    assert stores.feedback.reasons == {(7, str(ASKER)): ("outdated", None)}
    assert said(telegram) == [phrase("feedback_noted", "en")] * 2


async def test_who_would_not_say_why_gets_the_buttons_back_and_the_verdict_stays() -> None:
    stores = FakeOffered(feedback=FakeFeedback((7, str(ASKER))))
    with telegram_at_work() as telegram:
        ours = await posted(telegram, ASKER, ANSWER)
        async with listening(telegram, stores):
            telegram.presses(ASKER, ASKER, ours, "b:7")
            await telegram.until(lambda: "x:7" in shown(telegram, ASKER, ours))
            telegram.presses(ASKER, ASKER, ours, "x:7")
            await telegram.until(lambda: "b:7" in shown(telegram, ASKER, ours))

    assert (stores.feedback.verdicts, stores.feedback.reasons) == ({(7, str(ASKER)): "bad"}, {})


async def test_buttons_of_answers_given_elsewhere_and_of_none_at_all_are_too_old() -> None:
    stores = FakeOffered(feedback=FakeFeedback((7, str(GROUP))))
    with telegram_at_work() as telegram:
        ours = await posted(telegram, ASKER, ANSWER)
        async with listening(telegram, stores):
            for data in ("g:7", "w:7:wrong", "zz:1"):
                telegram.presses_raw(ASKER, ASKER, ours, data)
            await telegram.until(lambda: len(telegram.callback_answers) == 3)

    assert (stores.feedback.verdicts, stores.feedback.reasons) == ({}, {})
    assert said(telegram) == [phrase("refused_old_button", "en")] * 3


async def test_buttons_that_ask_for_something_are_stored_once_a_person() -> None:
    stores = FakeOffered()
    keyboard = (*ANSWER, *notice_keyboard("share", 9, "en"))
    with telegram_at_work() as telegram:
        ours = await posted(telegram, GROUP, keyboard)
        async with listening(telegram, stores):
            for _ in range(2):
                for data in ("h:7", "s:7", "e:9"):
                    telegram.presses(ASKER, GROUP, ours, data)
            await telegram.until(lambda: len(telegram.callback_answers) == 6)

    stored = {one.message: (one.origin, one.wire["below"]) for one in stores.inbox.messages.values()}
    assert stored == {
        f"human:{ours}:{ASKER}": ("button", str(ours)),
        f"sources:{ours}:{ASKER}": ("request", str(ours)),
        f"share:{ours}:{ASKER}": ("button", str(ours)),
    }
    assert not telegram.open_queries()


async def test_who_wants_the_answer_in_private_is_taken_there() -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        ours = await posted(telegram, GROUP, notice_keyboard("private", 9, "en"))
        async with listening(telegram, stores):
            telegram.presses(ASKER, GROUP, ours, "p:9")
            await telegram.until(lambda: telegram.calls_of("answerCallbackQuery"))

    (call,) = telegram.calls_of("answerCallbackQuery")
    assert call.text("url") == f"https://t.me/{BOT_NAME}?start=p_9"
    assert stores.inbox.messages == {}


async def test_a_stranger_s_button_has_no_effect_where_the_bot_is_private() -> None:
    stores = FakeOffered()
    with telegram_at_work() as telegram:
        ours = await posted(telegram, STRANGER, ANSWER)
        async with listening(telegram, stores, choice={"chats": [str(GROUP)]}):
            telegram.presses(STRANGER, STRANGER, ours, "h:7")
            await telegram.until(lambda: telegram.callback_answers)

    (told,) = stores.inbox.messages.values()
    assert dict(told.wire)["request"] == "stranger"


@pytest.mark.parametrize(
    "fault",
    [Fault.refused(400, "Bad Request: query is too old"), Fault.flood(3), Fault.hang(2.0), Fault.html_502()],
    ids=lambda fault: fault.name,
)
async def test_what_is_said_to_a_click_may_fail_and_delays_nothing(fault: Fault) -> None:
    stores = FakeOffered(feedback=FakeFeedback((7, str(ASKER))))
    with telegram_at_work() as telegram:
        ours = await posted(telegram, ASKER, ANSWER)
        telegram.inject("answerCallbackQuery", fault, times=None)
        async with listening(telegram, stores):
            started_s = asyncio.get_running_loop().time()
            telegram.presses(ASKER, ASKER, ours, "g:7")
            telegram.says(ASKER, ASKER, "how?")
            await telegram.until(lambda: stores.inbox.messages and not telegram.pending_update_ids)
            took_s = asyncio.get_running_loop().time() - started_s

    assert stores.feedback.verdicts == {(7, str(ASKER)): "good"}
    assert took_s < 1.0
