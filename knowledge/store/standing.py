"""Whether what was quoted still stands: the document holds it unchanged, and the reader may read it."""

from collections.abc import Sequence

from psycopg import sql

from knowledge.prepare import storable
from knowledge.store.audiences import may_read_document
from knowledge.store.pool import Pool
from knowledge.types import Quoted, Reader

# True for a row with a source, path and quote.
_STANDS = """
exists (
    select from source
    join document on document.source_id = source.id
    join audience on audience.id = document.audience_id
    where source.name = {cited}.source and source.name = any(%(sources)s::text[])
        and document.path = {cited}.path
        and {cited}.quote <> '' and position({cited}.quote in document.text) > 0
        and {may_read}
)
"""
# What identifies the configured sources as they are, stored or not: one that is made anew gets another number.
STATE = """
(
    select sha256(convert_to(coalesce(
        jsonb_agg(jsonb_build_array(name, source.id, generation) order by name collate "C"), '[]')::text, 'UTF8'))
    from unnest(%(sources)s::text[]) as configured(name) left join source using (name)
)
"""


def stands(cited: str) -> sql.Composed:
    """Return the condition for a table `cited` with source, path and quote; its parameters are `sources` and `tags`."""
    return sql.SQL(_STANDS).format(cited=sql.Identifier(cited), may_read=may_read_document("%(tags)s::text[]"))


class PostgresStanding:
    """The core's `Standing` port over the named sources; what another configuration stored stands nowhere."""

    def __init__(self, pool: Pool, *, sources: Sequence[str]) -> None:
        self._pool = pool
        self._sources = list(sources)

    async def standing(self, citations: Sequence[Quoted], reader: Reader) -> list[bool]:
        parameters = {
            "sources": self._sources,
            "tags": sorted(reader.tags),
            "names": [_comparable(cited.source) for cited in citations],
            "paths": [_comparable(cited.document) for cited in citations],
            "quotes": [_comparable(cited.quote) for cited in citations],
        }
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_STANDING, parameters, prepare=True)).fetchall()
        return [bool(found) for (found,) in rows]


_STANDING = sql.SQL("""
select {stands}
from unnest(%(names)s::text[], %(paths)s::text[], %(quotes)s::text[])
    with ordinality as cited(source, path, quote, place)
order by place
""").format(stands=stands("cited"))


def _comparable(text: str) -> str:
    """Return a text that the database can compare; nothing for one that it could not store, which stands nowhere."""
    return text if storable(text) == text else ""
