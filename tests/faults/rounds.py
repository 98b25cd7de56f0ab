"""The rounds of a chaos: how one ends, and what playing many of them by hand needs."""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from psycopg.conninfo import conninfo_to_dict

from knowledge.store.embedded import acquire
from knowledge.store.migrate import migrate
from tests.conftest import new_home
from tests.databases import fresh_database

SEQUENCES = 5
ACTS = 6
LONGEST_PAUSE_S = 0.15
SETTLED_WITHIN_S = 60.0
# Nothing is left to do where several looks in a row, over so long, find nothing: one alone may take as long by itself.
CALM_FOR_S, CALM_LOOKS = 0.3, 4
LOOK_EVERY_S = 0.03


class Acting(Protocol):
    """Somebody who does one thing after another."""

    def act(self) -> None:
        """Do the next thing."""


def turns_of(stories: Sequence[Acting], dice: Random) -> list[Callable[[], None]]:
    """Return the acts of several stories in any order."""
    turns = [story.act for story in stories for _ in range(ACTS)]
    dice.shuffle(turns)
    return turns


def take(turns: Sequence[Callable[[], None]], dice: Random) -> None:
    """Let all turns be taken, one soon after the other."""
    for turn in turns:
        turn()
        time.sleep(dice.uniform(0.0, LONGEST_PAUSE_S))


def settled(is_calm: Callable[[], bool]) -> list[str]:
    """Wait until all is calm for a while; return that it did not become so, or nothing."""
    deadline_s, calm_since_s, calm_looks = time.monotonic() + SETTLED_WITHIN_S, time.monotonic(), 0
    while time.monotonic() - calm_since_s < CALM_FOR_S or calm_looks < CALM_LOOKS:
        if time.monotonic() > deadline_s:
            return [f"I7: not settled after {SETTLED_WITHIN_S:g} s"]
        if is_calm():
            calm_looks += 1
        else:
            calm_since_s, calm_looks = time.monotonic() + 1e-3, 0
        time.sleep(LOOK_EVERY_S)
    return []


@dataclass(frozen=True)
class Ground:
    """Where bots can be started: an empty folder, a home, a database server and a template on it."""

    folder: Path
    home: Path
    database_server: str
    template: str


@contextmanager
def new_ground() -> Iterator[Ground]:
    """Start a database server with a migrated database, as the suite's fixtures do."""
    with new_home() as home, tempfile.TemporaryDirectory(dir="/tmp") as folder:
        lease = acquire(home)
        with fresh_database(lease.conninfo) as template:
            asyncio.run(migrate(template))
            yield Ground(Path(folder), home, lease.conninfo, str(conninfo_to_dict(template)["dbname"]))
        lease.release()


def chosen_seeds(description: str | None) -> range:
    """Return the seeds of the rounds that the command line wants."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    return range(chosen.seed, chosen.seed + chosen.rounds)
