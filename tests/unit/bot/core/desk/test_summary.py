"""A ticket in another language than its desk's has a summary, where one can be had in time; the card comes anyhow."""

from dataclasses import replace

import pytest

from bot.core.desk.book import Case, Said
from bot.core.desk.summary import MOST_CHARACTERS, SPENDER, Summaries, shown
from bot.core.errors import AnswererDown
from bot.core.messages import Turn
from knowledge.errors import DatabaseUnavailable
from tests.fakes.book import case
from tests.fakes.core import FakeBudget
from tests.fakes.summaries import RUSSIAN, SUMMARY, FakeKept, FakeSummarizer

ASKED = case(question=RUSSIAN, language="ru")
BEFORE = Said("user", "Я в комнате 12.")


async def said(summarizer: FakeSummarizer, held: Case = ASKED, language: str = "en", *, usd: float = 1.0) -> str:
    return await Summaries(summarizer, FakeKept(), FakeBudget(usd)).of(held, [BEFORE], language)


async def test_what_was_asked_and_said_before_is_summed_up_in_the_language_of_the_desk() -> None:
    summarizer = FakeSummarizer()

    assert await said(summarizer) == SUMMARY
    assert summarizer.asked == [(RUSSIAN, (Turn("user", BEFORE.text),), "en")]


@pytest.mark.parametrize(
    ("held", "language"),
    [
        (ASKED, "ru"),
        (replace(ASKED, language="ru-RU"), "ru"),
        (replace(ASKED, question=""), "en"),
        (replace(ASKED, state="closed"), "en"),
        (replace(ASKED, state="expired"), "en"),
    ],
)
async def test_no_model_is_asked_where_nothing_needs_to_be_summed_up(held: Case, language: str) -> None:
    summarizer = FakeSummarizer()

    assert await said(summarizer, held, language) == ""
    assert summarizer.asked == []


@pytest.mark.parametrize(
    "said_by_model",
    [
        None,
        "",
        "Спрашивают, где лежит ключ от комнаты 12.",
        "The asker wants to know where the key of room 13 is kept.",
        "The asker wants the key of room 12 before 14:30 on 3 May.",
        AnswererDown("it is down"),
    ],
)
async def test_a_model_that_fails_or_says_something_else_leaves_the_card_as_it_is(
    said_by_model: str | Exception | None,
) -> None:
    assert await said(FakeSummarizer(said_by_model)) == ""


async def test_over_budget_no_model_is_asked() -> None:
    summarizer = FakeSummarizer()

    assert await said(summarizer, usd=0.04) == ""
    assert summarizer.asked == []


@pytest.mark.parametrize(("summarizer", "usd"), [(FakeSummarizer(), 0.01), (FakeSummarizer(AnswererDown("down")), 0.0)])
async def test_what_it_cost_is_settled_for_the_desk(summarizer: FakeSummarizer, usd: float) -> None:
    budget = FakeBudget()
    await Summaries(summarizer, FakeKept(), budget).of(ASKED, [], "en")

    ((reservation, spent),) = budget.settled
    assert (reservation.asker, reservation.usd, spent) == (SPENDER, summarizer.most_usd, usd)


async def test_a_model_that_is_silent_is_not_waited_for_and_what_it_may_have_cost_stays_spent() -> None:
    budget = FakeBudget(1.0)
    summaries = Summaries(FakeSummarizer(never=True), FakeKept(), budget, within_s=0.01)

    assert await summaries.of(ASKED, [], "en") == ""
    assert (budget.left, budget.settled) == (0.95, [])


@pytest.mark.parametrize("first", [SUMMARY, AnswererDown("down"), None])
async def test_the_same_texts_are_summed_up_once_whatever_came_of_it(first: str | Exception | None) -> None:
    summarizer, kept = FakeSummarizer(first), FakeKept()
    summaries = Summaries(summarizer, kept, FakeBudget())

    once = await summaries.of(ASKED, [BEFORE], "en")
    again = await summaries.of(replace(ASKED, summaries=kept.kept, state="closed"), [BEFORE], "en")

    assert (again, len(summarizer.asked)) == (once, 1)


async def test_a_desk_that_may_read_less_is_not_shown_the_summary_of_more() -> None:
    kept, secret = FakeKept(), Said("assistant", "The code is 4711.")
    await Summaries(FakeSummarizer("They ask for the code, which is 4711."), kept, FakeBudget()).of(
        ASKED, [secret], "en"
    )
    summarizer = FakeSummarizer()

    assert await said(summarizer, replace(ASKED, summaries=kept.kept)) == SUMMARY
    assert len(summarizer.asked) == 1


async def test_where_it_cannot_be_kept_the_card_has_it_all_the_same() -> None:
    class Full(FakeKept):
        async def keep(self, ticket: int, key: str, text: str) -> None:
            raise DatabaseUnavailable("it does not answer")

    assert await Summaries(FakeSummarizer(), Full(), FakeBudget()).of(ASKED, [], "en") == SUMMARY


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("Look at [this](https://evil.example) please now.", "evil[.]example"),
        ("It is urgent, <!channel> please help the asker.", "channel please"),
        ("Somebody wants\n\nthe key \u202eback\u202c from us.", "wants the key back from"),
    ],
)
def test_a_summary_is_harmless(text: str, harmless: str) -> None:
    plain = shown(text, "en", [(text, "en")])

    assert harmless in plain
    assert "https://" not in plain
    assert "<!" not in plain


def test_a_summary_is_short() -> None:
    text = "They ask again and again where the key might be kept, " * 20

    plain = shown(text, "en", [(text, "en")])

    assert MOST_CHARACTERS - 60 < len(plain) <= MOST_CHARACTERS
    assert plain.endswith("…")
