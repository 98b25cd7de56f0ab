"""Commands, shortcuts, buttons and dialogs become messages and verdicts."""

import pytest

from bot.channels.slack.translate.interactions import judged_in
from bot.channels.slack.translate.values import AskedInPrivate, Explained, Judged
from bot.channels.translated import Ignored
from bot.core.incoming import Company, Incoming
from bot.core.phrases import phrase
from tests.unit.bot.channels.slack.deliveries import HERE, NOW, TS, button, meant

COMMAND = {
    "team_id": "T1",
    "command": "/ask",
    "text": "how do I &lt;reset&gt; it?",
    "user_id": "U1",
    "channel_id": "C1",
    "channel_name": "general",
    "trigger_id": "1.2.x",
    "response_url": "https://hooks.example.com/1",
}
SHORTCUT: dict[str, object] = {
    "type": "message_action",
    "callback_id": "answer_this",
    "user": {"id": "U1"},
    "channel": {"id": "C1", "name": "general"},
    "action_ts": "1764244900.5",
    "message_ts": TS,
    "message": {"user": "U2", "text": "how?", "ts": TS},
}


def test_a_command_is_a_question_under_a_name_of_its_own() -> None:
    incoming = meant({**COMMAND})

    assert isinstance(incoming, Incoming)
    assert (incoming.message, incoming.text, incoming.sent_at) == ("command:1.2.x", "how do I <reset> it?", NOW)
    assert (incoming.origin, incoming.is_addressed, incoming.thread) == ("command", True, None)
    assert incoming.wire == {"response_url": "https://hooks.example.com/1"}


@pytest.mark.parametrize(
    ("more", "company"),
    [
        ({}, "shared"),
        ({"channel_id": "D1", "channel_name": "directmessage"}, "direct"),
        ({"channel_name": "mpdm-a--b--c-1"}, "group"),
        ({"channel_name": "privategroup"}, "shared"),
    ],
)
def test_a_command_does_not_tell_whether_a_channel_is_private(more: dict[str, str], company: Company) -> None:
    incoming = meant({**COMMAND, **more})

    assert isinstance(incoming, Incoming)
    assert incoming.company == company


def test_the_shortcut_asks_with_somebodys_words_in_the_name_of_who_chose_it() -> None:
    incoming = meant(SHORTCUT)

    assert isinstance(incoming, Incoming)
    assert (incoming.message, incoming.author, incoming.text) == (f"shortcut:{TS}:U1", "U1", "how?")
    assert (incoming.origin, incoming.thread, incoming.is_addressed) == ("shortcut", TS, True)


def test_the_shortcut_answers_in_the_thread_that_the_message_is_in() -> None:
    incoming = meant({**SHORTCUT, "message": {"user": "U2", "text": "how?", "ts": TS, "thread_ts": "1764244700.0"}})

    assert isinstance(incoming, Incoming)
    assert incoming.thread == "1764244700.0"


@pytest.mark.parametrize(
    ("action", "wire"),
    [
        ("ask_human", {"human": "12"}),
        ("retry_question", {"again": "12"}),
        ("share_answer", {"again": "12"}),
        ("consent_question", {"consent": "12"}),
    ],
)
def test_a_button_is_a_message_that_is_the_same_however_often_it_is_pressed(action: str, wire: dict[str, str]) -> None:
    once = meant(button(action, "12"))
    twice = meant(button(action, "12", actions=[{"action_id": action, "value": "12", "action_ts": "1764244999.9"}]))

    assert isinstance(once, Incoming)
    assert isinstance(twice, Incoming)
    assert (once.message, once.wire, once.origin) == (f"{action}:{TS}:U1", wire, "button")
    assert (once.place, once.thread, once.is_addressed) == (HERE.place("C1"), "1764244700.000000", True)
    assert (twice.place, twice.message) == (once.place, once.message)


def test_a_button_below_a_message_outside_of_threads_begins_one_there() -> None:
    container: dict[str, object] = {"type": "message", "message_ts": TS, "channel_id": "C1"}
    open_to_all = meant(button("ask_human", "12", container=container))
    ephemeral = meant(button("share_answer", "12", container={**container, "is_ephemeral": True}))

    assert isinstance(open_to_all, Incoming)
    assert isinstance(ephemeral, Incoming)
    assert (open_to_all.thread, ephemeral.thread) == (TS, None)


@pytest.mark.parametrize("action", ["ask_human", "consent_question"])
def test_what_comes_of_a_button_that_one_person_alone_sees_is_for_them_alone(action: str) -> None:
    container: dict[str, object] = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True}
    incoming = meant(button(action, "12", container=container, response_url="https://hooks.example.com/1"))

    assert isinstance(incoming, Incoming)
    assert (incoming.wire["seen_by_one"], incoming.wire["response_url"]) == ("yes", "https://hooks.example.com/1")


def test_an_answer_in_private_needs_its_place_first() -> None:
    request = meant(button("answer_privately", "12"))

    assert isinstance(request, AskedInPrivate)
    assert (request.workspace, request.author, request.question) == ("T1", "U1", 12)


@pytest.mark.parametrize("language", ["en", "ru", "uk", "es"])
def test_feedback_goes_on_in_the_language_of_its_buttons(language: str) -> None:
    shown = {"negative_button": {"text": {"text": phrase("button_bad", language)}}}
    clicked = button("answer_feedback", "bad:12", message={"ts": TS, "blocks": [{"elements": [shown]}]})

    assert meant(clicked) == Judged(12, HERE.place("C1"), "U1", "bad", language, "1.2.x")


def test_what_was_wrong_comes_back_with_the_place_that_the_dialog_was_given() -> None:
    judged = meant(button("answer_feedback", "bad:12"))
    assert isinstance(judged, Judged)
    values = {
        "reason": {"reason": {"selected_option": {"value": "outdated"}}},
        "comment": {"comment": {"value": "  it moved "}},
    }
    view = {"callback_id": "feedback_reason", "private_metadata": judged_in(judged), "state": {"values": values}}

    explained = meant({"type": "view_submission", "user": {"id": "U1"}, "view": view})

    assert explained == Explained(12, HERE.place("C1"), "U1", "outdated", "it moved")


def test_a_dialog_may_be_sent_empty() -> None:
    values = {"reason": {"reason": {"selected_option": None}}, "comment": {"comment": {"value": None}}}
    view = {"callback_id": "feedback_reason", "private_metadata": "C1 12", "state": {"values": values}}

    explained = meant({"type": "view_submission", "user": {"id": "U1"}, "view": view})

    assert explained == Explained(12, HERE.place("C1"), "U1", None, None)


@pytest.mark.parametrize(
    "body",
    [
        {**COMMAND, "command": "/other"},
        {**COMMAND, "trigger_id": ""},
        {**SHORTCUT, "callback_id": "another"},
        {**SHORTCUT, "message": {}, "message_ts": ""},
        button("another", "12"),
        button("ask_human", "twelve"),
        button("ask_human", "١٢"),
        button("answer_feedback", "12"),
        button("answer_feedback", "good:"),
        button("answer_privately", ""),
        button("ask_human", "12", user={}),
        button("ask_human", "12", actions=[]),
        button("ask_human", "12", actions="none"),
        {"type": "view_submission", "view": {"callback_id": "another"}},
        {"type": "view_submission", "user": {"id": "U1"}, "view": {"callback_id": "feedback_reason"}},
        {"type": "view_closed"},
        {"type": "block_suggestion"},
        {"type": "shortcut", "callback_id": "answer_this"},
    ],
)
def test_what_is_not_ours_or_not_whole_is_left_alone(body: dict[str, object]) -> None:
    assert isinstance(meant(body), Ignored)
