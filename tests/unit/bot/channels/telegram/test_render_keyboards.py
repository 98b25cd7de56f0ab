"""The buttons below messages, and what comes back from them."""

import pytest

from bot.channels.telegram.render.keyboards import (
    MAX_DATA_BYTES,
    MOST_BUTTONS,
    PRESSED_KINDS,
    REASONS,
    Action,
    Keyboard,
    Pressed,
    answer_keyboard,
    desk_keyboard,
    languages_keyboard,
    notice_keyboard,
    pressed,
    reasons_keyboard,
    reply_markup,
)
from bot.core.phrases import languages, phrase
from bot.core.tickets.acts import ActKind
from bot.core.tickets.post import Press

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


@pytest.mark.parametrize("button", ["retry", "private", "share", "consent"])
def test_a_notice_has_one_button_about_its_question(button: Action) -> None:
    assert button in ("retry", "private", "share", "consent")
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
FOREIGN += [
    "a:7",
    "a:7:expire",
    "a:7:claim:x",
    "c:",
    "g:" + "9" * 40,
    "\x00",
    "😀:1",
    "w:7:wrong:wrong",
    "x" * 100,
    "\ud800:1",
]


@pytest.mark.parametrize("data", FOREIGN)
def test_what_none_of_our_buttons_says_is_nothing(data: str) -> None:
    assert pressed(data) is None


def press(kind: ActKind = "claim", label: str = "Claim") -> Press:
    return Press(kind, 7, label)


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ([], []),
        ([()], []),
        ([(press(), press("close", "Close")), (), (press("note", "Note"),)], [["Claim", "Close"], ["Note"]]),
        ([(press(label="  \x00\n"),)], [["claim"]]),
        ([tuple(press(label=str(number)) for number in range(10))], [list("01234567"), list("89")]),
    ],
)
def test_rows_of_a_desks_buttons_are_as_wide_as_telegram_takes(
    rows: list[tuple[Press, ...]], shown: list[list[str]]
) -> None:
    assert [[button.text for button in row] for row in desk_keyboard(rows) or ()] == shown


def test_a_desk_has_no_more_buttons_than_telegram_takes() -> None:
    keyboard = desk_keyboard([tuple(press() for _ in range(8))] * 40) or ()

    assert sum(len(row) for row in keyboard) == MOST_BUTTONS


@pytest.mark.parametrize("kind", PRESSED_KINDS)
def test_every_button_of_a_desk_says_what_it_does(kind: ActKind) -> None:
    [[shown]] = desk_keyboard([(Press(kind, 10**17, "x"),)]) or ()
    found = pressed(shown.data)

    assert found == Pressed("act", 10**17, kind)
    assert found.kind == kind
    assert len(shown.data.encode()) <= MAX_DATA_BYTES
