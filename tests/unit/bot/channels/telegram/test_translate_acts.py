"""What people press below what a desk or an asker is shown: things done to tickets and entries."""

import pytest

from bot.channels.telegram.render.keyboards import PRESSED_KINDS, desk_keyboard
from bot.channels.telegram.translate.values import Acted, Pressed, Stale
from bot.core.tickets.acts import Act, ActKind, Actor
from bot.core.tickets.post import WORDED, Press
from tests.unit.bot.channels.telegram.arrivals import BOT_ID, GROUP, HERE, OTHER, meant, ours, pressed


@pytest.mark.parametrize("kind", PRESSED_KINDS)
def test_a_desks_button_is_an_act_of_who_pressed_it(kind: ActKind) -> None:
    found = meant(pressed(f"a:17:{kind}", message=ours(), **{"from": {**OTHER, "last_name": "Doe"}}))

    assert isinstance(found, Acted)
    assert found.act == Act(
        kind,
        17,
        Actor("telegram:700000002", "Pat Doe", HERE.place("-100500")),
        f"press:{BOT_ID}:-100500:77",
        details={"prompt": "yes"} if kind in WORDED else {},
    )


def test_what_desk_and_asker_press_comes_back_as_what_was_shown() -> None:
    shown = [Press(kind, 2**53, kind) for kind in PRESSED_KINDS]
    keyboard = desk_keyboard([shown]) or ()
    found = [meant(pressed(button.data)) for row in keyboard for button in row]

    assert [(one.act.kind, one.act.number) for one in found if isinstance(one, Acted)] == [
        (press.kind, press.number) for press in shown
    ]


@pytest.mark.parametrize("data", ["a:7", "a:7:", "a:7:follow_up", "a:7:expire", "a:7:edit", "a:x:claim", "a:7:CLAIM"])
def test_nobody_presses_what_has_no_button(data: str) -> None:
    assert isinstance(meant(pressed(data)), Stale)


def test_a_button_of_a_message_that_is_too_old_still_acts() -> None:
    gone = {"chat": GROUP, "message_id": 9, "date": 0}

    assert isinstance(meant(pressed("a:17:claim", message=gone)), Acted)


def test_who_agrees_lets_a_person_have_the_question() -> None:
    found = meant(pressed("c:17"))

    assert isinstance(found, Pressed)
    assert (found.incoming.origin, found.incoming.wire["consent"]) == ("button", "17")
    assert found.incoming.message == "consent:9:700000001"
