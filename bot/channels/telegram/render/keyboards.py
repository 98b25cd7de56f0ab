"""The buttons below messages, and what comes back when one is pressed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from bot.channels.telegram.render.text import clean
from bot.core import outgoing
from bot.core.phrases import languages, phrase
from bot.core.tickets.acts import ActKind
from bot.core.tickets.post import Press

Action = Literal[
    "good",
    "bad",
    "human",
    "sources",
    "more",
    "reason",
    "cancel",
    "retry",
    "private",
    "share",
    "language",
    "consent",
    "act",
]

# What a button says of itself when it is pressed: at most 64 bytes (telegram.constants.InlineKeyboardButtonLimit).
MAX_DATA_BYTES = 64
# The end of each reason's phrase, and what a verdict is explained with.
REASONS = ("wrong", "incomplete", "outdated", "other_question")
_CODES: dict[Action, str] = {
    "good": "g",
    "bad": "b",
    "human": "h",
    "sources": "s",
    "more": "m",
    "reason": "w",
    "cancel": "x",
    "retry": "r",
    "private": "p",
    "share": "e",
    "language": "l",
    "consent": "c",
    "act": "a",
}
_ACTIONS = {code: action for action, code in _CODES.items()}
_DATA = re.compile(r"([a-z]):([0-9]{1,18})(?::([a-z_]{1,32}))?")
# What people do to tickets and entries by a button; the rest is done by writing, or by the clock.
PRESSED_KINDS: tuple[ActKind, ...] = (
    "claim",
    "release",
    "reply",
    "ask",
    "draft",
    "offer",
    "note",
    "close",
    "return",
    "reopen",
    "teach",
    "approve",
    "reject",
    "reword",
)
# As many stand in a row, and below a message (telegram.constants.InlineKeyboardMarkupLimit).
MOST_IN_ROW, MOST_BUTTONS = 8, 100


@dataclass(frozen=True, slots=True)
class Button:
    """A button below a message; its `data` comes back when it is pressed."""

    text: str
    data: str


Keyboard = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a pressed button asks for: of the answer, question, ticket or entry `number`.

    `detail` has the reason, the language, or what is done to a ticket or entry.
    """

    action: Action
    number: int
    detail: str | None = None

    @property
    def kind(self) -> ActKind | None:
        """What is done to a ticket or entry, None where that is not what the button is for."""
        return cast("ActKind", self.detail) if self.action == "act" else None


def answer_keyboard(answer_id: str, language: str) -> Keyboard:
    """Return the buttons below an answer: did it help, a person, its sources, more of them."""
    return (
        (Button("👍", _data("good", answer_id)), Button("👎", _data("bad", answer_id))),
        (_button("human", "button_human", answer_id, language),),
        (
            _button("sources", "button_sources", answer_id, language),
            _button("more", "button_more", answer_id, language),
        ),
    )


def reasons_keyboard(answer_id: str, language: str) -> Keyboard:
    """Return the buttons that say what is wrong with an answer, and the one back."""
    reasons = [
        (Button(phrase(f"feedback_{reason}", language), _data("reason", answer_id, reason)),) for reason in REASONS
    ]
    return (*reasons, (_button("cancel", "button_cancel", answer_id, language),))


def notice_keyboard(button: outgoing.Button, question: int, language: str) -> Keyboard:
    """Return the button below a notice about a stored question, or those of the languages."""
    if button == "languages":
        return languages_keyboard()
    return ((_button(button, f"button_{button}", str(question), language),),)


def languages_keyboard() -> Keyboard:
    """Return a button for each language that the bot speaks, under the name that its readers know."""
    return tuple((Button(phrase("language_name", code), _data("language", "0", code)),) for code in languages())


def desk_keyboard(rows: Sequence[Sequence[Press]]) -> Keyboard | None:
    """Return the buttons below what a desk or an asker is shown, None for none of them."""
    parts = [row[at : at + MOST_IN_ROW] for row in rows for at in range(0, len(row), MOST_IN_ROW)]
    keyboard: list[tuple[Button, ...]] = []
    left = MOST_BUTTONS
    for part in parts:
        keyboard.append(tuple(_press(press) for press in part[:left]))
        left -= len(keyboard[-1])
    return tuple(row for row in keyboard if row) or None


def _press(press: Press) -> Button:
    return Button(" ".join(clean(press.label).split()) or press.kind, _data("act", str(press.number), press.kind))


def _button(action: Action, name: str, number: str, language: str) -> Button:
    return Button(phrase(name, language), _data(action, number))


def _data(action: Action, number: str, detail: str | None = None) -> str:
    return ":".join(filter(None, [_CODES[action], number, detail]))


def pressed(data: str) -> Pressed | None:
    """Return what a button asks for; None for what none of ours says, for anyone can send anything."""
    found = _DATA.fullmatch(data)
    action = _ACTIONS.get(found[1]) if found else None
    if not found or action is None or found[3] not in _details(action):
        return None
    return Pressed(action, int(found[2]), found[3])


def _details(action: Action) -> Sequence[str | None]:
    match action:
        case "reason":
            return REASONS
        case "language":
            return languages()
        case "act":
            return PRESSED_KINDS
        case _:
            return (None,)


def reply_markup(keyboard: Keyboard) -> dict[str, object]:
    """Return a keyboard as the Bot API takes it."""
    rows = [[{"text": button.text, "callback_data": button.data} for button in row] for row in keyboard]
    return {"inline_keyboard": rows}
