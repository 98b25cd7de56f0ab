"""Plays random wikis against the model of permissions for as long as you like, for instance overnight.

Run `python -m tests.quality.permissions --steps 10000 --seed 1`. Each game begins a new wiki, with the next seed;
unless `--kind` says otherwise, three games of four are played with Confluence Cloud and one with Data Center. The
process ends with 1 when readers find anything else than the wiki lets them, and prints a short list of steps to it.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.conninfo import conninfo_to_dict

from knowledge.store.embedded import acquire
from knowledge.store.migrate import migrate
from tests.conftest import new_home
from tests.databases import fresh_database
from tests.quality.permission_play import Databases, Game, play, shortest
from tests.quality.permission_steps import SYNC
from tests.wire.confluence.site import Kind

STEPS_OF_A_GAME = 1_000
SHRINKING_S = 600.0


def main() -> None:
    """Play, print a line for each game, and stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000, help="how many changes in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first game (default: %(default)s)")
    parser.add_argument("--game", type=int, default=STEPS_OF_A_GAME, help="changes in a game (default: %(default)s)")
    parser.add_argument("--kind", choices=["cloud", "data_center"], help="of what kind all wikis are")
    options = parser.parse_args()
    with _databases() as databases:
        failed = asyncio.run(_play_all(databases, list(_games(options))))
    sys.exit(failed)


def _games(options: argparse.Namespace) -> Iterator[Game]:
    for number, start in enumerate(range(0, options.steps, options.game)):
        kind: Kind = options.kind or ("data_center" if number % 4 == 3 else "cloud")
        yield Game.random(kind, options.seed + number, min(options.game, options.steps - start))


@contextmanager
def _databases() -> Iterator[Databases]:
    with new_home() as home:
        lease = acquire(home)
        with fresh_database(lease.conninfo) as template:
            asyncio.run(migrate(template))
            yield Databases(lease.conninfo, str(conninfo_to_dict(template)["dbname"]))
        lease.release()


async def _play_all(databases: Databases, games: list[Game]) -> int:
    changes = syncs = 0
    began = time.monotonic()
    for game in games:
        failure = await play(databases, game)
        if failure:
            _say(f"{failure.headline}\n\nLooking for a shorter list, for at most {SHRINKING_S:.0f} s ...")
            _say(str(await shortest(databases, failure, within_s=SHRINKING_S)))
            return 1
        syncs += sum(step.kind == SYNC for step in game.steps)
        changes += sum(step.kind != SYNC for step in game.steps)
        _say(f"seed {game.seed} ({game.kind}): {changes} changes, {syncs} syncs, {time.monotonic() - began:.0f} s")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
