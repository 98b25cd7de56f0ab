"""Messages from chats that are not ours: ignored unless switched on, and then kept apart from our own."""

import pytest

from bot.channels.translated import Ignored
from bot.core.incoming import Incoming
from tests.unit.bot.channels.telegram.arrivals import (
    OTHER,
    PRIVATE,
    THEIRS,
    US,
    WHO,
    Json,
    in_group,
    marked,
    meant,
    switched_on,
    written,
)

CUSTOMER = written(text="Do you open on Sunday?", business_connection_id="B1")


@pytest.mark.parametrize("kind", ["business_message", "edited_business_message"])
def test_business_messages_are_ignored_unless_switched_on(kind: str) -> None:
    assert isinstance(meant({kind: CUSTOMER}), Ignored)
    assert not isinstance(meant({kind: CUSTOMER}, switched_on(with_business=True)), Ignored)


def test_a_customer_asks_apart_from_our_own_chat_with_them() -> None:
    message = {**CUSTOMER, "reply_to_message": {**THEIRS, "chat": PRIVATE}}
    found = meant({"business_message": message}, switched_on(with_business=True))

    assert isinstance(found, Incoming)
    assert (found.company, found.is_addressed) == ("shared", True)
    assert (found.message, found.root) == ("business:B1:11", "business:B1")
    assert found.wire == {**WHO, "business": "B1", "below": "11", "reply_text": "Where is the VPN?"}


@pytest.mark.parametrize(
    "message",
    [
        {**CUSTOMER, "from": OTHER},
        {**CUSTOMER, "sender_business_bot": US},
        {**CUSTOMER, **marked("/forget", "/forget")},
        {**CUSTOMER, "business_connection_id": None},
    ],
)
def test_the_owner_the_bot_and_commands_are_not_answered_for_a_business(message: Json) -> None:
    assert isinstance(meant({"business_message": message}, switched_on(with_business=True)), Ignored)


GUEST = in_group(guest_query_id="Q1", **marked("@answer_desk_bot how?", "@answer_desk_bot"))


def test_guests_messages_are_ignored_unless_switched_on() -> None:
    found = meant({"guest_message": GUEST}, switched_on(with_guests=True))

    assert isinstance(meant({"guest_message": GUEST}), Ignored)
    assert isinstance(found, Incoming)
    assert (found.company, found.text, found.is_addressed) == ("shared", "how?", True)
    assert (found.message, found.root, found.wire["guest"]) == ("guest:Q1:11", "guest:Q1", "Q1")


def test_a_guests_message_that_cannot_be_answered_is_ignored() -> None:
    assert isinstance(meant({"guest_message": THEIRS}, switched_on(with_guests=True)), Ignored)
