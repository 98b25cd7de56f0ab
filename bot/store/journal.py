"""The journal of answers in PostgreSQL."""

from collections.abc import Iterator

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from bot.core.messages import Answer, Reply
from bot.store.answer_json import calls_json, sentences_json
from knowledge.store.pool import Pool
from knowledge.store.retractions import judge_answer
from knowledge.types import Reader


class PostgresJournal:
    """The `Journal` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def record(
        self,
        reply: Reply,
        reader: Reader,
        *,
        answer: Answer | None = None,
        cache_key: bytes | None = None,
        knowledge: bytes | None = None,
    ) -> int:
        parameters = {
            **_answer_row(reply, reader),
            "missing": answer and answer.missing,
            "is_conflicting": answer is not None and answer.conflicting,
            "cache_key": cache_key if answer and knowledge else None,
            "knowledge": knowledge,
        }
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_RECORD, parameters)).fetchone()
            assert row is not None, "an insert returns its row"
            answer_id = int(row[0])
            if reply.message is not None:
                await _supersede(connection, answer_id, reply.message)
            await connection.cursor().executemany(_CITE, list(_citation_rows(answer_id, reply)))
            await judge_answer(connection, answer_id)
        return answer_id

    async def count_retracted(self) -> int:
        """Return how many answers cite what would not be given to their readers any more."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_COUNT_RETRACTED)).fetchone()
        return int(row[0]) if row else 0


_RECORD = """
insert into answer (question, language, text, relevance, threshold, answerer, fingerprint, reader, sentences, notes,
                    missing, is_conflicting, calls, is_cached, cache_key, knowledge, message_id)
values (%(question)s, %(language)s, %(text)s, %(relevance)s, %(threshold)s, %(answerer)s, %(fingerprint)s,
        %(reader)s::text[], %(sentences)s, %(notes)s, %(missing)s, %(is_conflicting)s, %(calls)s, %(is_cached)s,
        %(cache_key)s, %(knowledge)s, %(message)s)
on conflict (message_id) do update set
    answered_at = now(), question = excluded.question, language = excluded.language, text = excluded.text,
    relevance = excluded.relevance, threshold = excluded.threshold, answerer = excluded.answerer,
    fingerprint = excluded.fingerprint, reader = excluded.reader, sentences = excluded.sentences,
    notes = excluded.notes, missing = excluded.missing, is_conflicting = excluded.is_conflicting,
    calls = answer.calls || excluded.calls, is_cached = excluded.is_cached, cache_key = excluded.cache_key,
    knowledge = excluded.knowledge
returning id
"""
_FORGET_CITATIONS = "delete from citation where answer_id = %(answer_id)s"
_CLOSE_TICKET = """
update ticket set state = 'closed', next_step = null, next_at = null
where message_id = %(message)s and state = 'open'
"""
_CITE = """
insert into citation (answer_id, marker, footnote, source, path, title, url, quote, start_line, end_line)
values (%(answer_id)s, %(marker)s, %(footnote)s, %(source)s, %(path)s, %(title)s, %(url)s, %(quote)s, %(start_line)s,
        %(end_line)s)
"""
_COUNT_RETRACTED = "select count(distinct answer_id) from citation where retracted is not null"


async def _supersede(connection: AsyncConnection, answer_id: int, message: int) -> None:
    """Take back what an attempt left that ended before anybody was told: quotes, or a ticket instead of an answer."""
    await connection.execute(_FORGET_CITATIONS, {"answer_id": answer_id})
    await connection.execute(_CLOSE_TICKET, {"message": message})


def _answer_row(reply: Reply, reader: Reader) -> dict[str, object]:
    return {
        "question": reply.question,
        "language": reply.language,
        "text": reply.text,
        "relevance": reply.relevance,
        "threshold": reply.threshold,
        "answerer": reply.answerer,
        "fingerprint": reply.fingerprint,
        "reader": sorted(reader.tags),
        "sentences": sentences_json(reply.sentences),
        "notes": Jsonb(list(reply.notes)),
        "calls": calls_json(reply.calls),
        "is_cached": reply.is_cached,
        "message": reply.message,
    }


def _citation_rows(answer_id: int, reply: Reply) -> Iterator[dict[str, object]]:
    """Yield a row for each quote, in reading order; `marker` numbers the rows, `footnote` is what readers see."""
    citations = [citation for sentence in reply.sentences for citation in sentence.citations]
    for number, citation in enumerate(citations, 1):
        yield {
            "answer_id": answer_id,
            "marker": number,
            "footnote": citation.marker,
            "source": citation.source,
            "path": citation.document,
            "title": citation.title,
            "url": citation.url,
            "quote": citation.quote,
            "start_line": citation.start_line,
            "end_line": citation.end_line,
        }
