"""Everything at once, by the dice: people who ask and edit, a Telegram that stumbles, a bot that is killed.

    python -m tests.faults.telegram_chaos --rounds 100 --seed 7

plays longer than the suite does. The checker, the database and the last text of each question judge; a round that
breaks a promise tells its seed and its acts.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from psycopg.conninfo import conninfo_to_dict

from knowledge.store.embedded import acquire
from knowledge.store.migrate import migrate
from tests.conftest import new_home
from tests.databases import fresh_database
from tests.faults.killed_telegram_bots import knowing_on_telegram, started_on_telegram
from tests.faults.telegram_lines import Past, judged
from tests.faults.telegram_stories import BURST_S, Story, begin
from tests.scenario.telegram_talk import TelegramTalk

SEQUENCES = 5
ACTS = 6
LONGEST_PAUSE_S = 0.15
SETTLED_WITHIN_S = 60.0
# Nothing is left to do where several looks in a row, over so long, find nothing: one alone may take as long by itself.
CALM_FOR_S, CALM_LOOKS = 0.3, 4


def play(talk: TelegramTalk, past: Past, seed: int) -> str:
    """Play some stories at once; return which promises are broken once all is calm, with all that happened, else "".

    Of three seeds in a row one kills the bot, one takes the database away from it, and one does both.
    """
    dice = Random(seed)
    log: list[str] = []
    stories = [begin(talk, dice, log, number) for number in range(SEQUENCES)]
    turns = [story.act for story in stories for _ in range(ACTS)]
    dice.shuffle(turns)
    _mix_in(turns, stories, dice, past)
    for number, death in enumerate((stories[0].kill, stories[1].cut)):
        if seed % 3 != number:
            turns.insert(dice.randrange(len(turns)), death)
    for turn in turns:
        turn()
        time.sleep(dice.uniform(0.0, LONGEST_PAUSE_S))
    lines = [line for story in stories for line in story.lines]
    problems = _settled(talk) + judged(talk, lines, past)
    talk.telegram.faults.clear()
    return "\n".join([f"seed {seed}", *problems, *log]) if problems else ""


def _mix_in(turns: list[Callable[[], None]], stories: Sequence[Story], dice: Random, past: Past) -> None:
    """Add what happens once in a round."""
    moves, blocks = stories[0], dice.choice(stories)

    def migrate() -> None:
        past.moved.update([moves.migrate()])

    turns.insert(dice.randrange(len(turns)), migrate)
    past.blocked.add(blocks.person)
    first, last = sorted(dice.randrange(len(turns)) for _ in range(2))
    turns.insert(last, blocks.unblock)
    turns.insert(first, blocks.block)


def _settled(talk: TelegramTalk) -> list[str]:
    """Wait until the bot has caught up, and nothing is left to do."""
    deadline_s, calm_since_s, calm_looks = time.monotonic() + SETTLED_WITHIN_S, time.monotonic(), 0
    while time.monotonic() - calm_since_s < CALM_FOR_S or calm_looks < CALM_LOOKS:
        if time.monotonic() > deadline_s:
            return [f"I7: not settled after {SETTLED_WITHIN_S:g} s"]
        is_calm = _is_quiet(talk) and talk.at_work.is_settled()
        if not is_calm:
            calm_since_s, calm_looks = time.monotonic() + 1e-3, 0
        calm_looks += is_calm
        time.sleep(0.03)
    return []


def _is_quiet(talk: TelegramTalk) -> bool:
    """Tell whether the bot has confirmed all updates, and says nothing any more; that it types goes by itself."""
    telegram = talk.telegram
    said = [call.at_s for call in list(telegram.calls) if call.method != "getUpdates"]
    is_silent = not said or time.monotonic() - said[-1] > CALM_FOR_S
    return is_silent and not telegram.pending_update_ids and not any(map(telegram.is_typing, telegram.chat_ids()))


def main() -> None:
    """Play as many rounds as are wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with new_home() as home, tempfile.TemporaryDirectory(dir="/tmp") as folder:
        lease = acquire(home)
        with fresh_database(lease.conninfo) as template:
            asyncio.run(migrate(template))
            name, past = str(conninfo_to_dict(template)["dbname"]), Past()
            with (
                knowing_on_telegram(Path(folder), home, lease.conninfo, name) as servers,
                started_on_telegram(Path(folder) / "bot", servers, burst_s=BURST_S) as talk,
            ):
                for seed in range(chosen.seed, chosen.seed + chosen.rounds):
                    began_s = time.monotonic()
                    told = play(talk, past, seed) or f"seed {seed}: well"
                    print(f"{told} in {time.monotonic() - began_s:.0f} s", flush=True)  # noqa: T201 # what is asked for
        lease.release()


if __name__ == "__main__":
    main()
