"""What a message replies to, and what is sent along with it or instead of words."""

import pytest

from tests.unit.bot.channels.telegram.arrivals import (
    ANIMATION,
    FILE,
    FORUM,
    PHOTO,
    POST,
    THEIRS,
    VOICE,
    WHO,
    Json,
    entity,
    in_group,
    incoming,
    marked,
    ours,
    written,
)


@pytest.mark.parametrize(
    "opened",
    [
        {"message_id": 77, "text": "IT"},
        {"message_id": 76, "forum_topic_created": {"name": "IT", "icon_color": 1}},
    ],
)
def test_a_plain_message_in_a_topic_that_we_opened_replies_to_nothing(opened: Json) -> None:
    topic: Json = {"chat": FORUM, "message_thread_id": 77, "is_topic_message": True}
    found = incoming(in_group(text="how?", reply_to_message=ours(**topic, **opened), **topic))

    assert not found.is_addressed
    assert "reply_to" not in found.wire


@pytest.mark.parametrize(
    ("above", "quote", "reply"),
    [
        (ours(), None, {"reply_to": "9"}),
        (ours(), {"text": "Ask", "position": 0}, {"reply_to": "9"}),
        (THEIRS, None, {"reply_to": "8", "reply_text": "Where is the VPN?"}),
        (THEIRS, {"text": "the VPN", "position": 9}, {"reply_to": "8", "reply_text": "the VPN"}),
        (POST, None, {"reply_to": "7", "reply_text": "News!"}),
        ({**THEIRS, "text": None, "caption": "This one", **PHOTO}, None, {"reply_to": "8", "reply_text": "This one"}),
        ({**THEIRS, "text": None, **PHOTO}, None, {"reply_to": "8"}),
    ],
)
def test_a_reply_knows_what_it_replies_to_and_what_others_said_there(
    above: Json, quote: Json | None, reply: Json
) -> None:
    found = incoming(in_group(text="how?", reply_to_message=above, quote=quote))

    assert found.wire == {**WHO, **reply}


def test_who_only_names_us_asks_what_the_message_above_says() -> None:
    found = incoming(in_group(reply_to_message=THEIRS, **marked("@answer_desk_bot", "@answer_desk_bot")))

    assert (found.text, found.is_addressed) == ("Where is the VPN?", True)
    assert "reply_text" not in found.wire


def test_who_only_names_us_below_nothing_asks_nothing() -> None:
    found = incoming(in_group(**marked("@answer_desk_bot!", "@answer_desk_bot")))

    assert (found.text, found.is_addressed) == ("!", True)
    assert incoming(in_group(**marked("@answer_desk_bot", "@answer_desk_bot"))).text == ""


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"caption": "What is this?", **PHOTO}, "What is this?"),
        ({"caption": "What is this?", "media_group_id": "G1", **PHOTO}, "What is this?"),
        ({"caption": "Why does it do so?", **ANIMATION}, "Why does it do so?"),
        (PHOTO, ""),
        ({"document": FILE}, ""),
        (VOICE, ""),
    ],
)
def test_a_caption_is_what_is_asked_and_files_are_noticed(more: Json, text: str) -> None:
    found = incoming(written(**more))

    assert (found.text, found.message, found.has_files) == (text, "11", True)


def test_a_caption_may_name_us() -> None:
    spoken = "@answer_desk_bot what?"
    marks = [entity(spoken, "@answer_desk_bot", "mention")]
    found = incoming(in_group(caption=spoken, caption_entities=marks, **PHOTO))

    assert (found.text, found.is_addressed) == ("what?", True)


def test_the_pieces_of_an_album_without_words_are_one_message() -> None:
    pieces = [incoming(written(message_id=number, media_group_id="G1", **PHOTO)) for number in (11, 12)]

    assert [piece.message for piece in pieces] == ["album:G1", "album:G1"]
    assert [(piece.wire["below"], piece.wire["part"]) for piece in pieces] == [("11", "11"), ("12", "12")]


@pytest.mark.parametrize(
    "more",
    [VOICE, {"audio": {**FILE, "duration": 7}}, {"video_note": {**FILE, "duration": 7, "length": 1}}],
)
def test_what_was_said_aloud_can_be_fetched_and_has_to_be_repeated(more: Json) -> None:
    found = incoming(in_group(reply_to_message=ours(), **more))

    wire = {**WHO, "reply_to": "9", "recording": "F1", "recording_s": "7", "quoted": "yes"}
    assert (found.text, found.has_files, found.wire.items() >= wire.items()) == ("", True, True)
