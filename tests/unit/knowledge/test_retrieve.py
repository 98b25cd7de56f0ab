"""A question becomes evidence."""

import pytest

from knowledge.embed import Role, Vectors
from knowledge.errors import EmbedderProblem, KnowledgeError, PermanentError, TransientError
from knowledge.retrieve import CANDIDATES_FOR_RERANK, Retriever
from knowledge.types import Reader
from tests.fakes.core import FakeIndex, FakeLevels, FakeReranker
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit


class BrokenEmbedder(FakeEmbedder):
    """Raises the error that it is given."""

    def __init__(self, error: KnowledgeError) -> None:
        self._error = error

    async def embed(self, texts: object, *, role: Role) -> Vectors:
        raise self._error


def retriever(index: FakeIndex, embedder: FakeEmbedder | None = None) -> Retriever:
    return Retriever(embedder=embedder or FakeEmbedder(), levels=FakeLevels(), index=index, reranker=FakeReranker(0.8))


async def test_the_hits_are_weighed_and_every_step_is_timed() -> None:
    index = FakeIndex([hit("a"), hit("b")])

    retrieved = await retriever(index).retrieve("¿Cómo puedo restablecer mi contraseña?", reader=Reader())

    assert [(piece.hit.text, piece.relevance) for piece in retrieved.evidence] == [("a", 0.8), ("b", 0.8)]
    assert retrieved.language == "es"
    assert retrieved.timings_ms.keys() == {"embed", "search", "rerank"}


async def test_the_search_is_made_for_this_reader() -> None:
    index = FakeIndex([])
    reader = Reader(frozenset({"staff"}))

    await retriever(index).retrieve("x", reader=reader)

    assert index.readers == [reader]


async def test_no_more_than_the_reranker_can_take_is_asked_for() -> None:
    index = FakeIndex([hit("x")] * (CANDIDATES_FOR_RERANK + 10))

    retrieved = await retriever(index).retrieve("x", reader=Reader())

    assert len(retrieved.evidence) == CANDIDATES_FOR_RERANK


@pytest.mark.parametrize("error", [TransientError("down"), EmbedderProblem("no model")])
async def test_without_its_embedder_the_search_goes_by_words(error: KnowledgeError) -> None:
    index = FakeIndex([hit("a")])

    retrieved = await retriever(index, BrokenEmbedder(error)).retrieve("x", reader=Reader())

    assert index.with_vector == [False]
    assert len(retrieved.evidence) == 1


async def test_an_error_that_somebody_must_see_is_not_hidden() -> None:
    with pytest.raises(PermanentError):
        await retriever(FakeIndex([]), BrokenEmbedder(PermanentError("key"))).retrieve("x", reader=Reader())
