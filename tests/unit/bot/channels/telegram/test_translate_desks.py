"""What people write where they take over, and what comes along with it."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.telegram.translate.values import Here
from bot.channels.translated import Edited, Ignored
from bot.core.incoming import Incoming
from bot.core.tickets.files import File, loaded
from tests.unit.bot.channels.telegram.arrivals import (
    ANIMATION,
    ANONYMOUS,
    BOT_ID,
    DATE,
    FILE,
    FORUM,
    GROUP,
    HERE,
    OTHER,
    PHOTO,
    PRIVATE,
    SMALL_GROUP,
    THEIRS,
    US,
    VOICE,
    Json,
    entity,
    in_group,
    incoming,
    marked,
    meant,
    ours,
    pressed,
    written,
)

DESK = replace(HERE, desks=frozenset({"-100500"}))
IN_TOPIC: Json = {"chat": FORUM, "message_thread_id": 77, "is_topic_message": True}
SIZES: Json = {
    "photo": [
        {**FILE, "file_id": "small", "width": 90, "height": 90, "file_size": 10},
        {**FILE, "file_id": "large", "width": 900, "height": 900, "file_size": 1000},
        {**FILE, "file_id": "middle", "width": 320, "height": 320, "file_size": 100},
    ]
}
ROUND: Json = {"video_note": {**FILE, "duration": 3, "length": 240}}
VIDEO: Json = {"video": {**FILE, "duration": 3, "width": 1, "height": 1, "file_name": "a.mov", "mime_type": "video/q"}}
AUDIO: Json = {"audio": {**FILE, "duration": 3}}
DOCUMENT: Json = {"document": {**FILE, "file_name": "Форма.pdf", "mime_type": "application/pdf", "file_size": 5}}


def at_desk(**more: object) -> Incoming:
    return incoming(in_group(**{**IN_TOPIC, **more}), DESK)


FILES = [
    (SIZES, ("photo/large", "photo.jpg", 1000, "image/jpeg")),
    (DOCUMENT, ("document/F1", "Форма.pdf", 5, "application/pdf")),
    ({"document": FILE}, ("document/F1", "file", 0, "")),
    (VIDEO, ("video/F1", "a.mov", 0, "video/q")),
    (AUDIO, ("audio/F1", "audio.mp3", 0, "audio/mpeg")),
    (VOICE, ("voice/F1", "voice.ogg", 0, "audio/ogg")),
    (ROUND, ("video_note/F1", "video.mp4", 0, "video/mp4")),
    (ANIMATION, ("animation/F1", "animation.mp4", 0, "video/mp4")),
]


@pytest.mark.parametrize(("more", "file"), FILES)
def test_a_file_without_words_is_taken_with_its_name_and_size(more: Json, file: tuple[str, str, int, str]) -> None:
    found = at_desk(**more)

    assert (found.text, found.thread) == ("", "77")
    assert loaded(found.wire) == (File("telegram", str(BOT_ID), *file),)
    assert "recording" not in found.wire


def test_each_file_of_an_album_is_a_message_of_its_own() -> None:
    found = [at_desk(**{**PHOTO, "message_id": number, "media_group_id": "A1"}) for number in (11, 12)]

    assert [one.message for one in found] == ["11", "12"]


def test_a_file_with_words_has_both() -> None:
    found = incoming(written(caption="this form", **DOCUMENT))

    assert (found.text, [file.name for file in loaded(found.wire)]) == ("this form", ["Форма.pdf"])


@pytest.mark.parametrize("more", [VOICE, PHOTO, DOCUMENT])
def test_who_sends_us_a_file_in_private_or_in_reply_sends_it_on_too(more: Json) -> None:
    found = [incoming(written(**more)), incoming(in_group(reply_to_message=ours(), **more))]

    assert [len(loaded(one.wire)) for one in found] == [1, 1]


@pytest.mark.parametrize("here", [HERE, replace(HERE, desks=frozenset({"-1"}))])
def test_elsewhere_files_that_are_not_for_us_are_left_alone(here: Here) -> None:
    assert isinstance(meant({"message": in_group(**PHOTO)}, here), Ignored)


def test_stickers_and_service_messages_are_left_alone_at_a_desk_too() -> None:
    for more in ({"dice": {"emoji": "🎲", "value": 3}}, {"new_chat_members": [US]}):
        assert isinstance(meant({"message": in_group(**more)}, DESK), Ignored)


@pytest.mark.parametrize(
    ("more", "reply_to", "is_addressed"),
    [
        ({"text": "ask IT"}, None, False),
        ({"text": "ask IT", "reply_to_message": ours(**IN_TOPIC)}, "9", True),
        ({"text": "ask IT", "reply_to_message": {**THEIRS, **IN_TOPIC}}, "8", False),
    ],
)
def test_a_message_says_where_it_stands_and_what_it_replies_to(
    more: Json, reply_to: str | None, is_addressed: bool
) -> None:
    found = at_desk(**more)

    assert (found.text, found.thread, found.wire.get("reply_to")) == ("ask IT", "77", reply_to)
    assert (found.origin, found.is_addressed, found.conversation) == ("message", is_addressed, "topic:77")


@pytest.mark.parametrize("chat", [-100500, -100600])
def test_an_administrator_who_is_not_to_be_known_writes_as_the_chat(chat: int) -> None:
    here = replace(HERE, desks=frozenset({"-100500", "-600"}), moved={"-100600": "-600"})
    group = {**GROUP, "id": chat}
    found = incoming(in_group(chat=group, sender_chat=group, **{"from": ANONYMOUS}, **PHOTO), here)

    assert (found.author, found.wire["name"], len(loaded(found.wire))) == (f"chat:{chat}", "Support", 1)


ORDERS = ["claim", "release", "close", "return", "reopen", "teach", "draft", "reply", "note", "ask"]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("words", ["", " ask IT\nfor it"])
@pytest.mark.parametrize("name", ["", "@answer_desk_bot"])
def test_an_order_is_a_message_as_it_was_written(order: str, words: str, name: str) -> None:
    command = f"/{order}{name}"
    found = at_desk(**marked(f"{command}{words}", command))

    assert (found.text, found.origin, found.is_addressed) == (f"/{order}{words}", "message", False)
    assert "request" not in found.wire


def test_an_order_by_reply_is_one_where_there_are_no_topics() -> None:
    found = incoming(in_group(reply_to_message=ours(), **marked("/ask which floor?", "/ask")), DESK)

    assert (found.text, found.is_addressed) == ("/ask which floor?", True)


@pytest.mark.parametrize(
    ("message", "here"),
    [
        (in_group(**marked("/ask how?", "/ask")), DESK),
        (in_group(**IN_TOPIC, **marked("/ask how?", "/ask")), HERE),
        (written(**marked("/ask how?", "/ask")), DESK),
    ],
)
def test_to_ask_is_a_question_where_there_is_no_ticket(message: Json, here: Here) -> None:
    found = incoming(message, here)

    assert (found.text, found.is_addressed) == ("how?", True)


def test_an_order_to_another_bot_is_none() -> None:
    found = meant({"message": in_group(**IN_TOPIC, **marked("/claim@other_bot", "/claim@other_bot"))}, DESK)

    assert isinstance(found, Ignored)


def test_elsewhere_an_order_is_no_command_of_ours() -> None:
    assert isinstance(meant({"message": in_group(**marked("/claim", "/claim"))}), Ignored)
    assert incoming(written(**marked("/claim", "/claim"))).wire["request"] == "help"


@pytest.mark.parametrize("text", ["a better answer", "/note a better answer"])
def test_an_edit_has_the_new_text(text: str) -> None:
    shown = marked(text, "/note") if text.startswith("/") else {"text": text}
    found = meant({"edited_message": in_group(**IN_TOPIC, edit_date=DATE + 5, **shown)}, DESK)

    assert isinstance(found, Edited)
    assert (found.incoming.message, found.incoming.text) == ("11", text)


@pytest.mark.parametrize(
    ("message", "is_named"),
    [
        (in_group(**marked("@answer_desk_bot how?", "@answer_desk_bot")), True),
        (in_group(text="Desk, how?", entities=[entity("Desk", "Desk", "text_mention", user=US)]), True),
        (in_group(text="how?", reply_to_message=ours()), False),
        (in_group(**marked("/ask how?", "/ask")), False),
        (written(text="how?"), False),
    ],
)
def test_who_calls_us_by_name_does_more_than_to_reply(message: Json, is_named: bool) -> None:
    assert ("named" in incoming(message).wire) is is_named


@pytest.mark.parametrize(
    ("who", "name"),
    [({**OTHER, "last_name": "Doe"}, "Pat Doe"), (OTHER, "Pat"), ({**OTHER, "first_name": ""}, None)],
)
def test_people_are_called_by_both_of_their_names(who: Json, name: str | None) -> None:
    assert incoming(in_group(text="how?", **{"from": who})).wire.get("name") == name


@pytest.mark.parametrize("chat", [PRIVATE, SMALL_GROUP])
def test_the_conversation_is_handed_back_by_a_command(chat: Json) -> None:
    found = incoming(written(chat=chat, **marked("/bot", "/bot")))

    assert (found.origin, found.wire["request"]) == ("request", "bot")


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "x", -1, 0, 2**70, 1.5, True, [], {}, [None], {"id": "x"}, "\ud800", [{}], "💥" * 300]
)
WHOLE: list[Json] = [
    {"message": in_group(**IN_TOPIC, **SIZES, caption="x", reply_to_message=ours(**IN_TOPIC))},
    {"message": in_group(**IN_TOPIC, **DOCUMENT)},
    {"edited_message": in_group(**IN_TOPIC, edit_date=DATE, **marked("/note x", "/note"))},
    {"message": in_group(sender_chat=GROUP, **VOICE)},
    pressed("a:7:reply", message=ours(**IN_TOPIC)),
]


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the ways to all that is within something."""
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for key, one in inside for place in places(one, (*path, key))]


@settings(derandomize=True, database=None, deadline=None, max_examples=400)
@given(st.data())
def test_whatever_stands_in_an_update_it_is_read_or_left_alone(data: st.DataObject) -> None:
    update = deepcopy(data.draw(st.sampled_from(WHOLE)))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(places(update)))
        holder: Any = update
        for key in way:
            holder = holder[key]
        holder[last] = data.draw(ODD)

    found = meant(update, DESK)
    if isinstance(found, Incoming):
        assert all(isinstance(value, str) for value in found.wire.values())
        assert [type(file.name) for file in loaded(found.wire)] == [str] * len(loaded(found.wire))
        json.dumps(dict(found.wire))
