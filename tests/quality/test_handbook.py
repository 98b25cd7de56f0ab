"""What the handbook's own questions must reach, with the real model, database and settings."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.evaluate import outcome_of
from bot.compose import Desk, open_desk
from bot.core.messages import Asked
from bot.settings import load_settings
from knowledge.embed import complete_vectors
from knowledge.evaluate.labelled import Outcome, read_labelled
from knowledge.evaluate.metrics import figures
from knowledge.progress import unwatched
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import sync

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = read_labelled(EXAMPLES / "questions.jsonl")
CROSS_LANGUAGE = {
    labelled.id
    for labelled in QUESTIONS
    if labelled.answerable and not any(place.document.startswith(labelled.language) for place in labelled.gold)
}


@pytest.fixture
async def desk(embedded_home: Path, database_url: str) -> AsyncIterator[Desk]:
    settings = load_settings(
        EXAMPLES / "answerdesk.toml", {"ANSWERDESK_HOME": str(embedded_home), "DATABASE_URL": database_url}
    )
    async with open_desk(settings) as desk:
        folder = FolderSettings(name="handbook", path=EXAMPLES / "handbook", include=("**/*.md",))
        await sync(FolderSource(folder, root=folder.path), desk.base.documents, progress=unwatched)
        await complete_vectors(desk.base.vectors, desk.embedder, progress=unwatched)
        yield desk


@pytest.fixture
async def outcomes(desk: Desk) -> list[Outcome]:
    return [await outcome_of(desk, labelled) for labelled in QUESTIONS]


async def test_the_right_page_is_among_the_first_five(outcomes: list[Outcome]) -> None:
    own = figures([outcome for outcome in outcomes if outcome.id not in CROSS_LANGUAGE])
    another = figures([outcome for outcome in outcomes if outcome.id in CROSS_LANGUAGE])

    assert (own["recall@5"] or 0) >= 0.95
    assert (another["recall@5"] or 0) >= 0.4


async def test_every_quote_stands_where_it_says_and_few_replies_are_wrong(outcomes: list[Outcome]) -> None:
    reached = figures(outcomes)

    assert reached["citation_validity"] == 1.0
    assert (reached["wrong_reply_share"] or 0) <= 0.05
    assert (reached["answered_share"] or 0) >= 0.1


@pytest.mark.parametrize(
    "question", ["what is the capital of Australia", "как сварить борщ", "хто виграв учорашній матч"]
)
async def test_what_has_nothing_to_do_with_the_handbook_is_handed_over(desk: Desk, question: str) -> None:
    draft = await desk.handler.draft(Asked(question))

    assert (draft.answer, draft.reason) == (None, "below_threshold")
