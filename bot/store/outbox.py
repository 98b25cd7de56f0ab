"""The outbox in PostgreSQL: a reply is written down whole before any of it is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import AsyncConnection, sql
from psycopg.rows import class_row
from psycopg.types.json import Json

from bot.core.incoming import Place, Question
from bot.core.outgoing import Parcel, Sight
from bot.store.rooms import Rooms
from bot.store.silence import HELD_BY, take_back
from knowledge.prepare import storable
from knowledge.store.pool import Pool


@dataclass(frozen=True, slots=True)
class _Row:
    """A parcel's row, with the place of the message that it replies to."""

    position: int
    platform: str
    workspace: str
    channel: str
    thread: str | None
    sight: Sight
    payload: Mapping[str, Any]
    plain: str
    marker: str
    attempts: int
    replaces: str | None
    is_gone: bool
    is_repeat: bool

    @property
    def parcel(self) -> Parcel:
        return Parcel(
            self.position,
            Place(self.platform, self.workspace, self.channel),
            self.thread,
            self.sight,
            self.payload,
            self.plain,
            self.marker,
            self.attempts,
            self.replaces,
            self.is_gone,
            self.is_repeat,
        )


class PostgresOutbox:
    """The `Outbox` port; what was sent becomes the bot's part of the transcript."""

    def __init__(self, pool: Pool, *, rooms: Rooms | None = None) -> None:
        self._pool = pool
        self._rooms = rooms

    async def plan(self, question: Question, parcels: Sequence[Parcel], *, asker: str) -> bool:
        known = {
            "number": question.number,
            "version": question.version,
            "attempts": question.attempts,
            "state": "replied" if parcels else "done",
            "is_free": question.incoming.origin in ("errand", "request"),
        }
        async with self._pool.connection() as connection, connection.transaction():
            if not (await connection.execute(_REPLY, known)).rowcount:
                return False
            repeats = await _repeats(connection, question.number, [each.replaces for each in parcels if each.replaces])
            # What the earlier text of the message was answered is what the new reply takes the place of.
            await connection.execute(_FORGET, {"number": question.number})
            rows = [{**_row(question.number, each), "is_repeat": each.replaces in repeats} for each in parcels]
            await connection.cursor().executemany(_PLAN, rows)
            # Only now the people at a desk hear of it: whoever is told nothing waits for nobody.
            if self._rooms and question.incoming.origin != "errand":
                about = int(question.incoming.wire.get("consent") or question.number)
                await self._rooms.announce(connection, about, question.version)
            is_open = any(parcel.sight == "open" for parcel in parcels)
            if is_open and question.incoming.origin != "errand":
                own = {"number": question.number, "asker": storable(asker), "is_ours": _is_ours(question)}
                await connection.execute(_CONVERSE, own)
        return True

    async def unsent(self, number: int) -> Sequence[Parcel]:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(_Row))
            rows = await (await cursor.execute(_UNSENT, {"number": number})).fetchall()
        return [row.parcel for row in rows]

    async def begin(self, number: int, parcel: Parcel) -> bool:
        async with self._pool.connection() as connection:
            begun = await connection.execute(_BEGIN, {"number": number, "position": parcel.position})
            if not begun.rowcount:
                await take_back(connection, number)
        return bool(begun.rowcount)

    async def release(self, number: int, parcel: Parcel) -> None:
        await self._note(_RELEASE, number, parcel)

    async def sent(self, number: int, parcel: Parcel, message: str | None) -> None:
        sent_as = message and storable(message)
        async with self._pool.connection() as connection, connection.transaction():
            known = {"number": number, "position": parcel.position, "sent_as": sent_as}
            await connection.execute(_SENT, known)
            await connection.execute(_SAY, known)
            await connection.execute(_COMPLETE, known)

    async def give_up(self, number: int, reason: str) -> None:
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_GIVE_UP, {"number": number, "reason": storable(reason)})
            await connection.execute(_DROP, {"number": number})

    async def _note(self, statement: LiteralString, number: int, parcel: Parcel) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(statement, {"number": number, "position": parcel.position})


async def _repeats(connection: AsyncConnection, number: int, names: Sequence[str]) -> set[str]:
    """Return which of these messages in a message's place were sent once more, because nobody knew."""
    if not names:
        return set()
    rows = await connection.execute(_REPEATS, {"number": number, "names": list(names)})
    return {str(name) for (name,) in await rows.fetchall()}


def _is_ours(question: Question) -> bool:
    """Tell whether what its asker writes next there is meant for us: in a whole chat that is not known."""
    incoming = question.incoming
    is_own = incoming.thread is None and incoming.conversation is None
    return is_own or incoming.company == "direct" or question.is_follow_up


def _row(number: int, parcel: Parcel) -> dict[str, object]:
    return {
        "number": number,
        "position": parcel.position,
        "channel": storable(parcel.place.channel),
        "thread": parcel.thread and storable(parcel.thread),
        "sight": parcel.sight,
        "payload": Json(parcel.payload),
        "plain": storable(parcel.plain),
        "marker": storable(parcel.marker),
        "replaces": parcel.replaces,
        "is_gone": parcel.is_gone,
    }


# Not only the version has to be the one that was answered: a worker that was taken for dead meanwhile is too late. So
# is whoever has an answer where a person has taken over.
_REPLY = sql.SQL("""
update message as own set state = %(state)s, finished_at = case when %(state)s = 'done' then now() end
where id = %(number)s and version = %(version)s and attempts = %(attempts)s and state = 'answering'
    and (%(is_free)s or {held_by} is null)
""").format(held_by=HELD_BY)
# What takes a message's place may be sent as often as need be.
_REPEATS = """
select parcel.sent_as
from message as own
join parcel on parcel.channel = own.channel and parcel.sent_as = any(%(names)s)
join message on message.id = parcel.message_id and message.platform = own.platform
    and message.workspace = own.workspace
where own.id = %(number)s and (parcel.is_repeat or parcel.attempts > 1 and parcel.replaces is null)
"""
_FORGET = "delete from parcel where message_id = %(number)s"
_PLAN = """
insert into parcel (message_id, position, channel, thread, sight, payload, plain, marker, replaces, is_gone, is_repeat)
values (%(number)s, %(position)s, %(channel)s, %(thread)s, %(sight)s, %(payload)s, %(plain)s, %(marker)s, %(replaces)s,
        %(is_gone)s, %(is_repeat)s)
"""
_CONVERSE = """
insert into conversation (platform, workspace, channel, root, asker, is_ours)
select platform, workspace, channel, root, %(asker)s, %(is_ours)s from message where id = %(number)s
on conflict (platform, workspace, channel, root) do update set is_ours = true
    where excluded.is_ours and not conversation.is_ours
"""
_UNSENT = """
select parcel.position, message.platform, message.workspace, parcel.channel, parcel.thread, parcel.sight,
    parcel.payload, parcel.plain, parcel.marker, parcel.attempts, parcel.replaces, parcel.is_gone, parcel.is_repeat
from parcel join message on message.id = parcel.message_id
where message_id = %(number)s and parcel.state in ('planned', 'begun')
order by parcel.position
"""
# Where a person has taken over, only the rest of what has arrived in part is said.
_BEGIN = sql.SQL("""
update parcel set state = 'begun', attempts = parcel.attempts + 1
from message as own
where own.id = %(number)s and parcel.message_id = own.id and position = %(position)s
    and parcel.state in ('planned', 'begun')
    and (own.origin in ('errand', 'request') or {held_by} is null
        or exists (select from parcel as part where part.message_id = own.id and part.state = 'sent'))
""").format(held_by=HELD_BY)
# Of one that an earlier attempt began, nobody knows whether that one has arrived.
_RELEASE = """
update parcel set attempts = attempts - 1, state = case when attempts > 1 then 'begun' else 'planned' end
where message_id = %(number)s and position = %(position)s and state = 'begun'
"""
_SENT = """
update parcel set state = 'sent', sent_as = case when is_gone then null else %(sent_as)s end, sent_at = now()
where message_id = %(number)s and position = %(position)s and state in ('planned', 'begun')
"""
_SAY = """
insert into message (platform, workspace, channel, message, root, thread, role, author, text, company, origin, language,
                     wire, state, sent_at, finished_at)
select asked.platform, asked.workspace, parcel.channel, coalesce(parcel.sent_as, parcel.marker), asked.root,
    parcel.thread, 'assistant', '', parcel.plain, asked.company, asked.origin, asked.language,
    jsonb_strip_nulls(jsonb_build_object('sight', parcel.sight, 'errand', asked.wire ->> 'errand')), 'done', now(),
    now()
from parcel join message as asked on asked.id = parcel.message_id
where parcel.message_id = %(number)s and parcel.position = %(position)s and parcel.state = 'sent'
    and not parcel.is_gone
on conflict (platform, workspace, channel, message) do update set text = excluded.text
    where message.role = 'assistant'
"""
_COMPLETE = """
update message set state = 'done', finished_at = now()
where id = %(number)s and state = 'replied'
    and not exists (select from parcel where message_id = %(number)s and state in ('planned', 'begun'))
"""
_GIVE_UP = """
update message set state = 'undeliverable', reason = %(reason)s, finished_at = now()
where id = %(number)s and state in ('waiting', 'answering', 'replied')
"""
_DROP = "update parcel set state = 'dead' where message_id = %(number)s and state in ('planned', 'begun')"
