"""An answer for many holds only what each of them may read; who may read more is offered it in private."""

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_bot import beginning
from tests.scenario.slack_talk import PAID, PARKING_FACT, PARKING_QUESTION, WAGES_FACT, WAGES_QUESTION, Talk
from tests.wire.slack import MENTION
from tests.wire.slack.workspace import ChannelKind

HANDED_OVER = beginning("handed_over")
PRIVATELY = "answer_privately"


def test_what_the_asker_may_read_is_said_in_direct_messages(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    ts = talk.slack.says(asker, talk.direct(asker), WAGES_QUESTION)

    assert WAGES_FACT in talk.answer(talk.direct(asker), ts).text


def test_nobody_else_is_told_it_there(talk: Talk) -> None:
    asker = talk.person()
    ts = talk.slack.says(asker, talk.direct(asker), WAGES_QUESTION)

    assert talk.answer(talk.direct(asker), ts).text.startswith(HANDED_OVER)


@pytest.mark.parametrize("kind", ["public", "private", "mpim"])
def test_in_a_channel_it_is_offered_to_the_asker_alone_and_told_in_private(talk: Talk, kind: ChannelKind) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, talk.person(), kind=kind)
    ts = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")
    said = talk.answer(room, ts)
    offer = talk.whisper(room, asker)
    talk.slack.clicks(asker, room, offer.ts, PRIVATELY)
    talk.slack.clicks(asker, room, offer.ts, PRIVATELY)

    assert WAGES_FACT in talk.last_direct(asker).text
    assert said.text.startswith(HANDED_OVER)
    assert offer.text == phrase("in_private", "en")
    assert talk.stays(lambda: len(talk.slack.answers(talk.direct(asker))) == 1)
    assert all("wage" not in (moment.text or "").lower() for _, moment in talk.slack.past(room))


def test_who_may_not_read_it_either_is_offered_nothing(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker, talk.person(email=PAID))
    ts = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")

    assert talk.answer(room, ts).text.startswith(HANDED_OVER)
    talk.settled(room)
    assert talk.slack.whispers(room) == []


def test_a_private_channel_is_told_what_all_its_members_may_read(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, talk.person(email=PAID), kind="private")
    ts = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")

    assert WAGES_FACT in talk.answer(room, ts).text


def test_whoever_joins_a_private_channel_is_not_told_what_they_may_not_read(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, kind="private")
    before = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")
    assert WAGES_FACT in talk.answer(room, before).text
    talk.slack.joins(talk.person(), room)
    talk.until(lambda: all(delivery.is_acked for delivery in talk.slack.deliveries_of("member_joined_channel")))
    after = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")

    assert talk.answer(room, after).text.startswith(HANDED_OVER)


def test_guests_and_those_beside_them_are_told_what_is_public(talk: Talk) -> None:
    asker, guest = talk.person(email=PAID), talk.person(email=PAID, is_guest=True)
    room = talk.room(asker, guest, kind="private")
    asked = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")
    directly = talk.slack.says(guest, talk.direct(guest), WAGES_QUESTION)

    assert talk.answer(room, asked).text.startswith(HANDED_OVER)
    assert talk.answer(talk.direct(guest), directly).text.startswith(HANDED_OVER)


def test_channels_shared_with_others_are_told_what_is_public(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, kind="private")
    talk.slack.channel(room).is_ext_shared = True
    ts = talk.slack.says(asker, room, f"{MENTION} {WAGES_QUESTION}")

    assert talk.answer(room, ts).text.startswith(HANDED_OVER)


def test_what_every_member_may_read_is_said_in_a_public_channel_though_not_to_a_guest(talk: Talk) -> None:
    member, guest = talk.person(), talk.person(is_guest=True)
    room = talk.room(member, guest)
    by_member = talk.slack.says(member, room, f"{MENTION} {PARKING_QUESTION}")
    by_guest = talk.slack.says(guest, room, f"{MENTION} {PARKING_QUESTION}")

    assert PARKING_FACT in talk.answer(room, by_member).text
    assert talk.answer(room, by_guest).text.startswith(HANDED_OVER)
