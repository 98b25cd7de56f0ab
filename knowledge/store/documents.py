"""Documents in PostgreSQL: each is changed in one transaction, with its postings, statistics and citations."""

import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from knowledge.errors import DatabaseUnavailable
from knowledge.listing import Known, Listing, Quarantined, quarantine_key
from knowledge.prepare import PreparedDocument
from knowledge.store.audiences import audience_id, set_members, stored_audiences
from knowledge.store.passages import insert_passages, remove_passages, reopen_passages, uncount
from knowledge.store.pool import Pool
from knowledge.store.retractions import judge_citations, judge_for_readers, judge_recent
from knowledge.sync import SyncCounts
from knowledge.types import Audience

# A sync that changed more than this share of all documents leaves no work on its tables to the next searches.
TIDY_SHARE = 0.1

log = logging.getLogger(__name__)


class PostgresDocuments:
    """The `Documents` port."""

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
            audiences = await stored_audiences(connection, source_id)
        return {
            path: Known(
                revision,
                bytes(content_hash),
                recipe,
                audiences[number] & audiences.get(pending, Audience()),
                is_closing=pending is not None,
            )
            for path, revision, content_hash, recipe, number, pending in rows
        }

    async def quarantined(self, source_id: int) -> Mapping[str, Quarantined]:
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_QUARANTINED, {"source_id": source_id})).fetchall()
        return {path: Quarantined(*failed) for path, *failed in rows}

    async def text(self, source: str, path: str) -> str | None:
        """Return the stored text of a document, None where there is none."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_TEXT, {"source": source, "path": path})).fetchone()
        return str(row[0]) if row else None

    async def set_members(self, source_id: int, members: Mapping[str, Collection[str]]) -> None:
        async with self._writing(source_id) as connection:
            changed = await set_members(connection, source_id, members)
            await judge_for_readers(connection, source_id, changed)
            if changed:
                await connection.execute(_RAISE_GENERATION, {"source_id": source_id})

    async def rename(self, source_id: int, old: str, new: str) -> None:
        parameters = {"source_id": source_id, "old": old, "new": new}
        async with self._changing(source_id) as connection:
            await connection.execute(_RENAME, parameters)
            await connection.execute(_RENAME_CITATIONS, parameters)

    async def close(self, source_id: int, audiences: Mapping[str, Audience]) -> None:
        if not audiences:
            return
        numbers: dict[Audience, int] = {}
        async with self._changing(source_id) as connection:
            for audience in dict.fromkeys(audiences.values()):
                numbers[audience] = await audience_id(connection, source_id, audience)
            pending = [numbers[audience] for audience in audiences.values()]
            await connection.execute(_CLOSE, {"source_id": source_id, "paths": list(audiences), "pending": pending})

    async def reopen(self, source_id: int, path: str, audience: Audience) -> None:
        async with self._writing(source_id) as connection:
            await self._reopen(connection, source_id, path, audience)

    async def touch(self, source_id: int, path: str, revision: str, audience: Audience) -> None:
        parameters = {"source_id": source_id, "path": path, "revision": revision}
        async with self._writing(source_id) as connection:
            await connection.execute(_TOUCH, parameters)
            await connection.execute(_RECOVER, parameters)
            await self._reopen(connection, source_id, path, audience)

    async def replace(self, source_id: int, prepared: PreparedDocument, audience: Audience) -> None:
        document = {"source_id": source_id, "path": prepared.document.path}
        async with self._changing(source_id) as connection:
            number = await audience_id(connection, source_id, audience)
            removed = await remove_passages(connection, document)
            row = {**document, **_document_row(prepared), "audience_id": number}
            await connection.execute(_UPSERT_DOCUMENT, row)
            await insert_passages(connection, document, prepared, removed)
            await connection.execute(_RECOVER, document)
            await judge_citations(connection, source_id, [prepared.document.path])

    async def quarantine(self, source_id: int, path: str, failed: Quarantined) -> None:
        parameters = {"source_id": source_id, "path": path, **asdict(failed)}
        async with self._pool.connection() as connection:
            await connection.execute(_QUARANTINE, parameters)

    async def remove(self, source_id: int, paths: Sequence[str]) -> None:
        for path in paths:
            document = {"source_id": source_id, "path": path}
            async with self._changing(source_id) as connection:
                removed = await remove_passages(connection, document)
                await connection.execute(_DELETE_DOCUMENT, document)
                await uncount(connection, document, removed)
                await judge_citations(connection, source_id, [path])

    async def without_text(self, source_id: int) -> Sequence[str]:
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_WITHOUT_TEXT, {"source_id": source_id})).fetchall()
        return [str(title) for (title,) in rows]

    async def finish(self, source_id: int, listing: Listing, counts: SyncCounts) -> None:
        parameters = {
            "source_id": source_id,
            "revision": listing.revision,
            "counts": Jsonb(asdict(counts)),
            "is_whole": not counts.failed,
            "failed": [quarantine_key(path) for path in counts.failures],
        }
        async with self._writing(source_id) as connection:
            await connection.execute(_WAIT_FOR_THE_DISK)
            await judge_recent(connection, source_id)
            for statement in _AT_THE_END:
                await connection.execute(statement, parameters)
            documents = await (await connection.execute(_ABOUT_HOW_MANY)).fetchone()
        if counts.added + counts.changed + counts.deleted > TIDY_SHARE * (documents[0] if documents else 0):
            await self._tidy()

    async def _reopen(self, connection: AsyncConnection, source_id: int, path: str, audience: Audience) -> None:
        document = {"source_id": source_id, "path": path}
        number = await audience_id(connection, source_id, audience)
        if await reopen_passages(connection, document, number):
            await judge_citations(connection, source_id, [path])
            await connection.execute(_RAISE_GENERATION, document)

    @asynccontextmanager
    async def _writing(self, source_id: int) -> AsyncIterator[AsyncConnection]:
        """Let one writer at a time into a source, before any other lock is taken: two syncs never deadlock."""
        async with self._pool.connection() as connection, connection.pipeline(), connection.transaction():
            await connection.execute(_COMMIT_LATER)
            await connection.execute(_LOCK_SOURCE, {"source_id": source_id})
            yield connection

    @asynccontextmanager
    async def _changing(self, source_id: int) -> AsyncIterator[AsyncConnection]:
        """Write what changes what a reader could be told: answers that were made before are not given again."""
        async with self._writing(source_id) as connection:
            await connection.execute(_RAISE_GENERATION, {"source_id": source_id})
            yield connection

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
_KNOWN = """
select path, revision, content_hash, recipe, audience_id, pending_audience_id
from document where source_id = %(source_id)s
"""
_QUARANTINED = """
select path, revision, attempts, reason, next_try_at from document_failure where source_id = %(source_id)s
"""
_TEXT = """
select document.text from document join source on source.id = document.source_id
where source.name = %(source)s and document.path = %(path)s
"""
_RENAME = "update document set path = %(new)s where source_id = %(source_id)s and path = %(old)s"
_RENAME_CITATIONS = """
update citation set path = %(new)s
from source where source.id = %(source_id)s and citation.source = source.name and citation.path = %(old)s
"""
_TOUCH = "update document set revision = %(revision)s where source_id = %(source_id)s and path = %(path)s"
_RECOVER = "delete from document_failure where source_id = %(source_id)s and path = %(path)s"
_QUARANTINE = """
insert into document_failure (source_id, path, revision, attempts, reason, next_try_at)
values (%(source_id)s, %(path)s, %(revision)s, %(attempts)s, %(reason)s, %(next_try_at)s)
on conflict (source_id, path) do update set
    revision = excluded.revision, attempts = excluded.attempts, reason = excluded.reason,
    next_try_at = excluded.next_try_at, failed_at = now()
"""
_CLOSE = """
update document set pending_audience_id = closed.pending
from unnest(%(paths)s::text[], %(pending)s::int[]) as closed(path, pending)
where source_id = %(source_id)s and document.path = closed.path
"""
_DELETE_DOCUMENT = "delete from document where source_id = %(source_id)s and path = %(path)s"
_WITHOUT_TEXT = """
select title from document
where source_id = %(source_id)s and not exists (select from passage where document_id = document.id) order by title
"""
# The revision moves on only over what is stored.
_FINISH = """
update source set synced_at = now(), counts = %(counts)s,
    revision = case when %(is_whole)s then %(revision)s else revision end
where id = %(source_id)s
"""
_FORGET_FAILURES = "delete from document_failure where source_id = %(source_id)s and not path = any(%(failed)s::text[])"
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
# A release that did not count them may have been at work.
_RECOUNT_AUDIENCES = """
update audience set passages = counted.passages
from (
    select audience.id, count(passage.id) as passages
    from audience left join document on document.audience_id = audience.id
        left join passage on passage.document_id = document.id
    where audience.source_id = %(source_id)s group by audience.id
) as counted
where audience.id = counted.id and audience.passages <> counted.passages
"""
_FORGET_AUDIENCES = """
delete from audience where source_id = %(source_id)s
    and not exists (select from document where audience_id = audience.id)
    and not exists (select from document where pending_audience_id = audience.id)
    and not exists (select from embedding where audience_id = audience.id)
"""
_AT_THE_END = (_FINISH, _FORGET_FAILURES, _DATE_UNUSED_VECTORS, _PRUNE_VECTORS, _RECOUNT_AUDIENCES, _FORGET_AUDIENCES)
_ABOUT_HOW_MANY = "select greatest(reltuples, 0) from pg_class where oid = 'document'::regclass"
_WAIT_FOR_THE_DISK = "set local synchronous_commit = on"
# A crash may lose the last documents' commits, in order and whole: the next sync finds those documents missing.
# Waiting for the disk after each one took a third of a sync; the commit in `finish` waits, and for all before it.
_COMMIT_LATER = "set local synchronous_commit = off"
_LOCK_SOURCE = "select 1 from source where id = %(source_id)s for update"
_RAISE_GENERATION = "update source set generation = generation + 1 where id = %(source_id)s"


def _document_row(prepared: PreparedDocument) -> dict[str, object]:
    document = prepared.document
    return {
        "title": prepared.title,
        "url": prepared.url,
        "author": document.author,
        "language": prepared.language,
        "revision": document.revision,
        "content_hash": prepared.content_hash,
        "recipe": prepared.recipe,
        "text": prepared.text,
        "media_type": prepared.media_type,
        "updated_at": prepared.updated_at,
    }


_UPSERT_DOCUMENT = """
insert into document
    (source_id, path, title, url, author, language, audience_id, revision, content_hash, recipe, text, media_type,
     updated_at)
values
    (%(source_id)s, %(path)s, %(title)s, %(url)s, %(author)s, %(language)s, %(audience_id)s, %(revision)s,
     %(content_hash)s, %(recipe)s, %(text)s, %(media_type)s, %(updated_at)s)
on conflict (source_id, path) do update set
    title = excluded.title, url = excluded.url, author = excluded.author, language = excluded.language,
    audience_id = excluded.audience_id, pending_audience_id = null, revision = excluded.revision,
    content_hash = excluded.content_hash, recipe = excluded.recipe, text = excluded.text,
    media_type = excluded.media_type, updated_at = excluded.updated_at
"""
