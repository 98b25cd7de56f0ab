"""What was said before in a conversation, by both sides, from our own rows."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

from psycopg import AsyncConnection

from bot.core.messages import Turn

MAX_TURNS = 10
MAX_CHARACTERS = 6_000
# Several rows make one turn: a burst, or an answer in parts.
ROWS_READ = 40
REPLIES_FOLLOWED = 5
# Where a conversation is a whole chat, what was said so long before is another one.
CHAT_HOURS = 12

Role = Literal["user", "assistant"]


async def earlier_turns(connection: AsyncConnection, number: int) -> tuple[Turn, ...]:
    """Return the last turns before a message in its thread, oldest first; without what only one person was shown."""
    parameters = {"number": number, "limit": ROWS_READ, "hours": CHAT_HOURS}
    rows = await connection.execute(_EARLIER, parameters)
    return last_turns([*reversed(await rows.fetchall())])


async def replied_turns(connection: AsyncConnection, number: int) -> tuple[Turn, ...]:
    """Return the turns that a message replies to, oldest first: our answers and what had been asked, one by another."""
    rows = await connection.execute(_REPLIED, {"number": number, "most": REPLIES_FOLLOWED})
    said = [(role, text) for _, asked, answer in await rows.fetchall() for role, text in _exchange(asked, answer)]
    return last_turns(said)


def _exchange(asked: str, answer: str) -> tuple[tuple[Role, str], tuple[Role, str]]:
    return ("user", asked), ("assistant", answer)


def last_turns(rows: Sequence[tuple[Role, str]]) -> tuple[Turn, ...]:
    """Return the last turns of a transcript that are short enough together; the very last one is cut if need be."""
    kept: list[Turn] = []
    room = MAX_CHARACTERS
    for turn in reversed([*_merged(rows)]):
        if kept and len(turn.text) > room:
            break
        kept.append(Turn(turn.role, turn.text[:room]))
        room -= len(turn.text)
    return tuple(reversed(kept[:MAX_TURNS]))


def _merged(rows: Iterable[tuple[Role, str]]) -> Iterable[Turn]:
    """Yield what one side said in a row as one turn."""
    spoken = (row for row in rows if row[1].strip())
    for role, group in groupby(spoken, key=lambda row: row[0]):
        yield Turn(role, "\n".join(text for _, text in group))


# Joins to `own`, a message, what both sides said in its conversation that all who are in it could read.
SAID_WITH_IT = """
join message as earlier on earlier.platform = own.platform and earlier.workspace = own.workspace
    and earlier.channel = own.channel and earlier.root = own.root
    and earlier.state in ('joined', 'replied', 'done', 'failed', 'undeliverable')
    and earlier.joined_to is distinct from own.id
    and earlier.wire ->> 'sight' is distinct from 'private' and earlier.origin <> 'request'
    and (earlier.origin <> 'errand' or earlier.role = 'assistant')
    and (own.conversation is null or earlier.sent_at > own.sent_at - make_interval(hours => %(hours)s))
"""
# What the bot said has been said before, however late it was noted; what waits was not asked yet.
_EARLIER = f"""
select earlier.role, earlier.text
from message as own {SAID_WITH_IT}
where own.id = %(number)s and earlier.id <> own.id and (earlier.role = 'assistant' or earlier.id < own.id)
    -- What became of a ticket is no part of what is spoken of.
    and earlier.wire ->> 'errand' is distinct from 'told'
    -- Where a person has given the conversation back, it begins anew.
    and earlier.received_at > coalesce((
        select max(ended.ended_at) from ticket as ended
        where ended.platform = own.platform and ended.workspace = own.workspace and ended.channel = own.channel
            and ended.root = own.root and ended.ended_at is not null and ended.message_id is distinct from own.id
    ), '-infinity')
order by earlier.id desc limit %(limit)s
"""
_REPLIED = """
with recursive chain as (
    select asked.id, asked.wire, asked.platform, asked.workspace, asked.channel, 1 as steps
    from message as own
    join parcel on parcel.channel = own.channel and parcel.sent_as = own.wire ->> 'reply_to'
    join message as asked on asked.id = parcel.message_id and asked.platform = own.platform
        and asked.workspace = own.workspace
    where own.id = %(number)s
    union all
    select asked.id, asked.wire, asked.platform, asked.workspace, asked.channel, steps + 1
    from chain
    join parcel on parcel.channel = chain.channel and parcel.sent_as = chain.wire ->> 'reply_to'
    join message as asked on asked.id = parcel.message_id and asked.platform = chain.platform
        and asked.workspace = chain.workspace
    where steps < %(most)s
)
select steps,
    (select string_agg(part.text, E'\n' order by part.sent_at, part.id) from message as part
     where part.id = chain.id or part.joined_to = chain.id and part.state = 'joined'),
    (select string_agg(parcel.plain, E'\n' order by parcel.position) from parcel
     where parcel.message_id = chain.id and parcel.sight = 'open')
from chain order by steps desc
"""
