"""Questions that nobody could answer, in PostgreSQL: each becomes a ticket, or is added to that of its conversation."""

from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from bot.core.desk.clock import Standing, Times, next_step, promise
from bot.core.desk.desks import Desks
from bot.core.escalate import Handover, Opened
from bot.store.answer_json import calls_json
from bot.store.transcript import CHAT_HOURS
from knowledge.prepare import storable
from knowledge.store.pool import Pool
from knowledge.types import Evidence

# So much of a passage is kept, so that a desk sees it as long as it still stands.
QUOTE_CHARACTERS = 400


class PostgresTickets:
    """The `Tickets` port, and how many wait."""

    def __init__(self, pool: Pool, *, desks: Desks | None = None, times: Times | None = None) -> None:
        self._pool = pool
        self._desks = desks or Desks()
        self._times = times or Times()

    async def open(self, handover: Handover) -> Opened:
        async with self._pool.connection() as connection, connection.transaction():
            return await self._open(connection, await self._note(connection, handover))

    async def suggest(self, handover: Handover) -> Opened | None:
        async with self._pool.connection() as connection, connection.transaction():
            noted = await self._note(connection, handover)
            row = await (await connection.execute(_IS_AGREED, noted)).fetchone()
            return await self._open(connection, noted) if row and row[0] else None

    async def agreed(self, number: int, message: int) -> Opened | None:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=dict_row)
            row = await (await cursor.execute(_AGREED, {"number": number, "message": message})).fetchone()
            if row is None:
                return None
            stored = {**row, "candidates": Jsonb(row["candidates"]), "draft": Jsonb(row["draft"])}
            return await self._open(connection, {**stored, "calls": Jsonb(row["calls"])})

    async def _open(self, connection: AsyncConnection, parameters: dict[str, Any]) -> Opened:
        """Return the ticket of a question that is noted: its message's own, its conversation's, or a new one."""
        desk = self._desks.named(parameters["desk"])
        now = datetime.now(UTC)
        due_at = promise(desk, now) if desk else None
        step = next_step(Standing("open", now, now, due_at), desk=desk, times=self._times, now=now)
        times = {"due_at": due_at, "next_step": step and step.kind, "next_at": step and step.at, "hours": CHAT_HOURS}
        cursor = connection.cursor(row_factory=dict_row)
        for statement in (_AGAIN, _JOIN, _OPEN):
            row = await (await cursor.execute(statement, {**parameters, **times})).fetchone()
            if row:
                break
        assert row is not None, "an insert returns its row"
        await connection.execute(_BELONG, {"unanswered": parameters["unanswered"], "ticket": row["id"]})
        asked, due = self._desks.named(row["desk"]), row["due_at"]
        if asked is None or due is None:
            return Opened(row["id"])
        return Opened(row["id"], asked.title, asked.hours.told(due))

    async def _note(self, connection: AsyncConnection, handover: Handover) -> dict[str, Any]:
        """Note a question that has no answer; return it as parameters."""
        parameters = self._parameters(handover)
        row = await (await connection.execute(_NOTE, parameters)).fetchone()
        assert row is not None, "an upsert returns its row"
        return {**parameters, "unanswered": int(row[0])}

    def _parameters(self, handover: Handover) -> dict[str, Any]:
        sources = [piece.hit.source for piece in handover.evidence]
        desk = self._desks.route(wanted=handover.desk, question=handover.question, sources=sources)
        draft = [
            {
                "text": storable(rejected.text),
                "missing": [storable(fact) for fact in rejected.checks.missing],
                "disagreement": rejected.checks.disagreement,
                "support": round(rejected.checks.support, 3),
                "is_valid": rejected.checks.valid,
            }
            for rejected in handover.rejected
        ]
        return {
            "question": storable(handover.question),
            "language": handover.language,
            "reason": handover.reason,
            "relevance": handover.relevance,
            "threshold": handover.threshold,
            "candidates": Jsonb([_candidate(piece) for piece in handover.evidence]),
            "draft": Jsonb(draft),
            "fingerprint": handover.fingerprint,
            "calls": calls_json(handover.calls),
            "message": handover.message,
            "desk": desk.name if desk else handover.desk,
        }

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many tickets are open, and since when the oldest of them."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_WAITING)).fetchone()
        return (int(row[0]), row[1]) if row else (0, None)


_NOTE = """
insert into unanswered (question, language, reason, relevance, threshold, candidates, draft, calls, fingerprint, desk,
                        message_id)
values (%(question)s, %(language)s, %(reason)s, %(relevance)s, %(threshold)s, %(candidates)s, %(draft)s, %(calls)s,
        %(fingerprint)s, %(desk)s, %(message)s)
on conflict (message_id) do update set
    asked_at = now(), question = excluded.question, language = excluded.language, reason = excluded.reason,
    relevance = excluded.relevance, candidates = excluded.candidates, draft = excluded.draft,
    calls = unanswered.calls || excluded.calls, desk = excluded.desk, answerable_at = null, answerable_by = null,
    asked_at_state = null, tried = null
returning id
"""
_IS_AGREED = "select ticket_id is not null from unanswered where id = %(unanswered)s"
_AGREED = """
select noted.id as unanswered, noted.question, noted.language, noted.reason, noted.relevance, noted.threshold,
    noted.candidates, noted.draft, noted.calls, noted.fingerprint, noted.desk, noted.message_id as message
from unanswered as noted
join message as asked on asked.id = noted.message_id
join message as pressed on pressed.id = %(message)s and pressed.platform = asked.platform
    and pressed.workspace = asked.workspace and pressed.author = asked.author
where noted.message_id = %(number)s
for update of noted
"""
# What another attempt had made of the same text stays as it is, also where a person has ended it meanwhile; an attempt
# that had an answer may have been wrong, and closed it without an end. Another text is another question.
_AGAIN = """
with own as (
    select id, is_other, is_other and state not in ('claimed', 'answered') or state = 'closed' and ended_at is null
        as is_open
    from (select *, question <> %(question)s as is_other from ticket where message_id = %(message)s) as held
    for no key update
)
update ticket set
    question = %(question)s, language = %(language)s,
    candidates = case when is_other then %(candidates)s else candidates end,
    draft = case when is_other then %(draft)s else draft end,
    summaries = case when is_other then '{}' else summaries end,
    calls = case when is_other then calls || %(calls)s else calls end,
    relevance = case when is_other then %(relevance)s else relevance end,
    reason = case when is_other then %(reason)s else reason end,
    state = case when is_open then 'open' else state end,
    owner = case when not is_open then owner end, owner_name = case when not is_open then owner_name end,
    ended_at = case when not is_open then ended_at end,
    due_at = case when is_open then %(due_at)s else due_at end,
    next_step = case when is_open then %(next_step)s else next_step end,
    next_at = case when is_open then %(next_at)s else next_at end
from own where ticket.id = own.id
returning ticket.id, desk, due_at
"""
# What its asker wrote before in the same conversation waits for a person already.
_JOIN = """
update ticket set calls = ticket.calls || %(calls)s
from message as own
where own.id = %(message)s and ticket.id = (
    select active.id from ticket as active
    where active.platform = own.platform and active.workspace = own.workspace and active.channel = own.channel
        and active.root = own.root and active.state in ('open', 'claimed', 'answered') and active.asker = own.author
        and (own.conversation is null or active.touched_at > now() - make_interval(hours => %(hours)s))
    order by active.id desc limit 1
) and ticket.state in ('open', 'claimed', 'answered')
returning ticket.id, ticket.desk, ticket.due_at
"""
_OPEN = """
insert into ticket (question, language, reason, relevance, threshold, candidates, draft, fingerprint, calls, message_id,
                    desk, platform, workspace, channel, root, asker, company, due_at, next_step, next_at)
select %(question)s, %(language)s, %(reason)s, %(relevance)s, %(threshold)s, %(candidates)s, %(draft)s, %(fingerprint)s,
    %(calls)s, %(message)s, %(desk)s, own.platform, own.workspace, own.channel, own.root, own.author, own.company,
    %(due_at)s, %(next_step)s, %(next_at)s
from (select 1) as one left join message as own on own.id = %(message)s
returning id, desk, due_at
"""
_BELONG = "update unanswered set ticket_id = %(ticket)s where id = %(unanswered)s"
_WAITING = "select count(*), min(opened_at) from ticket where state = 'open'"


def _candidate(piece: Evidence) -> dict[str, Any]:
    hit = piece.hit
    return {
        "source": hit.source,
        "document": hit.document,
        "title": storable(hit.title),
        "url": hit.url and storable(hit.url),
        "heading": list(hit.heading),
        "quote": storable(hit.text[:QUOTE_CHARACTERS]),
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "fused_rank": hit.fused_rank,
        "dense_rank": hit.signals.dense_rank,
        "lexical_rank": hit.signals.lexical_rank,
        "relevance": round(piece.relevance, 4),
    }
