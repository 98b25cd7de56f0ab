"""A post becomes JSON that a ticket system can do something with."""

import json

import pytest

from bot.core.incoming import Place
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press, Spot
from bot.desks.webhook_payload import file_of, post_parcels

PLACE = Place("webhook", "", "it")
FILE = File("slack", "T1", "F1", "screenshot.png", 2_000, "image/png")
CARD = Post(
    parts=(
        Part("Ticket 12", "title"),
        Part("Де змінити PIN?", "quote", "Question:"),
        Part("PIN", "item", url="https://docs.example.org/pin"),
        Part("PIN", "item", url="https://docs.example.org/pin"),
    ),
    presses=(
        (Press("claim", 12, "Claim", is_first=True), Press("reply", 12, "Reply")),
        (Press("approve", 7, "Approve", fields=(("answer", "A."),)),),
    ),
    language="uk",
    plain="Ticket 12: Де змінити PIN?",
)


def spot(key: str, replaces: str | None = None) -> Spot:
    return Spot(PLACE, key, 0.0, replaces=replaces)


def test_a_card_tells_its_ticket_its_words_its_links_and_what_can_be_done() -> None:
    (parcel,) = post_parcels(CARD, spot("ticket:12:card"))

    payload = json.loads(json.dumps(parcel.payload))
    assert (parcel.marker, parcel.plain, parcel.place) == ("ticket:12:card", CARD.plain, PLACE)
    assert [payload[key] for key in ("type", "ticket", "desk", "language", "text", "replaces")] == [
        "ticket.card", 12, "it", "uk", "Ticket 12\nQuestion: Де змінити PIN?\nPIN\nPIN", None,
    ]  # fmt: skip
    assert payload["parts"][1] == {"text": "Де змінити PIN?", "style": "quote", "label": "Question:", "url": None}
    assert payload["links"] == ["https://docs.example.org/pin"]
    assert payload["actions"] == [
        {"action": "claim", "ticket": 12, "label": "Claim"},
        {"action": "reply", "ticket": 12, "label": "Reply"},
        {"action": "approve", "entry": 7, "label": "Approve", "fields": {"answer": "A."}},
    ]


def test_what_is_said_of_a_ticket_names_its_kind_and_what_it_replaces() -> None:
    (parcel,) = post_parcels(CARD, spot("ticket:12:follow_up_edit:88", "ticket:12:follow_up:87"))

    assert (parcel.payload["type"], parcel.payload["replaces"]) == ("ticket.follow_up_edit", "ticket:12:follow_up:87")
    assert parcel.replaces == "ticket:12:follow_up:87"


def test_what_has_another_key_is_a_notice_of_the_ticket_that_its_buttons_name() -> None:
    (parcel,) = post_parcels(CARD, spot("something else"))

    assert (parcel.payload["type"], parcel.payload["ticket"]) == ("ticket.notice", 12)


@pytest.mark.parametrize(
    ("post", "text"),
    [
        (Post((Part("Hello.", label="Ann"), Part("Bye.")), plain="Ann wrote."), "Ann: Hello.\nBye."),
        (Post((), plain="Ann wrote."), "Ann wrote."),
    ],
)
def test_the_text_is_all_that_is_said(post: Post, text: str) -> None:
    (parcel,) = post_parcels(post, spot("ticket:1:follow_up:2"))

    assert parcel.payload["text"] == text


def test_files_are_parcels_of_their_own_behind_the_message() -> None:
    message, file = post_parcels(Post((Part("Look."),), files=(FILE,)), spot("ticket:12:follow_up:88"))

    assert [message.position, file.position] == [1, 2]
    assert len({message.marker, file.marker}) == 2
    assert (file_of(message), file_of(file)) == (None, FILE)
    assert (file.payload["type"], file.payload["ticket"]) == ("ticket.file", 12)
