from typing import Any

import pytest

from bot.channels.slack.readers.people import Person, Remembered, company, person
from tests.fakes.slack_sending import FakeClock

FULL: dict[str, Any] = {
    "id": "U1",
    "team_id": "T1",
    "profile": {"email": "anna@example.com"},
    "locale": "uk-UA",
    "is_bot": False,
}


def test_a_full_member_is_known_by_address_and_language() -> None:
    assert person(FULL, "T1") == Person(True, True, "anna@example.com", "uk-UA")


@pytest.mark.parametrize(
    "change",
    [
        {"is_restricted": True},
        {"is_ultra_restricted": True},
        {"is_stranger": True},
        {"deleted": True},
        {"team_id": "T2"},
        {"team_id": None},
        {"is_bot": True},
        {"is_workflow_bot": True},
        {"id": "USLACKBOT"},
    ],
)
def test_guests_strangers_bots_and_those_who_left_are_no_members(change: dict[str, object]) -> None:
    assert not person(FULL | change, "T1").is_member


def test_a_member_of_several_workspaces_of_an_organisation_is_one_of_each() -> None:
    assert person(FULL | {"team_id": "T2", "enterprise_user": {"teams": ["T2", "T1"]}}, "T1").is_member


def test_an_address_that_was_not_confirmed_is_nobodys() -> None:
    assert person(FULL | {"is_email_confirmed": False}, "T1") == Person(True, True, None, "uk-UA")


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        ({"display_name": "Anna", "real_name": "Anna Smith"}, "Anna"),
        ({"display_name": "", "real_name": " Anna  Smith\n"}, "Anna Smith"),
        ({"display_name": " "}, None),
    ],
)
def test_people_are_called_what_they_want_to_be_called(profile: dict[str, str], name: str | None) -> None:
    assert person(FULL | {"profile": profile}, "T1").name == name


def test_nothing_known_is_a_stranger() -> None:
    assert person({}, "T1") == Person(False)


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ({"is_channel": True, "is_private": False}, "public"),
        ({"is_channel": True, "is_private": True}, "private"),
        ({"is_mpim": True, "is_private": True}, "group"),
        ({"is_im": True}, "direct"),
        ({"is_private": False, "is_ext_shared": True}, "shared"),
        ({"is_private": True, "is_shared": True}, "shared"),
        ({"is_private": False, "is_pending_ext_shared": True}, "shared"),
        ({"is_private": False, "pending_shared": ["T9"]}, "shared"),
        ({"is_private": None}, "shared"),
        ({}, "shared"),
    ],
)
def test_who_reads_along_in_a_channel(channel: dict[str, object], expected: str) -> None:
    assert company(channel) == expected


def test_what_was_found_out_is_good_for_a_while_and_until_it_is_forgotten() -> None:
    clock = FakeClock()
    known: Remembered[int] = Remembered(10.0, clock.now)
    known.put("T1", "C1", 0)
    known.put("T2", "C1", 2)

    known_at_first = known.get("T1", "C1")
    known.forget("C1")
    known_after_forgetting = known.get("T2", "C1")
    known.put("T1", "C1", 3)
    clock.at_s += 10.0

    assert (known_at_first, known_after_forgetting, known.get("T1", "C1")) == (0, None, None)
