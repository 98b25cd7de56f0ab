"""Places that have another name now, in PostgreSQL: what was there goes along."""

from collections.abc import Mapping
from dataclasses import replace

from psycopg import AsyncConnection

from bot.core.incoming import Incoming, Place
from bot.store.stored_message import place_row
from knowledge.prepare import storable
from knowledge.store.pool import Pool


class PostgresMoves:
    """The `Moves` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def move(self, place: Place, channel: str) -> None:
        parameters = {**place_row(place), "moved_to": storable(channel)}
        async with self._pool.connection() as connection, connection.transaction():
            if (await connection.execute(_NOTE, parameters)).rowcount:
                for statement in (_CONVERSATIONS, _PARCELS, _TRACES, _MESSAGES, _TICKETS):
                    await connection.execute(statement, parameters)

    async def moved(self, platform: str, workspace: str) -> Mapping[str, str]:
        async with self._pool.connection() as connection:
            rows = await connection.execute(_MOVED, {"platform": platform, "workspace": workspace})
            steps = {str(now): str(before) for before, now in await rows.fetchall()}
        return {now: _first(now, steps) for now in steps}


async def as_moved(connection: AsyncConnection, incoming: Incoming) -> Incoming:
    """Return a message as it is called since its place has moved: what came from there before may come once more."""
    row = await (await connection.execute(_MOVED_TO, place_row(incoming.place), prepare=True)).fetchone()
    if row is None:
        return incoming
    before, now = incoming.place.channel, str(row[0])
    return replace(
        incoming,
        place=replace(incoming.place, channel=now),
        message=f"{before}/{incoming.message}",
        wire={"was": before, **incoming.wire},
    )


def _first(name: str, steps: Mapping[str, str]) -> str:
    """Return the earliest name of a place that may have moved several times."""
    seen = {name}
    while (before := steps.get(name)) is not None and before not in seen:
        seen.add(before)
        name = before
    return name


_NOTE = """
insert into moved_place (platform, workspace, channel, moved_to)
values (%(platform)s, %(workspace)s, %(channel)s, %(moved_to)s)
on conflict (platform, workspace, channel) do nothing
"""
_CONVERSATIONS = """
update conversation set channel = %(moved_to)s
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s
    and not exists (
        select from conversation as there
        where there.platform = conversation.platform and there.workspace = conversation.workspace
            and there.channel = %(moved_to)s and there.root = conversation.root
    )
"""
_PARCELS = """
update parcel set channel = %(moved_to)s
from message
where message.id = parcel.message_id and message.platform = %(platform)s and message.workspace = %(workspace)s
    and parcel.channel = %(channel)s and parcel.state in ('planned', 'begun')
"""
_TRACES = """
update trace set channel = %(moved_to)s
from message
where message.id = trace.message_id and message.platform = %(platform)s and message.workspace = %(workspace)s
    and trace.channel = %(channel)s
"""
# In its new place another message may have the same name, and none can be replied to under it; its rules go along.
_MESSAGES = """
update message set
    channel = %(moved_to)s,
    message = %(channel)s || '/' || message,
    wire = jsonb_build_object('was', %(channel)s::text) || wire
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s
"""
# Whoever has the conversation has it in its new place.
_TICKETS = """
update ticket set channel = %(moved_to)s
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s
"""
_MOVED_TO = """
select moved_to from moved_place
where platform = %(platform)s and workspace = %(workspace)s and channel = %(channel)s
"""
_MOVED = "select channel, moved_to from moved_place where platform = %(platform)s and workspace = %(workspace)s"
