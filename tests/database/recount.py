"""Statistics as they are kept against what they must be, counted anew."""

from collections import Counter
from typing import Any

from knowledge.store.pool import Pool

RECOUNT = {
    "postings": (
        "select term, passage_id, length::int, audience_id from posting",
        """select term, passage.id, term_count, audience_id from passage
           join document on document.id = document_id, unnest(terms) as known(term)""",
    ),
    "terms": (
        "select term, passages from term where passages <> 0",
        "select term, count(*)::int from posting group by term",
    ),
    "sources": (
        "select id, passages, terms from source",
        """select source.id, count(passage.id), coalesce(sum(term_count), 0)::bigint from source
           left join document on source_id = source.id left join passage on document_id = document.id
           group by source.id""",
    ),
    "audiences": (
        "select id, passages from audience where passages <> 0",
        """select audience_id, count(passage.id) from document join passage on document_id = document.id
           group by audience_id""",
    ),
    "vectors": (
        "select passage_id, audience_id from embedding where passage_id is not null",
        """select passage.id, audience_id from document join passage on document_id = document.id
           where exists (select from embedding where passage_id = passage.id)""",
    ),
    "lengths": (
        "select id, term_count from passage where term_count > 0",
        "select passage_id, sum(frequency)::int from posting group by passage_id",
    ),
}


async def rows(pool: Pool, statement: str) -> list[tuple[Any, ...]]:
    """Return what a statement finds."""
    async with pool.connection() as connection:
        return await (await connection.execute(statement.encode())).fetchall()


async def assert_exact(pool: Pool) -> None:
    """Compare all statistics with a new count."""
    for name, statements in RECOUNT.items():
        kept, counted = [Counter(await rows(pool, statement)) for statement in statements]
        assert kept == counted, f"{name}: kept {kept - counted} in the place of {counted - kept}"
