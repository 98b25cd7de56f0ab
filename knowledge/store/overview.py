"""What is stored, in numbers."""

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """One source as it is stored."""

    name: str
    kind: str
    documents: int
    passages: int
    failures: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class SpaceOverview:
    """One embedding space as it is stored."""

    model: str
    dimension: int
    vectors: int
    missing: int


async def sources_overview(pool: Pool) -> list[SourceOverview]:
    """Return every stored source, by name."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(SourceOverview))
        await cursor.execute(_SOURCES)
        return await cursor.fetchall()


_SOURCES = """
select name, kind, passages, synced_at,
       (select count(*) from document where source_id = source.id) as documents,
       (select count(*) from document_failure where source_id = source.id) as failures
from source order by name
"""


async def spaces_overview(pool: Pool) -> list[SpaceOverview]:
    """Return every embedding space, by model."""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(SpaceOverview))
        await cursor.execute(_SPACES)
        return await cursor.fetchall()


_SPACES = """
select model, dimension, vectors, (select count(*) from passage) - vectors as missing
from (
    select model, dimension,
           (select count(*) from embedding where space_id = space.id and passage_id is not null) as vectors
    from embedding_space as space
) as counted
order by model
"""
