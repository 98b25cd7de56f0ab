"""The journal of answers in PostgreSQL."""

from bot.core.messages import Citation, Reply
from knowledge.store.pool import Pool
from knowledge.store.retractions import judge_answer
from knowledge.types import Reader


class PostgresJournal:
    """The `Journal` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def record(self, reply: Reply, reader: Reader) -> int:
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_RECORD, _answer_row(reply, reader))).fetchone()
            assert row is not None, "an insert returns its row"
            answer_id = int(row[0])
            for sentence in reply.sentences:
                await connection.execute(_CITE, _citation_row(answer_id, sentence.citation))
            await judge_answer(connection, answer_id)
        return answer_id

    async def count_retracted(self) -> int:
        """Return how many answers cite what would not be given to their readers any more."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_COUNT_RETRACTED)).fetchone()
        return int(row[0]) if row else 0


_RECORD = """
insert into answer (question, language, text, relevance, threshold, answerer, fingerprint, reader)
values (%(question)s, %(language)s, %(text)s, %(relevance)s, %(threshold)s, %(answerer)s, %(fingerprint)s,
        %(reader)s::text[])
returning id
"""
_CITE = """
insert into citation (answer_id, marker, source, path, title, url, quote, start_line, end_line)
values (%(answer_id)s, %(marker)s, %(source)s, %(path)s, %(title)s, %(url)s, %(quote)s, %(start_line)s, %(end_line)s)
"""
_COUNT_RETRACTED = "select count(distinct answer_id) from citation where retracted is not null"


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
    }


def _citation_row(answer_id: int, citation: Citation) -> dict[str, object]:
    return {
        "answer_id": answer_id,
        "marker": citation.marker,
        "source": citation.source,
        "path": citation.document,
        "title": citation.title,
        "url": citation.url,
        "quote": citation.quote,
        "start_line": citation.start_line,
        "end_line": citation.end_line,
    }
