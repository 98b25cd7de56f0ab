"""Measures what the stores of conversations cost when much has been written before, and much waits.

Run `python -m bench.slack_backlog [--waiting 10000] [--old 1000000]`. The same steps of a message's life are timed on
an empty database, behind a backlog, and above so many old messages; so is what looks after dead workers every two
seconds. The named alternative is the queue as it comes: without our index on the locks of open jobs. The process ends
with 1 when a promise does not hold.
"""

import argparse
import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import LiteralString, TypeVar

from bench.machine import machine, print_table, quantiles, temporary_folder, verdict
from bot.core.incoming import Place
from bot.store.conversations import conversations_overview
from bot.store.traces import PostgresTraces
from knowledge.store.embedded import acquire
from knowledge.store.migrate import migrate
from knowledge.store.pool import Pool, open_pool
from tests.database.stored_messages import Conversations, heard, open_conversations
from tests.databases import fresh_database

WAITING, OLD = 10_000, 1_000_000
REPEATS = 20
EMPTY, BACKLOG, HISTORY, BARE = "empty", "backlog", "and old ones", "no index"
# The promises: steps of a message, and what is done every two seconds.
MAX_STEP_MS = 50.0
MAX_SWEEP_MS = 200.0
STEPS = ("store", "store, known", "store, not for us", "fetch", "take", "plan and send")
SWEEPS = ("lost jobs", "stalled jobs", "left traces", "overview")

T = TypeVar("T")
Measured = dict[str, dict[str, list[float]]]


def main() -> None:
    """Fill, measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waiting", type=int, default=WAITING)
    parser.add_argument("--old", type=int, default=OLD)
    chosen = parser.parse_args()
    with temporary_folder() as folder:
        lease = acquire(folder / "home")
        try:
            with fresh_database(lease.conninfo) as conninfo:
                measured = asyncio.run(measure(conninfo, chosen.waiting, chosen.old))
        finally:
            lease.release()
    print(f"{machine()}\n{chosen.waiting:,} messages wait, {chosen.old:,} are done with\n")
    sys.exit(0 if report(measured) else 1)


async def measure(conninfo: str, waiting: int, old: int) -> Measured:
    """Time everything in each state of the database."""
    await migrate(conninfo)
    measured: Measured = defaultdict(lambda: defaultdict(list))
    async with open_pool(conninfo) as pool, open_conversations(conninfo, pool) as talk:
        timer = Timer(pool, talk, measured)
        await timer.all(EMPTY)
        # As it is when it has just grown: nobody has counted yet.
        await _change(pool, _WAIT, waiting)
        await timer.all(BACKLOG)
        await _change(pool, "drop index job_open_lock")
        await timer.all(BARE)
        await _change(pool, "create index job_open_lock on procrastinate_jobs (lock) where status in ('todo', 'doing')")
        await _change(pool, _REMEMBER, old)
        await _change(pool, "analyze")
        await timer.all(HISTORY)
    return measured


class Timer:
    """Times one message after another."""

    def __init__(self, pool: Pool, talk: Conversations, measured: Measured) -> None:
        self._pool = pool
        self._talk = talk
        self._traces = PostgresTraces(pool)
        self._measured = measured
        self._numbers = count(1)

    async def all(self, state: str) -> None:
        """Time every step some times."""
        await _change(self._pool, _WORKER)
        for _ in range(REPEATS):
            await self._message(state)
        for _ in range(REPEATS // 4):
            await self._timed(state, "lost jobs", self._talk.queue.lost)
            await self._timed(state, "stalled jobs", self._talk.queue.retry_stalled)
            await self._timed(state, "left traces", lambda: self._traces.left_over(60.0))
            await self._timed(state, "overview", lambda: conversations_overview(self._pool))

    async def _message(self, state: str) -> None:
        number = next(self._numbers)
        place = Place("slack", "T1", f"C{number % 50}")
        said = replace(
            heard(f"7{number}", author=f"U{number % 600}", place=place, thread=f"t{number % 5000}"),
            sent_at=datetime.now(UTC),
            origin="command",
        )
        chatter = replace(said, message=f"8{number}", is_addressed=False, origin="message")
        await self._timed(state, "store", lambda: self._talk.store(said))
        await self._timed(state, "store, known", lambda: self._talk.store(said))
        await self._timed(state, "store, not for us", lambda: self._talk.store(chatter))
        await self._timed(state, "fetch", lambda: _change(self._pool, _FETCH))
        stored = await self._talk.number(said.message)
        question = await self._timed(state, "take", lambda: self._talk.inbox.take(stored))
        assert question is not None
        await self._timed(state, "plan and send", lambda: self._talk.answer(question, "An answer. [1]"))
        await _change(self._pool, _FINISH, stored)

    async def _timed(self, state: str, step: str, work: Callable[[], Awaitable[T]]) -> T:
        started = time.perf_counter()
        done = await work()
        self._measured[state][step].append(1e3 * (time.perf_counter() - started))
        return done


async def _change(pool: Pool, statement: LiteralString, number: int = 0) -> None:
    async with pool.connection() as connection:
        await connection.execute(statement, {"number": number})


def report(measured: Measured) -> bool:
    """Print the medians, and whether the promises hold."""
    states = (EMPTY, BACKLOG, BARE, HISTORY)
    print_table(
        ["ms, p50 (p95 in brackets)", *states],
        [[step, *(_cell(measured[state][step]) for state in states)] for step in (*STEPS, *SWEEPS)],
    )
    step_ms = max(quantiles(measured[HISTORY][step])[0] for step in STEPS)
    sweep_ms = max(quantiles(measured[HISTORY][sweep])[0] for sweep in SWEEPS)
    promises = [
        verdict(f"the slowest step takes {step_ms:.1f} < {MAX_STEP_MS:.0f} ms", held=step_ms < MAX_STEP_MS),
        verdict(f"the slowest sweep takes {sweep_ms:.1f} < {MAX_SWEEP_MS:.0f} ms", held=sweep_ms < MAX_SWEEP_MS),
    ]
    return all(promises)


def _cell(took_ms: list[float]) -> str:
    p50, p95 = quantiles(took_ms)
    return f"{p50:.1f} ({p95:.0f})"


_WAIT = """
with stored as (
    insert into message (platform, workspace, channel, message, root, role, author, text, state, sent_at, received_at)
    select 'slack', 'T1', 'C' || (n %% 50), 'w' || n, 'w' || n, 'user', 'U' || (n %% 600), repeat('word ', 20),
        'waiting', now(), now() - interval '5 minutes'
    from generate_series(1, %(number)s) as n
    returning id, channel, root
)
insert into procrastinate_jobs (queue_name, task_name, lock, args)
select 'messages', 'answer_message', 'slack:T1:' || channel || ':' || root, jsonb_build_object('number', id) from stored
"""
_REMEMBER = """
insert into message (platform, workspace, channel, message, root, thread, role, author, text, state, sent_at,
                     received_at, finished_at)
select 'slack', 'T1', 'C' || (n %% 50), 'o' || n, 't' || (n %% 100000), 't' || (n %% 100000),
    case n %% 2 when 0 then 'user' else 'assistant' end, case n %% 2 when 0 then 'U' || (n %% 600) else '' end,
    repeat('word ', 20), 'done', now() - interval '1 day', now() - interval '1 day', now()
from generate_series(1, %(number)s) as n
"""
# It gives signs for as long as this takes.
_WORKER = "insert into procrastinate_workers (last_heartbeat) values (now() + interval '1 hour')"
_FETCH = "select id from procrastinate_fetch_job_v2(array['messages']::varchar[], 1)"
_FINISH = "delete from procrastinate_jobs where (args ->> 'number')::bigint = %(number)s"


if __name__ == "__main__":
    main()
