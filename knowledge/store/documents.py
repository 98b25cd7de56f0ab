"""Documents, their passages and their postings in PostgreSQL."""

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial

from psycopg import AsyncConnection
from psycopg.types.json import Json, Jsonb

from knowledge.errors import DatabaseUnavailable
from knowledge.prepare import PreparedDocument, PreparedPassage
from knowledge.store.pool import Pool
from knowledge.sync import Known, SyncCounts

# A sync that changed more of a source than this leaves no work on its tables to the next searches.
TIDY_SHARE = 0.1

log = logging.getLogger(__name__)


class PostgresDocuments:
    """The `Documents` port: each document is replaced in one transaction, with its postings and their statistics."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def open_source(self, name: str, kind: str) -> int:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_OPEN_SOURCE, {"name": name, "kind": kind})).fetchone()
        assert row is not None, "an upsert returns its row"
        return int(row[0])

    async def known(self, source_id: int) -> Mapping[str, Known]:
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_KNOWN, {"source_id": source_id})).fetchall()
        return {path: Known(revision, bytes(content_hash), recipe) for path, revision, content_hash, recipe in rows}

    async def text(self, source: str, path: str) -> str | None:
        """Return the stored text of a document, None where there is none."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_TEXT, {"source": source, "path": path})).fetchone()
        return str(row[0]) if row else None

    async def touch(self, source_id: int, path: str, revision: str) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_TOUCH, {"source_id": source_id, "path": path, "revision": revision})

    async def replace(self, source_id: int, prepared: PreparedDocument) -> None:
        document = {"source_id": source_id, "path": prepared.document.path}
        async with self._pool.connection() as connection, connection.pipeline(), connection.transaction():
            await _begin_writing(connection, source_id)
            removed = await _remove_passages(connection, document)
            await connection.execute(_UPSERT_DOCUMENT, {**document, **_document_row(prepared)})
            await connection.execute(_INSERT_PASSAGES, {**document, "passages": _passage_rows(prepared.passages)})
            for passage in prepared.passages:
                removed.terms.subtract(passage.terms.keys())
            added_length = sum(passage.terms.total() for passage in prepared.passages)
            await _count_terms(connection, removed.terms)
            await _count_source(
                connection, source_id, len(prepared.passages) - removed.passages, added_length - removed.length
            )
            await connection.execute(_REUSE_VECTORS, document)

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        for path in paths:
            document = {"source_id": source_id, "path": path}
            async with self._pool.connection() as connection, connection.pipeline(), connection.transaction():
                await _begin_writing(connection, source_id)
                removed = await _remove_passages(connection, document)
                await connection.execute(_DELETE_DOCUMENT, document)
                await _count_terms(connection, removed.terms)
                await _count_source(connection, source_id, -removed.passages, -removed.length)

    async def finish(self, source_id: int, counts: SyncCounts) -> None:
        parameters = {
            "source_id": source_id,
            "counts": Jsonb({key: value for key, value in asdict(counts).items() if key != "failures"}),
            "paths": list(counts.failures),
            "reasons": list(counts.failures.values()),
        }
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_FINISH, parameters)
            await connection.execute(_FORGET_FAILURES, parameters)
            await connection.execute(_RECORD_FAILURES, parameters)
            await connection.execute(_DATE_UNUSED_VECTORS)
            await connection.execute(_PRUNE_VECTORS)
        changed = counts.added + counts.changed + counts.deleted
        if changed > TIDY_SHARE * (changed + counts.unchanged):
            await self._tidy()

    async def _tidy(self) -> None:
        """Let index-only scans trust the index, and the planner know the sizes, before autovacuum comes round."""
        try:
            async with self._pool.connection() as connection:
                await connection.execute(_TIDY)
        except DatabaseUnavailable as exc:
            log.warning("the tables could not be tidied (%s); searches are slower until autovacuum has", exc)


_OPEN_SOURCE = """
insert into source (name, kind) values (%(name)s, %(kind)s)
on conflict (name) do update set kind = excluded.kind returning id
"""
_KNOWN = "select path, revision, content_hash, recipe from document where source_id = %(source_id)s"
_TEXT = """
select document.text from document join source on source.id = document.source_id
where source.name = %(source)s and document.path = %(path)s
"""
_TOUCH = "update document set revision = %(revision)s where source_id = %(source_id)s and path = %(path)s"
_FINISH = "update source set synced_at = now(), counts = %(counts)s where id = %(source_id)s"
_FORGET_FAILURES = "delete from document_failure where source_id = %(source_id)s"
_RECORD_FAILURES = """
insert into document_failure (source_id, path, reason)
select %(source_id)s, path, reason from unnest(%(paths)s::text[], %(reasons)s::text[]) as failed(path, reason)
"""
_TIDY = "vacuum (analyze, skip_locked) posting, term, passage, document"
_DATE_UNUSED_VECTORS = """
update embedding set unused_since = now() where passage_id is null and unused_since is null
"""
# A vector without a passage is kept for a month as the cache of its content, and not beside a living twin.
_PRUNE_VECTORS = """
delete from embedding old
where old.passage_id is null
  and (old.unused_since < now() - interval '30 days'
       or exists (select 1 from embedding living
                  where living.content_hash = old.content_hash and living.space_id = old.space_id
                    and living.passage_id is not null))
"""


async def _begin_writing(connection: AsyncConnection, source_id: int) -> None:
    """Let one writer at a time into a source, before any other lock is taken: two syncs never deadlock."""
    await connection.execute(_COMMIT_LATER)
    await connection.execute(_LOCK_SOURCE, {"source_id": source_id})


# A crash may lose the last documents' commits, in order and whole: the next sync finds those documents missing.
# Waiting for the disk after each one took a third of a sync; the commit in `finish` waits, and for all before it.
_COMMIT_LATER = "set local synchronous_commit = off"
_LOCK_SOURCE = "select 1 from source where id = %(source_id)s for update"


@dataclass(slots=True)
class _Removed:
    """What the passages that went away had put into the statistics."""

    passages: int = 0
    length: int = 0
    terms: Counter[int] = field(default_factory=Counter)


async def _remove_passages(connection: AsyncConnection, document: Mapping[str, object]) -> _Removed:
    """Delete a document's passages and postings; return what to take from the statistics."""
    removed = _Removed()
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
    returning passage.id, terms, term_count
),
unposted as (
    delete from posting using gone, unnest(gone.terms) as known(term)
    where posting.term = known.term and passage_id = gone.id
)
select terms, term_count from gone
"""
_DELETE_DOCUMENT = "delete from document where source_id = %(source_id)s and path = %(path)s"


def _document_row(prepared: PreparedDocument) -> dict[str, object]:
    document = prepared.document
    tags = sorted(set(document.audience))
    return {
        "title": prepared.title,
        "url": document.url,
        "language": prepared.language,
        "tags": tags,
        "tags_hash": hashlib.sha256("\0".join(tags).encode()).digest(),
        "revision": document.revision,
        "content_hash": prepared.content_hash,
        "recipe": prepared.recipe,
        "text": document.text,
        "updated_at": prepared.updated_at,
    }


_UPSERT_DOCUMENT = """
with audience_of as (
    insert into audience (source_id, tags_hash, tags) values (%(source_id)s, %(tags_hash)s, %(tags)s::text[])
    on conflict (source_id, tags_hash) do update set tags = excluded.tags returning id
)
insert into document
    (source_id, path, title, url, language, audience_id, revision, content_hash, recipe, text, updated_at)
select %(source_id)s, %(path)s, %(title)s, %(url)s, %(language)s, id, %(revision)s, %(content_hash)s,
       %(recipe)s, %(text)s, %(updated_at)s from audience_of
on conflict (source_id, path) do update set
    title = excluded.title, url = excluded.url, language = excluded.language, audience_id = excluded.audience_id,
    revision = excluded.revision, content_hash = excluded.content_hash, recipe = excluded.recipe,
    text = excluded.text, updated_at = excluded.updated_at
"""


def _passage_rows(passages: Sequence[PreparedPassage]) -> Json:
    """Return the passages with their postings as one parameter: a statement a document instead of one a row."""
    rows = [
        {
            "ordinal": ordinal,
            "heading": piece.passage.heading,
            "anchor": piece.passage.anchor,
            "start_line": piece.passage.start_line,
            "end_line": piece.passage.end_line,
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


# A smallint holds at most 32767.
_INSERT_PASSAGES = """
with piece as materialized (
    select * from json_to_recordset(%(passages)s) as piece
        (ordinal int, heading text[], anchor text, start_line int, end_line int, text text, search_text text,
         content_hash bytea, terms text, frequencies text, term_count int)
),
owner as (select id, audience_id from document where source_id = %(source_id)s and path = %(path)s),
stored as (
    insert into passage (document_id, ordinal, heading, anchor, start_line, end_line, text, search_text,
                         content_hash, terms, term_count)
    select owner.id, ordinal, heading, anchor, start_line, end_line, text, search_text,
           content_hash, terms::bigint[], term_count
    from owner, piece order by ordinal
    returning id, ordinal, terms, term_count
)
insert into posting (term, passage_id, frequency, length, audience_id)
select term, stored.id, least(frequency, 32767), least(stored.term_count, 32767), owner.audience_id
from owner, stored join piece using (ordinal),
     unnest(stored.terms, piece.frequencies::int[]) as counted(term, frequency)
"""


async def _count_terms(connection: AsyncConnection, removed: Counter[int]) -> None:
    """Take the removed terms from the passage counts (a negative number adds), in one order for all writers."""
    changes = sorted((term, -count) for term, count in removed.items() if count)
    parameters = {"terms": _array(term for term, _ in changes), "changes": _array(change for _, change in changes)}
    await connection.execute(_COUNT_TERMS, parameters)


_COUNT_TERMS = """
insert into term (term, passages)
select * from unnest(%(terms)s::bigint[], %(changes)s::int[])
on conflict (term) do update set passages = term.passages + excluded.passages
"""


async def _count_source(connection: AsyncConnection, source_id: int, passages: int, terms: int) -> None:
    await connection.execute(_COUNT_SOURCE, {"source_id": source_id, "passages": passages, "terms": terms})


_COUNT_SOURCE = """
update source set passages = passages + %(passages)s, terms = terms + %(terms)s where id = %(source_id)s
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
