"""Commands and deep links: questions, and what people want of the bot itself."""

import base64

import pytest

from bot.channels.translated import Ignored
from tests.unit.bot.channels.telegram.arrivals import (
    PHOTO,
    PRIVATE,
    THEIRS,
    Json,
    entity,
    in_group,
    incoming,
    marked,
    meant,
    ours,
    written,
)


def command(text: str, **more: object) -> Json:
    """Return a message that begins with a command."""
    return written(**marked(text, text.split()[0]), **more)


def link(payload: str) -> Json:
    return command(f"/start {payload}")


def encoded(question: str) -> str:
    return "q_" + base64.urlsafe_b64encode(question.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("/ask Where is it?", "Where is it?"),
        ("/ask@answer_desk_bot ¿dónde está la VPN?", "¿dónde está la VPN?"),
        ("/ASK@Answer_Desk_Bot\nfirst\nsecond", "first\nsecond"),
        ("/ask", ""),
    ],
)
def test_ask_is_a_question_like_any_message(text: str, asked: str) -> None:
    found = incoming(in_group(**marked(text, text.split()[0])))

    assert (found.text, found.origin, found.is_addressed) == (asked, "message", True)


def test_a_command_may_follow_our_name() -> None:
    found = incoming(in_group(**marked("@answer_desk_bot /ask how?", "@answer_desk_bot", "/ask")))

    assert (found.text, found.is_addressed) == ("how?", True)


@pytest.mark.parametrize(("above", "asked"), [(THEIRS, "Where is the VPN?"), (ours(), "")])
def test_ask_alone_asks_what_somebody_else_wrote_above(above: Json, asked: str) -> None:
    found = incoming(command("/ask", chat=THEIRS["chat"], reply_to_message=above))

    assert found.text == asked
    assert "reply_text" not in found.wire


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        (marked("/ask And who knows?", "/ask"), "And who knows?"),
        ({"caption": "/ask", "caption_entities": [entity("/ask", "/ask", "bot_command")], **PHOTO}, ""),
    ],
)
def test_ask_with_words_or_a_picture_asks_these(more: Json, asked: str) -> None:
    assert incoming(in_group(reply_to_message=THEIRS, **more)).text == asked


@pytest.mark.parametrize(("text", "about"), [("/human my laptop is broken", "my laptop is broken"), ("/human", "")])
def test_human_wants_a_person_and_is_joined_to_nothing(text: str, about: str) -> None:
    found = incoming(command(text))

    assert (found.text, found.origin, found.wire["human"]) == (about, "command", "")


@pytest.mark.parametrize(
    ("text", "request_", "about"),
    [
        ("/start", "start", ""),
        ("/help", "help", ""),
        ("/language uk", "language", "uk"),
        ("/language", "language", ""),
        ("/sources", "sources", ""),
        ("/why", "why", ""),
        ("/link pat@example.com", "link", "pat@example.com"),
        ("/forget", "forget", ""),
        ("/weather in Kyiv", "help", ""),
        ("/weather@other_bot", "help", ""),
    ],
)
def test_the_others_are_requests(text: str, request_: str, about: str) -> None:
    found = incoming(command(text))

    assert (found.origin, found.text, found.is_addressed) == ("request", "", True)
    assert (found.wire["request"], found.wire["about"]) == (request_, about)


def test_a_request_knows_the_answer_that_it_replies_to() -> None:
    assert incoming(command("/sources", reply_to_message=ours(chat=PRIVATE))).wire["reply_to"] == "9"


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        ("/help", True),
        ("/help@answer_desk_bot", True),
        ("/help@other_bot", False),
        ("/ask@other_bot how?", False),
        ("/weather", False),
        ("/weather@answer_desk_bot", False),
    ],
)
def test_in_groups_unknown_commands_and_those_to_other_bots_are_ignored(text: str, is_ours: bool) -> None:
    found = meant({"message": in_group(**marked(text, text.split()[0]))})

    assert isinstance(found, Ignored) is not is_ours


@pytest.mark.parametrize(
    "message",
    [
        written(text="/path/to/file does not open"),
        written(**marked("what does /help do", "/help")),
        written(
            forward_origin={"type": "hidden_user", "sender_user_name": "Pat", "date": 1}, **marked("/forget", "/forget")
        ),
    ],
)
def test_what_only_looks_like_a_command_is_a_question(message: Json) -> None:
    found = incoming(message)

    assert (found.text, found.origin) == (message["text"], "message")


@pytest.mark.parametrize(
    ("payload", "question"),
    [
        ("vpn", "How do I get VPN access?"),
        (encoded("Where is it?"), "Where is it?"),
        (encoded("Де це?"), "Де це?"),
        (encoded("a"), "a"),
    ],
)
def test_a_deep_link_opens_a_question_that_nobody_sees(payload: str, question: str) -> None:
    found = incoming(link(payload))

    assert (found.text, found.origin, found.wire["quoted"]) == (question, "message", "yes")


def test_a_deep_link_asks_a_stored_question_once_more() -> None:
    found = incoming(link("p_17"))

    assert (found.text, found.origin, found.wire["again"]) == ("", "button", "17")


def test_a_deep_link_confirms_an_address() -> None:
    found = incoming(link("link_A1b2"))

    assert (found.origin, found.wire["request"], found.wire["about"]) == ("request", "link", "A1b2")


@pytest.mark.parametrize("payload", ["nothing", "q_", "q_" + "A", "q__w", "q_!!", "p_", "p_x", "p_" + "9" * 19, "p_²"])
def test_any_other_payload_is_a_start(payload: str) -> None:
    found = incoming(link(payload))

    assert (found.origin, found.wire["request"], found.wire["about"]) == ("request", "start", "")


def test_in_a_group_a_deep_link_is_only_a_start() -> None:
    assert incoming(in_group(**marked("/start p_17", "/start"))).wire["request"] == "start"
