import json
from typing import Any

import pytest

from bot.channels.slack.send.parcels import notice_parcel, reply_parcels
from bot.core.incoming import Question
from bot.core.outgoing import Button, Parcel
from tests.fakes.core import reply_citing
from tests.fakes.slack_sending import asked
from tests.unit.bot.channels.slack_replies import answered, said

REPLY = reply_citing("Press the star key twice.", document="pin.md")
COMMAND = asked("command:1.2", origin="command", wire={"response_url": "https://hooks.example.com/r"})
SHORTCUT = asked("shortcut:1764493100.000100:U1", thread="1764493100.000100", origin="shortcut")
SHARE = asked("share_answer:1764493100.000100:U1", origin="button", wire={"again": "3"})


def buttons(parcel: Parcel) -> list[Any]:
    blocks: Any = parcel.payload["blocks"]
    return [element for block in blocks if block["type"] == "actions" for element in block["elements"]]


WAYS = {
    "in a channel, in the thread of the question": (asked(), "chat.postMessage", "1764493200.000100"),
    "in a thread": (asked(thread="1764493100.000100"), "chat.postMessage", "1764493100.000100"),
    "by shortcut, in the thread of the message": (SHORTCUT, "chat.postMessage", "1764493100.000100"),
    "shared, where there is no thread": (SHARE, "chat.postMessage", None),
    "by command, at its address": (COMMAND, "response_url", None),
}


@pytest.mark.parametrize(("question", "method", "thread"), WAYS.values(), ids=WAYS)
def test_a_reply_goes_where_the_question_came_from(question: Question, method: str, thread: str | None) -> None:
    (parcel,) = reply_parcels(REPLY, question)

    assert (parcel.payload["method"], parcel.thread) == (method, thread)
    assert parcel.sight == ("private" if question is COMMAND else "open")


PRIVATE_WAYS = {
    "in a channel: beside the conversation": (asked(), "chat.postEphemeral", None),
    "in a thread: there": (asked(thread="1764493100.000100"), "chat.postEphemeral", "1764493100.000100"),
    "in a direct message: it is private": (asked(company="direct"), "chat.postMessage", "1764493200.000100"),
    "by command: at its address": (COMMAND, "response_url", None),
    "by command without an address": (asked("command:1.2", origin="command"), "chat.postEphemeral", None),
}


@pytest.mark.parametrize(("question", "method", "thread"), PRIVATE_WAYS.values(), ids=PRIVATE_WAYS)
def test_what_only_the_asker_may_see_is_seen_by_nobody_else(question: Question, method: str, thread: str) -> None:
    parcel = notice_parcel("No.", question, sight="private")

    assert (parcel.sight, parcel.payload["method"], parcel.thread) == ("private", method, thread)


@pytest.mark.parametrize(
    ("button", "action", "label"),
    [
        ("retry", "retry_question", "Answer now"),
        ("private", "answer_privately", "Answer me privately"),
        ("share", "share_answer", "Share here"),
        ("consent", "consent_question", "Let a person have it"),
    ],
)
def test_a_button_of_a_notice_names_the_question(button: Button, action: str, label: str) -> None:
    parcel = notice_parcel("There is more.", asked(number=12), sight="private", button=button)

    (shown,) = buttons(parcel)
    assert (shown["action_id"], shown["value"], shown["text"]["text"]) == (action, "12", label)


def test_the_share_button_of_a_command_names_the_question_and_not_the_answer() -> None:
    (parcel,) = reply_parcels(REPLY, COMMAND)

    values = {element["action_id"]: element["value"] for element in buttons(parcel)}
    assert values["share_answer"] == "1"


def test_parcels_of_a_long_answer_are_json_with_markers_of_their_own_and_its_words_once() -> None:
    long = answered(*(said(f"Sentence {number}. " + "word " * 150) for number in range(30)), text="All of it.")

    parcels = reply_parcels(long, asked())

    assert len(parcels) > 1
    assert [parcel.plain for parcel in parcels] == ["All of it.", *[""] * (len(parcels) - 1)]
    assert len({parcel.marker for parcel in parcels}) == len(parcels)
    assert all(json.loads(json.dumps(parcel.payload)) == parcel.payload for parcel in parcels)
