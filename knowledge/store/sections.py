"""The passages that quotes stand in today, and the sections around passages, for a reader who may read them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from psycopg import sql
from psycopg.rows import dict_row

from knowledge.prepare import storable
from knowledge.store.audiences import may_read_document
from knowledge.store.pool import Pool
from knowledge.types import Evidence, Hit, Quoted, RankScore, Reader, Signals


class QuotedAt(Quoted, Protocol):
    """A quote, and the line where it is said to begin."""

    @property
    def start_line(self) -> int:
        """Counted from 1."""


# Stands for the document of a passage that has no section; documents count from 1.
_NO_DOCUMENT = 0


class PostgresSections:
    """Two `Sections` ports, the core's and the retriever's, over the named sources."""

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

    async def widened(self, evidence: Sequence[Evidence], reader: Reader) -> Sequence[Evidence]:
        parameters = {
            "sources": self._sources,
            "tags": sorted(reader.tags),
            "passages": [piece.hit.passage_id for piece in evidence],
        }
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_SECTIONS, parameters)).fetchall()
        found = {passage: ((document, number), section) for passage, document, number, section in rows}
        wide: dict[tuple[int, int], Evidence] = {}
        for piece in evidence:
            if piece.hit.passage_id in found:
                place, section = found[piece.hit.passage_id]
                wide.setdefault(place, replace(piece, hit=replace(piece.hit, **section)))
            else:
                wide[_NO_DOCUMENT, piece.hit.passage_id] = piece
        return list(wide.values())


# The words that a reader sees of a section are those of its passages, with what names their place said once.
_SECTIONS = sql.SQL("""
select passage.id, section.document_id, section.ordinal, json_build_object(
    'text', substring(document.text from section.start_offset + 1 for section.end_offset - section.start_offset),
    'search_text', (
        select string_agg(beside.search_text, E'\n' order by beside.ordinal) from passage as beside
        where beside.document_id = passage.document_id and beside.section = passage.section
    ),
    'start_line', section.start_line, 'end_line', section.end_line
)
from passage
join document on document.id = passage.document_id
join section on section.document_id = passage.document_id and section.ordinal = passage.section
join source on source.id = document.source_id
join audience on audience.id = document.audience_id
where passage.id = any(%(passages)s::bigint[]) and source.name = any(%(sources)s::text[]) and {may_read}
""").format(may_read=may_read_document("%(tags)s::text[]"))


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
