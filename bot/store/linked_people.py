"""Who is linked to which address, and who waits for that, as operators see and decide it."""

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from bot.store.links import LINK
from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class LinkedPerson:
    """Somebody whose address is proved."""

    platform: str
    workspace: str
    author: str
    email: str
    linked_at: datetime | None


@dataclass(frozen=True, slots=True)
class WaitingPerson:
    """Somebody who claims an address; `is_mailed`: the code in its mailbox proves it, else the operator does."""

    platform: str
    workspace: str
    author: str
    email: str
    is_mailed: bool
    expires_at: datetime


class LinkedPeople:
    """The operators' side of linking."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def linked(self) -> list[LinkedPerson]:
        """Return who is linked, by address."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(LinkedPerson))
            return await (await cursor.execute(_LINKED)).fetchall()

    async def waiting(self) -> list[WaitingPerson]:
        """Return who waits, the oldest claim first."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(WaitingPerson))
            return await (await cursor.execute(_WAITING)).fetchall()

    async def find(self, code_hash: bytes) -> WaitingPerson | None:
        """Return whose code waits for the operator; None for a wrong, old or mailed one."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(WaitingPerson))
            return await (await cursor.execute(_FIND, {"code_hash": code_hash})).fetchone()

    async def confirm(self, code_hash: bytes, email: str) -> bool:
        """Link whoever has a code that waits for the operator; False where another address is claimed by now."""
        parameters = {"code_hash": code_hash, "email": email}
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=class_row(WaitingPerson))
            claim = await (await cursor.execute(_TAKE, parameters)).fetchone()
            if claim is None:
                return False
            whom = {"platform": claim.platform, "workspace": claim.workspace, "author": claim.author}
            await connection.execute(_USE, parameters)
            await connection.execute(LINK, {**whom, "email": email})
        return True

    async def unlink(self, who: str) -> int:
        """Forget the address of a person ("platform:author"), or of all who have this address; return of how many."""
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_WITHDRAW, {"who": who})
            return (await connection.execute(_UNLINK, {"who": who})).rowcount


_LINKED = """
select platform, workspace, author, email, linked_at from person where email is not null
order by email, platform, workspace, author
"""
_WAITING = """
select platform, workspace, author, email, is_mailed, expires_at from link_request
where code_hash is not null and expires_at > now()
order by expires_at
"""
_FIND = """
select platform, workspace, author, email, is_mailed, expires_at from link_request
where code_hash = %(code_hash)s and not is_mailed and expires_at > now()
"""
_TAKE = """
select platform, workspace, author, email, is_mailed, expires_at from link_request
where code_hash = %(code_hash)s and email = %(email)s and not is_mailed and expires_at > now()
for update
"""
_USE = "update link_request set code_hash = null, email = '', expires_at = now() where code_hash = %(code_hash)s"
_WITHDRAW = """
update link_request set code_hash = null, email = '', expires_at = now()
where platform || ':' || author = %(who)s or email = %(who)s
"""
_UNLINK = """
update person set email = null, linked_at = null
where email is not null and (platform || ':' || author = %(who)s or email = %(who)s)
"""
