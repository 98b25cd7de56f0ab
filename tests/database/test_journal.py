"""What was answered is on record, sentence by sentence, with what it cost and whether each quote still stands."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.escalate import Handover
from bot.core.messages import Answer, Reason
from bot.store.answer_json import read_sentences
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
