"""Takes the name of somebody out of what they did at desks; what they said there stays with whom it was said to."""

from collections.abc import Mapping

from psycopg import AsyncConnection

from bot.store.ticket_erasure import erase_posts


async def erase_colleague(connection: AsyncConnection, parameters: Mapping[str, object]) -> int:
    """Erase the name of a person of a desk, and return how many tickets keep it because they have them still.

    `parameters`: `person` (platform and author), the `token` that they are called by from now on, and `author`.
    """
    names = await (await connection.execute(_NAMES, parameters)).fetchall()
    tickets = await (await connection.execute(_ACTED_ON, parameters)).fetchall()
    told = {**parameters, "tickets": [ticket for (ticket,) in tickets], "name": ""}
    for (name,) in sorted(names, key=lambda row: -len(row[0])):
        for statement in (_IN_TEXTS, _IN_PARCELS):
            await connection.execute(statement, {**told, "name": name})
    for statement in (_EVENTS, _TICKETS, _PROMPTS, _VERSIONS):
        await connection.execute(statement, told)
    row = await (await connection.execute(_HAS, parameters)).fetchone()
    return int(row[0]) if row else 0


async def erase_bystander(connection: AsyncConnection, parameters: Mapping[str, object]) -> None:
    """Erase what somebody wrote into the tickets of others, in the same conversation."""
    rows = await (await connection.execute(_SAID, parameters)).fetchall()
    if rows:
        tickets, events = {int(ticket) for _, ticket in rows}, [int(event) for event, _ in rows]
        await erase_posts(connection, sorted(tickets), events=events)


# A single letter stands in every text.
_NAMES = """
select distinct name from (
    select details ->> 'name' as name from ticket_event where actor = %(person)s
    union all
    select owner_name from ticket where owner = %(person)s
) as known
where char_length(name) > 1
"""
_ACTED_ON = """
select id from ticket
where platform || ':' || asker is distinct from %(person)s and (
    owner = %(person)s or exists (
        select from ticket_event
        where ticket_id = ticket.id and actor = %(person)s and kind not in ('follow_up', 'added')
    )
)
"""
# Signed with their name, to the asker and in notices at the desk.
_IN_TEXTS = """
update message set text = replace(message.text, %(name)s, '…')
from message as errand join parcel on parcel.message_id = errand.id
where errand.origin = 'errand' and (errand.wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[])
    and message.platform = errand.platform and message.workspace = errand.workspace
    and message.channel = parcel.channel and message.message in (parcel.sent_as, parcel.marker)
    and message.role = 'assistant' and position(%(name)s in message.text) > 0
"""
# What is still to be sent needs what it was planned with.
_IN_PARCELS = """
update parcel set payload = '{}', plain = replace(parcel.plain, %(name)s, '…')
from message as errand
where errand.id = parcel.message_id and errand.origin = 'errand' and parcel.state in ('sent', 'dead')
    and (errand.wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[])
"""
# The name of a button's press has who pressed it in it; within the hour it may come again.
_EVENTS = """
update ticket_event set
    actor = %(token)s, details = details - 'name',
    key = case when position(%(author)s in key) > 0 and at < now() - interval '1 hour' then %(token)s || ':' || id
        else key end
where actor = %(person)s and kind not in ('follow_up', 'added')
"""
_TICKETS = """
update ticket set owner = %(token)s, owner_name = null
where owner = %(person)s and state not in ('open', 'claimed', 'answered')
"""
_PROMPTS = """
update message set wire = wire || jsonb_build_object('to', %(token)s::text)
where origin = 'errand' and wire ->> 'to' = %(person)s and state not in ('waiting', 'answering', 'replied')
"""
_VERSIONS = "update entry_version set actor = %(token)s where actor = %(person)s"
_HAS = "select count(*) from ticket where owner = %(person)s"
_SAID = """
update ticket_event set
    text = '', actor = %(token)s,
    details = (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(details)
        where key in ('act', 'step', 'edits')
    )
from ticket
where ticket.id = ticket_event.ticket_id and actor = %(person)s and kind in ('follow_up', 'added')
    and ticket.id <> all(%(held)s::bigint[])
    and (%(is_everything)s or ticket.state not in ('open', 'claimed', 'answered'))
returning ticket_event.id, ticket_id
"""
