"""A stored answer is given again while nothing that it depends on has changed, and comes back as it was."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.cache import AnswerCache, CachedAnswer, cache_key
from bot.core.messages import Answer
from bot.store.answer_cache import PostgresAnswerCache
from bot.store.journal import PostgresJournal
from knowledge.listing import Listing
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.sync import SyncCounts
from knowledge.types import PUBLIC, Audience, Reader, Relevance
from tests.database.recount import rows
from tests.database.stored_answers import quoting, reply_of, rich_answer, said
from tests.fakes.knowledge_base import prepared, store

GROUP = "group:docs/staff"
ANN = Reader(frozenset({PUBLIC, "user:ann@x.org", GROUP}))
DOOR = "How do I open the door?"
SHORT = Answer((said("Knock twice.", quoting("Knock twice.")),), "claude")


@pytest.fixture
async def documents(pool: Pool) -> PostgresDocuments:
    await store(pool, {"a.md": "The door code is 7. Knock twice.", "b.md": "Other."})
    documents = PostgresDocuments(pool)
    await documents.set_members(1, {GROUP: ["ann@x.org"]})
    return documents


def cache_of(pool: Pool, *sources: str, max_age: timedelta = timedelta(days=1)) -> PostgresAnswerCache:
    return PostgresAnswerCache(pool, sources=sources or ("docs",), max_age=max_age)


def key_of(question: str = DOOR, *, language: str | None = None, reader: Reader = ANN, fingerprint: str = "f") -> bytes:
    return cache_key(question, language, reader, fingerprint)


async def remember(pool: Pool, answer: Answer = SHORT, *, cache: AnswerCache | None = None) -> None:
    """Store an answer as if it was made and given now."""
    state = await (cache or cache_of(pool)).state()
    await PostgresJournal(pool).record(reply_of(answer), ANN, answer=answer, cache_key=key_of(), knowledge=state)


@pytest.mark.parametrize("answer", [rich_answer(), SHORT, replace(SHORT, missing="the window")])
async def test_an_answer_comes_back_equal(documents: PostgresDocuments, pool: Pool, answer: Answer) -> None:
    await remember(pool, answer)

    reply = reply_of(answer)
    found = await cache_of(pool).find(key_of(), ANN)
    assert found == CachedAnswer(answer, reply.text, reply.language, Relevance(0.9), reply.notes)
    moments = [cited.updated_at for sentence in found.answer.sentences for cited in sentence.citations]
    assert all(moment is None or moment.tzinfo for moment in moments)


Change = Callable[[PostgresDocuments], Awaitable[None]]
STAFF = Audience.of([GROUP])
# Whatever could change what is found, or what may be said of it, even where every quote still stands.
CHANGES: dict[str, Change] = {
    "its document lost the quote": lambda it: it.replace(1, prepared("a.md", "Gone."), Audience()),
    "its document says more": lambda it: it.replace(1, prepared("a.md", "Knock twice. Or ring."), Audience()),
    "its document was removed": lambda it: it.remove(1, ["a.md"]),
    "its document was renamed": lambda it: it.rename(1, "a.md", "c.md"),
    "its document is being restricted": lambda it: it.close(1, {"a.md": Audience.of(["group:docs/board"])}),
    "its document was restricted to others": lambda it: it.reopen(1, "a.md", Audience.of(["group:docs/board"])),
    "its document was restricted to its readers": lambda it: it.reopen(1, "a.md", STAFF),
    "another document was restricted": lambda it: it.touch(1, "b.md", "1", STAFF),
    "another document was added": lambda it: it.replace(1, prepared("c.md", "New."), Audience()),
    "another document was removed": lambda it: it.remove(1, ["b.md"]),
    "somebody joined a group": lambda it: it.set_members(1, {GROUP: ["ann@x.org", "bob@x.org"]}),
    "its reader left a group": lambda it: it.set_members(1, {}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_a_change_of_a_source_outdates_its_answers(
    documents: PostgresDocuments, pool: Pool, change: Change
) -> None:
    await remember(pool)
    before = await cache_of(pool).find(key_of(), ANN)

    await change(documents)

    assert before is not None
    assert await cache_of(pool).find(key_of(), ANN) is None


NO_CHANGES: dict[str, Change] = {
    "a document was read again": lambda it: it.touch(1, "a.md", "2", Audience()),
    "a document was opened to the same readers": lambda it: it.reopen(1, "a.md", Audience()),
    "nothing was closed": lambda it: it.close(1, {}),
    "nothing was removed": lambda it: it.remove(1, []),
    "the same people were named again": lambda it: it.set_members(1, {GROUP: ["ann@x.org"]}),
    "a sync ended": lambda it: it.finish(1, Listing([], "v2"), SyncCounts()),
}


@pytest.mark.parametrize("change", NO_CHANGES.values(), ids=NO_CHANGES)
async def test_a_sync_without_changes_leaves_answers_as_they_are(
    documents: PostgresDocuments, pool: Pool, change: Change
) -> None:
    await remember(pool)

    await change(documents)

    assert await cache_of(pool).find(key_of(), ANN) is not None


async def test_a_change_between_search_and_answer_outdates_it(documents: PostgresDocuments, pool: Pool) -> None:
    state = await cache_of(pool).state()
    await documents.replace(1, prepared("c.md", "New."), Audience())

    await PostgresJournal(pool).record(reply_of(SHORT), ANN, answer=SHORT, cache_key=key_of(), knowledge=state)

    assert await cache_of(pool).find(key_of(), ANN) is None


@pytest.mark.parametrize(
    "key",
    [
        key_of("How do I open the window?"),
        key_of(language="uk"),
        key_of(fingerprint="g"),
        key_of(reader=Reader()),
        key_of(reader=Reader(ANN.tags - {GROUP})),
        key_of(reader=Reader(frozenset({PUBLIC, "user:bob@x.org", GROUP}))),
    ],
    ids=["question", "language", "fingerprint", "stranger", "left the group", "other person"],
)
async def test_another_question_reader_or_configuration_finds_nothing(
    documents: PostgresDocuments, pool: Pool, key: bytes
) -> None:
    await remember(pool)

    assert await cache_of(pool).find(key, ANN) is None


async def test_no_reader_is_given_what_they_may_not_read_whatever_the_key(
    documents: PostgresDocuments, pool: Pool
) -> None:
    await documents.reopen(1, "a.md", STAFF)
    await remember(pool)

    assert await cache_of(pool).find(key_of(), ANN) is not None
    assert await cache_of(pool).find(key_of(), Reader()) is None


@pytest.mark.parametrize("sources", [("docs",), ("other",), ("docs", "other", "third"), ("docs", "renamed")])
async def test_another_choice_of_sources_is_another_knowledge(
    documents: PostgresDocuments, pool: Pool, sources: tuple[str, ...]
) -> None:
    await store(pool, {"x.md": "Else."}, source="other")
    await remember(pool, cache=cache_of(pool, "docs", "other"))

    assert await cache_of(pool, *sources).find(key_of(), ANN) is None
    assert await cache_of(pool, "other", "docs").find(key_of(), ANN) is not None


async def test_a_source_that_is_made_anew_is_another(documents: PostgresDocuments, pool: Pool) -> None:
    empty = PostgresAnswerCache(pool, sources=["new"])
    before = await empty.state()
    await documents.open_source("new", "fake")
    first = await empty.state()
    await rows(pool, "delete from source where name = 'new' returning id")

    await documents.open_source("new", "fake")

    assert len({before, first, await empty.state()}) == 3


async def test_an_answer_is_not_given_again_for_ever(documents: PostgresDocuments, pool: Pool) -> None:
    await remember(pool)
    await rows(pool, "update answer set answered_at = now() - interval '59 minutes' returning id")

    assert await cache_of(pool, max_age=timedelta(hours=1)).find(key_of(), ANN) is not None
    assert await cache_of(pool, max_age=timedelta(minutes=58)).find(key_of(), ANN) is None


async def test_the_newest_answer_is_given_and_a_repeated_one_is_no_new_one(
    documents: PostgresDocuments, pool: Pool
) -> None:
    newer = replace(SHORT, answerer="extractive")
    await remember(pool)
    await remember(pool, newer)
    repeated = replace(reply_of(SHORT), is_cached=True)
    await PostgresJournal(pool).record(repeated, ANN)

    found = await cache_of(pool).find(key_of(), ANN)

    assert found is not None
    assert found.answer == newer
    assert await rows(pool, "select is_cached, cache_key is null from answer order by id") == [
        (False, False),
        (False, False),
        (True, True),
    ]


@pytest.mark.parametrize("stored", ["[]", "null", '[{"text": "from another release"}]'])
async def test_what_another_release_stored_otherwise_is_not_given(
    documents: PostgresDocuments, pool: Pool, stored: str
) -> None:
    await remember(pool)

    await rows(pool, f"update answer set sentences = '{stored}' returning id")

    assert await cache_of(pool).find(key_of(), ANN) is None
