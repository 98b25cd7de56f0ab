"""Vectors in PostgreSQL: one space a model, each with its own partial HNSW index."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
from psycopg import sql
from psycopg.rows import tuple_row

from knowledge.embed import Batch, Space, Vectors
from knowledge.errors import DimensionMismatch, EmbedderUnavailable
from knowledge.store.pool import Pool

# The most that an HNSW index over half-precision vectors takes.
MAX_DIMENSION = 4_000
# Below the pool's limit for statements, which others wait with for the rows that are being embedded.
EMBED_DEADLINE_S = 45
HNSW_M = 16
HNSW_EF_CONSTRUCTION = 64


class PostgresVectors:
    """The `VectorStore` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def open_space(self, model: str, dimension: int) -> Space:
        if not 1 <= dimension <= MAX_DIMENSION:
            raise DimensionMismatch(
                f"model {model!r} gives vectors of {dimension} dimensions; PostgreSQL can index between 1 and"
                f" {MAX_DIMENSION}: choose a smaller `dimension`"
            )
        parameters = {"model": model, "dimension": dimension}
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_SPACE, parameters)).fetchone()
            if row is None:
                await connection.execute(_LOCK_SPACES)
                row = await (await connection.execute(_OPEN_SPACE, parameters)).fetchone()
                assert row is not None, "an upsert returns its row"
                await connection.execute(_index_statement(int(row[0]), dimension))
        if row[1] != dimension:
            raise DimensionMismatch(
                f"the space of embedding model {model!r} holds vectors of {row[1]} dimensions, but the configured"
                f" model gives {dimension}; give the new model another name, or set its dimension to {row[1]}"
            )
        return Space(int(row[0]), model, dimension)

    async def count_missing(self, space: Space) -> int:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_COUNT_MISSING, {"space_id": space.id})).fetchone()
        return int(row[0]) if row else 0

    async def fill(
        self, space: Space, *, after: int, limit: int, embed: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> Batch:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=tuple_row)
            await cursor.execute(_TAKE_MISSING, {"space_id": space.id, "after": after, "limit": limit})
            taken = [int(row[0]) for row in await cursor.fetchall()]
            if not taken:
                return Batch(stored=0, last_passage_id=None)
            await cursor.execute(_STILL_MISSING, {"space_id": space.id, "taken": taken})
            rows = await cursor.fetchall()
            if not rows:
                return Batch(stored=0, last_passage_id=taken[-1])
            texts = list(dict.fromkeys(text for _, _, _, text in rows))
            vectors = dict(zip(texts, checked(await _in_time(embed(texts)), space), strict=True))
            await cursor.executemany(
                _INSERT_VECTOR,
                [
                    {
                        "space_id": space.id,
                        "hash": content,
                        "passage": passage,
                        "audience": audience,
                        "vector": vectors[text],
                    }
                    for passage, content, audience, text in rows
                ],
            )
        return Batch(stored=len(rows), last_passage_id=taken[-1])


async def _in_time(work: Awaitable[Vectors]) -> Vectors:
    """Wait for vectors, but not so long that whoever closes these passages to readers gives up waiting for us."""
    try:
        async with asyncio.timeout(EMBED_DEADLINE_S):
            return await work
    except TimeoutError as exc:
        raise EmbedderUnavailable(
            f"the embedding model took more than {EMBED_DEADLINE_S} s for one batch; it is tried again later"
        ) from exc


_SPACE = "select id, dimension from embedding_space where model = %(model)s"
_LOCK_SPACES = "lock table embedding_space in share row exclusive mode"
_OPEN_SPACE = """
insert into embedding_space (model, dimension) values (%(model)s, %(dimension)s)
on conflict (model) do update set model = excluded.model returning id, dimension
"""
_COUNT_MISSING = """
select count(*) from passage
where not exists (select 1 from embedding where passage_id = passage.id and space_id = %(space_id)s)
"""
# Rows that another process is embedding are passed over, so that the work is shared and never done twice.
_TAKE_MISSING = """
select passage.id from passage
where passage.id > %(after)s
  and not exists (select 1 from embedding where passage_id = passage.id and space_id = %(space_id)s)
order by passage.id limit %(limit)s
for update of passage skip locked
"""
# Who held a row's lock until just now has stored its vector after the statement above had begun, unseen by it.
_STILL_MISSING = """
select passage.id, passage.content_hash, document.audience_id, passage.search_text
from passage join document on document.id = passage.document_id
where passage.id = any(%(taken)s)
  and not exists (select 1 from embedding where passage_id = passage.id and space_id = %(space_id)s)
order by passage.id
"""
_INSERT_VECTOR = """
insert into embedding (space_id, content_hash, passage_id, audience_id, vector)
values (%(space_id)s, %(hash)s, %(passage)s, %(audience)s, %(vector)s)
on conflict (passage_id, space_id) do nothing
"""


def _index_statement(space_id: int, dimension: int) -> sql.Composed:
    """Return the statement for a space's index; ids and dimensions are literals, or no query would use it."""
    return sql.SQL(
        "create index if not exists {name} on embedding using hnsw ((vector::halfvec({dimension})) halfvec_ip_ops)"
        " with (m = {m}, ef_construction = {ef}) where space_id = {space} and passage_id is not null"
    ).format(
        name=sql.Identifier(f"embedding_hnsw_{space_id}"),
        dimension=sql.Literal(dimension),
        m=sql.Literal(HNSW_M),
        ef=sql.Literal(HNSW_EF_CONSTRUCTION),
        space=sql.Literal(space_id),
    )


def checked(vectors: Vectors, space: Space) -> Vectors:
    """Return the vectors if they fit their space; refuse others with both numbers."""
    if vectors.ndim != 2 or vectors.shape[1] != space.dimension:
        given = vectors.shape[-1] if vectors.ndim else 0
        raise DimensionMismatch(
            f"model {space.model!r} gave vectors of {given} dimensions where its space holds {space.dimension};"
            " nothing was stored: correct `dimension` or give the model another name"
        )
    return np.ascontiguousarray(vectors, dtype=np.float32)
