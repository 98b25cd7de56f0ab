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

Role = Literal["user", "assistant"]


async def earlier_turns(connection: AsyncConnection, number: int) -> tuple[Turn, ...]:
    """Return the last turns before a message in its thread, oldest first; without what only one person was shown."""
    rows = await connection.execute(_EARLIER, {"number": number, "limit": ROWS_READ})
    return last_turns([*reversed(await rows.fetchall())])


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


# What the bot said has been said before, however late it was noted; what waits was not asked yet.
_EARLIER = """
select earlier.role, earlier.text
from message as own
join message as earlier on earlier.platform = own.platform and earlier.workspace = own.workspace
    and earlier.channel = own.channel and earlier.root = own.root
where own.id = %(number)s and earlier.id <> own.id and (earlier.role = 'assistant' or earlier.id < own.id)
    and earlier.state in ('joined', 'replied', 'done', 'failed', 'undeliverable')
    and earlier.joined_to is distinct from own.id
    and earlier.wire ->> 'sight' is distinct from 'private'
order by earlier.id desc limit %(limit)s
"""
