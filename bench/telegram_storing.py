"""Measures storing alone: updates a second by long polling, with more and more stored before."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psycopg

from bench.machine import cpu_ms_of, print_table, verdict
from bench.telegram_load import Crowd
from tests.scenario.telegram_bot import TelegramBot, telegram_bot

STORED = (1_000, 10_000, 100_000)
CHATS, EACH, REPEATS = 100, 5, 3
STORED_WITHIN_S = 60.0
# By the logarithm, a hundred times as much makes an update 1.7 times as dear at most.
MAX_DEARER = 2.0
SECRETS = {
    "ANSWERDESK_MESSAGES__PER_PERSON_A_MINUTE": "100000",
    "ANSWERDESK_MESSAGES__PER_PLACE_A_MINUTE": "100000",
    "ANSWERDESK_LOG__LEVEL": "warning",
}


@dataclass(slots=True)
class Took:
    """What an update cost, a figure for each repeat: by the clock, and of CPU, which depends less on what else runs."""

    ms: list[float] = field(default_factory=list)
    loop_ms: list[float] = field(default_factory=list)
    server_ms: list[float] = field(default_factory=list)

    @property
    def cpu_ms(self) -> float:
        """The CPU of the bot's loop and of PostgreSQL together."""
        return _median(self.loop_ms) + _median(self.server_ms)


Storing = dict[int, Took]


def measure_storing(folder: Path, database_url: str) -> Storing:
    """Have updates stored above so and so many messages, answers off."""
    storing: Storing = {}
    settings = telegram_bot(folder, folder / "home", database_url, secrets=SECRETS)
    with settings as at_work:
        at_work.bot.arguments = ("--only", "telegram")
        at_work.start()
        crowd = Crowd(at_work.telegram, CHATS)
        # The first time everything is slower: connections are opened, statements are prepared.
        _store(at_work, crowd, Took())
        for count in STORED:
            _fill(database_url, count)
            storing[count] = Took()
            for _ in range(REPEATS):
                _store(at_work, crowd, storing[count])
    return storing


def _fill(database_url: str, count: int) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(_FILL, {"count": count})
        connection.execute("analyze")


def _store(at_work: TelegramBot, crowd: Crowd, took: Took) -> None:
    """Have a crowd write at once, and time how long storing it takes."""
    telegram, process = at_work.telegram, at_work.bot.process
    assert process
    with telegram.lock:
        # All wait before the first is asked for.
        crowd.write(EACH)
        loop_ms, server_ms = cpu_ms_of(process.pid), _server_ms(at_work)
    started_s = time.monotonic()
    telegram.wait_until(lambda: not telegram.updates.waiting, STORED_WITHIN_S)
    updates = CHATS * EACH
    took.ms.append(1e3 * (time.monotonic() - started_s) / updates)
    took.loop_ms.append((cpu_ms_of(process.pid) - loop_ms) / updates)
    took.server_ms.append((_server_ms(at_work) - server_ms) / updates)


def _server_ms(at_work: TelegramBot) -> float:
    """Return the CPU time that PostgreSQL has used for the bot."""
    return sum(cpu_ms_of(int(str(process_id))) for (process_id,) in at_work.rows(_SERVERS))


def report_storing(storing: Storing) -> bool:
    """Print what storing costs, and whether it grows as it should."""
    least_ms = storing[STORED[0]].cpu_ms
    head = ["stored before", "updates/s", "ms an update", "CPU: loop, ms", "PostgreSQL", "CPU, times"]
    print()
    print_table(head, [[f"{count:,}", *_cells(took), took.cpu_ms / least_ms] for count, took in storing.items()])
    more, dearer = STORED[-1] // STORED[0], storing[STORED[-1]].cpu_ms / least_ms
    promise = f"{more} times as much stored makes an update {dearer:.2f} < {MAX_DEARER:g} times as dear"
    return verdict(promise, held=dearer < MAX_DEARER)


def _cells(took: Took) -> list[float]:
    return [1e3 / _median(took.ms), *map(_median, (took.ms, took.loop_ms, took.server_ms))]


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


# Up to so many in all, in the chats of the crowd and in others.
_FILL = """
insert into message (platform, workspace, channel, message, root, conversation, role, author, text, state, sent_at,
                     received_at, finished_at)
select 'telegram', '12345', chat, 'o' || n, 'chat', 'chat', case n %% 2 when 0 then 'user' else 'assistant' end,
    case n %% 2 when 0 then chat else '' end, repeat('word ', 20), 'done', now() - interval '1 day',
    now() - interval '1 day', now()
from generate_series((select count(*) from message) + 1, %(count)s) as n,
    lateral (select (900000000 + n %% 5000)::text as chat) as place
"""
_SERVERS = "select pid from pg_stat_activity where application_name = 'answerdesk' and datname = current_database()"
