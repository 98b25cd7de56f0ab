"""How often what was taught answers the same question in other words and languages, and how often another one."""

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.compose import open_embedder
from bot.settings import load_settings
from knowledge.background import Background
from knowledge.likeness import SAME_QUESTION, Likeness

FILE = Path(__file__).parents[1] / "data/learning/questions.toml"
SETS: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
# Answered at least, and at most of the questions near to an entry; docs/decisions.md has the measured shares.
GATES = [("first", 0.95, 0.13), ("second", 0.70, 0.07), ("third", 0.80, 0.08)]


@pytest.fixture
async def likeness(embedded_home: Path) -> AsyncIterator[Likeness]:
    settings = load_settings(None, {"ANSWERDESK_HOME": str(embedded_home)})
    async with open_embedder(settings) as embedder:
        yield Likeness(embedder, Background(embedder, home=settings.home))


async def answered(likeness: Likeness, question: str, entries: list[str]) -> int | None:
    """Return which entry answers a question, None where none does."""
    sure = await likeness.compare(question, entries)
    best = max(range(len(sure)), key=sure.__getitem__)
    return best if sure[best] >= SAME_QUESTION else None


@pytest.mark.parametrize(("name", "same_at_least", "near_at_most"), GATES)
async def test_the_same_question_is_recognised_and_another_is_not(
    likeness: Likeness, name: str, same_at_least: float, near_at_most: float
) -> None:
    entries = SETS[name]["entries"]
    questions = [entry["question"] for entry in entries]
    right = [
        await answered(likeness, asked, questions) == number
        for number, entry in enumerate(entries)
        for asked in [entry["question"], *entry["same"]]
    ]
    near = [await answered(likeness, asked, questions) is not None for asked in SETS[name]["others"]]
    unrelated = [await answered(likeness, asked, questions) for asked in SETS[name]["unrelated"]]

    assert sum(right) / len(right) >= same_at_least
    assert sum(near) / len(near) <= near_at_most
    assert not any(one is not None for one in unrelated)
