"""Messages that a platform delivers in parts, one for each file: all of the files belong to one message."""

from dataclasses import replace

from bot.core.incoming import Incoming
from bot.core.tickets.files import FILES
from bot.store.moves import as_moved
from bot.store.stored_message import message_row
from knowledge.prepare import storable
from knowledge.store.pool import Pool

# The key of `Incoming.wire` that tells one part from another.
PART = "part"


async def join_part(pool: Pool, incoming: Incoming) -> Incoming | None:
    """Add the files of a later part to its message, once.

    Where that went to a person before, the part is returned as a message of its own, to go there too.
    """
    if PART not in incoming.wire or FILES not in incoming.wire:
        return None
    async with pool.connection() as connection, connection.transaction():
        moved = await as_moved(connection, incoming)
        parameters = {**message_row(moved), "files": storable(incoming.wire[FILES])}
        row = await (await connection.execute(_FIND, parameters)).fetchone()
        if row is None or row[2]:
            return None
        number, is_gone, _ = row
        if is_gone:
            return replace(incoming, message=f"{incoming.message}:{incoming.wire[PART]}")
        await connection.execute(_ADD, {**parameters, "number": number})
    return None


_FIND = """
select id, state = 'done' and reason = 'held', (wire ->> 'files')::jsonb @> %(files)s::jsonb
from message
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s and message = %(message)s
    and role = 'user'
for update
"""
_ADD = """
update message set wire = wire || jsonb_build_object('files', ((wire ->> 'files')::jsonb || %(files)s::jsonb)::text)
where id = %(number)s and state in ('waiting', 'joined', 'answering')
"""
