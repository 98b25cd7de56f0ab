"""Where the bot is for members only, groups are as listed, and strangers are told so once an hour."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.channels.telegram.listen import admission
from bot.channels.telegram.listen.admission import TOLD_AGAIN_AFTER_S, Doorman
from bot.core.incoming import Company, Incoming, Origin, Place
from tests.fakes.people import FakePeople

LISTED, UNLISTED, MEMBER, STRANGER = "-100", "-200", "7", "8"


def message(
    chat: str,
    *,
    author: str = STRANGER,
    company: Company = "direct",
    origin: Origin = "message",
    wire: Mapping[str, str] | None = None,
) -> Incoming:
    place = Place("telegram", "1", chat)
    return Incoming(place, "5", author, "a secret", datetime.now(UTC), company, origin=origin, wire=wire or {})


def doorman(*chats: str, at_s: list[float] | None = None) -> Doorman:
    people = FakePeople()
    people.emails[MEMBER] = "member@example.com"
    now_s = at_s or [0.0]
    return Doorman(frozenset(chats), people, clock=lambda: now_s[0])


@pytest.mark.parametrize(
    "incoming",
    [
        message(LISTED, company="private"),
        message("-300", company="private", wire={"was": LISTED}),
        message(MEMBER, author=MEMBER),
        message(MEMBER, author=MEMBER, origin="button", wire={"again": "3"}),
        *(message(STRANGER, origin="request", wire={"request": request}) for request in ("start", "help", "link")),
    ],
)
async def test_members_listed_groups_and_who_says_who_they_are_are_let_in(incoming: Incoming) -> None:
    assert await doorman(LISTED).admit(incoming) is incoming


@pytest.mark.parametrize("incoming", [message("-9", company="private"), message("-8", wire={"was": "-9"})])
async def test_where_people_take_over_is_let_in_though_it_is_not_listed(incoming: Incoming) -> None:
    door = Doorman(frozenset({LISTED}), FakePeople(), desks=frozenset({"-9"}))

    assert await door.admit(replace(incoming, company="private")) is not None


@pytest.mark.parametrize("company", ["direct", "private", "public"])
async def test_without_a_list_everybody_is(company: Company) -> None:
    incoming = message(UNLISTED, company=company)

    assert await doorman().admit(incoming) is incoming


@pytest.mark.parametrize("company", ["private", "public", "shared"])
@pytest.mark.parametrize("author", [MEMBER, STRANGER])
async def test_other_groups_hear_nothing_whoever_writes(company: Company, author: str) -> None:
    request = {"request": "start"}

    assert await doorman(LISTED).admit(message(UNLISTED, author=author, company=company)) is None
    asked = message(UNLISTED, author=author, company=company, origin="request", wire=request)
    assert await doorman(LISTED).admit(asked) is None


@pytest.mark.parametrize(
    "incoming",
    [
        message(STRANGER),
        message(STRANGER, origin="request", wire={"request": "language", "about": "es"}),
        message(STRANGER, origin="button", wire={"human": "7"}),
        message(STRANGER, wire={"human": ""}),
    ],
)
async def test_a_stranger_is_told_and_nothing_of_what_they_wrote_is_kept(incoming: Incoming) -> None:
    admitted = await doorman(LISTED).admit(incoming)

    assert admitted is not None
    assert (admitted.text, admitted.origin, dict(admitted.wire)) == ("", "request", {"request": "stranger"})
    assert (admitted.place, admitted.message, admitted.author) == (incoming.place, incoming.message, STRANGER)


async def test_a_stranger_is_told_once_an_hour_and_only_what_was_stored_counts() -> None:
    now_s = [0.0]
    door = doorman(LISTED, at_s=now_s)
    told = []
    for at_s, is_stored in [(0.0, False), (1.0, True), (2.0, True), (TOLD_AGAIN_AFTER_S + 1.0, True)]:
        now_s[0] = at_s
        admitted = await door.admit(message(STRANGER))
        told.append(admitted is not None)
        if admitted and is_stored:
            door.stored(admitted)

    assert told == [True, True, False, True]


async def test_however_many_strangers_come_few_are_remembered() -> None:
    door = doorman(LISTED)
    for number in range(admission.STRANGERS_REMEMBERED + 1):
        admitted = await door.admit(message(str(number), author=f"stranger {number}"))
        assert admitted is not None
        door.stored(admitted)

    assert await door.admit(message("0", author="stranger 0")) is not None
    assert await door.admit(message("1", author="stranger 1")) is None
