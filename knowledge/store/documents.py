"""Documents, their passages and their postings in PostgreSQL."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from knowledge.store.pool import Pool
from knowledge.sync import Known, PreparedDocument, PreparedPassage, SyncCounts

MAX_SMALLINT = 32_767


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
        async with self._pool.connection() as connection, connection.transaction():
            await _lock_source(connection, source_id)
            document_id, audience_id = await _upsert(connection, source_id, prepared)
            removed = await _remove_passages(connection, [document_id])
            ids = await _insert_passages(connection, document_id, prepared)
            await _insert_postings(connection, ids, prepared.passages, audience_id)
            added = Counter(term for passage in prepared.passages for term in passage.terms)
            length = sum(passage.terms.total() for passage in prepared.passages)
            removed.terms.subtract(added)
            await _count_terms(connection, removed.terms)
            await _count_source(connection, source_id, len(ids) - removed.passages, length - removed.length)
            await connection.execute(_REUSE_VECTORS, {"document_id": document_id})

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        for path in paths:
            async with self._pool.connection() as connection, connection.transaction():
                await _lock_source(connection, source_id)
                await _remove_document(connection, source_id, path)

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
            await connection.execute(_PRUNE_VECTORS)


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
# A vector without a passage is kept for a month as the cache of its content, and not beside a living twin.
_PRUNE_VECTORS = """
delete from embedding old
where old.passage_id is null
  and (old.stored_at < now() - interval '30 days'
       or exists (select 1 from embedding living
                  where living.content_hash = old.content_hash and living.space_id = old.space_id
                    and living.passage_id is not null))
"""


class _Removed:
    """What the passages that went away had put into the statistics."""

    def __init__(self) -> None:
        self.passages = 0
        self.length = 0
        self.terms: Counter[int] = Counter()


async def _lock_source(connection: AsyncConnection, source_id: int) -> None:
    """Let one writer at a time into a source, before any other lock is taken: two syncs never deadlock."""
    await connection.execute(_LOCK_SOURCE, {"source_id": source_id})


_LOCK_SOURCE = "select 1 from source where id = %(source_id)s for update"


async def _upsert(connection: AsyncConnection, source_id: int, prepared: PreparedDocument) -> tuple[int, int]:
    """Return the ids of the document and of its audience."""
    document = prepared.document
    cursor = await connection.execute(
        _UPSERT_DOCUMENT,
        {
            "source_id": source_id,
            "path": document.path,
            "title": prepared.title,
            "url": document.url,
            "language": prepared.language,
            "tags": sorted(set(document.audience)),
            "revision": document.revision,
            "content_hash": prepared.content_hash,
            "recipe": prepared.recipe,
            "text": document.text,
            "updated_at": document.updated_at,
        },
    )
    row = await cursor.fetchone()
    assert row is not None, "an upsert returns its row"
    return int(row[0]), int(row[1])


_UPSERT_DOCUMENT = """
with audience_of as (
    insert into audience (source_id, tags) values (%(source_id)s, %(tags)s::text[])
    on conflict (source_id, tags) do update set tags = excluded.tags returning id
)
insert into document
    (source_id, path, title, url, language, audience_id, revision, content_hash, recipe, text, updated_at)
select %(source_id)s, %(path)s, %(title)s, %(url)s, %(language)s, id, %(revision)s, %(content_hash)s,
       %(recipe)s, %(text)s, %(updated_at)s from audience_of
on conflict (source_id, path) do update set
    title = excluded.title, url = excluded.url, language = excluded.language, audience_id = excluded.audience_id,
    revision = excluded.revision, content_hash = excluded.content_hash, recipe = excluded.recipe,
    text = excluded.text, updated_at = excluded.updated_at, stored_at = now()
returning id, audience_id
"""


async def _remove_document(connection: AsyncConnection, source_id: int, path: str) -> None:
    cursor = await connection.execute(_DOCUMENT_ID, {"source_id": source_id, "path": path})
    row = await cursor.fetchone()
    if row is None:
        return
    removed = await _remove_passages(connection, [int(row[0])])
    await connection.execute(_DELETE_DOCUMENT, {"document_id": row[0]})
    await _count_terms(connection, removed.terms)
    await _count_source(connection, source_id, -removed.passages, -removed.length)


_DOCUMENT_ID = "select id from document where source_id = %(source_id)s and path = %(path)s"
_DELETE_DOCUMENT = "delete from document where id = %(document_id)s"


async def _remove_passages(connection: AsyncConnection, document_ids: Sequence[int]) -> _Removed:
    """Delete the documents' passages and postings; return what to take from the statistics."""
    removed = _Removed()
    cursor = await connection.execute(_DELETE_PASSAGES, {"document_ids": list(document_ids)})
    ids: list[int] = []
    terms: list[int] = []
    for passage_id, passage_terms, length in await cursor.fetchall():
        removed.passages += 1
        removed.length += length
        removed.terms.update(passage_terms)
        ids.extend([passage_id] * len(passage_terms))
        terms.extend(passage_terms)
    await connection.execute(_DELETE_POSTINGS, {"ids": ids, "terms": terms})
    return removed


_DELETE_PASSAGES = """
delete from passage where document_id = any(%(document_ids)s) returning id, terms, term_count
"""
_DELETE_POSTINGS = """
delete from posting using unnest(%(terms)s::bigint[], %(ids)s::bigint[]) as gone(term, passage_id)
where posting.term = gone.term and posting.passage_id = gone.passage_id
"""


async def _insert_passages(connection: AsyncConnection, document_id: int, prepared: PreparedDocument) -> list[int]:
    cursor = connection.cursor()
    rows = [_passage_row(document_id, ordinal, piece) for ordinal, piece in enumerate(prepared.passages)]
    if not rows:
        return []
    await cursor.executemany(_INSERT_PASSAGE, rows)
    found = await connection.execute(_PASSAGE_IDS, {"document_id": document_id})
    return [int(row[0]) for row in await found.fetchall()]


def _passage_row(document_id: int, ordinal: int, piece: PreparedPassage) -> dict[str, object]:
    passage = piece.passage
    return {
        "document_id": document_id,
        "ordinal": ordinal,
        "heading": list(passage.heading),
        "anchor": passage.anchor,
        "start_line": passage.start_line,
        "end_line": passage.end_line,
        "text": passage.text,
        "search_text": passage.search_text,
        "content_hash": piece.content_hash,
        "terms": list(piece.terms),
        "term_count": piece.terms.total(),
    }


_INSERT_PASSAGE = """
insert into passage (document_id, ordinal, heading, anchor, start_line, end_line, text, search_text,
                     content_hash, terms, term_count)
values (%(document_id)s, %(ordinal)s, %(heading)s::text[], %(anchor)s, %(start_line)s, %(end_line)s,
        %(text)s, %(search_text)s, %(content_hash)s, %(terms)s::bigint[], %(term_count)s)
"""
_PASSAGE_IDS = "select id from passage where document_id = %(document_id)s order by ordinal"


async def _insert_postings(
    connection: AsyncConnection, ids: Sequence[int], passages: Sequence[PreparedPassage], audience_id: int
) -> None:
    async with connection.cursor().copy(_COPY_POSTINGS) as copy:
        copy.set_types(["int8", "int8", "int2", "int2", "int4"])
        for passage_id, passage in zip(ids, passages, strict=True):
            length = min(passage.terms.total(), MAX_SMALLINT)
            for term, frequency in passage.terms.items():
                await copy.write_row((term, passage_id, min(frequency, MAX_SMALLINT), length, audience_id))


_COPY_POSTINGS = "copy posting (term, passage_id, frequency, length, audience_id) from stdin (format binary)"


async def _count_terms(connection: AsyncConnection, removed: Counter[int]) -> None:
    """Take the removed terms from the passage counts (a negative number adds), in one order for all writers."""
    changes = sorted((term, -count) for term, count in removed.items() if count)
    parameters = {"terms": [term for term, _ in changes], "changes": [change for _, change in changes]}
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
where passage.document_id = %(document_id)s
on conflict (passage_id, space_id) do nothing
"""
