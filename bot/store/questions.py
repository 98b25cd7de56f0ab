"""The stored messages in PostgreSQL, as those who answer them see them."""

from collections.abc import Awaitable, Callable, Sequence

from psycopg import AsyncConnection, sql
from psycopg.rows import class_row

from bot.core.incoming import Incoming, Question
from bot.core.intake import Limits
from bot.core.messages import Turn
from bot.store.bursts import Sibling, burst_of
from bot.store.silence import HELD_BY, end_parts, parts_of
from bot.store.stored_message import StoredMessage
from bot.store.transcript import earlier_turns, replied_turns
from knowledge.prepare import storable
from knowledge.store.pool import Pool

# A longer one is none of ours, and no bigint.
NUMBER_DIGITS = 18

# Has a message go to the person who has its conversation, in the transaction of a connection; False: nobody has it.
Relay = Callable[[AsyncConnection, int, Incoming], Awaitable[bool]]


class PostgresQuestions:
    """The `Questions` port."""

    def __init__(self, pool: Pool, limits: Limits, relay: Relay | None = None) -> None:
        self._pool = pool
        self._limits = limits
        self._relay = relay

    async def take(self, number: int) -> Question | None:
        async with self._pool.connection() as connection, connection.transaction():
            cursor = connection.cursor(row_factory=class_row(StoredMessage))
            await cursor.execute(_ONE_AUTHOR_AT_A_TIME, {"number": number})
            stored = await (await cursor.execute(_LOCK, {"number": number})).fetchone()
            if stored is None:
                return None
            if stored.state == "replied" or stored.origin == "errand":
                return await _question(connection, stored, stored.text)
            if stored.state == "done":
                await connection.execute(_REOPEN, {"number": number})
            if await self._is_passed_on(connection, stored) or await _is_told(connection, stored):
                return None
            if stored.state == "waiting" and not await self._gather(connection, stored):
                return None
            text = await _asked(connection, stored)
            if text is None:
                await _finish(connection, number, "cancelled", "what was to be asked again is gone")
                return None
            return await _question(connection, stored, text)

    async def finish(self, number: int, state: str, reason: str | None = None) -> None:
        async with self._pool.connection() as connection:
            await _finish(connection, number, state, reason)

    async def answered(self, number: int, answer: int, actor: str) -> str | None:
        if len(str(answer)) > NUMBER_DIGITS:
            return None
        parameters = {"number": number, "answer": answer, "actor": actor}
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_ANSWERED, parameters)).fetchone()
        return str(row[0]) if row else None

    async def asked_before(self, number: int) -> str | None:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_ASKED_BEFORE, {"number": number})).fetchone()
        return str(row[0]) if row else None

    async def word(self, number: int, text: str) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_WORD, {"number": number, "text": storable(text)})

    async def _is_passed_on(self, connection: AsyncConnection, stored: StoredMessage) -> bool:
        """Have a message go to the person who has its conversation; False where nobody has it."""
        if stored.held_by is None or stored.origin == "request":
            return False
        for part in await parts_of(connection, stored):
            if self._relay and not await self._relay(connection, stored.held_by, part):
                return False
        await end_parts(connection, stored.id)
        await _finish(connection, stored.id, "done", "held")
        return True

    async def _gather(self, connection: AsyncConnection, stored: StoredMessage) -> bool:
        """Join the messages of a burst; False where a later one of them asks them all."""
        if stored.origin != "message" or stored.reason is not None or not self._limits.burst:
            return True
        cursor = connection.cursor(row_factory=class_row(Sibling))
        siblings = await (await cursor.execute(_SIBLINGS, {"number": stored.id})).fetchall()
        burst = burst_of(stored.id, siblings, self._limits.burst)
        later = [sibling.id for sibling in burst if sibling.id > stored.id]
        if later and max(sibling.waited for sibling in burst) < self._limits.longest_wait:
            if await _join(connection, min(later), [sibling.id for sibling in burst if sibling.id <= stored.id]):
                return False
            # It has just been deleted.
            return await self._gather(connection, stored)
        await _join(connection, stored.id, [sibling.id for sibling in burst if sibling.id < stored.id])
        return True


async def _is_told(connection: AsyncConnection, stored: StoredMessage) -> bool:
    """End a message whose author hears already that it is too much, for of two at once neither knew the other."""
    if stored.reason != "limit":
        return False
    row = await (await connection.execute(_TOLD, {"number": stored.id})).fetchone()
    if not (row and row[0]):
        return False
    await _finish(connection, stored.id, "limited", None)
    return True


async def _join(connection: AsyncConnection, head: int, joined: Sequence[int]) -> bool:
    """Have messages, and all that was joined to them, asked by another one; False where that one is gone."""
    return bool((await connection.execute(_JOIN, {"head": head, "joined": joined})).rowcount)


async def _asked(connection: AsyncConnection, stored: StoredMessage) -> str | None:
    """Return the text that a message asks: its own with what was joined to it, or that of another one, asked again."""
    number: int | None = stored.id
    if again := stored.wire.get("again"):
        asked = int(again) if again.isdecimal() and len(again) <= NUMBER_DIGITS else 0
        row = await (await connection.execute(_AGAIN, {"again": asked, "number": stored.id})).fetchone()
        number = int(row[0]) if row else None
    if number is None:
        return None
    rows = await connection.execute(_TEXTS, {"number": number})
    return "\n".join(text for (text,) in await rows.fetchall() if text.strip())


async def _question(connection: AsyncConnection, stored: StoredMessage, text: str) -> Question:
    """Count the attempt, and return what is to be done."""
    row = await (await connection.execute(_TAKE, {"number": stored.id})).fetchone()
    assert row is not None, "a row that is locked is there"
    has_reply = stored.state == "replied"
    return Question(
        stored.id,
        stored.incoming,
        text,
        attempts=int(row[0]),
        version=stored.version,
        is_follow_up=stored.is_ours,
        has_reply=has_reply,
        is_over_limit=stored.reason == "limit",
        history=() if has_reply else await _history(connection, stored),
        shown=() if has_reply or stored.version == 1 else await _shown(connection, stored.id),
    )


async def _history(connection: AsyncConnection, stored: StoredMessage) -> tuple[Turn, ...]:
    """Return what was said before: in its own thread or chat, or where it replies to us among others, only that."""
    if stored.company != "direct" and "reply_to" in stored.wire:
        return await replied_turns(connection, stored.id)
    if stored.thread is None and stored.conversation is None:
        return ()
    is_ours = stored.conversation is None or stored.company == "direct"
    return await earlier_turns(connection, stored.id) if is_ours else ()


async def _shown(connection: AsyncConnection, number: int) -> tuple[str, ...]:
    rows = await connection.execute(_SHOWN, {"number": number})
    return tuple(str(name) for (name,) in await rows.fetchall())


async def _finish(connection: AsyncConnection, number: int, state: str, reason: str | None) -> None:
    """Note the end of a message; one that was deleted meanwhile stays so."""
    await connection.execute(_FINISH, {"number": number, "state": state, "reason": reason})


# The messages of a burst are in threads of their own: their jobs may come at once, and each looks at the others.
_ONE_AUTHOR_AT_A_TIME = """
select pg_advisory_xact_lock(4105, hashtext(platform || workspace || channel || author)) from message
where id = %(number)s
"""
# A thread is ours where its conversation says so, or while the message that it hangs from is still being answered.
_LOCK = sql.SQL("""
select own.id, own.platform, own.workspace, own.channel, own.message, own.thread, own.author, own.text, own.company,
    own.is_addressed, own.origin, own.language, own.has_files, own.wire, own.conversation, own.state, own.version,
    own.reason, own.sent_at,
    (own.thread is not null or own.conversation is not null) and (coalesce(conversation.is_ours, false) or exists (
        select from message as asked
        where asked.platform = own.platform and asked.workspace = own.workspace and asked.channel = own.channel
            and asked.message = own.thread and asked.role = 'user'
            and asked.state in ('waiting', 'joined', 'answering', 'replied')
    )) as is_ours,
    {held_by} as held_by
from message as own
left join conversation on conversation.platform = own.platform and conversation.workspace = own.workspace
    and conversation.channel = own.channel and conversation.root = own.root
where own.id = %(number)s and own.role = 'user'
    and (own.state in ('waiting', 'answering', 'replied') or own.state = 'done' and own.is_revised)
for update of own
""").format(held_by=HELD_BY)
# What was answered is asked again, for it has another text now.
_REOPEN = """
update message set state = 'waiting', is_revised = false, attempts = 0, finished_at = null where id = %(number)s
"""
_SHOWN = """
select sent_as from parcel
where message_id = %(number)s and state = 'sent' and sent_as is not null and sight = 'open'
order by position
"""
_ASKED_BEFORE = """
select coalesce(answer.question, before.text)
from message as own
join message as before on before.platform = own.platform and before.workspace = own.workspace
    and before.channel = own.channel and before.root = own.root and before.author = own.author
    and before.role = 'user' and before.id < own.id and before.origin <> 'request'
    and before.state in ('done', 'replied', 'failed', 'undeliverable') and not before.wire ? 'human'
left join answer on answer.message_id = before.id
where own.id = %(number)s and coalesce(answer.question, before.text) <> ''
order by before.id desc limit 1
"""
_WORD = "update message set text = %(text)s where id = %(number)s and state in ('waiting', 'answering')"
_TOLD = """
select exists (
    select from message as own
    join message as earlier on earlier.platform = own.platform and earlier.workspace = own.workspace
        and earlier.author = own.author and earlier.id < own.id and earlier.reason = 'limit'
        and earlier.state not in ('limited', 'cancelled')
        and earlier.received_at > own.received_at - interval '1 minute'
    where own.id = %(number)s
)
"""
_SIBLINGS = """
select id, sent_at, clock_timestamp() - received_at as waited, text ~ '[?？؟][^[:alnum:]]*$' as asks
from message where id = %(number)s
union all
select id, sent_at, clock_timestamp() - received_at, text ~ '[?？؟][^[:alnum:]]*$'
from message where joined_to = %(number)s and state = 'joined'
union all
select other.id, other.sent_at, clock_timestamp() - other.received_at, other.text ~ '[?？؟][^[:alnum:]]*$'
from message as own
join message as other on other.platform = own.platform and other.workspace = own.workspace
    and other.channel = own.channel and other.author = own.author and other.thread is not distinct from own.thread
where own.id = %(number)s and other.id <> own.id and other.state = 'waiting' and other.origin = 'message'
    and other.reason is null
"""
_JOIN = """
with head as (
    select id, root from message where id = %(head)s and state in ('waiting', 'answering') for update
)
update message set state = 'joined', joined_to = head.id, root = head.root
from head
where message.state in ('waiting', 'joined') and message.id <> head.id
    and (message.id = any(%(joined)s) or message.joined_to = any(%(joined)s))
"""
# A button asks again what another one asked again: up to a few times. What was deleted is not asked.
_AGAIN = """
with recursive chain as (
    select own.id, own.wire ->> 'again' as again, own.state, 0 as steps
    from message as pressed join message as own
        on own.platform = pressed.platform and own.workspace = pressed.workspace and own.author = pressed.author
    where pressed.id = %(number)s and own.id = %(again)s and own.id < pressed.id and own.role = 'user'
    union all
    select own.id, own.wire ->> 'again', own.state, steps + 1
    from chain join message as pressed on pressed.id = chain.id
    join message as own on own.platform = pressed.platform and own.workspace = pressed.workspace
        and own.author = pressed.author and own.role = 'user' and own.id < pressed.id
        and own.id = case when chain.again ~ '^[0-9]{1,18}$' then chain.again::bigint end
    where steps < 10
)
select id from chain where again is null and state <> 'cancelled'
"""
_TEXTS = """
select text from message
where id = %(number)s or joined_to = %(number)s and state = 'joined'
order by sent_at, id
"""
_TAKE = """
update message set state = case when state = 'waiting' then 'answering' else state end, attempts = attempts + 1
where id = %(number)s returning attempts
"""
_FINISH = """
update message set state = %(state)s, reason = coalesce(%(reason)s, reason), finished_at = now()
where id = %(number)s and state in ('waiting', 'answering', 'replied')
"""
# What was shown to one person alone is theirs.
_ANSWERED = """
select answer.question
from message as pressed
join message as asked on asked.platform = pressed.platform and asked.workspace = pressed.workspace
    and asked.channel = pressed.channel
join answer on answer.message_id = asked.id
where pressed.id = %(number)s and answer.id = %(answer)s
    and (asked.author = %(actor)s or asked.origin <> 'command' and asked.company <> 'direct')
"""
