"""What was answered before, in PostgreSQL: only what was shown where somebody asks for it."""

from typing import Any

from psycopg import sql
from psycopg.rows import dict_row

from bot.core.answer import OWN_WORDS
from bot.core.requests import Given, HandedOver
from bot.store.answer_json import read_sentences
from knowledge.store.pool import Pool
from knowledge.types import Relevance

# So many messages of a conversation are looked through for the last answer.
LOOKED_AT = 500


class PostgresGivenAnswers:
    """The `GivenAnswers` port over the journal."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def answer(self, number: int, answer: int | None) -> Given | None:
        if answer is None:
            row = await self._row(_LAST_ANSWER, {"number": number})
        else:
            row = await self._row(_ANSWER, {"number": number, "answer": answer})
        return _given(row) if row else None

    async def last(self, number: int) -> Given | HandedOver | None:
        row = await self._row(_LAST, {"number": number})
        if row is None:
            return None
        return _given(row) if row["reason"] is None else _handed_over(row)

    async def _row(self, statement: sql.Composed, parameters: dict[str, object]) -> dict[str, Any] | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            return await (await cursor.execute(statement, parameters)).fetchone()


def _given(row: dict[str, Any]) -> Given | None:
    sentences = read_sentences(row["sentences"])
    if not sentences:
        return None
    return Given(
        number=row["id"],
        question=row["question"],
        language=row["language"],
        relevance=Relevance(row["relevance"]),
        threshold=Relevance(row["threshold"]),
        sentences=sentences,
        answerer=row["answerer"],
        fingerprint=row["fingerprint"],
        is_own_words=row["answerer"] == OWN_WORDS,
        is_cached=row["is_cached"],
    )


def _handed_over(row: dict[str, Any]) -> HandedOver:
    return HandedOver(
        ticket=row["ticket"],
        question=row["asked"],
        language=row["spoken"],
        reason=row["reason"],
        relevance=None if row["sure"] is None else Relevance(row["sure"]),
        threshold=Relevance(row["needed"]),
        is_open=row["state"] == "open",
    )


# What was shown to one person alone is theirs, and only where nobody else reads along. A chat may have moved since.
_MAY_SEE = sql.SQL("""
case
    when own.company = 'direct' then asked.author = own.author
    else asked.company <> 'direct' and asked.origin <> 'command'
end
and exists (
    select from parcel
    where parcel.message_id = asked.id and parcel.state in ('begun', 'sent') and not parcel.is_gone
        and (parcel.sight = 'open' or own.company = 'direct')
        and (parcel.channel = own.channel or exists (
            select from moved_place as moved
            where moved.platform = own.platform and moved.workspace = own.workspace
                and moved.channel = parcel.channel and moved.moved_to = own.channel
        ))
)
""")
# The messages of the request's conversation, and first of all the one whose reply it replies to.
_ASKED = sql.SQL("""
from message as own
cross join lateral (
    select message.*, true as is_meant from parcel join message on message.id = parcel.message_id
    where parcel.channel = own.channel and parcel.sent_as = own.wire ->> 'reply_to'
        and message.platform = own.platform and message.workspace = own.workspace
    union all
    (
        select message.*, false from message
        where message.platform = own.platform and message.workspace = own.workspace
            and message.channel = own.channel and message.root = own.root and message.role = 'user'
            and message.id < own.id
        order by message.id desc limit {looked_at}
    )
) as asked
""").format(looked_at=sql.Literal(LOOKED_AT))
_OF_ANSWER = sql.SQL("""
answer.id, answer.question, answer.language, answer.relevance, answer.threshold, answer.sentences::text,
    answer.answerer, answer.fingerprint, answer.is_cached
""")
_ANSWER = sql.SQL("""
select {of_answer}
from message as own
join message as asked on asked.platform = own.platform and asked.workspace = own.workspace
join answer on answer.message_id = asked.id
where own.id = %(number)s and answer.id = %(answer)s and answer.sentences is not null and {may_see}
""").format(of_answer=_OF_ANSWER, may_see=_MAY_SEE)
_LAST_ANSWER = sql.SQL("""
select {of_answer}
{asked} join answer on answer.message_id = asked.id
where own.id = %(number)s and answer.sentences is not null and {may_see}
order by asked.is_meant desc, asked.id desc limit 1
""").format(of_answer=_OF_ANSWER, asked=_ASKED, may_see=_MAY_SEE)
# A message that broke us again and again may have both. Of one whose asker has to agree, there is no ticket yet.
_LAST = sql.SQL("""
select {of_answer}, ticket.id as ticket, coalesce(ticket.question, noted.question) as asked,
    coalesce(ticket.language, noted.language) as spoken, coalesce(ticket.reason, noted.reason) as reason,
    coalesce(ticket.relevance, noted.relevance) as sure, coalesce(ticket.threshold, noted.threshold) as needed,
    coalesce(ticket.state, 'open') as state
{asked}
left join answer on answer.message_id = asked.id and answer.sentences is not null
left join ticket on ticket.message_id = asked.id and ticket.question <> ''
    and (ticket.state = 'open' or answer.id is null)
left join unanswered as noted on noted.message_id = asked.id and noted.question <> '' and noted.ticket_id is null
    and answer.id is null and ticket.id is null
where own.id = %(number)s and coalesce(answer.id, ticket.id, noted.id) is not null and {may_see}
order by asked.is_meant desc, asked.id desc limit 1
""").format(of_answer=_OF_ANSWER, asked=_ASKED, may_see=_MAY_SEE)
