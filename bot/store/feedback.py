"""What people think of answers, in PostgreSQL."""

from psycopg import AsyncConnection, sql

from bot.core.feedback import Verdict
from bot.core.incoming import Place
from bot.store.enqueueing import Enqueue
from bot.store.stored_message import conversation_lock, place_row
from knowledge.prepare import storable
from knowledge.store.pool import Pool

# A longer comment is a document.
COMMENT_CHARACTERS = 2_000


class PostgresFeedback:
    """The `Feedback` port; what was answered to one person alone is judged by nobody else.

    With a queue to `pass_on` questions by, those whose answer did not help go to a person, once for each who says so.
    """

    def __init__(self, pool: Pool, *, pass_on: Enqueue | None = None) -> None:
        self._pool = pool
        self._pass_on = pass_on

    async def judge(self, answer: int, *, place: Place, actor: str, verdict: Verdict) -> bool:
        parameters = {**_given(answer, place, actor), "verdict": verdict}
        async with self._pool.connection() as connection, connection.transaction():
            is_noted = bool((await connection.execute(_JUDGE, parameters)).rowcount)
            if is_noted and verdict == "bad" and self._pass_on:
                await _want_a_person(connection, parameters, self._pass_on)
        return is_noted

    async def explain(self, answer: int, *, place: Place, actor: str, reason: str | None, comment: str | None) -> bool:
        why = {
            "reason": reason and storable(reason)[:COMMENT_CHARACTERS],
            "comment": comment and storable(comment)[:COMMENT_CHARACTERS],
        }
        return await self._change(_EXPLAIN, {**_given(answer, place, actor), **why})

    async def react(self, place: Place, message: str, *, actor: str, verdict: Verdict | None) -> bool:
        parameters = {**place_row(place), "message": storable(message), "actor": storable(actor)}
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_ANSWER_SENT_AS, parameters)).fetchone()
        if row is None:
            return False
        if verdict is None:
            return await self._change(_TAKE_BACK, _given(int(row[0]), place, actor))
        return await self.judge(int(row[0]), place=place, actor=actor, verdict=verdict)

    async def _change(self, statement: sql.Composed, parameters: dict[str, object]) -> bool:
        async with self._pool.connection() as connection:
            return bool((await connection.execute(statement, parameters)).rowcount)


async def _want_a_person(connection: AsyncConnection, parameters: dict[str, object], enqueue: Enqueue) -> None:
    """Have a person wanted for an answer, once for each who did not like it."""
    row = await (await connection.execute(_WANT, parameters)).fetchone()
    if row:
        number, *place, root = row
        await enqueue(connection, int(number), lock=conversation_lock(Place(*place), root), wait_s=0.0)


def _given(answer: int, place: Place, actor: str) -> dict[str, object]:
    return {**place_row(place), "answer": answer, "actor": storable(actor)}


# Where an answer was given: in its question's place, and wherever else a part of it was sent.
_SHOWN = sql.SQL("""
select answer.id
from answer join message on message.id = answer.message_id
where answer.id = %(answer)s and message.platform = %(platform)s and message.workspace = %(workspace)s
    and (message.channel = %(channel)s or exists (
        select from parcel where parcel.message_id = message.id and parcel.channel = %(channel)s
            and parcel.state = 'sent'
    ))
    and (message.author = %(actor)s or message.origin <> 'command' and message.company <> 'direct')
""")
# Why somebody thought otherwise is no reason for what they think now.
_JUDGE = sql.SQL("""
insert into feedback (answer_id, actor, verdict)
select shown.id, %(actor)s, %(verdict)s from ({shown}) as shown
on conflict (answer_id, actor) do update set
    reason = case when feedback.verdict = excluded.verdict then feedback.reason end,
    comment = case when feedback.verdict = excluded.verdict then feedback.comment end,
    verdict = excluded.verdict, at = now()
""").format(shown=_SHOWN)
_EXPLAIN = sql.SQL("""
update feedback set reason = coalesce(%(reason)s, reason), comment = coalesce(%(comment)s, comment), at = now()
where actor = %(actor)s and answer_id = ({shown})
""").format(shown=_SHOWN)
# It stands where the answer was given, below it, and what comes of it is for nobody else than the answer was.
_WANT = """
insert into message (platform, workspace, channel, message, root, thread, conversation, role, author, text, company,
                     is_addressed, origin, language, wire, sent_at, state)
select asked.platform, asked.workspace, asked.channel, 'disliked:' || answer.id || ':' || %(actor)s, asked.root,
    coalesce(asked.thread, case when asked.conversation is null and asked.origin = 'message' then asked.message end),
    asked.conversation, 'user', %(actor)s, '', asked.company, true,
    case when asked.origin = 'command' then 'command' else 'button' end, answer.language,
    (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(asked.wire)
        where key in ('business', 'guest', 'ui', 'foreign') or key = 'name' and asked.author = %(actor)s
    ) || jsonb_build_object('human', answer.id::text, 'disliked', 'yes', 'below', coalesce((
        select sent_as from parcel
        where message_id = asked.id and channel = asked.channel and state = 'sent' and sent_as is not null
        order by position desc limit 1
    ), asked.wire ->> 'below', asked.message)), now(), 'waiting'
from answer join message as asked on asked.id = answer.message_id
where answer.id = %(answer)s
on conflict (platform, workspace, channel, message) do nothing
returning id, platform, workspace, channel, root
"""
_TAKE_BACK = sql.SQL("delete from feedback where actor = %(actor)s and answer_id = ({shown})").format(shown=_SHOWN)
_ANSWER_SENT_AS = """
select answer.id
from parcel
join message on message.id = parcel.message_id
join answer on answer.message_id = message.id
where parcel.channel = %(channel)s and parcel.sent_as = %(message)s
    and message.platform = %(platform)s and message.workspace = %(workspace)s
"""
