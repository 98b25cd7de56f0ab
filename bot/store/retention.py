"""How long the words of tickets are kept: what ended so long ago only counts."""

from datetime import datetime, timedelta

from psycopg import AsyncConnection, sql

from bot.store.ticket_erasure import PENDING_ERRAND, erase_tickets
from knowledge.store.pool import Pool

# Erased in one transaction: a few tickets are locked, and for a moment.
TICKETS_AT_ONCE = 100
UNANSWERED_AT_ONCE = 1_000


async def erase_old(pool: Pool, keep_days: float, now: datetime) -> int:
    """Erase tickets that ended, and questions that nobody took up, more than so many days before `now`; 0: none.

    Returns how many tickets lost their words. What is erased by several processes at once is erased once.
    """
    if not keep_days:
        return 0
    before = {"before": now - timedelta(days=keep_days)}
    erased = 0
    while found := await _erase_some(pool, {**before, "limit": TICKETS_AT_ONCE}):
        erased += found
    while await _erase_unanswered(pool, {**before, "limit": UNANSWERED_AT_ONCE}):
        continue
    return erased


async def _erase_some(pool: Pool, parameters: dict[str, object]) -> int:
    async with pool.connection() as connection, connection.transaction():
        rows = await (await connection.execute(_ENDED, parameters)).fetchall()
        tickets = [int(number) for (number,) in rows]
        if tickets:
            await erase_tickets(connection, tickets, token=await _token(connection))
    return len(tickets)


async def _token(connection: AsyncConnection) -> str:
    row = await (await connection.execute("select 'expired:' || gen_random_uuid()")).fetchone()
    assert row is not None, "a value is a row"
    return str(row[0])


async def _erase_unanswered(pool: Pool, parameters: dict[str, object]) -> int:
    async with pool.connection() as connection:
        return (await connection.execute(_UNANSWERED, parameters)).rowcount


# One that was erased has words again where somebody noted something afterwards.
_ENDED = sql.SQL("""
select id from ticket
where state not in ('open', 'claimed', 'answered') and ended_at < %(before)s
    and (not is_forgotten or exists (
        select from ticket_event where ticket_id = ticket.id and text <> '' and at < %(before)s
    ))
    and not {pending}
order by id limit %(limit)s
for update skip locked
""").format(pending=PENDING_ERRAND)
# Those of no ticket, and those of one that took in more than it was opened for.
_UNANSWERED = """
update unanswered set question = '', candidates = '[]', draft = '[]'
where id in (
    select unanswered.id from unanswered left join ticket on ticket.id = unanswered.ticket_id
    where unanswered.question <> '' and unanswered.asked_at < %(before)s and (ticket.id is null or ticket.is_forgotten)
    order by unanswered.id limit %(limit)s
    for update of unanswered skip locked
)
"""
