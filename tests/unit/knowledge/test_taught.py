"""Entries stand beside the documents and in nobody's way."""

from collections.abc import Sequence
from dataclasses import replace

from knowledge.background import Background
from knowledge.errors import TransientError
from knowledge.likeness import Likeness
from knowledge.retrieve import Query
from knowledge.taught import TaughtIndex, TaughtReranker
from knowledge.types import CURATED, Hit, Reader, Relevance
from tests.fakes.core import FakeIndex, FakeReranker
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

ASKED = "Where do I park my bike?"
PAGE = hit("Bikes are green.")


class SetLikeness(Likeness):
    """Knows how surely each question asks the same."""

    def __init__(self, sure: dict[str, float] | None) -> None:
        super().__init__(FakeEmbedder(), Background(FakeEmbedder()))
        self._sure = sure

    async def compare(self, question: str, others: Sequence[str]) -> list[Relevance]:
        if self._sure is None:
            raise TransientError("down")
        return [Relevance(self._sure[other]) for other in others]


def entry(question: str) -> Hit:
    return replace(hit("In the yard."), source=CURATED, title=question)


async def ranked(hits: Sequence[Hit], sure: dict[str, float] | None) -> list[tuple[str, float]]:
    evidence = await TaughtReranker(FakeReranker(0.7), SetLikeness(sure)).rerank(ASKED, hits)
    return [(piece.hit.title, piece.relevance) for piece in evidence]


async def test_an_entry_that_answers_the_question_comes_first() -> None:
    found = await ranked([PAGE, entry("Other"), entry("Same")], {"Same": 0.9, "Other": 0.3})

    assert found == [("Same", 0.9), ("Title", 0.7), ("Other", 0.3)]


async def test_entries_are_left_out_while_nobody_can_tell_what_they_answer() -> None:
    assert await ranked([entry("Same"), PAGE], None) == [("Title", 0.7)]


async def test_entries_are_searched_apart_and_for_every_place() -> None:
    documents, entries = FakeIndex([PAGE]), FakeIndex([entry("Same")])
    query = Query({}, "en", sources=("handbook",))

    found = await TaughtIndex(documents, entries).search(query, reader=Reader(), limit=7)

    assert [one.source for one in found] == ["docs", CURATED]
    assert [index.queries[0].sources for index in (documents, entries)] == [("handbook",), None]


async def test_the_weighing_is_named_in_the_fingerprint() -> None:
    inner = FakeReranker(0.7)

    assert TaughtReranker(inner, SetLikeness({})).name.startswith(inner.name)
    assert TaughtReranker(inner, SetLikeness({})).name != inner.name
