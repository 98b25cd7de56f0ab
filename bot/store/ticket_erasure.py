"""Takes the words and the names out of tickets; that they were, and what became of them, stays for the counts."""

from collections.abc import Sequence

from psycopg import AsyncConnection, sql

# What is done to a ticket is said in its places a moment later: until then the ticket waits for it.
PENDING_ERRAND = sql.SQL("""
exists (
    select from message as errand
    where errand.origin = 'errand' and (errand.wire ->> 'ticket')::bigint = ticket.id
        and (errand.state in ('waiting', 'answering', 'replied') or errand.is_revised)
)
""")


async def erase_tickets(connection: AsyncConnection, tickets: Sequence[int], *, token: str) -> None:
    """Erase tickets in the transaction of a connection; whoever asked is called `token` from now on.

    Question, candidates, draft, summaries, all that was said about it, to the asker and among the people at the desk,
    what was posted because of it, and drafts of knowledge made of it go. An approved entry is knowledge, and stays.
    """
    parameters = {"tickets": list(tickets), "token": token, "events": None}
    for statement in _STATEMENTS:
        await connection.execute(statement, parameters)


async def erase_posts(connection: AsyncConnection, tickets: Sequence[int], *, events: Sequence[int]) -> None:
    """Erase what was posted because of some events of tickets, at desks and to askers."""
    parameters = {"tickets": list(tickets), "events": [str(event) for event in events]}
    for statement in (_SENT, _PARCELS):
        await connection.execute(statement, parameters)


# Whoever asked, and whoever wrote along with them, is named no more; who acted at a desk is. Of all the details these
# are no words of anybody.
_EVENTS = """
with touched as (
    select ticket_event.id,
        kind in ('follow_up', 'added') or actor is not distinct from platform || ':' || asker as is_theirs
    from ticket_event join ticket on ticket.id = ticket_id
    where ticket_id = any(%(tickets)s::bigint[])
)
update ticket_event set
    text = '',
    actor = case when is_theirs then %(token)s else actor end,
    details = (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(details)
        where key in ('act', 'step', 'edits') or key = 'name' and not is_theirs
    )
from touched
where ticket_event.id = touched.id
"""
_TICKETS = """
update ticket set
    question = '', candidates = '[]', draft = '[]', summaries = '{}',
    asker = case when asker is not null then %(token)s end, is_forgotten = true
where id = any(%(tickets)s::bigint[])
"""
_UNANSWERED = """
update unanswered set question = '', candidates = '[]', draft = '[]' where ticket_id = any(%(tickets)s::bigint[])
"""
# What they were sent as is in the transcript of both sides.
_SENT = """
update message set text = ''
from message as errand join parcel on parcel.message_id = errand.id
where errand.origin = 'errand' and (errand.wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[])
    and (%(events)s::text[] is null or errand.wire ->> 'event' = any(%(events)s::text[]))
    and message.platform = errand.platform and message.workspace = errand.workspace
    and message.channel = parcel.channel and message.message in (parcel.sent_as, parcel.marker)
    and message.role = 'assistant' and message.text <> ''
"""
_PARCELS = """
update parcel set payload = '{}', plain = ''
from message as errand
where errand.id = parcel.message_id and errand.origin = 'errand'
    and (errand.wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[])
    and (%(events)s::text[] is null or errand.wire ->> 'event' = any(%(events)s::text[]))
"""
_ERRANDS = """
update message set
    text = '',
    wire = (
        select jsonb_object_agg(key, value) from jsonb_each(wire)
        where key in ('errand', 'ticket', 'event', 'desk', 'edit', 'do', 'entry')
    )
where origin = 'errand' and role = 'user' and (wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[])
"""
# Of an approved entry only the wordings that nobody approved go.
_VERSIONS = """
update entry_version set question = '', answer = ''
from entry
where entry.id = entry_version.entry_id and entry.ticket_id = any(%(tickets)s::bigint[])
    and (entry.state in ('draft', 'rejected') or entry_version.state in ('draft', 'rejected'))
"""
_ENTRIES = """
update entry set state = 'rejected', question = '', answer = '', links = '{}', changed_at = now()
where ticket_id = any(%(tickets)s::bigint[]) and state in ('draft', 'rejected')
"""
_STATEMENTS = (_EVENTS, _TICKETS, _UNANSWERED, _SENT, _PARCELS, _ERRANDS, _VERSIONS, _ENTRIES)
