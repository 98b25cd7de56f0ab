"""A ticket on the terminal says plainly why it is one, how urgent it is, and what can be done."""

from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from bot.commands.tickets import asker
from bot.commands.tickets_card import card, due, failed_check, next_steps, score_bar
from bot.core.desk.book import Case, Cited, Event, Said
from bot.core.desk.readable import Readable, readable
from bot.core.tickets.state import State
from knowledge.types import Reader
from tests.fakes.book import NOW, case
from tests.fakes.core import FakeStanding

PASSAGE: dict[str, Any] = {
    "source": "wiki",
    "document": "pin.md",
    "title": "PIN",
    "url": "https://docs.example.org/pin",
    "heading": ["PIN", "Change"],
    "quote": "At any machine.",
    "start_line": 3,
    "end_line": 5,
    "relevance": 0.41,
}


def told(one: Case, **parts: Any) -> str:
    """Return a card as it is printed, without colours."""
    turns = tuple((turn, True) for turn in parts.pop("history", ()))
    whole = {"candidates": (PASSAGE,), "left_out": 0, "draft": (), "turns": turns, **parts}
    console = Console(file=StringIO(), width=120)
    console.print(card(Readable(one, **whole), "Ada", now=NOW))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("relevance", "threshold", "drawn"),
    [
        (0.0, 0.5, "░" * 12 + "┃"),
        (0.5, 0.75, "█" * 12 + "░" * 6 + "┃"),
        (1.0, 0.5, "█" * 12 + "┃"),
        (1.0, 1.0, "█" * 23),
    ],
)
def test_the_bar_shows_how_far_it_was_to_the_threshold(relevance: float, threshold: float, drawn: str) -> None:
    bar = score_bar(relevance, threshold)

    assert bar.plain.startswith(drawn)
    assert bar.plain.endswith(f" {relevance:.3f} of {threshold:.3f}")
    assert bar.plain.count("┃") == 1


@pytest.mark.parametrize(
    ("minutes", "state", "style", "left"),
    [
        (-61, "open", "bold red", "1 h 1 min ago"),
        (59, "claimed", "yellow", "in 59 min"),
        (90, "answered", "green", "in 1 h 30 min"),
        (3_000, "open", "green", "in 2 d 2 h"),
        (-61, "closed", "", "–"),
    ],
)
def test_what_is_due_has_the_colour_of_its_urgency(minutes: int, state: State, style: str, left: str) -> None:
    promised = due(case(state=state, due_at=NOW + timedelta(minutes=minutes)), NOW)

    assert (str(promised.style), left in promised.plain) == (style, True)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ({"is_valid": False}, "quotes what does not stand there"),
        ({"missing": ["2 days", "4 %"]}, "not in the source: 2 days, 4 %"),
        ({"disagreement": "negation"}, "means something else than the source: negation"),
        ({"support": 0.312}, "not borne out by the source (support 0.31)"),
    ],
)
def test_a_sentence_that_was_not_sent_says_which_check_it_failed(sentence: dict[str, Any], why: str) -> None:
    assert failed_check({"text": "T.", **sentence}) == why


def test_the_card_has_the_passages_with_lines_and_links_what_was_said_before_and_what_happened() -> None:
    replied = Event(1, "reply", "slack:U9", "Bob", NOW, "claimed", "answered", "At the bank.")
    shown = told(
        case(state="answered", owner="slack:U9", owner_name="Bob", events=(replied,)),
        draft=({"text": "Never.", "support": 0.1},),
        history=(Said("user", "Hello?"), Said("assistant", "Hello.")),
    )

    for line in (
        "ticket 12  answered by Bob",
        "1. PIN › Change — wiki: pin.md:3–5  0.410",
        "https://docs.example.org/pin",
        "“At any machine.”",
        "asker: Hello?",
        "bot: Hello.",
        "Never.",
        "Bob replied (claimed → answered)",
        "“At the bank.”",
        "next: answerdesk tickets reply|ask|note|return|close 12",
    ):
        assert line in shown, line


def test_nothing_in_a_ticket_steers_the_terminal() -> None:
    shown = told(
        case(question="\x1b[2JQ", owner_name="\u202eB", state="claimed", owner="slack:\x07"),
        candidates=({**PASSAGE, "title": "\x1b]0;t\x07", "quote": "\x9b1m"},),
        draft=({"text": "\x1b[31m", "missing": ["\x1b"]},),
        history=(Said("user", "\x1b[0m"),),
    )

    assert not set(shown) & set("\x1b\x07\x9b\u202e")


@pytest.mark.parametrize(
    ("state", "acts"),
    [
        ("open", "claim|reply|ask|note|close"),
        ("claimed", "reply|ask|note|return|release|close"),
        ("answered", "reply|ask|note|return|close"),
        ("closed", "reopen|note"),
        ("expired", "reopen|note"),
    ],
)
def test_what_can_be_done_now_is_named(state: State, acts: str) -> None:
    assert next_steps(case(state=state), has_draft=False) == f"next: answerdesk tickets {acts} 12"


@pytest.mark.parametrize(
    ("show_asker", "name", "known"),
    [
        ("name", "Ada", "Ada (slack:U1)"),
        ("name", None, "slack:U1"),
        ("id", "Ada", "slack:U1"),
        ("nothing", "Ada", None),
    ],
)
def test_of_who_asked_people_see_what_is_configured(show_asker: str, name: str | None, known: str | None) -> None:
    assert asker(case(asker_name=name), show_asker) == known


async def test_what_may_not_be_read_is_left_out_with_all_that_stands_on_it() -> None:
    secret = {**PASSAGE, "quote": "Secret."}
    quoting = Said("assistant", "It is secret.", (Cited("wiki", "pin.md", "Secret."),))
    one = case(candidates=(PASSAGE, secret), draft=({"text": "Secret."},), history=(Said("user", "Q?"), quoting))

    found = await readable(one, FakeStanding("Secret."), Reader())
    open_to_all = await readable(one, FakeStanding(), Reader())

    assert (found.candidates, found.left_out, found.draft, found.history) == ((PASSAGE,), 1, (), (Said("user", "Q?"),))
    assert (len(open_to_all.candidates), open_to_all.draft, open_to_all.history) == (2, one.draft, one.history)


def test_a_forgotten_ticket_shows_what_became_of_it_and_no_words() -> None:
    shown = told(replace(case(state="closed"), question="", is_forgotten=True, asker="forgotten:1"), candidates=())

    assert "its people have been forgotten" in shown
    assert "below_threshold" in shown
