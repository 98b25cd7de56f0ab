"""What was answered is on record, sentence by sentence, with what it cost and whether each quote still stands."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.desk.book import Case
from bot.core.escalate import Handover
from bot.core.messages import Answer, Reason
from bot.store.answer_json import read_sentences
from bot.store.cases import read_cases
from bot.store.journal import PostgresJournal
from bot.store.tickets import PostgresTickets
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.types import Audience, Reader, Relevance
from tests.database.recount import rows
from tests.database.stored_answers import CALL, CUT, quoting, reply_of, rich_answer, said
from tests.fakes.evidence import evidence
from tests.fakes.knowledge_base import prepared, store

CODE, KNOCK = "The door code is 7.", "Knock twice."
# Two quotes of one footnote, one of them twice, and a second footnote.
SEVERAL = Answer(
    (
        said("The code is 7; knock.", quoting(CODE), quoting(KNOCK)),
        said(KNOCK, quoting(KNOCK), quoting("Other.", document="b.md", marker=2)),
    ),
    "claude",
)


@pytest.fixture
async def documents(pool: Pool) -> PostgresDocuments:
    await store(pool, {"a.md": f"{CODE} {KNOCK}", "b.md": "Other."})
    return PostgresDocuments(pool)


async def marks(pool: Pool) -> list[Any]:
    return [mark for (mark,) in await rows(pool, "select retracted from citation order by answer_id, marker")]


async def test_a_reply_is_on_record_with_its_sentences_calls_and_notes(
    documents: PostgresDocuments, pool: Pool
) -> None:
    answer = rich_answer()
    reply = reply_of(answer, calls=[CUT, CALL])

    number = await PostgresJournal(pool).record(reply, Reader(), answer=answer)

    ((stored, calls, notes, *others),) = await rows(
        pool,
        "select sentences::text, calls, notes, id, text, relevance, missing, is_conflicting, is_cached from answer",
    )
    assert read_sentences(stored) == reply.sentences
    assert notes == list(reply.notes)
    assert [call["usd"] for call in calls] == [0.0, 0.0123]
    assert others == [number, reply.text, 0.9, "", True, False]


async def test_every_quote_has_a_row_under_its_footnote(documents: PostgresDocuments, pool: Pool) -> None:
    await PostgresJournal(pool).record(reply_of(SEVERAL), Reader())

    assert await rows(pool, "select marker, footnote, quote from citation order by marker") == [
        (1, 1, CODE),
        (2, 1, KNOCK),
        (3, 1, KNOCK),
        (4, 2, "Other."),
    ]


async def test_each_quote_of_a_footnote_is_judged_by_itself(documents: PostgresDocuments, pool: Pool) -> None:
    await PostgresJournal(pool).record(reply_of(SEVERAL), Reader())

    await documents.replace(1, prepared("a.md", f"The door code is 8. {KNOCK}"), Audience())
    changed = await marks(pool)
    await documents.replace(1, prepared("a.md", CODE), Audience())
    exchanged = await marks(pool)
    await documents.remove(1, ["a.md"])

    assert changed == ["changed", None, None, None]
    assert exchanged == [None, "changed", "changed", None]
    assert await marks(pool) == ["removed", "removed", "removed", None]
    assert await PostgresJournal(pool).count_retracted() == 1


@pytest.mark.parametrize("reason", ["below_threshold", "no_source", "unsupported", "absent", "refused", "outage"])
async def test_a_handover_keeps_its_reason_and_what_models_have_cost(pool: Pool, reason: Reason) -> None:
    handover = Handover("Why?", "en", reason, Relevance(0.6), Relevance(0.5), [evidence("Text.")], "f", calls=(CALL,))

    await PostgresTickets(pool).open(handover)

    assert await rows(pool, "select reason, calls -> 0 ->> 'model', calls -> 0 ->> 'usd' from ticket") == [
        (reason, "m-1", "0.0123")
    ]


# What release 0.1 runs, word for word.
OLD_RECORD = """
insert into answer (question, language, text, relevance, threshold, answerer, fingerprint, reader)
values ('What?', 'en', 'Said. [1] [2]', 0.9, 0.5, 'extractive', 'f', '{public}')
returning id
"""
OLD_CITE = """
insert into citation (answer_id, marker, source, path, title, url, quote, start_line, end_line)
values (1, 1, 'docs', 'a.md', 'Title', null, 'The door code is 7.', 1, 1),
       (1, 2, 'docs', 'a.md', 'Title', null, 'Knock twice.', 1, 1)
returning answer_id
"""
OLD_TICKET = """
insert into ticket (question, language, reason, relevance, threshold, candidates, fingerprint)
values ('Why?', 'en', 'no_source', null, 0.5, '[]', 'f')
returning id
"""
OLD_JUDGE = """
update citation set
    retracted = judged.verdict,
    retracted_at = case when judged.verdict is not null then coalesce(citation.retracted_at, now()) end
from (
    select cited.answer_id, cited.marker,
        case
            when document.id is null then 'removed'
            when position(cited.quote in document.text) = 0 then 'changed'
        end as verdict
    from citation as cited
    join answer on answer.id = cited.answer_id
    left join source on source.name = cited.source
    left join document on document.source_id = source.id and document.path = cited.path
) as judged
where citation.answer_id = judged.answer_id and citation.marker = judged.marker
    and citation.retracted is distinct from judged.verdict
returning citation.marker
"""


async def test_the_release_before_goes_on_recording_on_the_new_schema(documents: PostgresDocuments, pool: Pool) -> None:
    for statement in (OLD_RECORD, OLD_CITE, OLD_TICKET):
        await rows(pool, statement)

    await documents.replace(1, prepared("a.md", KNOCK), Audience())

    assert await marks(pool) == ["changed", None]


async def test_the_release_before_judges_each_quote_of_a_footnote_aright(
    documents: PostgresDocuments, pool: Pool
) -> None:
    await PostgresJournal(pool).record(reply_of(SEVERAL), Reader())
    await rows(pool, f"update document set text = '{KNOCK}' where path = 'a.md' returning id")

    await rows(pool, OLD_JUDGE)
    await rows(pool, OLD_JUDGE)

    assert await marks(pool) == ["changed", None, None, None]


async def test_an_answer_without_its_key_and_knowledge_is_not_to_be_found_again(
    documents: PostgresDocuments, pool: Pool
) -> None:
    journal, reply = PostgresJournal(pool), reply_of(SEVERAL)

    await journal.record(reply, Reader(), cache_key=b"k", knowledge=b"s")
    await journal.record(reply, Reader(), answer=SEVERAL, cache_key=b"k")
    await journal.record(replace(reply, is_cached=True), Reader(), answer=SEVERAL)

    assert await rows(pool, "select id from answer where cache_key is not null") == []


async def message(pool: Pool) -> int:
    """Store a message that something is said about."""
    ((number,),) = await rows(
        pool,
        "insert into message (platform, workspace, channel, message, root, role, author, text, state, sent_at)"
        " values ('fake', 'T1', 'C1', '1', '1', 'user', 'U1', 'What?', 'answering', now()) returning id",
    )
    return int(number)


async def test_a_second_answer_to_a_message_takes_the_place_of_the_first(
    documents: PostgresDocuments, pool: Pool
) -> None:
    journal, number = PostgresJournal(pool), await message(pool)
    shorter = Answer((said(KNOCK, quoting(KNOCK)),), "extractive")

    first = await journal.record(replace(reply_of(SEVERAL, calls=[CUT]), message=number), Reader(), answer=SEVERAL)
    second = await journal.record(replace(reply_of(shorter, calls=[CALL]), message=number), Reader(), answer=shorter)
    other = await journal.record(reply_of(SEVERAL), Reader())

    assert (second, other) == (first, first + 2)
    assert await rows(pool, f"select answerer, jsonb_array_length(calls) from answer where id = {first}") == [
        ("extractive", 2)
    ]
    assert await rows(pool, f"select quote, retracted from citation where answer_id = {first}") == [(KNOCK, None)]


async def open_tickets(pool: Pool) -> list[Case]:
    """Return the tickets that wait, newest first."""
    async with pool.connection() as connection:
        return await read_cases(connection, ["open"], 10)


async def test_a_second_ticket_for_a_message_is_the_first_with_the_last_question(pool: Pool) -> None:
    tickets, number = PostgresTickets(pool), await message(pool)
    handover = Handover("Why?", "en", "absent", None, Relevance(0.5), [evidence("Text.")], "f", (CALL,), number)

    opened = [
        await tickets.open(handover),
        await tickets.open(replace(handover, reason="failed", evidence=())),
    ]
    before = await open_tickets(pool)
    opened.append(await tickets.open(replace(handover, question="Why not?", reason="no_source", evidence=())))

    assert [ticket.number for ticket in opened] == [1, 1, 1]
    assert [(ticket.question, ticket.reason, len(ticket.candidates)) for ticket in before] == [("Why?", "absent", 1)]
    assert [(ticket.question, ticket.reason) for ticket in await open_tickets(pool)] == [("Why not?", "no_source")]


async def test_tickets_about_no_message_are_each_their_own(pool: Pool) -> None:
    tickets = PostgresTickets(pool)
    handover = Handover("Why?", "en", "asked", None, Relevance(0.5), (), "f")

    assert [(await tickets.open(handover)).number for _ in range(2)] == [1, 2]


async def test_an_answer_closes_the_ticket_of_an_attempt_that_told_nobody(
    documents: PostgresDocuments, pool: Pool
) -> None:
    tickets, number = PostgresTickets(pool), await message(pool)
    handover = Handover("Why?", "en", "outage", None, Relevance(0.5), (), "f", message=number)
    await tickets.open(handover)

    await PostgresJournal(pool).record(replace(reply_of(SEVERAL), message=number), Reader())
    closed = await open_tickets(pool)
    await tickets.open(handover)

    assert (closed, len(await open_tickets(pool))) == ([], 1)
