"""The stored messages in PostgreSQL: what is delivered becomes a row and a job, both or neither."""

from psycopg import AsyncConnection

from bot.core.incoming import Incoming, Place
from bot.core.intake import Limits, Stored
from bot.store.albums import join_part
from bot.store.bursts import seeming
from bot.store.enqueueing import Enqueue
from bot.store.moves import as_moved
from bot.store.questions import PostgresQuestions, Relay
from bot.store.stored_message import conversation_lock, message_row, place_row
from knowledge.store.pool import Pool

# Each failing try means that somebody else has just changed the message, which ends after a few states.
CHANGE_TRIES = 5
# A message is answered again when it has another text, up to so many times.
MOST_VERSIONS = 20


class PostgresInbox(PostgresQuestions):
    """The `Inbox` port, and the `Questions` port of the same messages."""

    def __init__(self, pool: Pool, enqueue: Enqueue, *, limits: Limits, relay: Relay | None = None) -> None:
        super().__init__(pool, limits, relay)
        self._enqueue = enqueue

    async def store(self, incoming: Incoming, *, is_volunteer: bool) -> Stored:
        stored = await self._store(incoming, is_volunteer=is_volunteer)
        alone = await join_part(self._pool, incoming) if stored == "known" else None
        return await self._store(alone, is_volunteer=is_volunteer) if alone else stored

    async def _store(self, incoming: Incoming, *, is_volunteer: bool) -> Stored:
        """Store a message with its job, once.

        Two statements and one insert of a job, whatever is stored already: what they look at grows with what its author
        and its place wrote within a minute, up to the limits, and with the logarithm of all that is stored.
        """
        async with self._pool.connection() as connection, connection.transaction():
            incoming = await as_moved(connection, incoming)
            parameters = {
                **message_row(incoming),
                "is_wanted": incoming.is_addressed or is_volunteer,
                "per_person": self._limits.per_person,
                "per_place": self._limits.per_place,
                "burst": seeming(self._limits.burst, incoming.sent_at),
            }
            row = await (await connection.execute(_STORE, parameters, prepare=True)).fetchone()
            if row is None:
                return "known" if incoming.is_addressed or await _is_known(connection, parameters) else "unwanted"
            number, state, reason, is_new = row
            if is_new and state == "waiting":
                is_debounced = incoming.origin == "message" and reason is None
                wait_s = self._limits.burst.total_seconds() if is_debounced else 0.0
                lock = conversation_lock(incoming.place, incoming.root)
                await self._enqueue(connection, int(number), lock=lock, wait_s=wait_s)
        if not is_new:
            return "known"
        return "limited" if reason == "limit" else "new"

    async def edit(self, incoming: Incoming, *, may_revise: bool = False) -> Stored:
        async with self._pool.connection() as connection:
            incoming = await as_moved(connection, incoming)
            parameters = message_row(incoming)
            for _ in range(CHANGE_TRIES):
                row = await (await connection.execute(_HEAD, parameters)).fetchone()
                if row is None:
                    return "unwanted"
                number, head, is_open, text, has_files = row
                if (text, has_files) == (parameters["text"], parameters["has_files"]):
                    return "known"
                if not is_open:
                    revised = {**parameters, "number": number, "head": head, "most": MOST_VERSIONS}
                    is_revised = may_revise and await self._revise(connection, revised, incoming.place)
                    return "new" if is_revised else "known"
                # It may have been joined or answered since we looked: then nothing is changed, and we look again.
                changed = await connection.execute(_EDIT, {**parameters, "number": number, "head": head})
                if changed.rowcount:
                    return "new"
        return "known"

    async def _revise(self, connection: AsyncConnection, parameters: dict[str, object], place: Place) -> bool:
        """Have what was answered, or is just being answered, answered again with the new text of a message in it."""
        async with connection.transaction():
            row = await (await connection.execute(_REVISE, parameters)).fetchone()
            if row is None:
                return False
            await connection.execute(_REWORD, parameters)
            wait_s = self._limits.burst.total_seconds()
            await self._enqueue(connection, int(row[0]), lock=conversation_lock(place, row[1]), wait_s=wait_s)
        return True

    async def delete(self, place: Place, message: str) -> None:
        parameters = {**place_row(place), "message": message}
        async with self._pool.connection() as connection:
            for _ in range(CHANGE_TRIES):
                if await self._cancel(connection, parameters, place):
                    return
                row = await (await connection.execute(_HEAD, parameters)).fetchone()
                if row is None or not row[2]:
                    return
                number, head, *_ = row
                if number != head and (await connection.execute(_LEAVE, {"number": number, "head": head})).rowcount:
                    return

    async def _cancel(self, connection: AsyncConnection, parameters: dict[str, object], place: Place) -> bool:
        """Cancel a message that waits, or has not come; what was joined to it is asked by itself again."""
        async with connection.transaction():
            row = await (await connection.execute(_CANCEL, parameters)).fetchone()
            if row is None:
                return False
            heirs = await connection.execute(_RELEASE, {"number": int(row[0])})
            for heir, root in sorted(await heirs.fetchall()):
                await self._enqueue(connection, int(heir), lock=conversation_lock(place, root), wait_s=0.0)
        return True


async def _is_known(connection: AsyncConnection, parameters: dict[str, object]) -> bool:
    return await (await connection.execute(_HEAD, parameters)).fetchone() is not None


# What was too much does not count: who is silent for a minute is heard again, and a place does not suffer from one who
# floods it. Past the limit nothing is counted either, so that a flood costs no more than what is allowed.
_STORE = """
with taken as (
    select
        ((select count(*) from (
            select from message
            where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s and role = 'user'
                and reason is distinct from 'limit' and received_at > now() - interval '1 minute'
            limit %(per_person)s
        ) as of_author) >= %(per_person)s
        or (select count(*) from (
            select from message
            where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s and role = 'user'
                and reason is distinct from 'limit' and author <> '' and received_at > now() - interval '1 minute'
            limit %(per_place)s
        ) as of_place) >= %(per_place)s) and not exists (
            -- Whoever talks with a person is not counted.
            select from ticket as held
            where held.platform = %(platform)s and held.workspace = %(workspace)s and held.channel = %(channel)s
                and held.root = %(root)s and held.asker = %(author)s and held.state in ('claimed', 'answered')
        ) as is_over,
        exists (
            select from message
            where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s and reason = 'limit'
                and received_at > now() - interval '1 minute'
        ) as is_told
), stored as (
    insert into message (platform, workspace, channel, message, root, thread, conversation, role, author, text, company,
                         is_addressed, origin, language, has_files, wire, sent_at, state, reason)
    select %(platform)s, %(workspace)s, %(channel)s, %(message)s, %(root)s, %(thread)s, %(conversation)s, 'user',
        %(author)s, %(text)s, %(company)s, %(is_addressed)s, %(origin)s, %(language)s, %(has_files)s, %(wire)s,
        %(sent_at)s,
        case when is_over and is_told then 'limited' else 'waiting' end, case when is_over then 'limit' end
    from taken
    where %(is_wanted)s or (
        -- Its author asked us in this thread, or right now in the message that it hangs from; and nobody took over.
        exists (
            select from conversation as ours
            where ours.platform = %(platform)s and ours.workspace = %(workspace)s and ours.channel = %(channel)s
                and ours.root = %(thread)s and ours.asker = %(author)s and ours.is_ours
        ) or %(conversation)s::text is null and exists (
            -- Its author talks with a person in this thread.
            select from ticket as held
            where held.platform = %(platform)s and held.workspace = %(workspace)s and held.channel = %(channel)s
                and held.root = %(thread)s and held.asker = %(author)s and held.state in ('claimed', 'answered')
        ) or exists (
            select from message as asked
            where asked.platform = %(platform)s and asked.workspace = %(workspace)s and asked.channel = %(channel)s
                and asked.message = %(thread)s and asked.author = %(author)s and asked.role = 'user'
                and asked.state in ('waiting', 'joined', 'answering', 'replied')
        ) or exists (
            select from message as before
            where before.platform = %(platform)s and before.workspace = %(workspace)s
                and before.channel = %(channel)s and before.author = %(author)s and before.state = 'waiting'
                and before.thread is not distinct from %(thread)s and before.origin = 'message'
                and before.reason is null
                and %(sent_at)s between before.sent_at - %(burst)s and before.sent_at + %(burst)s
        )
    )
    -- The same post comes as a mention and as a message: the one that knows more counts.
    on conflict (platform, workspace, channel, message) do update set is_addressed = true
        where excluded.is_addressed and not message.is_addressed
            and message.state in ('waiting', 'joined', 'answering')
    returning id, state, reason, xmax = 0 as is_new
)
select id, state, reason, is_new from stored
"""
_HEAD = """
select own.id, coalesce(head.id, own.id),
    own.state in ('waiting', 'answering')
        or own.state = 'joined' and coalesce(head.state in ('waiting', 'answering'), false),
    own.text, own.has_files
from message as own left join message as head on head.id = own.joined_to and own.state = 'joined'
where own.platform = %(platform)s and own.workspace = %(workspace)s and own.channel = %(channel)s
    and own.message = %(message)s and own.role = 'user'
"""
_EDIT = """
with head as (
    select id from message where id = %(head)s and state in ('waiting', 'answering') for update
)
update message set
    text = case when message.id = %(number)s then %(text)s else message.text end,
    has_files = case when message.id = %(number)s then %(has_files)s else message.has_files end,
    is_addressed = message.is_addressed or message.id = %(number)s and %(is_addressed)s,
    version = message.version + 1,
    -- Another text is another question: what broke over the earlier one is forgotten.
    attempts = 0
from head
where message.id = head.id or message.id = %(number)s and message.state = 'joined' and message.joined_to = head.id
"""
_REVISE = """
update message set
    version = version + 1, attempts = 0, is_revised = true, reason = null, sent_at = %(sent_at)s,
    received_at = clock_timestamp()
where id = %(head)s and state in ('replied', 'done') and version < %(most)s
returning id, root
"""
_REWORD = "update message set text = %(text)s, has_files = %(has_files)s where id = %(number)s"
_CANCEL = """
insert into message (platform, workspace, channel, message, root, role, author, text, state, sent_at, finished_at)
values (%(platform)s, %(workspace)s, %(channel)s, %(message)s, %(message)s, 'user', '', '', 'cancelled', now(), now())
on conflict (platform, workspace, channel, message) do update set
    state = 'cancelled', version = message.version + 1, finished_at = now()
    where message.role = 'user' and message.state in ('waiting', 'answering')
returning id
"""
_LEAVE = """
with head as (
    update message set version = version + 1, attempts = 0
    where id = %(head)s and state in ('waiting', 'answering') returning id
)
update message set state = 'cancelled', version = message.version + 1, finished_at = now()
from head
where message.id = %(number)s and message.state = 'joined' and message.joined_to = head.id
"""
_RELEASE = """
update message set state = 'waiting', joined_to = null, root = coalesce(conversation, thread, message)
where joined_to = %(number)s and state = 'joined'
returning id, root
"""
