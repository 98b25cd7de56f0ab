import json
from typing import Any

import pytest

from bot.channels.telegram.send.parcels import is_there_still, notice_parcel, reply_parcels
from bot.core.incoming import Question
from bot.core.outgoing import Button
from bot.core.phrases import phrase
from tests.fakes.core import reply_citing
from tests.fakes.telegram_sending import asked
from tests.unit.bot.channels.slack_replies import answered, said

REPLY = reply_citing("Press the star key twice.", document="pin.md")

WAYS = {
    "a message": (asked(), None, 17),
    "a message in a topic": (asked(topic=11), "11", 17),
    "a pressed button": (asked("retry:9:700", origin="button", wire={"below": "9"}), None, 9),
    "a button whose message is not known": (asked("retry:9:700", origin="button"), None, None),
    "asked before the chat moved": (asked("-4000001/17", chat=-1_001), None, None),
    "pressed before the chat moved": (asked("-4000001/retry:9:700", chat=-1_001, wire={"below": "9"}), None, None),
}


@pytest.mark.parametrize(("question", "thread", "reply_to"), WAYS.values(), ids=WAYS)
def test_a_reply_hangs_from_what_asked(question: Question, thread: str | None, reply_to: int | None) -> None:
    (parcel,) = reply_parcels(REPLY, question)

    assert (parcel.thread, parcel.payload["reply_to"], parcel.sight) == (thread, reply_to, "open")
    assert parcel.payload["method"] == "sendMessage"
    assert parcel.place == question.incoming.place


def test_a_reply_says_in_its_own_language_that_it_may_be_the_second_one() -> None:
    (parcel,) = reply_parcels(answered(said("Натисніть зірку."), language="uk"), asked())

    assert parcel.payload["again"] == phrase("sent_again", "uk")


@pytest.mark.parametrize(("wire", "is_quoted"), [({"quoted": "yes"}, True), ({}, False)])
def test_what_nobody_sees_being_asked_stands_above_its_answer(wire: dict[str, str], is_quoted: bool) -> None:
    parcel = reply_parcels(REPLY, asked(wire=wire))[0]

    assert str(parcel.payload["text"]).startswith("How do I reset my PIN?") is is_quoted


@pytest.mark.parametrize(
    ("button", "data"), [("retry", "r:12"), ("private", "p:12"), ("share", "e:12"), ("languages", "l:0:en")]
)
def test_a_button_of_a_notice_names_the_question(button: Button, data: str) -> None:
    parcel = notice_parcel("There is more.", asked(number=12), sight="private", button=button)

    keyboard: Any = parcel.payload["reply_markup"]
    assert keyboard["inline_keyboard"][0][0]["callback_data"] == data
    assert parcel.sight == "private"


@pytest.mark.parametrize(
    ("text", "language"),
    [("There is more than everybody here may read.", "en"), ("Є ще дещо, чого не можуть читати всі тут.", "uk")],
)
def test_a_button_is_in_the_language_of_its_notice(text: str, language: str) -> None:
    parcel = notice_parcel(text, asked(), sight="private", button="private")

    keyboard: Any = parcel.payload["reply_markup"]
    assert keyboard["inline_keyboard"][0][0]["text"] == phrase("button_private", language)


@pytest.mark.parametrize(("request_name", "is_clickable"), [("help", True), ("start", True), ("link", False)])
def test_only_the_list_of_commands_can_be_clicked(request_name: str, is_clickable: bool) -> None:
    question = asked(origin="request", wire={"request": request_name})
    parcel = notice_parcel("/help tells more", question, sight="private")

    assert (parcel.payload["entities"] == []) is is_clickable


def test_a_business_account_is_remembered() -> None:
    (parcel,) = reply_parcels(REPLY, asked(chat=700, wire={"business": "b1"}))

    assert parcel.payload["business"] == "b1"


def test_parcels_of_a_long_answer_are_json_with_markers_of_their_own_and_its_words_once() -> None:
    long = answered(*(said(f"Sentence {number}. " + "word " * 150) for number in range(30)), text="All of it.")

    parcels = reply_parcels(long, asked())

    assert len(parcels) > 1
    assert [parcel.plain for parcel in parcels] == ["All of it.", *[""] * (len(parcels) - 1)]
    assert len({parcel.marker for parcel in parcels}) == len(parcels)
    assert all(json.loads(json.dumps(parcel.payload)) == parcel.payload for parcel in parcels)
    assert all(parcel.payload["reply_to"] == 17 for parcel in parcels)


@pytest.mark.parametrize(
    ("question", "is_still"),
    [(asked(), True), (asked(topic=11), True), (asked("-4000001/17", chat=-1_001), False)],
    ids=["in a chat", "in a topic", "in a chat that moved"],
)
def test_messages_are_known_by_their_numbers_only_in_the_chat_where_they_were_sent(
    question: Question, is_still: bool
) -> None:
    (parcel,) = reply_parcels(REPLY, question)

    assert is_there_still(parcel) is is_still
