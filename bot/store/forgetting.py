"""Takes the words of a person out of the database; what is counted stays."""

from psycopg import AsyncConnection

from bot.core.requests import Forgotten
from knowledge.store.pool import Pool


class PostgresForgetting:
    """The `Forgetting` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def forget(self, number: int) -> Forgotten:
        async with self._pool.connection() as connection, connection.transaction():
            row = await (await connection.execute(_WHO, {"number": number})).fetchone()
            assert row is not None, "a stored request is there"
            platform, workspace, author, token = row
            parameters = {
                "number": number,
                "platform": platform,
                "workspace": workspace,
                "author": author,
                "token": token,
                "place": f"{platform}:{workspace}:",
            }
            forgotten, kept = await _messages(connection, parameters)
            for statement in _STATEMENTS:
                await connection.execute(statement, {**parameters, "forgotten": forgotten, "kept": kept})
        return Forgotten(len(forgotten), len(kept))


async def _messages(connection: AsyncConnection, parameters: dict[str, object]) -> tuple[list[int], list[int]]:
    """Lock what somebody has written; return what may go now, and what waits or a person has."""
    rows = await (await connection.execute(_WRITTEN, parameters)).fetchall()
    forgotten = [int(number) for number, is_done in rows if is_done]
    return forgotten, [int(number) for number, is_done in rows if not is_done]


_WHO = "select platform, workspace, author, 'forgotten:' || gen_random_uuid() from message where id = %(number)s"
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
    where head.id <> %(number)s and (head.state in ('waiting', 'answering', 'replied') or head.is_revised or exists (
        select from ticket where ticket.message_id = head.id and ticket.state = 'open'
    ))
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
# Whoever wrote within the last minute is counted under their name until it is over: else forgetting would lift the
# limit.
_MESSAGES = """
update message set
    text = '', wire = '{}', language = null,
    author = case when received_at > now() - interval '1 minute' then author else %(token)s end
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
        select from parcel where parcel.message_id = any(%(kept)s::bigint[]) and parcel.channel = message.channel
            and message.message in (parcel.sent_as, parcel.marker)
    )
"""
_TOLD_IN_PRIVATE = """
update message set text = ''
from parcel
where parcel.message_id = any(%(forgotten)s::bigint[]) and parcel.sight = 'private'
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
_TICKETS = """
update ticket set question = '', candidates = '[]'
where message_id = any(%(forgotten)s::bigint[]) and state = 'closed'
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
where asker = %(place)s || %(author)s and day < (now() at time zone 'UTC')::date
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
    _TICKETS,
    _FEEDBACK,
    _CONVERSATIONS,
    _SPENDING,
    _PERSON,
    _CLAIM,
)
