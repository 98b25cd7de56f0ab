"""Who may read what, in PostgreSQL: the one condition for it, and who belongs to which group."""

from collections.abc import Collection, Mapping, Sequence

from psycopg import AsyncConnection, sql

from knowledge.store.pool import Pool
from knowledge.types import PUBLIC, Audience, Reader, compared_address

# True for a row of `audience` whose readers hold the tags; an audience without any clause admits nobody.
MAY_READ = """
case
    when cardinality(audience.tags) > 0 then audience.tags && {tags}
    else exists (select 1 from audience_clause where audience_id = audience.id)
        and not exists (select 1 from audience_clause where audience_id = audience.id and not tags && {tags})
end
"""


def may_read(tags: str) -> sql.Composed:
    """Return the condition with the expression of the reader's tags put in."""
    return sql.SQL(MAY_READ).format(tags=sql.SQL(tags))


# True for a row of `document` with its `audience`; who is being shut out of a document may read it no more.
_MAY_READ_DOCUMENT = """
{may_read}
and (document.pending_audience_id is null
     or exists (select from audience where audience.id = document.pending_audience_id and {may_read}))
"""


def may_read_document(tags: str) -> sql.Composed:
    """Return the condition for a document joined with its audience, likewise."""
    return sql.SQL(_MAY_READ_DOCUMENT).format(may_read=may_read(tags))


async def audience_id(connection: AsyncConnection, source_id: int, audience: Audience) -> int:
    """Return the number of an audience within a source, stored at its first use; call it inside a transaction."""
    clauses = [list(clause) for clause in audience.clauses]
    parameters = {
        "source_id": source_id,
        "key": audience.key,
        "tags": clauses[0] if len(clauses) == 1 else [],
    }
    row = await (await connection.execute(_FIND, parameters)).fetchone()
    if row is not None:
        return int(row[0])
    row = await (await connection.execute(_STORE, parameters)).fetchone()
    assert row is not None, "an upsert returns its row"
    number = int(row[0])
    if len(clauses) > 1:
        await connection.execute(_FORGET_CLAUSES, {"audience_id": number})
        for tags in clauses:
            await connection.execute(_STORE_CLAUSE, {"audience_id": number, "tags": tags})
    return number


_FIND = "select id from audience where source_id = %(source_id)s and tags_hash = %(key)s"
_STORE = """
insert into audience (source_id, tags_hash, tags) values (%(source_id)s, %(key)s, %(tags)s::text[])
on conflict (source_id, tags_hash) do update set tags = excluded.tags returning id
"""
_FORGET_CLAUSES = "delete from audience_clause where audience_id = %(audience_id)s"
_STORE_CLAUSE = "insert into audience_clause (audience_id, tags) values (%(audience_id)s, %(tags)s::text[])"


async def stored_audiences(connection: AsyncConnection, source_id: int) -> Mapping[int, Audience]:
    """Return the audiences of a source, by number."""
    clauses: dict[int, list[tuple[str, ...]]] = {}
    for number, tags in await (await connection.execute(_CLAUSES, {"source_id": source_id})).fetchall():
        clauses.setdefault(number, []).append(tuple(tags))
    return {number: Audience(tuple(sorted(of_number))) for number, of_number in clauses.items()}


# An audience without any clause admits nobody, as one with a clause without tags does.
_CLAUSES = """
select audience.id, coalesce(audience_clause.tags, audience.tags) as clause
from audience left join audience_clause on audience_id = audience.id
where source_id = %(source_id)s order by audience.id, clause
"""


class PostgresReaders:
    """Knows which groups a person belongs to."""

    def __init__(self, pool: Pool, *, sources: Sequence[str]) -> None:
        self._pool = pool
        self._sources = list(sources)

    async def reader(self, email: str | None) -> Reader:
        """Return the reader with this e-mail address; without one, and for strangers, what is public remains."""
        address = compared_address(email or "")
        if not address:
            return Reader()
        parameters = {"email": address, "sources": self._sources}
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_GROUPS, parameters)).fetchall()
        return Reader(frozenset({PUBLIC, f"user:{address}", *(str(tag) for (tag,) in rows)}))


_GROUPS = """
select distinct tag from membership join source on source.id = source_id
where email = %(email)s and source.name = any(%(sources)s::text[])
"""


async def set_members(connection: AsyncConnection, source_id: int, members: Mapping[str, Collection[str]]) -> list[str]:
    """Replace who belongs to a source's groups, inside a transaction; return the addresses of whom that changes."""
    pairs = sorted({(email, tag) for tag, emails in members.items() for email in emails})
    parameters = {"source_id": source_id, "emails": [email for email, _ in pairs], "tags": [tag for _, tag in pairs]}
    left = await (await connection.execute(_LEAVE, parameters)).fetchall()
    joined = await (await connection.execute(_JOIN, parameters)).fetchall()
    return sorted({str(email) for (email,) in left + joined})


_LEAVE = """
delete from membership where source_id = %(source_id)s
    and (email, tag) not in (select * from unnest(%(emails)s::text[], %(tags)s::text[]))
returning email
"""
_JOIN = """
insert into membership (source_id, email, tag)
select %(source_id)s, email, tag from unnest(%(emails)s::text[], %(tags)s::text[]) as joined(email, tag)
on conflict do nothing
returning email
"""
