"""The answers that may be given again, in PostgreSQL: the journal's own rows."""

from collections.abc import Sequence
from datetime import timedelta

from psycopg import sql

from bot.core.cache import CachedAnswer
from bot.core.messages import Answer
from bot.store.answer_json import read_sentences
from knowledge.store.pool import Pool
from knowledge.store.standing import STATE, stands
from knowledge.types import Reader

# Even where nothing changed: the question may be about today, and vectors may have been missing at its time.
MAX_AGE = timedelta(days=1)


class PostgresAnswerCache:
    """The `AnswerCache` port over the named sources."""

    def __init__(self, pool: Pool, *, sources: Sequence[str], max_age: timedelta = MAX_AGE) -> None:
        self._pool = pool
        self._sources = list(sources)
        self._max_age = max_age

    async def state(self) -> bytes:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_STATE, {"sources": self._sources}, prepare=True)).fetchone()
        assert row is not None, "a select of one value returns its row"
        return bytes(row[0])

    async def find(self, key: bytes, reader: Reader) -> CachedAnswer | None:
        parameters = {
            "key": key,
            "max_age": self._max_age,
            "sources": self._sources,
            "tags": sorted(reader.tags),
        }
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_FIND, parameters, prepare=True)).fetchone()
        if row is None:
            return None
        stored, answerer, missing, is_conflicting, text, language, relevance, notes = row
        sentences = read_sentences(stored)
        if not sentences:
            return None
        return CachedAnswer(
            Answer(sentences, answerer, missing, is_conflicting), text, language, relevance, tuple(notes)
        )


_STATE = sql.SQL("select {state}").format(state=sql.SQL(STATE))
_FIND = sql.SQL("""
select sentences::text, answerer, missing, is_conflicting, text, language, relevance, notes
from answer
where cache_key = %(key)s and answered_at > now() - %(max_age)s::interval and knowledge = {state}
    and not exists (select from citation where answer_id = answer.id and not {stands})
order by id desc limit 1
""").format(state=sql.SQL(STATE), stands=stands("citation"))
