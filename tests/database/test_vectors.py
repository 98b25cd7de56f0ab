"""Embedding spaces, and vectors completed by any number of processes."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from knowledge.embed import Role, Space, Vectors, complete_vectors
from knowledge.errors import DimensionMismatch
from knowledge.store.pool import Pool
from knowledge.store.vectors import PostgresVectors, checked
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.knowledge_base import embed_all, store

MANY = {f"{number}.md": f"Document number {number}." for number in range(150)}


class CountingEmbedder(FakeEmbedder):
    """Remembers what it embedded, and lets others run meanwhile."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        self.texts.extend(texts)
        await asyncio.sleep(0)
        return await super().embed(texts, role=role)


class FailingEmbedder(CountingEmbedder):
    """Fails at its second batch."""

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        if self.texts:
            raise ConnectionError
        return await super().embed(texts, role=role)


@pytest.fixture
def vectors(pool: Pool) -> PostgresVectors:
    return PostgresVectors(pool)


async def test_a_model_has_one_space_whoever_opens_it(vectors: PostgresVectors) -> None:
    spaces = await asyncio.gather(*(vectors.open_space("m", 8) for _ in range(5)))

    assert len(set(spaces)) == 1


async def test_another_dimension_is_refused_with_both_numbers(vectors: PostgresVectors) -> None:
    await vectors.open_space("m", 8)

    with pytest.raises(DimensionMismatch, match=r"8 dimensions.*gives 16"):
        await vectors.open_space("m", 16)


@pytest.mark.parametrize("shape", [(2, 16), (16,), (2, 2, 8), ()])
def test_vectors_of_another_length_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(DimensionMismatch, match="holds 8"):
        checked(np.zeros(shape, np.float32), Space(1, "m", 8))


@pytest.mark.parametrize("dimension", [0, 4001])
async def test_a_dimension_that_cannot_be_indexed_is_refused(vectors: PostgresVectors, dimension: int) -> None:
    with pytest.raises(DimensionMismatch, match="between 1 and 4000"):
        await vectors.open_space("m", dimension)


async def test_every_passage_gets_its_vector(vectors: PostgresVectors, pool: Pool) -> None:
    await store(pool, MANY)

    space = await embed_all(pool)

    assert await vectors.count_missing(space) == 0


async def test_several_at_once_share_the_work_and_do_nothing_twice(vectors: PostgresVectors, pool: Pool) -> None:
    await store(pool, MANY)
    workers = [CountingEmbedder() for _ in range(4)]

    done = await asyncio.gather(
        *(complete_vectors(vectors, worker, progress=lambda done, total: None) for worker in workers)
    )

    embedded = [text for worker in workers for text in worker.texts]
    assert sum(done) == len(embedded) == len(set(embedded)) == len(MANY)


async def test_what_was_embedded_before_a_failure_stays(vectors: PostgresVectors, pool: Pool) -> None:
    await store(pool, MANY)
    with pytest.raises(ConnectionError):
        await complete_vectors(vectors, FailingEmbedder(), progress=lambda done, total: None)
    worker = CountingEmbedder()

    done = await complete_vectors(vectors, worker, progress=lambda done, total: None)

    assert 0 < done == len(worker.texts) < len(MANY)


async def test_progress_counts_passages_up_to_all(vectors: PostgresVectors, pool: Pool) -> None:
    await store(pool, MANY)
    told: list[tuple[int, int]] = []

    await complete_vectors(vectors, FakeEmbedder(), progress=lambda done, total: told.append((done, total)))

    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, 150), (150, 150))


async def test_spaces_are_completed_side_by_side(vectors: PostgresVectors, pool: Pool) -> None:
    await store(pool, {"a.md": "Text."})
    await embed_all(pool)

    other = await vectors.open_space("another", 32)

    assert await vectors.count_missing(other) == 1
