"""What jobs have left visible, in PostgreSQL."""

from collections.abc import Sequence

from bot.core.incoming import Place
from bot.core.outgoing import Trace
from bot.store.message_queue import QUEUE
from knowledge.prepare import storable
from knowledge.store.pool import Pool


class PostgresTraces:
    """The `Traces` port, and the list of what nobody will clear but us."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def of(self, number: int) -> Sequence[Trace]:
        async with self._pool.connection() as connection:
            rows = await connection.execute(_OF, {"number": number})
            return [_trace(row) for row in await rows.fetchall()]

    async def leave(self, number: int, trace: Trace) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_LEAVE, _row(number, trace))

    async def wipe(self, number: int, trace: Trace) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_WIPE, _row(number, trace))

    async def left_over(self, before_s: float) -> list[tuple[int, Trace]]:
        """Return, with its message's number, what no job clears: its message is done with, or nobody has worked on it.

        The latter where it was left more than `before_s` ago.
        """
        async with self._pool.connection() as connection:
            rows = await connection.execute(_LEFT_OVER, {"before_s": before_s, "queue": QUEUE})
            return [(int(row[0]), _trace(row[1:])) for row in await rows.fetchall()]


def _row(number: int, trace: Trace) -> dict[str, object]:
    return {
        "number": number,
        "kind": storable(trace.kind),
        "channel": storable(trace.place.channel),
        "thread": storable(trace.thread),
        "reference": storable(trace.reference),
    }


def _trace(row: Sequence[str]) -> Trace:
    platform, workspace, channel, thread, kind, reference = row
    return Trace(Place(platform, workspace, channel), thread, kind, reference)


_OF = """
select message.platform, message.workspace, trace.channel, trace.thread, trace.kind, trace.reference
from trace join message on message.id = trace.message_id
where trace.message_id = %(number)s
order by trace.left_at, trace.kind
"""
_LEAVE = """
insert into trace (message_id, kind, channel, thread, reference)
values (%(number)s, %(kind)s, %(channel)s, %(thread)s, %(reference)s)
on conflict (message_id, kind) do update set
    channel = excluded.channel, thread = excluded.thread, reference = excluded.reference, left_at = now()
"""
# Another one of its kind that took its place meanwhile is there still.
_WIPE = """
delete from trace where message_id = %(number)s and kind = %(kind)s and channel = %(channel)s and thread = %(thread)s
    and reference = %(reference)s
"""
# Whoever does a job clears up behind it, so nobody else does while it is being done.
_LEFT_OVER = """
select message.id, message.platform, message.workspace, trace.channel, trace.thread, trace.kind, trace.reference
from trace join message on message.id = trace.message_id
where (message.state not in ('waiting', 'answering', 'replied')
        or trace.left_at < now() - make_interval(secs => %(before_s)s))
    and not exists (
        select from procrastinate_jobs as job
        where job.queue_name = %(queue)s and job.status = 'doing' and (job.args ->> 'number')::bigint = message.id
    )
order by trace.left_at, message.id, trace.kind
"""
