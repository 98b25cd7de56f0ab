"""The buttons below messages, and what comes back from them."""

import pytest

from bot.channels.telegram.render.keyboards import (
    MAX_DATA_BYTES,
    REASONS,
    Action,
    Keyboard,
    Pressed,
    answer_keyboard,
    languages_keyboard,
    notice_keyboard,
    pressed,
    reasons_keyboard,
    reply_markup,
)
from bot.core.phrases import languages, phrase

LARGEST = str(2**53)


def presses(keyboard: Keyboard) -> list[list[Pressed | None]]:
    return [[pressed(button.data) for button in row] for row in keyboard]


def test_an_answer_can_be_judged_explained_and_handed_over() -> None:
    assert presses(answer_keyboard("7", "en")) == [
        [Pressed("good", 7), Pressed("bad", 7)],
        [Pressed("human", 7)],
        [Pressed("sources", 7), Pressed("more", 7)],
    ]


def test_a_verdict_has_a_reason_or_is_taken_back() -> None:
    assert presses(reasons_keyboard("7", "en")) == [
        *([Pressed("reason", 7, reason)] for reason in REASONS),
        [Pressed("cancel", 7)],
    ]


@pytest.mark.parametrize("button", ["retry", "private", "share"])
def test_a_notice_has_one_button_about_its_question(button: Action) -> None:
    assert button in ("retry", "private", "share")
    [[shown]] = notice_keyboard(button, 12, "uk")

    assert (shown.text, pressed(shown.data)) == (phrase(f"button_{button}", "uk"), Pressed(button, 12))


def test_each_language_has_a_button_under_its_own_name() -> None:
    keyboard = languages_keyboard()

    assert presses(keyboard) == [[Pressed("language", 0, code)] for code in languages()]
    assert all(row[0].text not in languages() for row in keyboard)
    assert notice_keyboard("languages", 12, "en") == keyboard


@pytest.mark.parametrize("language", languages())
def test_every_button_is_within_the_limits(language: str) -> None:
    keyboards = [answer_keyboard(LARGEST, language), reasons_keyboard(LARGEST, language), languages_keyboard()]
    buttons = [button for keyboard in keyboards for row in keyboard for button in row]

    assert all(0 < len(button.data.encode()) <= MAX_DATA_BYTES for button in buttons)
    assert all(0 < len(button.text) <= 40 for button in buttons)


def test_a_keyboard_is_what_the_bot_api_takes() -> None:
    keyboard = notice_keyboard("retry", 3, "en")

    assert reply_markup(keyboard) == {"inline_keyboard": [[{"text": "Answer now", "callback_data": "r:3"}]]}


FOREIGN = ["", "g", "g:", ":7", "g:-1", "g:7:", "g:7:x", "g:٧", "q:7", "w:7", "w:7:because", "l:0:xx", "g:7\n", "G:7"]
FOREIGN += ["g:" + "9" * 40, "\x00", "😀:1", "w:7:wrong:wrong", "x" * 100, "\ud800:1"]


@pytest.mark.parametrize("data", FOREIGN)
def test_what_none_of_our_buttons_says_is_nothing(data: str) -> None:
    assert pressed(data) is None
