"""Missing vectors are completed, whoever else is at it."""

import pytest

from knowledge.embed import complete_vectors
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.vectors import FakeVectorStore


@pytest.mark.parametrize(
    ("store", "embedded"),
    [
        (FakeVectorStore(0), 0),
        (FakeVectorStore(200), 200),
        (FakeVectorStore(200, taken_by_others=50), 150),
        (FakeVectorStore(200, taken_by_others=50, given_back=20), 170),
        (FakeVectorStore(200, taken_by_others=50, given_back=300), 450),
    ],
)
async def test_progress_never_runs_backwards_and_ends_complete(store: FakeVectorStore, embedded: int) -> None:
    told: list[tuple[int, int]] = []

    done = await complete_vectors(store, FakeEmbedder(), progress=lambda done, total: told.append((done, total)))

    assert done == embedded
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]
