"""What every reranker promises."""

from dataclasses import replace

import pytest

from knowledge.rerankers.local import LocalReranker, fixed_weights
from knowledge.retrieve import Reranker
from knowledge.types import Hit, Signals
from tests.fakes.core import FakeReranker
from tests.fakes.evidence import hit

QUESTION = "How do I reset my password?"


@pytest.fixture(params=["fake", "local"])
def reranker(request: pytest.FixtureRequest) -> Reranker:
    if request.param == "fake":
        return FakeReranker(0.5)
    return LocalReranker(fixed_weights())


def hits() -> list[Hit]:
    found = [hit(f"Text {number}", document=f"{number % 3}.md", passage_id=number) for number in range(8)]
    words_only = Signals(lexical=3.0, lexical_rank=2, lexical_z=1.0, coverage=0.5)
    return [
        *found,
        replace(hit("Words", passage_id=9), signals=words_only),
        replace(hit("", passage_id=10), language="xx"),
    ]


async def test_weighs_every_hit_once(reranker: Reranker) -> None:
    weighed = await reranker.rerank(QUESTION, hits())

    assert sorted(piece.hit.passage_id for piece in weighed) == sorted(found.passage_id for found in hits())


async def test_relevance_is_a_probability(reranker: Reranker) -> None:
    weighed = await reranker.rerank(QUESTION, hits())

    assert all(0 <= piece.relevance <= 1 for piece in weighed)


async def test_no_hits_are_no_evidence(reranker: Reranker) -> None:
    assert await reranker.rerank(QUESTION, []) == []


async def test_asking_twice_weighs_the_same(reranker: Reranker) -> None:
    assert await reranker.rerank(QUESTION, hits()) == await reranker.rerank(QUESTION, hits())


@pytest.mark.parametrize("question", ["", "\0", "half \ud83d pair", "слово " * 2_000])
async def test_any_question_can_be_asked(reranker: Reranker, question: str) -> None:
    assert len(await reranker.rerank(question, hits())) == len(hits())


async def test_its_name_tells_its_configuration(reranker: Reranker) -> None:
    assert reranker.name
