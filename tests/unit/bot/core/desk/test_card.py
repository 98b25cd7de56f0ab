"""The card of a ticket: all that a person needs to take it over, without what their desk may not read."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest

from bot.core.desk.book import Case, Cited, Said
from bot.core.desk.card import MOST_PASSAGES, MOST_TURNS, PASSAGE_CHARACTERS, TURN_CHARACTERS, Cards, presses, why
from bot.core.desk.desks import Desk
from bot.core.desk.hours import Hours
from bot.core.desk.summary import Summaries
from bot.core.messages import Reason
from bot.core.phrases import phrase
from bot.core.tickets.post import Part, Post
from bot.core.tickets.state import State
from tests.fakes.book import NOW, case
from tests.fakes.core import FakeBudget, FakeStanding
from tests.fakes.summaries import RUSSIAN, SUMMARY, FakeKept, FakeSummarizer

DESK = Desk("it", "IT", "en", Hours(), timedelta(hours=4))
LANGUAGES = ("en", "ru", "uk", "es")


def candidate(quote: str = "Reset it in the app.", **changes: object) -> dict[str, Any]:
    found = {
        "source": "docs",
        "document": "pin.md",
        "title": "PIN",
        "url": "https://docs.example.org/pin",
        "heading": ["PIN", "Reset"],
        "quote": quote,
        "relevance": 0.41,
    }
    return {**found, **changes}


def sentence(text: str = "In the app.", **checks: object) -> dict[str, Any]:
    return {"text": text, "is_valid": True, "missing": [], "disagreement": None, "support": 0.1, **checks}


async def card_of(held: Case, *gone: str, desk: Desk = DESK, summarizer: FakeSummarizer | None = None) -> Post:
    summaries = Summaries(summarizer, FakeKept(), FakeBudget()) if summarizer else None
    return await Cards(FakeStanding(*gone), summaries=summaries).card(held, desk, asker="Ada")


def below(quote: str = "Reset it in the app.") -> dict[str, Any]:
    """Return a sentence of a document that was not relevant enough."""
    quoted = {"source": "docs", "path": "pin.md", "quote": quote}
    own = {"is_below": True, "marked": f"{quote} [1]", "quotes": [quoted], "sources": ["[1] PIN"], "tags": ["public"]}
    return sentence(quote, **own)


def labelled(post: Post, name: str) -> list[str]:
    return [part.text for part in post.parts if part.label == phrase(name, post.language)]


async def test_a_card_has_all_that_is_known() -> None:
    held = case(candidates=(candidate(),), draft=(sentence(),), history=(Said("user", "Hello?"),))

    post = await card_of(held)

    assert [(part.style, part.label) for part in post.parts] == [
        ("title", ""),
        ("quote", "Question"),
        ("small", ""),
        ("text", "Why it is here"),
        ("item", "PIN › Reset · 41 %"),
        ("quote", "Worded, but not sent"),
        ("small", ""),
        ("small", ""),
        ("item", "Asker"),
    ]
    assert post.parts[0].text == "Ticket 12 · open"
    assert post.parts[2].text == "Ada · Slack · English · 2026-11-30 09:00 (UTC) · promised for 2026-11-30 13:00 (UTC)"
    assert post.parts[4].url == "https://docs.example.org/pin"


@pytest.mark.parametrize("reason", get_args(Reason))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_reason_is_told_in_plain_words(reason: Reason, language: str) -> None:
    text = why(case(reason=reason), language)

    assert text
    assert "{" not in text


def test_how_sure_the_bot_was_is_told_with_what_it_needs() -> None:
    assert why(case(), "en") == phrase("why_below_threshold", "en", relevance="41", threshold="65")


async def test_what_the_desk_may_not_read_is_left_out_with_the_draft_that_stands_on_it() -> None:
    held = case(candidates=(candidate("Open."), candidate("Secret.")), draft=(sentence("It is secret."),))

    post = await card_of(held, "Secret.")

    assert "secret" not in str(post).casefold()
    assert [part.text for part in post.parts if part.style == "item"] == ["Open."]


async def test_where_nothing_may_be_read_that_is_told() -> None:
    post = await card_of(case(candidates=(candidate(),)), "Reset it in the app.")

    assert Part(phrase("card_no_passages", "en"), "small") in post.parts


async def test_an_earlier_answer_from_what_the_desk_may_not_read_is_only_mentioned() -> None:
    history = (
        Said("user", "What is the code?"),
        Said("assistant", "It is 4711.", (Cited("docs", "vault.md", "Secret."),)),
        Said("assistant", "Ask the desk."),
    )

    post = await card_of(case(history=history), "Secret.")

    assert labelled(post, "card_asker") == ["What is the code?"]
    assert labelled(post, "card_bot") == [phrase("card_not_readable", "en"), "Ask the desk."]


async def test_a_card_stays_short() -> None:
    held = case(
        candidates=tuple(candidate("word " * 200) for _ in range(MOST_PASSAGES + 3)),
        history=tuple(Said("user", "я" * 2 * TURN_CHARACTERS) for _ in range(MOST_TURNS + 3)),
    )

    post = await card_of(held)

    items = [part.text for part in post.parts if part.style == "item"]
    assert len(items) == MOST_PASSAGES + MOST_TURNS
    assert max(map(len, items[:MOST_PASSAGES])) <= PASSAGE_CHARACTERS + 1
    assert max(map(len, items)) == TURN_CHARACTERS + 1


@pytest.mark.parametrize(
    ("checks", "name"),
    [
        ({"is_valid": False}, "failed_quote"),
        ({"missing": ["7 %"]}, "failed_facts"),
        ({"disagreement": "negation"}, "failed_sense"),
        ({}, "failed_support"),
    ],
)
async def test_which_check_the_draft_failed_is_told_once(checks: dict[str, object], name: str) -> None:
    post = await card_of(case(draft=(sentence("One.", **checks), sentence("Two.", **checks))))

    assert labelled(post, "card_draft") == ["One.\nTwo."]
    assert post.parts[-1].text == phrase(name, "en", facts="7 %")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_the_documents_hardly_say_is_a_draft_that_failed_the_threshold(language: str) -> None:
    held = case(language="es", candidates=(candidate(),), draft=(below(),))

    post = await card_of(held, desk=replace(DESK, language=language))

    assert labelled(post, "card_draft") == ["Reset it in the app. [1]\n\nFuentes:\n[1] PIN"]
    assert post.parts[-1].text == phrase("failed_threshold", language, relevance="41", threshold="65")
    assert [press.kind for press in post.presses[0]] == ["claim", "draft"]


async def test_such_a_draft_stands_on_what_it_quotes_alone() -> None:
    held = case(candidates=(candidate(), candidate("Secret.")), draft=(below(),))

    assert labelled(await card_of(held, "Secret."), "card_draft")
    assert not labelled(await card_of(held, "Reset it in the app."), "card_draft")


async def test_what_a_ticket_in_another_language_is_about_stands_below_its_question() -> None:
    held = case(question=RUSSIAN, language="ru")

    post = await card_of(held, summarizer=FakeSummarizer())

    assert [(part.label, part.text) for part in post.parts[1:3]] == [
        ("Question", RUSSIAN),
        (phrase("card_summary", "en"), SUMMARY),
    ]


async def test_a_model_reads_of_what_was_said_before_only_what_the_desk_reads_too() -> None:
    summarizer = FakeSummarizer()
    secret = Said("assistant", "It is 4711.", (Cited("docs", "vault.md", "Secret."),))
    history = (*(Said("user", f"{number}") for number in range(MOST_TURNS)), secret, Said("user", "я" * 2_000))

    await card_of(case(question=RUSSIAN, language="ru", history=history), "Secret.", summarizer=summarizer)

    ((_, turns, _),) = summarizer.asked
    assert [turn.text for turn in turns] == ["2", "3", "4", "5", f"{'я' * TURN_CHARACTERS}…"]


@pytest.mark.parametrize(
    ("state", "has_draft", "kinds"),
    [
        ("open", False, ["claim", "reply", "ask", "close"]),
        ("open", True, ["claim", "draft", "reply", "ask", "close"]),
        ("claimed", True, ["reply", "ask", "draft", "return", "close", "teach"]),
        ("answered", False, ["reply", "ask", "return", "close", "teach"]),
        ("returned", True, ["reopen", "teach"]),
        ("closed", False, ["reopen", "teach"]),
        ("expired", False, ["reopen", "teach"]),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_offers_what_is_possible_now(state: State, has_draft: bool, kinds: list[str], language: str) -> None:
    rows = presses(case(state=state), language, has_draft=has_draft)

    assert [press.kind for row in rows for press in row] == kinds
    assert all(press.label and press.number == 12 for row in rows for press in row)


@pytest.mark.parametrize(("name", "shown"), [("Bea", "Ticket 12 · taken: Bea"), (None, "Ticket 12 · taken: desk:bea")])
async def test_who_has_it_stands_at_the_top(name: str | None, shown: str) -> None:
    post = await card_of(case(state="claimed", owner="desk:bea", owner_name=name))

    assert post.parts[0].text == shown


async def test_a_card_is_in_the_language_of_its_desk() -> None:
    held = case(question="¿Dónde está?", language="es", place=None, due_at=None)

    post = await card_of(held, desk=replace(DESK, language="uk"))

    assert post.language == "uk"
    assert labelled(post, "card_question") == ["¿Dónde está?"]
    assert phrase("card_terminal", "uk") in post.parts[2].text
    assert f"{NOW:%Y-%m-%d %H:%M} (UTC)" in post.parts[2].text
