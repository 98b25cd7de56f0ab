"""Takes the words of a person out of the database; what is counted stays."""

from collections.abc import Sequence
from dataclasses import replace

from psycopg import AsyncConnection, sql

from bot.core.requests import Forgotten
from bot.store.colleague_erasure import erase_bystander, erase_colleague
from bot.store.ticket_erasure import PENDING_ERRAND, erase_tickets
from knowledge.store.pool import Pool

Parameters = dict[str, object]


class PostgresForgetting:
    """The `Forgetting` port, and the operator's way to have everything of somebody forgotten."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def forget(self, number: int) -> Forgotten:
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_WHO, {"number": number})).fetchone()
            assert row is not None, "a stored request is there"
            parameters = {**_named(*row), "number": number, "is_everything": False}
            forgotten = await _forget(connection, parameters)
            return replace(forgotten, kept=forgotten.kept + await erase_colleague(connection, parameters))

    async def forget_person(self, platform: str, author: str) -> Forgotten:
        """Forget somebody in all workspaces, also what still waits; only tickets under way keep their words."""
        where: Parameters = {"platform": platform, "author": author}
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_TOKEN)).fetchone()
            assert row is not None, "a value is a row"
            found = [Forgotten(0, 0)]
            workspaces = await (await connection.execute(_WORKSPACES, where)).fetchall()
            for place, (workspace,) in enumerate(workspaces):
                # In each they are somebody else: what they spent on one day is a row in each.
                named = _named(platform, workspace, author, f"{row[0]}:{place}")
                parameters = {**named, "number": 0, "is_everything": True}
                found.append(await _forget(connection, parameters))
            owned = await erase_colleague(connection, _named(platform, "", author, row[0]))
        return Forgotten(sum(each.messages for each in found), sum(each.kept for each in found) + owned)

    async def tickets_of(self, platform: str, author: str) -> tuple[Sequence[int], Sequence[int]]:
        """Return the tickets under way that somebody has asked, and those of others that they have."""
        where = {"platform": platform, "author": author, "person": f"{platform}:{author}"}
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_UNDER_WAY, where)).fetchall()
        asked = [int(number) for number, is_asked in rows if is_asked]
        return asked, [int(number) for number, is_asked in rows if not is_asked]

    async def is_told(self, tickets: Sequence[int]) -> bool:
        """Tell whether all that has to be said because of some tickets was said."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_IS_TOLD, {"tickets": list(tickets)})).fetchone()
        return bool(row and row[0])


def _named(platform: str, workspace: str, author: str, token: str) -> Parameters:
    return {
        "platform": platform,
        "workspace": workspace,
        "author": author,
        "token": token,
        "place": f"{platform}:{workspace}:",
        "person": f"{platform}:{author}",
    }


async def _forget(connection: AsyncConnection, parameters: Parameters) -> Forgotten:
    """Forget one person; tickets are locked before messages, as whoever changes a ticket does."""
    rows = await (await connection.execute(_TICKETS, parameters)).fetchall()
    tickets = [int(number) for number, is_held in rows if not is_held]
    parameters = {**parameters, "held": [int(number) for number, is_held in rows if is_held], "tickets": tickets}
    forgotten, kept = await _messages(connection, parameters)
    parameters = {**parameters, "forgotten": forgotten, "kept": kept}
    if parameters["is_everything"]:
        await connection.execute(_STOP, parameters)
        await connection.execute(_DROP, parameters)
    for statement in _STATEMENTS:
        await connection.execute(statement, parameters)
    await erase_tickets(connection, tickets, token=str(parameters["token"]))
    await erase_bystander(connection, parameters)
    return Forgotten(len(forgotten), len(kept))


async def _messages(connection: AsyncConnection, parameters: Parameters) -> tuple[list[int], list[int]]:
    """Lock what somebody has written; return what may go now, and what waits or a person has."""
    rows = await (await connection.execute(_WRITTEN, parameters)).fetchall()
    forgotten = [int(number) for number, is_done in rows if is_done]
    return forgotten, [int(number) for number, is_done in rows if not is_done]


_WHO = "select platform, workspace, author, 'forgotten:' || gen_random_uuid() from message where id = %(number)s"
_TOKEN = "select 'forgotten:' || gen_random_uuid()"
_WORKSPACES = """
select workspace from message where platform = %(platform)s and author = %(author)s
union select workspace from ticket where platform = %(platform)s and asker = %(author)s
union select workspace from conversation where platform = %(platform)s and asker = %(author)s
union select workspace from person where platform = %(platform)s and author = %(author)s
union select workspace from link_request where platform = %(platform)s and author = %(author)s
union select workspace from message join answer on answer.message_id = message.id
    join feedback on feedback.answer_id = answer.id
    where platform = %(platform)s and feedback.actor = %(author)s
union select workspace from ticket join ticket_event on ticket_event.ticket_id = ticket.id
    where platform = %(platform)s and ticket_event.actor = %(platform)s || ':' || %(author)s
order by workspace
"""
_UNDER_WAY = """
select id, platform = %(platform)s and asker = %(author)s is true from ticket
where state in ('open', 'claimed', 'answered')
    and (platform = %(platform)s and asker = %(author)s or owner = %(person)s)
order by id
"""
_IS_TOLD = sql.SQL("select not exists (select from ticket where id = any(%(tickets)s::bigint[]) and {pending})").format(
    pending=PENDING_ERRAND
)
# A person has it, or something has still to be said because of it.
_TICKETS = sql.SQL("""
select id, state in ('open', 'claimed', 'answered') or not %(is_everything)s and {pending}
from ticket
where platform = %(platform)s and workspace = %(workspace)s and asker = %(author)s
order by id
for update
""").format(pending=PENDING_ERRAND)
# What was joined to a message is done when that one is. What waits may ask an earlier message again, or hand an earlier
# answer to a person.
_WRITTEN = """
with recursive mine as (
    select message.*, coalesce(case when message.state = 'joined' then message.joined_to end, message.id) as head
    from message
    where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s and role = 'user'
        and id <> %(number)s
), needed as (
    select head.id, head.wire from mine join message as head on head.id = mine.head
    where head.id <> %(number)s and (
        not %(is_everything)s and (head.state in ('waiting', 'answering', 'replied') or head.is_revised)
        or exists (select from ticket where ticket.message_id = head.id and ticket.id = any(%(held)s::bigint[]))
        or exists (select from unanswered where unanswered.message_id = head.id and ticket_id = any(%(held)s::bigint[]))
    )
    union
    select mine.id, mine.wire from needed join mine
        on mine.id = case when needed.wire ->> 'again' ~ '^[0-9]{1,18}$' then (needed.wire ->> 'again')::bigint end
        or mine.id = (
            select answer.message_id from answer
            where answer.id = case when needed.wire ->> 'human' ~ '^[0-9]{1,18}$'
                then (needed.wire ->> 'human')::bigint end
        )
)
select message.id, not exists (select from needed where needed.id = mine.head)
from mine join message on message.id = mine.id
where mine.head <> %(number)s
order by message.id
for update of message
"""
# Whoever works on one of these is too late.
_STOP = """
update message set state = 'cancelled', version = version + 1, is_revised = false, finished_at = now()
where (id = any(%(forgotten)s::bigint[])
        or origin = 'errand' and (wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[]))
    and (state in ('waiting', 'answering', 'replied') or is_revised)
"""
_DROP = """
update parcel set state = 'dead'
from message
where message.id = parcel.message_id and message.state = 'cancelled' and parcel.state in ('planned', 'begun')
    and (message.id = any(%(forgotten)s::bigint[])
        or message.origin = 'errand' and (message.wire ->> 'ticket')::bigint = any(%(tickets)s::bigint[]))
"""
# Whoever wrote within the last minute is counted under their name until it is over: else forgetting would lift the
# limit. An operator who has somebody forgotten means it.
_MESSAGES = """
update message set
    text = '', wire = '{}', language = null,
    author = case when not %(is_everything)s and received_at > now() - interval '1 minute' then author
        else %(token)s end
where id = any(%(forgotten)s::bigint[])
"""
_TOLD_IN_DIRECT = """
update message set text = ''
from (
    select distinct channel from message
    where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s and company = 'direct'
) as direct
where message.platform = %(platform)s and message.workspace = %(workspace)s and message.channel = direct.channel
    and message.role = 'assistant' and message.company = 'direct' and message.text <> ''
    and not exists (
        select from parcel join message as replied on replied.id = parcel.message_id
        where parcel.channel = message.channel and message.message in (parcel.sent_as, parcel.marker)
            and (replied.id = any(%(kept)s::bigint[]) or replied.origin = 'errand'
                and (replied.wire ->> 'ticket')::bigint = any(%(held)s::bigint[]))
    )
"""
_TOLD_IN_PRIVATE = """
update message set text = ''
from parcel
where parcel.message_id = any(%(forgotten)s::bigint[]) and (parcel.sight = 'private' or %(is_everything)s)
    and message.platform = %(platform)s and message.workspace = %(workspace)s and message.channel = parcel.channel
    and message.role = 'assistant' and message.message in (parcel.sent_as, parcel.marker)
"""
_PARCELS = "update parcel set payload = '{}', plain = '' where message_id = any(%(forgotten)s::bigint[])"
_CITATIONS = """
delete from citation using answer
where answer.id = citation.answer_id and answer.message_id = any(%(forgotten)s::bigint[])
"""
_ANSWERS = """
update answer set question = '', text = '', reader = '{}', sentences = null, notes = '[]', missing = null,
    cache_key = null, knowledge = null
where message_id = any(%(forgotten)s::bigint[])
"""
# What is nobody's yet: its asker was asked first.
_UNANSWERED = """
update unanswered set question = '', candidates = '[]', draft = '[]' where message_id = any(%(forgotten)s::bigint[])
"""
_FEEDBACK = """
update feedback set comment = null, actor = %(token)s
from answer join message on message.id = answer.message_id
where answer.id = feedback.answer_id and feedback.actor = %(author)s
    and message.platform = %(platform)s and message.workspace = %(workspace)s
"""
_CONVERSATIONS = """
update conversation set asker = %(token)s
where platform = %(platform)s and workspace = %(workspace)s and asker = %(author)s and not exists (
    select from message
    where message.id = any(%(kept)s::bigint[]) and message.channel = conversation.channel
        and message.root = conversation.root
)
"""
# What was spent today still counts for today.
_SPENDING = """
update spending set asker = %(token)s
where asker = %(place)s || %(author)s and (%(is_everything)s or day < (now() at time zone 'UTC')::date)
"""
_PERSON = """
delete from person where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
_CLAIM = """
update link_request set code_hash = null, email = '', expires_at = now()
where platform = %(platform)s and workspace = %(workspace)s and author = %(author)s
"""
_STATEMENTS = (
    _TOLD_IN_DIRECT,
    _TOLD_IN_PRIVATE,
    _MESSAGES,
    _PARCELS,
    _CITATIONS,
    _ANSWERS,
    _UNANSWERED,
    _FEEDBACK,
    _CONVERSATIONS,
    _SPENDING,
    _PERSON,
    _CLAIM,
)
