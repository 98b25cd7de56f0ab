"""Which messages are answered where."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.admit import Admission, Manners, PlaceRules, admit
from bot.core.incoming import Company, Incoming, Place
from tests.fakes.channel import NOW, incoming

ELSEWHERE = Manners(only={"fake": frozenset({"C2"})})
HERE = Manners(only={"fake": frozenset({"C1"})})
ANOTHERS = Manners(only={"other": frozenset({"C2"})})
BY_RULES = Manners(places={"C1": PlaceRules(language="ru")}, only={"fake": frozenset()})


@pytest.mark.parametrize(
    ("manners", "company", "verdict"),
    [
        (Manners(), "public", "answer"),
        (ELSEWHERE, "public", "elsewhere"),
        (ANOTHERS, "public", "answer"),
        (ELSEWHERE, "group", "elsewhere"),
        (ELSEWHERE, "direct", "answer"),
        (HERE, "private", "answer"),
        (BY_RULES, "public", "answer"),
    ],
)
def test_a_list_of_channels_keeps_the_bot_out_of_the_others(
    manners: Manners, company: Company, verdict: Admission
) -> None:
    message = incoming(company=company)

    assert admit(message, message.text, manners, now=NOW) == verdict


@pytest.mark.parametrize(("hours", "verdict"), [(0, "answer"), (6, "answer"), (6.1, "stale"), (48, "stale")])
def test_a_message_that_waited_long_is_stale(hours: float, verdict: Admission) -> None:
    message = incoming(sent_at=NOW - timedelta(hours=hours))

    assert admit(message, message.text, Manners(), now=NOW) == verdict


@pytest.mark.parametrize(
    ("text", "has_files", "verdict"),
    [("", False, "empty"), (" \n", False, "empty"), ("", True, "files"), ("x", True, "answer")],
)
def test_a_message_without_words_has_no_answer(text: str, *, has_files: bool, verdict: Admission) -> None:
    message = Incoming(incoming().place, "1", "U1", text, NOW, "direct", has_files=has_files)

    assert admit(message, text, Manners(), now=NOW) == verdict


def test_a_channel_has_rules_of_its_own_and_may_have_volunteers() -> None:
    manners = Manners(places={"C1": PlaceRules(answers_all=True), "C2": PlaceRules(language="ru")})

    of_c2, of_another = (manners.rules(replace(incoming(), place=Place("fake", "T1", name))) for name in ("C2", "C9"))
    assert (of_c2.language, of_another, manners.volunteers) == ("ru", PlaceRules(), frozenset({"C1"}))


def test_a_channel_keeps_its_rules_under_another_name() -> None:
    manners = Manners(places={"C2": PlaceRules(language="ru")}, only={"fake": frozenset({"C2"})})
    moved = replace(incoming(wire={"was": "C2"}), place=Place("fake", "T1", "C9"))

    assert (manners.rules(moved).language, admit(moved, "Where?", manners, now=NOW)) == ("ru", "answer")
