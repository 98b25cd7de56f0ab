"""Posts become parcels that any process can send, also later."""

import json
from dataclasses import replace

import pytest

from bot.channels.slack.send.parcels import DELETE, SHARE, UPDATE, file_of, method_of
from bot.channels.slack.send.posts import post_parcels
from bot.core.incoming import Place
from bot.core.tickets.post import Part, Post, Press
from tests.unit.bot.channels.slack.posts import CARD, CARD_TS, DESK, PLAN, spot

LONG = Post((Part("word " * 5_000),), plain="All of it.", files=(PLAN,))


def test_a_card_stands_by_itself_and_is_known_again_by_what_it_is_for() -> None:
    (parcel,) = post_parcels(CARD, spot())

    assert (parcel.place, parcel.thread, parcel.sight, parcel.plain) == (DESK, None, "open", "Ticket 12")
    assert parcel.payload["after"] == "1764493080.000000"
    assert post_parcels(CARD, spot()) == [parcel]
    others = [spot(key="ticket:13:card"), spot(place=replace(DESK, channel="C8"))]
    assert parcel.marker not in {post_parcels(CARD, other)[0].marker for other in others}


THREADS = {
    "a topic": ({"thread": "1764493200.000100", "reply_to": CARD_TS}, "1764493200.000100"),
    "below a card": ({"reply_to": CARD_TS}, CARD_TS),
    "where a command asked": ({"thread": "command:1.2", "reply_to": "command:1.2"}, None),
    "in place of the card": ({"reply_to": CARD_TS, "replaces": CARD_TS}, None),
    "in place of another one in its thread": ({"reply_to": CARD_TS, "replaces": "1764493400.000100"}, CARD_TS),
}


@pytest.mark.parametrize(("changes", "thread"), THREADS.values(), ids=THREADS)
def test_a_post_goes_into_the_thread_of_its_ticket(changes: dict[str, str], thread: str | None) -> None:
    assert {parcel.thread for parcel in post_parcels(CARD, spot(**changes))} == {thread}


def test_what_goes_on_hangs_from_the_first_message_and_so_do_files() -> None:
    first, *others = post_parcels(LONG, spot())

    assert [parcel.plain for parcel in (first, *others)] == ["All of it.", *[""] * len(others)]
    assert "below" not in first.payload
    assert {parcel.payload["below"] for parcel in others} == {first.marker}
    assert len({parcel.marker for parcel in (first, *others)}) == len(others) + 1
    assert (others[-1].payload["method"], file_of(others[-1].payload)) == ("files", PLAN)
    assert "below" not in post_parcels(LONG, spot(thread=CARD_TS))[-1].payload


def test_in_place_of_a_message_there_is_one_and_no_file() -> None:
    (parcel,) = post_parcels(LONG, spot(replaces=CARD_TS))

    assert (parcel.replaces, parcel.is_gone) == (CARD_TS, False)


def test_what_says_nothing_any_more_takes_the_message_away() -> None:
    (parcel,) = post_parcels(Post(()), spot(replaces=CARD_TS))

    assert (parcel.replaces, parcel.is_gone) == (CARD_TS, True)


def test_a_file_alone_is_one_parcel_with_the_words_for_the_transcript() -> None:
    (parcel,) = post_parcels(Post((), files=(PLAN,)), spot(thread=CARD_TS))

    assert (parcel.payload["method"], parcel.thread, parcel.plain) == ("files", CARD_TS, "")


ALONE = {
    "in a channel": ("C1", "U1", "private", "desk:en:0:to=C1"),
    "in direct messages": ("D1", "D1", "open", "desk:en:0"),
}


@pytest.mark.parametrize(("channel", "goes_to", "sight", "row"), ALONE.values(), ids=ALONE)
def test_what_one_person_alone_may_see_is_written_to_them(channel: str, goes_to: str, sight: str, row: str) -> None:
    post = Post((Part("Room 12."),), ((Press("return", 12, "Back"),),))

    (parcel,) = post_parcels(post, spot(place=Place("slack", "T1", channel), alone="U1"))

    blocks = parcel.payload["blocks"]
    assert isinstance(blocks, list)
    assert (parcel.place.channel, parcel.sight, blocks[1]["block_id"]) == (goes_to, sight, row)


def test_each_way_of_sending_has_the_limits_of_its_own_method() -> None:
    (card,) = post_parcels(CARD, spot())
    (file,) = post_parcels(Post((), files=(PLAN,)), spot())

    ways = [card, replace(card, replaces="1.1"), replace(card, replaces="1.1", is_gone=True), file]
    assert [method_of(parcel) for parcel in ways] == ["chat.postMessage", UPDATE, DELETE, SHARE]


def test_parcels_are_json() -> None:
    fields = (("question", "How?"), ("answer", "So."))
    post = Post((Part("x"),), ((Press("reword", 7, "Edit", fields=fields),),), (PLAN,))

    parcels = post_parcels(post, spot())

    assert all(json.loads(json.dumps(parcel.payload)) == parcel.payload for parcel in parcels)
    assert parcels[0].payload["fields"] == {"reword:7": {"question": "How?", "answer": "So."}}
