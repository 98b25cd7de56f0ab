"""Messages: whom they are written to, where they belong, and what of them is asked."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.channels.telegram.translate.values import Here, Moved
from bot.channels.translated import Edited, Ignored
from bot.core.incoming import Company, Incoming
from tests.unit.bot.channels.telegram.arrivals import (
    ANIMATION,
    ANONYMOUS,
    CHANNEL,
    DATE,
    FORUM,
    GROUP,
    HERE,
    OLENA,
    OTHER,
    PHOTO,
    POST,
    PRIVATE,
    PUBLIC_GROUP,
    SMALL_GROUP,
    THEIRS,
    US,
    VOICE,
    WHO,
    Json,
    entity,
    in_group,
    incoming,
    marked,
    meant,
    ours,
    written,
)

ORIGIN: Json = {"type": "hidden_user", "sender_user_name": "Pat", "date": DATE}


def test_a_message_says_who_wrote_what_when_and_where() -> None:
    found = incoming(written(text=" Як скинути пароль? "))

    assert found == Incoming(
        place=HERE.place("700000001"),
        message="11",
        author="700000001",
        text="Як скинути пароль?",
        sent_at=datetime(2026, 11, 27, 11, 59, tzinfo=UTC),
        company="direct",
        is_addressed=True,
        wire=WHO,
        conversation="chat",
    )


@pytest.mark.parametrize(
    ("more", "company"),
    [
        ({"chat": PRIVATE}, "direct"),
        ({"chat": SMALL_GROUP}, "private"),
        ({"chat": GROUP}, "private"),
        ({"chat": FORUM}, "private"),
        ({"chat": PUBLIC_GROUP}, "public"),
        ({"reply_to_message": POST}, "public"),
    ],
)
def test_the_company_is_that_of_the_chat(more: Json, company: Company) -> None:
    assert incoming(in_group(text="how?", **more)).company == company


@pytest.mark.parametrize(
    ("message", "is_addressed"),
    [
        (written(text="how?"), True),
        (in_group(text="how?"), False),
        (in_group(**marked("so @answer_desk_bot may know", "@answer_desk_bot")), True),
        (in_group(**marked("so @ANSWER_Desk_bot may know", "@ANSWER_Desk_bot")), True),
        (in_group(**marked("so @answer_desk may know", "@answer_desk")), False),
        (in_group(text="see t.me/@answer_desk_bot", entities=[entity("see t.me/", "t.me/", "url")]), False),
        (in_group(text="@answer_desk_bot", entities=[entity("@answer_desk_bot", "@answer_desk_bot", "code")]), False),
        (in_group(text="Desk, how?", entities=[entity("Desk", "Desk", "text_mention", user=US)]), True),
        (in_group(text="Pat, how?", entities=[entity("Pat", "Pat", "text_mention", user=OTHER)]), False),
        (in_group(text="how?", reply_to_message=ours()), True),
        (in_group(text="how?", reply_to_message=THEIRS), False),
        (in_group(text="how?", reply_to_message=POST), False),
        (in_group(**marked("/ask how?", "/ask")), True),
        (in_group(**marked("/ask@answer_desk_bot how?", "/ask@answer_desk_bot")), True),
        (in_group(forward_origin=ORIGIN, **marked("@answer_desk_bot how?", "@answer_desk_bot")), False),
        (written(forward_origin=ORIGIN, text="how?"), True),
    ],
)
def test_what_names_us_replies_to_us_or_is_private_is_written_to_us(message: Json, is_addressed: bool) -> None:
    assert incoming(message).is_addressed is is_addressed


def test_without_a_name_of_ours_nothing_mentions_us() -> None:
    nameless = Here(HERE.bot_id, "", HERE.now)

    assert not incoming(in_group(**marked("@answer_desk_bot how?", "@answer_desk_bot")), nameless).is_addressed


@pytest.mark.parametrize(
    ("more", "thread", "conversation"),
    [
        ({"chat": GROUP}, None, "chat"),
        # A reply outside of forums, and a comment on a channel's post.
        ({"chat": GROUP, "message_thread_id": 8, "reply_to_message": THEIRS}, None, "chat"),
        # The General topic.
        ({"chat": FORUM}, None, "chat"),
        ({"chat": FORUM, "message_thread_id": 1, "is_topic_message": True}, None, "chat"),
        ({"chat": FORUM, "message_thread_id": 77, "is_topic_message": True}, "77", "topic:77"),
        ({"chat": PRIVATE, "message_thread_id": 77, "is_topic_message": True}, "77", "topic:77"),
    ],
)
def test_a_topic_is_a_conversation_and_other_threads_are_none(
    more: Json, thread: str | None, conversation: str
) -> None:
    found = incoming(in_group(text="how?", **more))

    assert (found.thread, found.conversation) == (thread, conversation)


def test_a_chat_that_moved_knows_its_earlier_number() -> None:
    assert incoming(in_group(text="how?", chat={**GROUP, "id": -100200})).wire["was"] == "-200"


@pytest.mark.parametrize(
    ("more", "author", "name"),
    [
        ({"from": ANONYMOUS, "sender_chat": GROUP}, "chat:-100500", "Support"),
        ({"from": OTHER, "sender_chat": CHANNEL}, "chat:-100900", "News"),
    ],
)
def test_who_writes_as_a_chat_is_called_by_it_and_has_no_language(more: Json, author: str, name: str) -> None:
    found = incoming(in_group(text="how?", **more))

    assert (found.author, found.wire) == (author, {"name": name})


BOT_USER: Json = {"id": 5, "is_bot": True, "first_name": "Other"}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (written(**ANIMATION), "animation"),
        (written(dice={"emoji": "🎲", "value": 3}), "dice"),
        (written(contact={"phone_number": "1", "first_name": "Pat"}), "contact"),
        (written(), "without words: ?"),
        (in_group(**PHOTO), "photo"),
        (in_group(**VOICE), "voice"),
        (in_group(new_chat_members=[US]), "new_chat_members"),
        (in_group(text="hi", **{"from": BOT_USER}), "by a bot"),
        (in_group(text="hi", **{"from": US}), "by a bot"),
        (written(text="hi", via_bot=BOT_USER), "by means of a bot"),
        (written(text="hi", via_bot=US), "by means of a bot"),
        (written(text="hi", **{"from": None}), "by nobody"),
        (POST, "a channel's post"),
        (written(text="hi", chat=CHANNEL), "of the kind channel"),
        (written(text="hi", chat={"id": 1, "type": "planet"}), "of the kind planet"),
        (in_group(text="hi", chat={**GROUP, "is_direct_messages": True}), "a message to a channel"),
    ],
)
def test_what_nobody_asks_us_is_ignored_for_a_reason(message: Json, reason: str) -> None:
    found = meant({"message": message})

    assert isinstance(found, Ignored)
    assert reason in found.reason


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"channel_post": written(text="News!", chat=CHANNEL)},
        {"edited_channel_post": written(text="News!", chat=CHANNEL)},
        {"something_new": {"id": 1}},
        {"deleted_business_messages": {"business_connection_id": "B1", "chat": PRIVATE, "message_ids": [11]}},
    ],
)
def test_other_updates_are_ignored(update: Json) -> None:
    assert isinstance(meant(update), Ignored)


@pytest.mark.parametrize(
    ("chat", "field", "number"),
    [(-200, "migrate_to_chat_id", -100200), (-100200, "migrate_from_chat_id", -200)],
)
def test_a_group_that_becomes_a_supergroup_moves_from_the_old_number_to_the_new_one(
    chat: int, field: str, number: int
) -> None:
    moved: dict[str, Any] = {field: number}

    assert meant({"message": in_group(chat={**SMALL_GROUP, "id": chat}, **moved)}) == Moved(
        HERE.place("-200"), "-100200"
    )


def test_an_edit_has_the_new_text_under_the_old_name_and_asks_when_it_is_made() -> None:
    edited = meant({"edited_message": written(text="how?", edit_date=DATE + 30)})

    assert isinstance(edited, Edited)
    assert (edited.incoming.message, edited.incoming.text) == ("11", "how?")
    assert edited.incoming.sent_at == datetime(2026, 11, 27, 11, 59, 30, tzinfo=UTC)


def test_a_command_that_asks_may_be_edited_and_others_may_not() -> None:
    asks, requests = (
        meant({"edited_message": written(**marked(text, text.split()[0]))}) for text in ("/ask how?", "/forget")
    )

    assert isinstance(asks, Edited)
    assert isinstance(requests, Ignored)


def test_the_asker_is_who_wrote_and_not_whom_they_replied_to() -> None:
    assert incoming(in_group(text="how?", reply_to_message=THEIRS)).author == str(OLENA["id"])
