"""Passages with their postings, statistics and vectors, written and removed inside a document's transaction."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial

from psycopg import AsyncConnection
from psycopg.types.json import Json

from knowledge.prepare import PreparedDocument, PreparedPassage


@dataclass(slots=True)
class Removed:
    """What the passages that went away had put into the statistics."""

    passages: int = 0
    length: int = 0
    terms: Counter[int] = field(default_factory=Counter)


async def remove_passages(connection: AsyncConnection, document: Mapping[str, object]) -> Removed:
    """Delete the passages and postings of a document ("source_id", "path"); return what they had been counted for."""
    removed = Removed()
    cursor = await connection.execute(_REMOVE_PASSAGES, document)
    for terms, length in await cursor.fetchall():
        removed.passages += 1
        removed.length += length
        removed.terms.update(terms)
    return removed


_REMOVE_PASSAGES = """
with gone as (
    delete from passage using document
    where document_id = document.id and source_id = %(source_id)s and path = %(path)s
    returning passage.id, terms, term_count, audience_id
),
unposted as (
    delete from posting using gone, unnest(gone.terms) as known(term)
    where posting.term = known.term and passage_id = gone.id
),
uncounted as (
    update audience set passages = audience.passages - counted.passages
    from (select audience_id, count(*) as passages from gone group by audience_id) as counted
    where audience.id = counted.audience_id
)
select terms, term_count from gone
"""


async def insert_passages(
    connection: AsyncConnection, document: Mapping[str, object], prepared: PreparedDocument, removed: Removed
) -> None:
    """Store a document's passages under its audience; count them, and what was removed before, in the statistics."""
    passages = prepared.passages
    await connection.execute(_REMOVE_SECTIONS, document)
    await connection.execute(_INSERT_SECTIONS, {**document, "sections": Json([*map(astuple, prepared.sections)])})
    await connection.execute(_INSERT_PASSAGES, {**document, "passages": _passage_rows(passages)})
    for passage in passages:
        removed.terms.subtract(passage.terms.keys())
    removed.passages -= len(passages)
    removed.length -= sum(passage.terms.total() for passage in passages)
    await uncount(connection, document, removed)
    await connection.execute(_REUSE_VECTORS, document)


def _passage_rows(passages: Sequence[PreparedPassage]) -> Json:
    """Return the passages with their postings as one parameter: a statement a document instead of one a row."""
    rows = [
        {
            "ordinal": ordinal,
            "heading": piece.passage.heading,
            "anchor": piece.passage.anchor,
            "start_line": piece.passage.start_line,
            "end_line": piece.passage.end_line,
            "start_offset": piece.passage.start,
            "end_offset": piece.passage.end,
            "section": piece.passage.section,
            "text": piece.passage.text,
            "search_text": piece.passage.search_text,
            "content_hash": f"\\x{piece.content_hash.hex()}",
            "terms": _array(piece.terms),
            "frequencies": _array(piece.terms.values()),
            "term_count": piece.terms.total(),
        }
        for ordinal, piece in enumerate(passages)
    ]
    return Json(rows, dumps=partial(json.dumps, ensure_ascii=False))


def _array(numbers: Iterable[int]) -> str:
    """Return numbers as an array literal: ten times faster than handing the list to psycopg."""
    return "{" + ",".join(map(str, numbers)) + "}"


_REMOVE_SECTIONS = """
delete from section using document
where document_id = document.id and source_id = %(source_id)s and path = %(path)s
"""
_INSERT_SECTIONS = """
insert into section (document_id, ordinal, start_offset, end_offset, start_line, end_line)
select document.id, place - 1, (piece ->> 0)::int, (piece ->> 1)::int, (piece ->> 2)::int, (piece ->> 3)::int
from document, json_array_elements(%(sections)s) with ordinality as stretch(piece, place)
where source_id = %(source_id)s and path = %(path)s
"""
# A smallint holds at most 32767.
_INSERT_PASSAGES = """
with piece as materialized (
    select * from json_to_recordset(%(passages)s) as piece
        (ordinal int, heading text[], anchor text, start_line int, end_line int, start_offset int, end_offset int,
         section int, text text, search_text text, content_hash bytea, terms text, frequencies text, term_count int)
),
owner as (select id, audience_id from document where source_id = %(source_id)s and path = %(path)s),
stored as (
    insert into passage (document_id, ordinal, heading, anchor, start_line, end_line, start_offset, end_offset,
                         section, text, search_text, content_hash, terms, term_count)
    select owner.id, ordinal, heading, anchor, start_line, end_line, start_offset, end_offset,
           section, text, search_text, content_hash, terms::bigint[], term_count
    from owner, piece order by ordinal
    returning id, ordinal, terms, term_count
),
counted as (
    update audience set passages = passages + (select count(*) from stored)
    from owner where audience.id = owner.audience_id
)
insert into posting (term, passage_id, frequency, length, audience_id)
select term, stored.id, least(frequency, 32767), least(stored.term_count, 32767), owner.audience_id
from owner, stored join piece using (ordinal),
     unnest(stored.terms, piece.frequencies::int[]) as counted(term, frequency)
"""
# A passage whose content was embedded before, here or in another document, takes that vector.
_REUSE_VECTORS = """
insert into embedding (space_id, content_hash, passage_id, audience_id, vector)
select distinct on (passage.id, embedding.space_id)
       embedding.space_id, passage.content_hash, passage.id, document.audience_id, embedding.vector
from passage
join embedding on embedding.content_hash = passage.content_hash
join document on document.id = passage.document_id
where document.source_id = %(source_id)s and document.path = %(path)s
on conflict (passage_id, space_id) do nothing
"""


async def uncount(connection: AsyncConnection, document: Mapping[str, object], removed: Removed) -> None:
    """Take what was removed from the statistics (negative numbers add), the terms in one order for all writers."""
    changes = sorted((term, -count) for term, count in removed.terms.items() if count)
    parameters = {"terms": _array(term for term, _ in changes), "changes": _array(change for _, change in changes)}
    await connection.execute(_COUNT_TERMS, parameters)
    totals = {**document, "passages": -removed.passages, "terms": -removed.length}
    await connection.execute(_COUNT_SOURCE, totals)


_COUNT_TERMS = """
insert into term (term, passages)
select * from unnest(%(terms)s::bigint[], %(changes)s::int[])
on conflict (term) do update set passages = term.passages + excluded.passages
"""
_COUNT_SOURCE = """
update source set passages = passages + %(passages)s, terms = terms + %(terms)s where id = %(source_id)s
"""


async def reopen_passages(connection: AsyncConnection, document: Mapping[str, object], audience_id: int) -> bool:
    """Give a document's passages, postings and vectors to another audience; return whether they had another one.

    Whoever embeds these passages just now has locked them: their vectors are waited for, or would keep the old one.
    """
    parameters = {**document, "audience_id": audience_id}
    if await (await connection.execute(_IS_OPEN_TO, parameters)).fetchone():
        return False
    await connection.execute(_LOCK_PASSAGES, parameters)
    for statement in (_RECOUNT_AUDIENCES, _REOPEN_POSTINGS, _REOPEN_VECTORS, _REOPEN_DOCUMENT):
        await connection.execute(statement, parameters)
    return True


_IS_OPEN_TO = """
select 1 from document where source_id = %(source_id)s and path = %(path)s and audience_id = %(audience_id)s
    and pending_audience_id is null
"""
_LOCK_PASSAGES = """
select from passage join document on document.id = document_id
where source_id = %(source_id)s and path = %(path)s
order by passage.id for update of passage
"""
_RECOUNT_AUDIENCES = """
update audience
set passages = audience.passages
    + case when audience.id = %(audience_id)s then owned.passages else 0 end
    - case when audience.id = owned.audience_id then owned.passages else 0 end
from (
    select audience_id, count(passage.id) as passages from document left join passage on document_id = document.id
    where source_id = %(source_id)s and path = %(path)s group by audience_id
) as owned
where audience.id in (%(audience_id)s, owned.audience_id)
"""
_REOPEN_POSTINGS = """
update posting set audience_id = %(audience_id)s
from document join passage on document_id = document.id, unnest(passage.terms) as known(term)
where source_id = %(source_id)s and path = %(path)s and posting.term = known.term and passage_id = passage.id
"""
_REOPEN_VECTORS = """
update embedding set audience_id = %(audience_id)s
from document join passage on document_id = document.id
where source_id = %(source_id)s and path = %(path)s and embedding.passage_id = passage.id
"""
_REOPEN_DOCUMENT = """
update document set audience_id = %(audience_id)s, pending_audience_id = null
where source_id = %(source_id)s and path = %(path)s
"""
