"""What had no answer, or a weak one, is found with the page that came nearest; what was forgotten is not."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from psycopg.types.json import Jsonb

from bot.core.messages import Answer
from bot.store.gaps import LOW_MARGIN, Page, PostgresGaps
from bot.store.journal import PostgresJournal
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.types import Reader, Relevance
from tests.database.stored_answers import quoting, reply_of, said
from tests.database.stored_messages import Conversations, heard

NOW = datetime.now(UTC)
THRESHOLD = 0.65


@pytest.fixture
def gaps(pool: Pool) -> PostgresGaps:
    return PostgresGaps(pool)


@dataclass(frozen=True)
class Missed:
    """A question without an answer."""

    question: str = "Where is the kiln?"
    reason: str = "below_threshold"
    relevance: float | None = 0.3
    days_ago: float = 1.0
    message: int | None = None
    document: str | None = None


async def store(pool: Pool, missed: Missed) -> None:
    candidates = [{"source": "docs", "document": missed.document}] if missed.document else []
    async with pool.connection() as connection:
        await connection.execute(
            "insert into unanswered (asked_at, question, language, reason, relevance, threshold, candidates,"
            " fingerprint, message_id) values (%s, %s, 'en', %s, %s, %s, %s, 'f', %s)",
            (
                NOW - timedelta(days=missed.days_ago),
                missed.question,
                missed.reason,
                missed.relevance,
                THRESHOLD,
                Jsonb(candidates),
                missed.message,
            ),
        )


async def answered(
    pool: Pool, question: str, relevance: float, *, missing: str | None = None, message: int | None = None
) -> int:
    answer = Answer((said("It is 7.", quoting("It is 7.")),), "extractive", missing=missing)
    reply = replace(reply_of(answer), question=question, relevance=Relevance(relevance), message=message)
    return await PostgresJournal(pool).record(replace(reply, threshold=Relevance(THRESHOLD)), Reader(), answer=answer)


async def found(gaps: PostgresGaps, days: float = 30) -> list[str]:
    return [one.question for one in await gaps.asked(NOW - timedelta(days=days))]


async def test_questions_without_an_answer_are_found_oldest_first(pool: Pool, gaps: PostgresGaps) -> None:
    for question, days in (("b", 2.0), ("a", 5.0), ("too old", 40.0), ("c", 1.0)):
        await store(pool, Missed(question, days_ago=days))

    assert await found(gaps) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("missed", "is_gap"),
    [
        (Missed(reason="no_source", relevance=None), True),
        (Missed(reason="unsupported", relevance=0.8), True),
        (Missed(reason="disliked", relevance=0.8), True),
        (Missed(reason="asked", relevance=0.8), False),
        (Missed(reason="asked", relevance=0.3), True),
        (Missed(reason="outage"), False),
        (Missed(reason="failed"), False),
        (Missed(reason="risky", relevance=0.9), False),
        (Missed(question=""), False),
    ],
)
async def test_what_says_nothing_about_the_documents_is_no_gap(
    pool: Pool, gaps: PostgresGaps, missed: Missed, is_gap: bool
) -> None:
    await store(pool, missed)

    assert bool(await found(gaps)) == is_gap


@pytest.mark.parametrize(
    ("relevance", "missing", "is_weak"),
    [
        (THRESHOLD + LOW_MARGIN / 2, None, True),
        (THRESHOLD + LOW_MARGIN * 2, None, False),
        (0.95, "", False),
        (0.95, "how long it takes", True),
    ],
)
async def test_an_answer_is_weak_that_was_nearly_not_given_or_left_something_out(
    pool: Pool, gaps: PostgresGaps, relevance: float, missing: str | None, is_weak: bool
) -> None:
    await answered(pool, "How hot is the kiln?", relevance, missing=missing)

    assert await found(gaps) == ["How hot is the kiln?"] * is_weak


async def test_a_disliked_answer_counts_once_whoever_it_was_handed_to(
    pool: Pool, gaps: PostgresGaps, talk: Conversations
) -> None:
    question = await talk.heard_and_taken(heard("1", author="U1"))
    number = await answered(pool, "asked", 0.9, message=question.number)
    alone = await answered(pool, "asked alone", 0.9)
    async with pool.connection() as connection:
        await connection.cursor().executemany(
            "insert into feedback (answer_id, actor, verdict) values (%s, 'U1', 'bad')", [(number,), (alone,)]
        )
    await store(pool, Missed("asked", reason="disliked", message=question.number))

    asked = await gaps.asked(NOW - timedelta(days=30))

    assert sorted((one.question, one.id[0]) for one in asked) == [("asked", "u"), ("asked alone", "a")]


async def test_the_nearest_page_is_told_with_its_owner_and_who_asked(
    pool: Pool, gaps: PostgresGaps, talk: Conversations
) -> None:
    source = await PostgresDocuments(pool).open_source("docs", "folder")
    async with pool.connection() as connection:
        await connection.execute(
            "with open as (insert into audience (source_id, tags_hash, tags) values (%(source)s, '\\x00', '{public}')"
            " returning id) insert into document (source_id, path, title, url, author, language, audience_id, revision,"
            " content_hash, recipe, text) select %(source)s, 'kiln.md', 'The kiln', 'https://docs.example/kiln',"
            " 'Pottery', 'en', id, '1', '\\x00', 'r', '' from open",
            {"source": source},
        )
    question = await talk.heard_and_taken(heard("1", author="U1"))
    await store(pool, Missed(message=question.number, document="kiln.md"))
    await store(pool, Missed(document="gone.md", days_ago=0.5))

    first, second = await gaps.asked(NOW - timedelta(days=30))

    assert first.page == Page("docs", "kiln.md", "The kiln", "https://docs.example/kiln", "Pottery")
    assert first.asker is not None
    assert first.asker.endswith(":U1")
    assert (second.page, second.asker) == (Page("docs", "gone.md", "gone.md", None, None), None)


async def test_questions_are_dismissed_and_restored_by_their_ids(pool: Pool, gaps: PostgresGaps) -> None:
    await store(pool, Missed())
    await answered(pool, "How hot?", THRESHOLD)
    asked = await gaps.asked(NOW - timedelta(days=30))

    await gaps.dismiss([one.id for one in asked], is_dismissed=True)
    dismissed = await gaps.asked(NOW - timedelta(days=30))
    await gaps.dismiss([asked[0].id], is_dismissed=False)
    restored = await gaps.asked(NOW - timedelta(days=30))

    assert [one.dismissed_at is not None for one in dismissed] == [True, True]
    assert [one.dismissed_at is not None for one in restored] == [False, True]
