"""What had no answer, in the real database: asked again once a state, offered to its desk, sent as it was offered."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.core.desk.book import Cited
from bot.core.desk.clock import Times
from bot.core.desk.desks import Desks
from bot.core.desk.ripple import Found
from bot.core.phrases import phrase
from bot.store import ticket_book
from bot.store.ripple import MOST_OTHERS, PostgresUnanswered
from bot.store.ticket_book import PostgresBook
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.types import Reader
from tests.database.rippling import PAGE, Rippling, open_ripple, run
from tests.database.stored_messages import Conversations, heard
from tests.database.tickets_at_work import ANSWER, ROOM
from tests.fakes.knowledge_base import embed_all, store

QUESTION = "How is the unknown PIN reset?"
ANSWERED = Found("It is so.", (), Reader(), 0.9)
# One a minute, the newest first, for more than a month.
MANY = """
insert into unanswered (question, language, reason, threshold, fingerprint, asked_at)
select number, 'en', 'no_source', 0.7, 'f', now() - number * interval '1 minute'
from generate_series(0, 50000) as number
"""
OTHERS = """
insert into unanswered (question, language, reason, threshold, fingerprint, asked_at)
select 'What?', 'en', reason, 0.7, 'f', now() - days * interval '1 day'
from (values ('asked', 0), ('disliked', 0), ('risky', 0), ('stale', 0), ('no_source', 31)) as asked(reason, days)
"""
ANOTHER = """
insert into unanswered (question, language, reason, threshold, fingerprint, ticket_id)
select question, language, reason, threshold, fingerprint, ticket_id from unanswered
"""
FOUND = f"{ANSWER} [1]\n\nSources:\n[1] Title"


@pytest.fixture
async def rippling(database_url: str, pool: Pool) -> AsyncIterator[Rippling]:
    async with open_ripple(database_url, pool) as opened:
        await opened.office.asks(QUESTION)
        await opened.office.works()
        yield opened


async def test_a_new_page_is_offered_to_the_desk_and_sent_to_the_asker_as_it_stands_there(rippling: Rippling) -> None:
    await rippling.settles()
    before = [*rippling.office.desk.seen(ROOM)]
    await rippling.learns()
    await rippling.settles()
    await rippling.settles()

    offered = [text for text in rippling.office.desk.seen(ROOM) if text not in before]
    outcome = await rippling.offers()

    assert offered == [f"{phrase('desk_found', 'en')}\n{FOUND}\n[offer]"]
    assert outcome.came == "done"
    assert rippling.office.askers.seen()[-1] == f"Bea: {FOUND}\n[return]"
    assert (await rippling.office.case()).state == "answered"
    assert await rippling.noted() == [(True, "docs/vpn.md")]


async def test_nothing_is_sent_unasked(rippling: Rippling) -> None:
    before = [*rippling.office.askers.seen()]
    await rippling.learns()
    await rippling.settles()

    assert rippling.office.askers.seen() == before
    assert (await rippling.office.case()).state == "open"


async def test_a_page_that_is_gone_again_is_not_sent_and_no_answer_any_more(rippling: Rippling) -> None:
    await rippling.learns()
    await rippling.settles()
    before = [*rippling.office.askers.seen()]
    await PostgresDocuments(rippling.pool).remove(1, ["vpn.md"])

    outcome = await rippling.offers()
    await rippling.settles()

    assert (outcome.came, outcome.told) == ("late", phrase("desk_found_gone", "en"))
    assert rippling.office.askers.seen() == before
    assert await rippling.noted() == [(False, None)]


async def test_a_page_that_was_closed_to_the_asker_is_not_sent(rippling: Rippling) -> None:
    await rippling.learns()
    await rippling.settles()
    await store(rippling.pool, PAGE, audience=["staff"])

    assert (await rippling.offers()).came == "late"


async def test_two_who_send_it_at_once_send_it_once(rippling: Rippling) -> None:
    await rippling.learns()
    await rippling.settles()

    outcomes = [await rippling.offers("press:1"), await rippling.offers("press:2", "carl")]

    assert [outcome.came for outcome in outcomes] == ["done", "taken"]
    assert len([text for text in rippling.office.askers.seen() if FOUND in text]) == 1


async def test_an_unchanged_answer_is_not_offered_again_when_something_else_changes(rippling: Rippling) -> None:
    await rippling.learns()
    await rippling.settles()
    await store(rippling.pool, {"other.md": "Something else."})
    await rippling.settles()

    assert (await rippling.office.happened()).count("answerable") == 1


async def test_several_questions_of_a_ticket_are_sent_together(rippling: Rippling) -> None:
    await rippling.office.asks("And the other unknown one?", thread="1")
    await rippling.office.works()
    await rippling.learns()
    await rippling.settles()

    await rippling.offers()

    assert rippling.office.askers.seen()[-1].count(ANSWER) == 2
    assert "“And the other unknown one?”" in rippling.office.askers.seen()[-1]


async def test_what_was_found_can_be_sent_at_once_and_leaves_the_conversation_to_the_bot(
    database_url: str, pool: Pool
) -> None:
    async with open_ripple(database_url, pool, sends=True) as rippling:
        await rippling.office.asks(QUESTION)
        await rippling.office.works()
        await rippling.learns()
        await rippling.settles()

        assert rippling.office.askers.seen()[-1] == f"{phrase('asker_found', 'en', ticket=1)}\n{FOUND}"
        assert rippling.office.desk.seen(ROOM)[-1].endswith(phrase("desk_found_over", "en"))
        case = await rippling.office.case()
        assert (case.state, case.owner) == ("returned", None)


async def test_what_somebody_has_taken_is_never_sent_unasked(database_url: str, pool: Pool) -> None:
    async with open_ripple(database_url, pool, sends=True) as rippling:
        await rippling.office.asks(QUESTION)
        await rippling.office.works()
        await rippling.office.presses("claim")
        await rippling.learns()
        await rippling.settles()

        assert await rippling.office.happened() == ["claim", "answerable"]


async def test_nothing_is_sent_while_another_question_of_the_ticket_has_no_answer(
    database_url: str, pool: Pool
) -> None:
    async with open_ripple(database_url, pool, sends=True) as rippling:
        await rippling.office.asks(QUESTION)
        await rippling.office.works()
        await rippling.change(
            "insert into unanswered (question, language, reason, threshold, fingerprint, ticket_id)"
            " values ('May I?', 'en', 'risky', 0.7, 'f', 1)",
        )
        await rippling.learns()
        await rippling.settles()

        assert await rippling.office.happened() == ["answerable"]


async def test_another_desk_that_got_the_ticket_meanwhile_is_not_offered_what_was_made_for_the_first(
    rippling: Rippling,
) -> None:
    state = await rippling.unanswered.state()
    (waiting,) = await rippling.unanswered.to_ask(state, limit=9)
    await rippling.unanswered.found(replace(waiting, desks=("second",)), state, ANSWERED)

    assert await rippling.office.happened() == []
    assert await rippling.noted() == [(False, None)]


async def test_what_was_found_for_a_desk_that_reads_more_does_not_come_along_to_another(rippling: Rippling) -> None:
    await store(rippling.pool, {"a.md": "For staff."}, audience=["staff"])
    (waiting,) = await rippling.unanswered.to_ask(b"1", limit=9)
    other = replace(waiting, number=waiting.number + 1)
    await rippling.change(ANOTHER)
    for_staff = Found("For staff.", (Cited("docs", "a.md", "For staff."),), Reader(frozenset({"staff"})), 0.9)
    await rippling.unanswered.found(waiting, b"1", for_staff)
    await rippling.unanswered.found(other, b"1", ANSWERED)

    events = (await rippling.office.case()).events
    assert [event.text for event in events] == ["For staff.", "It is so."]


async def test_what_was_found_before_people_waited_with_it_is_offered_when_they_do(rippling: Rippling) -> None:
    await rippling.office.presses("close")
    await rippling.learns()
    await rippling.settles()
    closed = (await rippling.office.happened(), await rippling.noted())
    await rippling.office.presses("reopen")
    await rippling.settles()

    assert closed == (["close"], [(True, "docs/vpn.md")])
    assert await rippling.office.happened() == ["close", "reopen", "answerable"]


async def test_a_question_that_was_edited_meanwhile_has_no_answer_yet(rippling: Rippling) -> None:
    state = await rippling.unanswered.state()
    (waiting,) = await rippling.unanswered.to_ask(state, limit=9)
    await rippling.change("update unanswered set question = 'Something else?'")
    await rippling.unanswered.found(waiting, state, ANSWERED)

    assert await rippling.office.happened() == []
    assert await rippling.noted() == [(False, None)]


async def test_vectors_that_come_later_are_another_state(rippling: Rippling) -> None:
    await rippling.learns()
    by_words = await rippling.unanswered.state()
    await embed_all(rippling.pool)

    assert await rippling.unanswered.state() != by_words


async def test_of_questions_that_nobody_waits_with_the_newest_are_asked(talk: Conversations) -> None:
    await run(talk.pool, MANY)
    unanswered = unanswered_in(talk)

    found = await unanswered.to_ask(b"state", limit=10_000)

    assert [one.question for one in found[:2]] == ["0", "1"]
    assert len(found) == MOST_OTHERS


async def test_what_people_took_for_themselves_is_left_to_them(talk: Conversations) -> None:
    await run(talk.pool, OTHERS)

    found = await unanswered_in(talk).to_ask(b"state", limit=10)

    assert [one.reason for one in found] == ["stale"]


async def test_people_wait_while_their_messages_are_answered(talk: Conversations) -> None:
    unanswered = unanswered_in(talk)
    quiet = await unanswered.is_busy()
    await talk.store(heard("1"))

    assert (quiet, await unanswered.is_busy()) == (False, True)


def unanswered_in(talk: Conversations) -> PostgresUnanswered:
    """Return the questions in a database without an office."""
    book = PostgresBook(talk.pool, ticket_book.Means(Desks(), Times()))
    return PostgresUnanswered(talk.pool, book=book, sources=["docs"])
