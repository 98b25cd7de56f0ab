"""The port to embedding models, and what completes missing vectors."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knowledge.faultpoint import faultpoint
from knowledge.progress import Progress

Role = Literal["query", "passage"]
Vectors = NDArray[np.float32]

BATCH_PASSAGES = 64
# How long to wait before asking again for passages that another process is embedding.
OTHERS_AT_WORK_S = 0.5


class Embedder(Protocol):
    """Turns texts into unit vectors whose inner product tells how alike they are.

    `model` names the embedding space: two embedders of the same name may be mixed, others never.
    """

    model: str
    dimension: int

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Return float32 vectors of shape (len(texts), dimension), of length 1, in the order of `texts`.

        A text that is longer than the model reads at once goes in by parts: nothing is cut off in silence. Without
        texts it only makes the model ready, and raises what makes that impossible.
        """
        ...


@runtime_checkable
class CountsTokens(Protocol):
    """An embedder that tells how long texts are to it."""

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model reads of a passage, its own marks included; blocks, and may load it."""
        ...


@dataclass(frozen=True, slots=True)
class Space:
    """An embedding space: vectors of one model, all of one length."""

    id: int
    model: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What one step stored: how many vectors, up to which passage."""

    stored: int
    last_passage_id: int | None


class VectorStore(Protocol):
    """The stored vectors of all spaces."""

    async def open_space(self, model: str, dimension: int) -> Space:
        """Return the model's space, made at its first use; DimensionMismatch when it holds other lengths."""
        ...

    async def count_missing(self, space: Space) -> int:
        """Return how many passages have no vector in this space yet."""
        ...

    async def fill(
        self, space: Space, *, after: int, limit: int, embed: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> Batch:
        """Embed and store the next passages (id above `after`) that nobody else is embedding, in one transaction."""
        ...


async def complete_vectors(store: VectorStore, embedder: Embedder, *, progress: Progress) -> int:
    """Embed every passage that lacks a vector and return how many this process did.

    Any number of processes may do this at once: each takes passages that the others have not taken. `progress` is
    called with (done, to do), in passages.
    """

    async def embed(texts: Sequence[str]) -> Vectors:
        return await embedder.embed(texts, role="passage")

    space = await store.open_space(embedder.model, embedder.dimension)
    total = missing = await store.count_missing(space)
    embedded = done = 0
    while missing:
        done = max(done, total - missing)
        progress(done, total)
        after: int | None = 0
        while after is not None:
            batch = await store.fill(space, after=after, limit=BATCH_PASSAGES, embed=embed)
            embedded += batch.stored
            if batch.stored:
                faultpoint("embedded")
            done = min(max(done, embedded), total)
            progress(done, total)
            after = batch.last_passage_id
        missing = await store.count_missing(space)
        if missing:
            await asyncio.sleep(OTHERS_AT_WORK_S)
    progress(total, total)
    return embedded
