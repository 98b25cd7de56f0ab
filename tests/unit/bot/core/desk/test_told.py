"""What whoever did something to a ticket is told about it."""

from typing import get_args

import pytest

from bot.core.desk.told import told
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind, Came, EntryAct
from bot.core.tickets.state import State, TicketAct
from tests.fakes.book import case

KINDS: tuple[ActKind, ...] = (*get_args(TicketAct), *get_args(EntryAct))
SILENT = {"note", "edit", "follow_up", "remind", "escalate", "late", "time_out", "expire"}


@pytest.mark.parametrize("language", ["en", "ru", "uk", "es"])
def test_what_has_happened_is_told_in_each_language_unless_it_shows_by_itself(language: str) -> None:
    silent = {kind for kind in KINDS if not told("done", kind, language)}

    assert silent == SILENT


def test_what_was_known_is_not_told_again() -> None:
    assert told("known", "claim", "en") == ""


@pytest.mark.parametrize("name", ["Bea", None])
def test_whoever_comes_second_is_told_who_was_first(name: str | None) -> None:
    held = case(3, "claimed", owner="desk:bea", owner_name=name)

    assert told("taken", "claim", "en", held) == phrase("desk_taken", "en", owner=name or "desk:bea")


@pytest.mark.parametrize("state", get_args(State))
def test_whoever_comes_too_late_is_told_what_became_of_the_ticket(state: State) -> None:
    text = told("late", "close", "uk", case(3, state))

    assert phrase(f"state_{state}", "uk") in text


@pytest.mark.parametrize(
    ("came", "name"), [("refused", "desk_refused"), ("unknown", "desk_unknown"), ("prompt", "desk_write_below")]
)
def test_whatever_else_comes_of_it_is_told(came: Came, name: str) -> None:
    assert told(came, "reply", "es") == phrase(name, "es")
