"""Whose addresses people have proved to have, in PostgreSQL."""

import hmac

from bot.core.incoming import Place
from bot.core.linking import CODE_VALID_FOR, MOST_CODES_AN_HOUR, MOST_WRONG_TRIES, Claim
from bot.store.people import PostgresPeople, whom
from knowledge.prepare import storable


class PostgresLinks(PostgresPeople):
    """The `Links` port, over the same people."""

    async def claim(self, place: Place, author: str, claim: Claim) -> bool:
        parameters = {
            **whom(place, author),
            "email": storable(claim.address),
            "code_hash": claim.code_hash,
            "is_mailed": claim.is_mailed,
            "valid_for": CODE_VALID_FOR,
            "most": MOST_CODES_AN_HOUR,
        }
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_CLEAR)
            return bool((await connection.execute(_CLAIM, parameters)).rowcount)

    async def redeem(self, place: Place, author: str, code_hash: bytes) -> str | None:
        parameters = {**whom(place, author), "most": MOST_WRONG_TRIES}
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_WAITING, parameters)).fetchone()
            if row is None:
                return None
            email, expected = row
            if not hmac.compare_digest(bytes(expected), code_hash):
                await connection.execute(_MISS, parameters)
                return None
            await connection.execute(_USE, parameters)
            await connection.execute(LINK, {**parameters, "email": email})
        return str(email)

    async def unlink(self, place: Place, author: str) -> None:
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_UNLINK, whom(place, author))
            await connection.execute(_USE, whom(place, author))


# Who asked for codes within the last hour is remembered, so that they are counted.
_CLEAR = """
delete from link_request
where expires_at < now() and (issued_at = '{}' or issued_at[array_upper(issued_at, 1)] < now() - interval '1 hour')
"""
_CLAIM = """
insert into link_request as known (platform, workspace, author, email, code_hash, is_mailed, expires_at, issued_at)
values (%(platform)s, %(workspace)s, %(author)s, %(email)s, %(code_hash)s, %(is_mailed)s, now() + %(valid_for)s,
        array[now()])
on conflict (platform, workspace, author) do update set
    email = excluded.email, code_hash = excluded.code_hash, is_mailed = excluded.is_mailed, attempts = 0,
    expires_at = excluded.expires_at,
    issued_at = array(select at from unnest(known.issued_at) as at where at > now() - interval '1 hour' order by at)
        || excluded.issued_at
where (select count(*) from unnest(known.issued_at) as at where at > now() - interval '1 hour') < %(most)s
"""
_WAITING = """
select email, code_hash from link_request
where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s and is_mailed
    and code_hash is not null and expires_at > now() and attempts < %(most)s
for update
"""
_MISS = """
update link_request set attempts = attempts + 1
where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
_USE = """
update link_request set code_hash = null, email = '', expires_at = now()
where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
LINK = """
insert into person (platform, workspace, author, email, linked_at)
values (%(platform)s, %(workspace)s, %(author)s, %(email)s, now())
on conflict (platform, workspace, author) do update set email = excluded.email, linked_at = excluded.linked_at
"""
_UNLINK = """
update person set email = null, linked_at = null
where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
