"""Measures the whole bot on Telegram: a crowd that waits at the start, a kill in the middle, and storing alone.

Run `python -m bench.telegram [--chats 100] [--each 5]`. The bot is a process of its own with its database, and answers
in the documents' own words; Telegram is on loopback and enforces its limits. The named alternative gets the same
messages and the same kill: python-telegram-bot's usual way, many updates at once behind its own limiter, with a handler
that answers at once. The process ends with 1 when a promise does not hold.
"""

import argparse
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from bench.machine import machine, print_table, temporary_folder, verdict
from bench.telegram_load import Crowd, Outcome, last_sent_s, outcome, until
from bench.telegram_storing import Storing, measure_storing, report_storing
from bot.tables import MessageSettings
from knowledge.store.embedded import acquire
from tests.databases import fresh_database
from tests.scenario.telegram_bot import TelegramBot, telegram_bot
from tests.wire.telegram import TOKEN, TelegramServer, telegram_at_work
from tests.wire.telegram.limits import OVERALL_PER_S

CHATS, EACH = 100, 5
READY_WITHIN_S, DONE_WITHIN_S = 60.0, 300.0
# Of the usual way nobody can tell from outside that it is done: it is quiet for longer than any of its pauses.
QUIET_S = 3.0
# A retry is what its documentation advises; the default is none.
RETRIES = 5
OURS, USUAL, RETRYING = "answerdesk", "usual way", f"usual way, {RETRIES} retries"
# The promises: what an answer costs in all, and which share of the messages Telegram may refuse.
MAX_CPU_MS = 100.0
MAX_REFUSED = 0.02
# As it comes.
BURST_S = MessageSettings().burst_s
SECRETS = {"ANSWERDESK_LOG__LEVEL": "warning"}


class Bot(Protocol):
    """One of the bots that are compared, with a loopback Telegram of its own."""

    crowd: Crowd

    @property
    def process_id(self) -> int:
        """Its process."""
        ...

    def start(self) -> None:
        """Start it, and wait until it has asked for updates."""
        ...

    def kill(self) -> None:
        """End it as if the machine had lost its power."""
        ...

    def is_done(self) -> bool:
        """Tell whether it will send nothing more."""
        ...


@dataclass(frozen=True, slots=True)
class Figures:
    """One run: until it listened; from then until all was confirmed, and answered; CPU; what became of the messages."""

    ready_s: float
    confirmed_s: float
    answered_s: float
    cpu_s: float
    outcome: Outcome
    sent_before: int = 0


Runs = dict[str, Figures]


def main() -> None:
    """Measure all, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", type=int, default=CHATS)
    parser.add_argument("--each", type=int, default=EACH, help="messages in each chat")
    chosen = parser.parse_args()
    # A killed bot tears its requests: that is no news.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    with temporary_folder() as folder:
        floods, kills, storing = measure_ours(folder, chosen.chats, chosen.each)
    for name, retries in ((USUAL, 0), (RETRYING, RETRIES)):
        floods[name] = measure_usual(retries, chosen.chats, chosen.each, is_killed=False)
    kills[RETRYING] = measure_usual(RETRIES, chosen.chats, chosen.each, is_killed=True)
    print(f"{machine()}\n{chosen.chats} chats, {chosen.each} messages in each wait at the start\n")
    sys.exit(0 if report(floods, kills, storing, chosen.chats * chosen.each) else 1)


def measure_ours(folder: Path, chats: int, each: int) -> tuple[Runs, Runs, Storing]:
    """Run the whole bot: undisturbed, killed, and storing alone, on a database each."""
    lease, runs = acquire(folder / "home"), list[Runs]()
    try:
        for is_killed in (False, True):
            with fresh_database(lease.conninfo) as url, our_bot(folder, url, chats) as bot:
                runs.append({OURS: measure(bot, each, is_killed=is_killed)})
        with fresh_database(lease.conninfo) as url:
            return runs[0], runs[1], measure_storing(folder, url)
    finally:
        lease.release()


def measure_usual(retries: int, chats: int, each: int, *, is_killed: bool) -> Figures:
    """Run the alternative."""
    with usual_bot(chats, retries) as bot:
        return measure(bot, each, is_killed=is_killed)


def measure(bot: Bot, each: int, *, is_killed: bool) -> Figures:
    """Have people write, start the bot, perhaps kill it when half is answered, and wait until it is done."""
    crowd = bot.crowd
    crowd.write(each)
    started_s = time.monotonic()
    bot.start()
    ready_s = crowd.telegram.polls[0].at_s
    sent_before = 0
    if is_killed:
        until(lambda: crowd.sent() >= len(crowd.asked) // 2, DONE_WITHIN_S)
        bot.kill()
        sent_before = crowd.sent()
        bot.start()
    until(bot.is_done, DONE_WITHIN_S)
    confirmed_s = max(poll.at_s for poll in crowd.telegram.polls if poll.confirmed)
    cpu_s = sum(psutil.Process(bot.process_id).cpu_times()[:2])
    return Figures(
        ready_s - started_s, confirmed_s - ready_s, last_sent_s(crowd) - ready_s, cpu_s, outcome(crowd), sent_before
    )


@dataclass
class OurBot:
    """The whole bot."""

    at_work: TelegramBot
    crowd: Crowd

    @property
    def process_id(self) -> int:
        assert self.at_work.bot.process
        return self.at_work.bot.process.pid

    def start(self) -> None:
        self.at_work.start()

    def kill(self) -> None:
        self.at_work.bot.kill()

    def is_done(self) -> bool:
        return not self.crowd.telegram.pending_update_ids and self.at_work.is_settled()


@contextmanager
def our_bot(folder: Path, database_url: str, chats: int) -> Iterator[OurBot]:
    """Open a bot that knows the handbook, not yet started."""
    settings = telegram_bot(folder, folder / "home", database_url, burst_s=BURST_S, secrets=SECRETS)
    with settings as at_work:
        at_work.bot.sync()
        at_work.telegram.enforce_limits = True
        yield OurBot(at_work, Crowd(at_work.telegram, chats))


@dataclass
class UsualBot:
    """The alternative."""

    telegram: TelegramServer
    crowd: Crowd
    retries: int
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def process_id(self) -> int:
        assert self.process
        return self.process.pid

    def start(self) -> None:
        environment = {**os.environ, "TELEGRAM_BOT_TOKEN": TOKEN}
        command = [sys.executable, "-m", "bench.telegram_usual", self.telegram.base_url]
        before = len(self.telegram.polls)
        self.process = subprocess.Popen(
            [*command, "--retries", str(self.retries)], env=environment, stderr=subprocess.DEVNULL
        )
        self.telegram.wait_until(lambda: len(self.telegram.polls) > before, READY_WITHIN_S)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()

    def is_done(self) -> bool:
        calls = self.telegram.calls_of("sendMessage")
        is_quiet = bool(calls) and time.monotonic() - calls[-1].at_s > QUIET_S
        return is_quiet and not self.telegram.pending_update_ids


@contextmanager
def usual_bot(chats: int, retries: int) -> Iterator[UsualBot]:
    """Open the alternative, not yet started."""
    with telegram_at_work() as telegram:
        telegram.enforce_limits = True
        bot = UsualBot(telegram, Crowd(telegram, chats), retries)
        try:
            yield bot
        finally:
            bot.kill()


def report(floods: Runs, kills: Runs, storing: Storing, asked: int) -> bool:
    """Print all figures, and whether the promises hold."""
    _print(
        "waiting at the start",
        ["listens, s", "confirmed, s", "answered, s", "CPU, s"],
        floods,
        lambda one: [one.ready_s, one.confirmed_s, one.answered_s, one.cpu_s],
    )
    _print("killed with -9", ["sent before"], kills, lambda one: [str(one.sent_before)])
    flood, kill = floods[OURS], kills[OURS]
    least_s, cpu_ms = asked / OVERALL_PER_S, 1e3 * flood.cpu_s / asked
    print(f"{asked:,} messages at {OVERALL_PER_S} a second take {least_s:.1f} s at least", end="; ")
    print(
        f"{OURS} took {flood.answered_s / least_s:.2f} times that, {USUAL} {floods[USUAL].answered_s / least_s:.2f}\n"
    )
    promises = [
        verdict(
            f"an answer costs {cpu_ms:.0f} < {MAX_CPU_MS:.0f} ms of CPU, the start included", held=cpu_ms < MAX_CPU_MS
        ),
        verdict(f"{flood.outcome.refused} refused by a limit", held=flood.outcome.refused <= MAX_REFUSED * asked),
        *(_kept(name, one.outcome) for name, one in (("waiting", flood), ("killed", kill))),
        report_storing(storing),
    ]
    return all(promises)


def _print(what: str, head: list[str], figures: Runs, cells: Callable[[Figures], list[str | float]]) -> None:
    print_table(
        [what, *head, "lost", "doubled", "said so", "out of order", "refused, 429"],
        [[name, *cells(one), *_counts(one.outcome)] for name, one in figures.items()],
    )


def _counts(one: Outcome) -> list[str]:
    return [f"{count:,}" for count in (one.unanswered, one.doubled, one.marked, one.out_of_order, one.refused)]


def _kept(name: str, one: Outcome) -> bool:
    promise = f"{name}: {one.unanswered} lost, {one.unmarked} doubled without a word, {one.out_of_order} out of order"
    return verdict(promise, held=not (one.unanswered or one.unmarked or one.out_of_order))


if __name__ == "__main__":
    main()
