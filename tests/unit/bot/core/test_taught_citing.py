"""An entry is cited as what a person said, and leads where that person said."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.core.cite import CitePolicy, Citer, title_of, updated
from bot.core.messages import Citation
from bot.core.verify.check import Verifier
from knowledge.quotable import units_of
from knowledge.types import CURATED, Evidence, Reader, Relevance
from tests.fakes.core import FakeStanding
from tests.fakes.evidence import hit

DAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
ENTRY = replace(
    hit("It is at https://yard.example/gate today."), source=CURATED, document="entry/7", author="Олена", updated_at=DAY
)


async def cited(piece: Evidence) -> tuple[str, Citation]:
    citer = Citer([piece], verifier=Verifier(), standing=FakeStanding(), reader=Reader(), policy=CitePolicy(), now=DAY)
    await citer.quote(units_of(piece.hit)[0])
    return citer.sentences[0].text, citer.sentences[0].citations[0]


TITLES = [
    ("en", "Answer by Олена, 2026-11-30"),
    ("uk", "Відповідь: Олена, 2026-11-30"),
    ("ru", "Ответ: Олена, 2026-11-30"),
    ("es", "Respuesta de Олена, 2026-11-30"),
]


@pytest.mark.parametrize(("language", "title"), TITLES)
async def test_an_entry_is_cited_by_who_said_so_and_when(language: str, title: str) -> None:
    _, citation = await cited(Evidence(ENTRY, Relevance(0.9)))

    assert (title_of(citation, language), updated(citation, language)) == (title, "")


async def test_a_document_is_cited_by_its_title() -> None:
    _, citation = await cited(Evidence(replace(ENTRY, source="docs"), Relevance(0.9)))

    assert title_of(citation, "en") == "Title"
    assert "2026-11-30" in updated(citation, "en")


async def test_a_link_that_people_approved_stays_one() -> None:
    (taught, _), (found, _) = [
        await cited(Evidence(piece, Relevance(0.9))) for piece in (ENTRY, replace(ENTRY, source="docs"))
    ]

    assert "https://yard.example/gate" in taught
    assert "https://yard.example/gate" not in found
