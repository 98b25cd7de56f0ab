"""How the platforms reach the processes that listen."""

from datetime import UTC, datetime

from bot.core.offered import Reach
from bot.store.listening import PostgresListening
from knowledge.store.pool import Pool

HEARD = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


async def test_what_a_process_tells_last_counts(pool: Pool) -> None:
    listening = PostgresListening(pool)
    await listening.tell("slack", "a:1", Reach(True, None, HEARD, {"events": 3}))
    await listening.tell("slack", "a:1", Reach(False, "deaf", HEARD, {"events": 4}))

    (told,) = await listening.now()

    assert (told.healthy, told.trouble, told.heard_at, told.counts) == (False, "deaf", HEARD, {"events": 4})


async def test_who_is_silent_has_ended_and_is_forgotten(pool: Pool) -> None:
    listening = PostgresListening(pool)
    await listening.tell("slack", "a:1", Reach(True, None, None, {}))
    async with pool.connection() as connection:
        await connection.execute("update listening set told_at = now() - interval '5 minutes'")
    silent = await listening.now()
    await listening.tell("slack", "b:2", Reach(True, None, None, {}))

    async with pool.connection() as connection:
        rows = await (await connection.execute("select process from listening")).fetchall()
    assert (silent, rows) == ([], [("b:2",)])
