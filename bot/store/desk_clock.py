"""What the desks' clock looks for in PostgreSQL: tickets whose time has come, cards and words that went nowhere."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, LiteralString

from bot.core.desk.clock import Step
from knowledge.store.pool import Pool

# What is being answered just now shows its ticket by itself, as soon as its asker has been told.
CARD_AFTER = timedelta(seconds=30)


class PostgresDeskClock:
    """Looks for what waits for the clock; each answer leaves out what it is asked `without`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def due(self, now: datetime, *, limit: int, without: Collection[int] = ()) -> list[int]:
        """Return the tickets whose next step has come, the longest waiting first."""
        return await self._numbers(_DUE, {"now": now, "limit": limit, "without": list(without)})

    async def replan(self, number: int, step: Step | None, *, instead_of: datetime | None) -> None:
        """Note another next step of a ticket, unless somebody has done something to it meanwhile."""
        row = {"number": number, "step": step and step.kind, "at": step and step.at, "instead_of": instead_of}
        async with self._pool.connection() as connection:
            await connection.execute(_REPLAN, row)

    async def uncarded(
        self, desks: Collection[str], *, since: datetime, now: datetime, limit: int, without: Collection[int] = ()
    ) -> list[int]:
        """Return the tickets opened `since` then that these desks should have, and have never been shown."""
        parameters = {"desks": list(desks), "since": since, "before": now - CARD_AFTER}
        return await self._numbers(_UNCARDED, {**parameters, "limit": limit, "without": list(without)})

    async def undelivered(self, *, limit: int, without: Collection[int] = ()) -> list[int]:
        """Return the errands that could not be delivered, as far as their tickets do not tell so yet."""
        return await self._numbers(_UNDELIVERED, {"limit": limit, "without": list(without)})

    async def _numbers(self, statement: LiteralString, parameters: dict[str, Any]) -> list[int]:
        async with self._pool.connection() as connection:
            rows = await connection.execute(statement, parameters)
            return [int(number) for (number,) in await rows.fetchall()]


_DUE = """
select id from ticket where next_at <= %(now)s and id <> all(%(without)s::bigint[]) order by next_at, id limit %(limit)s
"""
_REPLAN = """
update ticket set next_step = %(step)s, next_at = %(at)s
where id = %(number)s and next_at is not distinct from %(instead_of)s
"""
_UNCARDED = """
select id from ticket
where state in ('open', 'claimed', 'answered') and desk = any(%(desks)s) and opened_at >= %(since)s
    and (message_id is null or opened_at < %(before)s) and not is_forgotten
    and id <> all(%(without)s::bigint[])
    and not exists (
        select from message
        where origin = 'errand' and (wire ->> 'ticket')::bigint = ticket.id and wire ->> 'errand' = 'card'
            and wire ->> 'desk' = ticket.desk
    )
order by id limit %(limit)s
"""
# Each is told once, and noted with its ticket under that key.
_UNDELIVERED = """
select id from message
where origin = 'errand' and state in ('undeliverable', 'failed') and id <> all(%(without)s::bigint[])
    and exists (select from ticket where ticket.id = (message.wire ->> 'ticket')::bigint)
    and not exists (select from ticket_event where key = 'undelivered:' || message.id)
order by id limit %(limit)s
"""
