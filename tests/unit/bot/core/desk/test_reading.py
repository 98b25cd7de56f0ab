"""What somebody's words at a desk are: said to the asker, a note among themselves, or an order."""

from datetime import UTC, datetime

import pytest

from bot.core.desk.reading import Found, act_of, key_of
from bot.core.incoming import Incoming, Place
from bot.core.tickets.files import FILES, File, dumped

AT = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def written(text: str, **wire: str) -> Incoming:
    return Incoming(Place("desk", "T9", "D1"), "7", "bea", text, AT, "private", "1", wire=wire)


@pytest.mark.parametrize(
    ("text", "prompt", "kind", "said"),
    [
        ("It is in the app.", None, "reply", "It is in the app."),
        ("  It is.\n", None, "reply", "It is."),
        ("It is.", "ask", "ask", "It is."),
        ("It is.", "note", "note", "It is."),
        ("🔒 Ask Carl.", None, "note", "Ask Carl."),
        ("🔒\ufe0fAsk Carl.", None, "note", "Ask Carl."),
        ("// Ask Carl.", None, "note", "Ask Carl."),
        ("// Ask Carl.", "reply", "note", "Ask Carl."),
        ("See https://a.example // b", None, "reply", "See https://a.example // b"),
        ("/claim", None, "claim", ""),
        ("!claim", None, "claim", ""),
        ("/CLAIM@answer_bot", None, "claim", ""),
        ("/close", "reply", "close", ""),
        ("/return", None, "return", ""),
        ("/release", None, "release", ""),
        ("/reopen", None, "reopen", ""),
        ("/teach", None, "teach", ""),
        ("/draft", None, "draft", ""),
        ("/ask Which card?", None, "ask", "Which card?"),
        ("/reply Так.", None, "reply", "Так."),
        ("/note Same as yesterday.", None, "note", "Same as yesterday."),
        ("/ask", None, "ask", ""),
        ("/closed it is", None, "reply", "/closed it is"),
        ("/close the lid first", None, "reply", "/close the lid first"),
        ("Write /close", None, "reply", "Write /close"),
        ("/unheard", None, "reply", "/unheard"),
    ],
)
def test_words_are_what_they_begin_with(text: str, prompt: str | None, kind: str, said: str) -> None:
    act = act_of(written(text), Found(3, prompt))

    assert (act.kind, act.text, act.number) == (kind, said, 3)


def test_an_act_tells_who_did_it_where_and_when_and_is_known_again() -> None:
    incoming = written("It is.", name="Bea")

    act = act_of(incoming, Found(3))

    assert (act.actor.id, act.actor.name, act.actor.place) == ("desk:bea", "Bea", incoming.place)
    assert (act.at, act.key, act.actor.is_foreign) == (AT, key_of(incoming), False)


def test_a_guest_of_another_organisation_is_told_apart() -> None:
    assert act_of(written("It is.", foreign="yes"), Found(3)).actor.is_foreign


def test_files_go_along() -> None:
    file = File("desk", "T9", "F1", "pin.png", 12, "image/png")

    assert act_of(written("", **{FILES: dumped([file])}), Found(3)).files == (file,)


def test_words_for_an_entry_are_its_new_answer() -> None:
    act = act_of(written("In the new app."), Found(3, "reword", entry=9))

    assert (act.kind, act.number, act.details) == ("reword", 9, {"answer": "In the new app."})
