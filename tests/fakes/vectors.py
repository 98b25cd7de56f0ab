"""Missing vectors in memory, shared with another process at work."""

from collections.abc import Awaitable, Callable, Sequence

from knowledge.embed import Batch, Space, Vectors


class FakeVectorStore:
    """Holds so many missing passages; after our first batch others take some, and give some back or add new ones."""

    def __init__(self, missing: int, *, taken_by_others: int = 0, given_back: int = 0) -> None:
        self._missing = missing
        self._taken = taken_by_others
        self._given_back = given_back
        self._others_missing = 0

    async def open_space(self, model: str, dimension: int) -> Space:
        return Space(1, model, dimension)

    async def count_missing(self, space: Space) -> int:
        return self._missing + self._others_missing

    async def fill(
        self, space: Space, *, after: int, limit: int, embed: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> Batch:
        stored = min(limit, self._missing)
        if not stored:
            self._missing, self._others_missing, self._given_back = self._given_back, 0, 0
            return Batch(stored=0, last_passage_id=None)
        await embed(["passage"] * stored)
        self._missing -= stored
        self._others_missing = min(self._taken, self._missing)
        self._missing -= self._others_missing
        self._taken = 0
        return Batch(stored=stored, last_passage_id=after + stored)
