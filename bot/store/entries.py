"""What people taught, in PostgreSQL: each change with its version in one transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg import AsyncCursor, sql
from psycopg.rows import dict_row

from bot.core.desk.judging import CLOCK
from bot.core.learning.entry import Entry, Lesson, Said, State, Taught, Until, Version, may_become, reworded
from knowledge.embed import Space
from knowledge.store.pool import Pool
from knowledge.types import CURATED

Row = dict[str, Any]


class PostgresEntries:
    """The `Entries` port, and what operators and the curated source read of it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def lesson(self, ticket: int) -> Lesson | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            asked = await (await cursor.execute(_ASKED, {"ticket": ticket})).fetchone()
            said = await (await cursor.execute(_SAID, {"ticket": ticket})).fetchall()
        if asked is None:
            return None
        names = (str(asked["asker_name"]),) if asked["asker_name"] else ()
        return Lesson(asked["question"], asked["language"], tuple(Said(**row) for row in said), names)

    async def draft(self, taught: Taught, *, actor: str) -> Entry:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            if taught.ticket is not None:
                # Whoever teaches the same ticket at this moment waits here, and then finds the draft.
                await cursor.execute(_LOCK_TICKET, {"ticket": taught.ticket})
                if known := await (await cursor.execute(_OF_TICKET, _columns(taught))).fetchone():
                    return _entry(known)
            row = await (await cursor.execute(_DRAFT, _columns(taught))).fetchone()
            assert row is not None, "an insert returns its row"
            return await _recorded(cursor, row, actor)

    async def get(self, entry: int) -> Entry | None:
        return await self._one(_GET, {"entry": entry})

    async def reword(self, entry: int, changed: Taught, *, actor: str) -> Entry | None:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            known = await _locked(cursor, entry)
            if known is None:
                return None
            if (known.question, known.answer, known.audience) == (changed.question, changed.answer, changed.audience):
                return known
            parameters = {**_columns(changed), "entry": entry, "state": reworded(known.state)}
            row = await (await cursor.execute(_REWORD, parameters)).fetchone()
            assert row is not None, "the entry is locked"
            return await _recorded(cursor, row, actor)

    async def turn(self, entry: int, state: State, *, actor: str, until: Until | None = None) -> Entry | None:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            known = await _locked(cursor, entry)
            if known is None or not may_become(known.state, state):
                return known
            until = until or Until(known.review_at, known.expires_at)
            return await _turned(cursor, known, state, actor, until)

    async def time(self, entry: int, until: Until) -> Entry | None:
        return await self._one(_TIME, {"entry": entry, "review_at": until.review_at, "expires_at": until.expires_at})

    async def expire(self, now: datetime) -> Sequence[int]:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            over = await (await cursor.execute(_OVER, {"now": now})).fetchall()
            for known in map(_entry, over):
                await _turned(cursor, known, "expired", CLOCK, Until(known.review_at, known.expires_at))
        return [row["id"] for row in over]

    async def approved(self) -> Sequence[Entry]:
        return await self._many(_APPROVED, {})

    async def due(self, now: datetime) -> Sequence[Entry]:
        """Return the approved entries that are to be looked at again, the longest overdue first."""
        return await self._many(_DUE, {"now": now})

    async def newest(self, states: Sequence[State], limit: int) -> Sequence[Entry]:
        """Return the entries in these states, the last changed first."""
        return await self._many(_NEWEST, {"states": list(states), "limit": limit})

    async def history(self, entry: int) -> Sequence[Version]:
        """Return all versions of an entry, oldest first."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            rows = await (await cursor.execute(_HISTORY, {"entry": entry})).fetchall()
        return [Version(**row) for row in rows]

    async def is_anything_known(self) -> bool:
        """Tell whether an entry is approved, or in the index still."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_IS_ANYTHING_KNOWN, {"source": CURATED})).fetchone()
        return row is not None and bool(row[0])

    async def first_without_vector(self, space: Space) -> int | None:
        """Return the number of the entries' first passage that has no vector yet; None where all have one."""
        async with self._pool.connection() as connection:
            parameters = {"space_id": space.id, "source": CURATED}
            row = await (await connection.execute(_WITHOUT_VECTOR, parameters)).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    async def _one(self, statement: sql.Composed, parameters: Row) -> Entry | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            row = await (await cursor.execute(statement, parameters)).fetchone()
        return _entry(row) if row else None

    async def _many(self, statement: sql.Composed, parameters: Row) -> list[Entry]:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            return [_entry(row) for row in await (await cursor.execute(statement, parameters)).fetchall()]


async def _locked(cursor: AsyncCursor[Row], entry: int) -> Entry | None:
    row = await (await cursor.execute(_LOCK, {"entry": entry})).fetchone()
    return _entry(row) if row else None


async def _turned(cursor: AsyncCursor[Row], known: Entry, state: State, actor: str, until: Until) -> Entry:
    parameters = {
        "entry": known.id,
        "state": state,
        "owner": actor if state == "approved" else known.owner,
        "review_at": until.review_at,
        "expires_at": until.expires_at,
    }
    row = await (await cursor.execute(_TURN, parameters)).fetchone()
    assert row is not None, "the entry is locked"
    return await _recorded(cursor, row, actor)


async def _recorded(cursor: AsyncCursor[Row], row: Row, actor: str) -> Entry:
    """Keep what an entry is now as its newest version."""
    await cursor.execute(_RECORD, {**row, "actor": actor})
    return _entry(row)


def _columns(taught: Taught) -> Row:
    return {
        "question": taught.question,
        "answer": taught.answer,
        "language": taught.language,
        "links": list(taught.links),
        "audience": list(taught.audience),
        "author": taught.author,
        "author_name": taught.author_name,
        "ticket": taught.ticket,
    }


def _entry(row: Row) -> Entry:
    lists = {name: tuple(row[name]) for name in ("links", "audience")}
    return Entry(**{**row, **lists})


_ASKED = """
select question, ticket.language, message.wire ->> 'name' as asker_name
from ticket left join message on message.id = ticket.message_id
where ticket.id = %(ticket)s and not ticket.is_forgotten
"""
_SAID = """
select kind, actor, coalesce(details ->> 'name', '') as name, coalesce(
    nullif(text, ''), details ->> 'answer',
    -- The sentences that had not been sent were, as they stood.
    case when kind = 'draft' then (
        select string_agg(sentence ->> 'text', e'\n') from jsonb_array_elements(draft) as listed(sentence)
    ) end,
    ''
) as text
from ticket_event join ticket on ticket.id = ticket_id where ticket_id = %(ticket)s order by ticket_event.id
"""
_LOCK_TICKET = "select from ticket where id = %(ticket)s for update"
_COLUMNS = sql.SQL("""id, state, question, answer, language, links, audience, author, author_name, owner,
    ticket_id as ticket, version, created_at, approved_at, review_at, expires_at, changed_at""")
_GET = sql.SQL("select {columns} from entry where id = %(entry)s").format(columns=_COLUMNS)
_LOCK = sql.SQL("select {columns} from entry where id = %(entry)s for update").format(columns=_COLUMNS)
# A conversation is one ticket, and may teach more than one thing.
_OF_TICKET = sql.SQL("""
select {columns} from entry
where ticket_id = %(ticket)s and (state = 'draft' or state = 'approved' and question = %(question)s)
order by id desc limit 1
""").format(columns=_COLUMNS)
_APPROVED = sql.SQL("select {columns} from entry where state = 'approved' order by id").format(columns=_COLUMNS)
_DUE = sql.SQL("""
select {columns} from entry where state = 'approved' and review_at <= %(now)s order by review_at, id
""").format(columns=_COLUMNS)
_OVER = sql.SQL("""
select {columns} from entry where state = 'approved' and expires_at <= %(now)s order by id for update
""").format(columns=_COLUMNS)
_NEWEST = sql.SQL("""
select {columns} from entry where state = any(%(states)s) order by changed_at desc, id desc limit %(limit)s
""").format(columns=_COLUMNS)
_HISTORY = """
select version, state, question, answer, actor, at from entry_version where entry_id = %(entry)s order by version
"""
_DRAFT = sql.SQL("""
insert into entry (question, answer, language, links, audience, author, author_name, owner, ticket_id)
values (%(question)s, %(answer)s, %(language)s, %(links)s, %(audience)s, %(author)s, %(author_name)s, %(author)s,
        %(ticket)s)
returning {columns}
""").format(columns=_COLUMNS)
_REWORD = sql.SQL("""
update entry set question = %(question)s, answer = %(answer)s, language = %(language)s, links = %(links)s,
    audience = %(audience)s, state = %(state)s, version = version + 1, changed_at = clock_timestamp()
where id = %(entry)s
returning {columns}
""").format(columns=_COLUMNS)
_TURN = sql.SQL("""
update entry set state = %(state)s, owner = %(owner)s, review_at = %(review_at)s, expires_at = %(expires_at)s,
    approved_at = case when %(state)s = 'approved' then clock_timestamp() else approved_at end,
    version = version + 1, changed_at = clock_timestamp()
where id = %(entry)s
returning {columns}
""").format(columns=_COLUMNS)
_TIME = sql.SQL("""
update entry set review_at = %(review_at)s, expires_at = %(expires_at)s, changed_at = clock_timestamp()
where id = %(entry)s
returning {columns}
""").format(columns=_COLUMNS)
_RECORD = """
insert into entry_version (entry_id, version, state, question, answer, actor)
values (%(id)s, %(version)s, %(state)s, %(question)s, %(answer)s, %(actor)s)
"""
_IS_ANYTHING_KNOWN = """
select exists (select from entry where state = 'approved') or exists (
    select from document join source on source.id = document.source_id where source.name = %(source)s
)
"""
_WITHOUT_VECTOR = """
select min(passage.id) from passage
join document on document.id = passage.document_id join source on source.id = document.source_id
where source.name = %(source)s
    and not exists (select 1 from embedding where passage_id = passage.id and space_id = %(space_id)s)
"""
