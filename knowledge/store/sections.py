"""The passages that quotes stand in today, for a reader who may read them."""

from collections.abc import Sequence
from typing import Any, Protocol

from psycopg import sql
from psycopg.rows import dict_row

from knowledge.prepare import storable
from knowledge.store.audiences import may_read_document
from knowledge.store.pool import Pool
from knowledge.types import Hit, Quoted, RankScore, Reader, Signals


class QuotedAt(Quoted, Protocol):
    """A quote, and the line where it is said to begin."""

    @property
    def start_line(self) -> int:
        """Counted from 1."""


class PostgresSections:
    """The core's `Sections` port over the named sources."""

    def __init__(self, pool: Pool, *, sources: Sequence[str]) -> None:
        self._pool = pool
        self._sources = list(sources)

    async def around(self, citations: Sequence[QuotedAt], reader: Reader) -> Sequence[Hit | None]:
        parameters = {
            "sources": self._sources,
            "tags": sorted(reader.tags),
            "names": [storable(cited.source) for cited in citations],
            "paths": [storable(cited.document) for cited in citations],
            "quotes": [storable(cited.quote) for cited in citations],
            "lines": [cited.start_line for cited in citations],
        }
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            rows = await (await cursor.execute(_AROUND, parameters)).fetchall()
        return [_hit(row) if row["passage_id"] is not None else None for row in rows]


def _hit(row: dict[str, Any]) -> Hit:
    """Return a passage as a search would find it; no search did."""
    return Hit(**{**row, "heading": tuple(row["heading"])}, fused=RankScore(0.0), fused_rank=0, signals=Signals())


# Of several passages with the same words the one whose lines are nearest.
_AROUND = sql.SQL("""
select found.*
from unnest(%(names)s::text[], %(paths)s::text[], %(quotes)s::text[], %(lines)s::int[])
    with ordinality as cited(source, path, quote, line, place)
left join lateral (
    select passage.id as passage_id, source.name as source, document.path as document, document.title, document.url,
        passage.heading, passage.anchor, passage.text, passage.search_text, passage.start_line, passage.end_line,
        document.author, document.media_type, document.updated_at, document.language
    from source
    join document on document.source_id = source.id and document.path = cited.path
    join audience on audience.id = document.audience_id
    join passage on passage.document_id = document.id
    where source.name = cited.source and source.name = any(%(sources)s::text[])
        and cited.quote <> '' and position(cited.quote in passage.text) > 0
        and {may_read}
    order by abs(passage.start_line - cited.line), passage.ordinal limit 1
) as found on true
order by cited.place
""").format(may_read=may_read_document("%(tags)s::text[]"))
