"""The retraction mark: which past citations would not be given to their readers today, and why."""

from collections.abc import Collection, Sequence

from psycopg import AsyncConnection, sql

from knowledge.store.audiences import may_read


async def judge_citations(connection: AsyncConnection, source_id: int, paths: Sequence[str]) -> None:
    """Set or lift the mark of every citation of these documents; inside the transaction that changes them.

    A document that comes back with the quoted text, open to the same readers, is retracted no more.
    """
    await connection.execute(_JUDGE_DOCUMENTS, {"source_id": source_id, "paths": list(paths)})


async def judge_for_readers(connection: AsyncConnection, source_id: int, emails: Sequence[str]) -> None:
    """Let what people were answered follow the groups that they are in today, and set or lift the marks of that."""
    await _judge_answers(connection, await _follow(connection, source_id, emails))


async def judge_recent(connection: AsyncConnection, source_id: int) -> None:
    """Judge once more what was answered from a source since its last sync, before this one is recorded.

    An answer that was being stored while a document changed, or while its reader left a group, saw neither.
    """
    rows = await connection.execute(_RECENT, {"source_id": source_id})
    found = await rows.fetchall()
    emails = sorted(
        {str(tag).removeprefix("user:") for _, reader in found for tag in reader if tag.startswith("user:")}
    )
    followed = await _follow(connection, source_id, emails)
    await _judge_answers(connection, {*followed, *(int(number) for number, _ in found)})


async def judge_answer(connection: AsyncConnection, answer_id: int) -> None:
    """Set the mark on an answer that is stored only now: a document may have gone while it was being given."""
    await _judge_answers(connection, [answer_id])


async def _follow(connection: AsyncConnection, source_id: int, emails: Collection[str]) -> list[int]:
    """Give the answers to these people the groups that they are in today; return which that changed."""
    if not emails:
        return []
    rows = await connection.execute(_FOLLOW, {"source_id": source_id, "emails": list(emails)})
    return [int(number) for (number,) in await rows.fetchall()]


async def _judge_answers(connection: AsyncConnection, answers: Collection[int]) -> None:
    if answers:
        await connection.execute(_JUDGE_ANSWERS, {"answers": list(answers)})


_JUDGE = """
update citation set
    retracted = judged.verdict,
    retracted_at = case when judged.verdict is not null then coalesce(citation.retracted_at, now()) end
from (
    select cited.answer_id, cited.marker,
        case
            when document.id is null then 'removed'
            when position(cited.quote in document.text) = 0 then 'changed'
            when not {may_read} then 'restricted'
        end as verdict
    from citation as cited
    join answer on answer.id = cited.answer_id
    left join source on source.name = cited.source
    left join document on document.source_id = source.id and document.path = cited.path
    left join audience on audience.id = document.audience_id
    where {chosen}
) as judged
where citation.answer_id = judged.answer_id and citation.marker = judged.marker
    and citation.retracted is distinct from judged.verdict
"""
_JUDGE_DOCUMENTS = sql.SQL(_JUDGE).format(
    may_read=may_read("answer.reader"),
    chosen=sql.SQL("source.id = %(source_id)s and cited.path = any(%(paths)s::text[])"),
)
_JUDGE_ANSWERS = sql.SQL(_JUDGE).format(
    may_read=may_read("answer.reader"), chosen=sql.SQL("cited.answer_id = any(%(answers)s::bigint[])")
)
_RECENT = """
select distinct answer.id, answer.reader
from source join answer on answered_at > coalesce(synced_at, '-infinity') - interval '5 minutes'
    join citation on citation.answer_id = answer.id and citation.source = source.name
where source.id = %(source_id)s
"""
# Of the tags of a reader those of this source's groups are replaced.
_FOLLOW = """
update answer set reader = today.reader
from (
    select answer.id, array(
        select tag from unnest(answer.reader) as tag where not starts_with(tag, 'group:' || source.name || '/')
        union
        select tag from membership where membership.email = changed.email and source_id = source.id
        order by tag
    ) as reader
    from unnest(%(emails)s::text[]) as changed(email)
    join answer on answer.reader @> array['user:' || changed.email]
    join source on source.id = %(source_id)s
) as today
where answer.id = today.id and answer.reader <> today.reader
returning answer.id
"""
