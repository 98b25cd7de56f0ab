"""What people told the bot of themselves, in PostgreSQL."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.core.incoming import Place
from bot.core.linking import person
from knowledge.prepare import storable
from knowledge.store.pool import Pool

NOBODY: Mapping[str, str] = MappingProxyType({})


class PostgresPeople:
    """The `People` port; whose addresses the operator `known` says, needs no code."""

    def __init__(self, pool: Pool, *, known: Mapping[str, str] = NOBODY) -> None:
        self._pool = pool
        self._known = known

    async def language(self, place: Place, author: str) -> str | None:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_LANGUAGE, whom(place, author))).fetchone()
        return row[0] if row else None

    async def speak(self, place: Place, author: str, language: str | None) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_SPEAK, {**whom(place, author), "language": language})

    async def email(self, place: Place, author: str) -> str | None:
        if known := self._known.get(person(place.platform, author)):
            return known
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_EMAIL, whom(place, author))).fetchone()
        return row[0] if row else None


def whom(place: Place, author: str) -> dict[str, object]:
    """Return somebody as parameters."""
    return {
        "platform": storable(place.platform),
        "workspace": storable(place.workspace),
        "author": storable(author),
    }


_LANGUAGE = """
select language from person where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
_EMAIL = """
select email from person where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
_SPEAK = """
insert into person (platform, workspace, author, language)
values (%(platform)s, %(workspace)s, %(author)s, %(language)s)
on conflict (platform, workspace, author) do update set language = excluded.language
"""
