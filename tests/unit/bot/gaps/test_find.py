"""Questions become gaps: grouped, named in their own words, the open ones first."""

from datetime import UTC, datetime, timedelta

from bot.gaps.find import find_gaps
from bot.gaps.gap import Gap, Period
from bot.store.gaps import Asked
from knowledge.background import Background
from knowledge.progress import unwatched
from tests.fakes.embedder import FakeEmbedder

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def asked(number: int, question: str, *, days_ago: float = 1, is_answered: bool = False) -> Asked:
    at = NOW - timedelta(days=days_ago)
    return Asked(f"u{number}", at, question, "en", 0.3, None, None, NOW if is_answered else None, None)


async def gaps(*questions: Asked) -> list[Gap]:
    embedder = FakeEmbedder()
    period = Period(NOW, days=30)
    return await find_gaps(questions, period, embedder=embedder, backgrounds=Background(embedder), progress=unwatched)


async def test_questions_that_ask_the_same_are_one_gap() -> None:
    kiln = [asked(number, f"How hot does the pottery kiln get{end}") for number, end in enumerate(("?", "", " now?"))]

    found = await gaps(*kiln, asked(7, "Who feeds the office cat?"))

    assert [(gap.count, gap.questions) for gap in found] == [(3, ("u0", "u1", "u2")), (1, ("u7",))]
    assert "kiln" in found[0].words["en"]
    assert found[1].label == "Who feeds the office cat?"


async def test_what_is_spelled_alike_is_one_question() -> None:
    found = await gaps(asked(1, "Where is   the KILN?"), asked(2, "where is the kiln?"))

    assert [(gap.count, gap.label) for gap in found] == [(2, "Where is the KILN?")]


async def test_open_gaps_come_first_and_those_of_long_ago_not_at_all() -> None:
    found = await gaps(
        asked(1, "Who feeds the office cat?", is_answered=True),
        asked(2, "Where can bicycles be parked?", days_ago=40),
        asked(3, "How hot does the pottery kiln get?"),
    )

    assert [(gap.questions, gap.status) for gap in found] == [(("u3",), "open"), (("u1",), "answered")]
