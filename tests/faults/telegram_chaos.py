"""Everything at once, by the dice: people who ask and edit, a Telegram that stumbles, a bot that is killed.

    python -m tests.faults.telegram_chaos --rounds 100 --seed 7

plays longer than the suite does. The checker, the database and the last text of each question judge; a round that
breaks a promise tells its seed and its acts.
"""

import time
from collections.abc import Callable, Sequence
from random import Random

from tests.faults.killed_telegram_bots import knowing_on_telegram, started_on_telegram
from tests.faults.rounds import CALM_FOR_S, SEQUENCES, chosen_seeds, new_ground, settled, take, turns_of
from tests.faults.telegram_lines import Past, judged
from tests.faults.telegram_stories import BURST_S, TelegramStory, begin
from tests.scenario.telegram_talk import TelegramTalk


def play(talk: TelegramTalk, past: Past, seed: int) -> str:
    """Play some stories at once; return which promises are broken once all is calm, with all that happened, else "".

    Of three seeds in a row one kills the bot, one takes the database away from it, and one does both.
    """
    dice = Random(seed)
    log: list[str] = []
    stories = [begin(talk, dice, log, number) for number in range(SEQUENCES)]
    turns = turns_of(stories, dice)
    _mix_in(turns, stories, dice, past)
    for number, death in enumerate((stories[0].kill, stories[1].cut)):
        if seed % 3 != number:
            turns.insert(dice.randrange(len(turns)), death)
    take(turns, dice)
    lines = [line for story in stories for line in story.lines]
    problems = settled(lambda: _is_calm(talk)) + judged(talk, lines, past)
    talk.telegram.faults.clear()
    return "\n".join([f"seed {seed}", *problems, *log]) if problems else ""


def _mix_in(turns: list[Callable[[], None]], stories: Sequence[TelegramStory], dice: Random, past: Past) -> None:
    """Add what happens once in a round."""
    moves, blocks = stories[0], dice.choice(stories)

    def migrate() -> None:
        past.moved.update([moves.migrate()])

    turns.insert(dice.randrange(len(turns)), migrate)
    past.blocked.add(blocks.person)
    first, last = sorted(dice.randrange(len(turns)) for _ in range(2))
    turns.insert(last, blocks.unblock)
    turns.insert(first, blocks.block)


def _is_calm(talk: TelegramTalk) -> bool:
    return _is_quiet(talk) and talk.at_work.is_settled()


def _is_quiet(talk: TelegramTalk) -> bool:
    """Tell whether the bot has confirmed all updates, and says nothing any more; that it types goes by itself."""
    telegram = talk.telegram
    said = [call.at_s for call in list(telegram.calls) if call.method != "getUpdates"]
    is_silent = not said or time.monotonic() - said[-1] > CALM_FOR_S
    return is_silent and not telegram.pending_update_ids and not any(map(telegram.is_typing, telegram.chat_ids()))


def main() -> None:
    """Play as many rounds as are wanted."""
    seeds, past = chosen_seeds(__doc__), Past()
    with (
        new_ground() as ground,
        knowing_on_telegram(ground.folder, ground.home, ground.database_server, ground.template) as servers,
        started_on_telegram(ground.folder / "bot", servers, burst_s=BURST_S) as talk,
    ):
        for seed in seeds:
            began_s = time.monotonic()
            told = play(talk, past, seed) or f"seed {seed}: well"
            print(f"{told} in {time.monotonic() - began_s:.0f} s", flush=True)  # noqa: T201 # what is asked for


if __name__ == "__main__":
    main()
