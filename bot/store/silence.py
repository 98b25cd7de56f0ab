"""The silence of the bot where a person owns the conversation."""

from psycopg import AsyncConnection, sql
from psycopg.rows import class_row

from bot.core.incoming import Incoming
from bot.store.stored_message import StoredMessage

# The ticket whose owner has the conversation of the message `own`: in a thread everybody's, in a group chat the asker's
# alone. What a ticket itself began with is still announced, and what its asker has agreed with; but a later text of it
# is for its owner, and so is one that another attempt would answer by now. What somebody asked for their own eyes only
# goes on below the direct message that its owner's words came in.
HELD_BY = sql.SQL("""coalesce((
    select held.id from ticket as held
    where held.platform = own.platform and held.workspace = own.workspace and held.channel = own.channel
        and held.root = own.root and held.state in ('claimed', 'answered')
        and (own.company = 'direct' or own.conversation is null or held.asker = own.author)
        and (held.message_id is null or own.received_at > held.opened_at
            or held.message_id <> own.id and held.message_id::text is distinct from own.wire ->> 'consent'
            or exists (select from answer where answer.message_id = own.id and answer.answered_at > held.opened_at))
    order by held.asker = own.author desc, held.touched_at desc limit 1
), case when own.company = 'direct' and own.thread is not null then (
    select held.id from parcel
    join message as errand on errand.id = parcel.message_id and errand.origin = 'errand'
        and errand.platform = own.platform and errand.workspace = own.workspace
    join ticket as held on held.id = (errand.wire ->> 'ticket')::bigint
    where parcel.channel = own.author and parcel.sent_as = own.thread and held.asker = own.author
        and held.state in ('claimed', 'answered')
    limit 1
) end)""")


async def take_back(connection: AsyncConnection, message: int) -> bool:
    """Take back a planned reply of which nothing has arrived; False where there is none."""
    return bool((await connection.execute(_TAKE_BACK, {"message": message})).rowcount)


async def parts_of(connection: AsyncConnection, stored: StoredMessage) -> list[Incoming]:
    """Return what the owner of a conversation has to be told of a message: it, and what was joined to it, in order.

    Nothing where the ticket was told already, before somebody had it; a button says what it is about.
    """
    parameters = {"number": stored.id, "version": stored.version}
    cursor = connection.cursor(row_factory=class_row(StoredMessage))
    return [part.incoming for part in await (await cursor.execute(_PARTS, parameters)).fetchall()]


async def end_parts(connection: AsyncConnection, message: int) -> None:
    """Note that what was joined to a message is done with, and a ticket of it that nobody has heard of: it was told."""
    for statement in (_END_PARTS, _DROP_TICKET):
        await connection.execute(statement, {"message": message})


# The reply goes, and its parcels with it.
_TAKE_BACK = """
with taken as (
    update message set state = 'waiting', is_revised = false
    where id = %(message)s and state = 'replied' and origin not in ('errand', 'request')
        and not exists (select from parcel where message_id = %(message)s and state = 'sent')
    returning id
), gone as (
    delete from parcel using taken where parcel.message_id = taken.id
)
select id from taken
"""
_PARTS = """
select own.id, own.platform, own.workspace, own.channel, own.message, own.thread, own.author,
    case when own.text <> '' or own.wire ->> 'human' = '' then own.text else coalesce((
        select coalesce(answer.question, meant.text)
        from message as meant left join answer on answer.message_id = meant.id
        where meant.platform = own.platform and meant.workspace = own.workspace and meant.channel = own.channel
            and meant.id = case when coalesce(own.wire ->> 'again', own.wire ->> 'consent') ~ '^[0-9]{1,18}$'
                    then coalesce(own.wire ->> 'again', own.wire ->> 'consent')::bigint
                when own.wire ->> 'human' ~ '^[0-9]{1,18}$'
                    then (select message_id from answer where id = (own.wire ->> 'human')::bigint) end
            and (meant.author = own.author or meant.origin <> 'command' and meant.company <> 'direct')
    ), '') end as text,
    own.company, own.is_addressed, own.origin, own.language, own.has_files, own.wire, own.conversation, own.state,
    own.version, own.reason, own.sent_at, false as is_ours, null::bigint as held_by
from message as own
where (own.id = %(number)s or own.joined_to = %(number)s and own.state = 'joined')
    and not exists (select from ticket_event where key = 'added:' || %(number)s || ':' || %(version)s)
order by own.sent_at, own.id
"""
_END_PARTS = """
update message set state = 'done', reason = 'held', finished_at = now()
where joined_to = %(message)s and state = 'joined'
"""
_DROP_TICKET = """
update ticket set state = 'closed'
where message_id = %(message)s and state = 'open'
    and not exists (select from ticket_event where ticket_id = ticket.id) and not exists (
        select from message as card where card.origin = 'errand' and (card.wire ->> 'ticket')::bigint = ticket.id
    )
"""
