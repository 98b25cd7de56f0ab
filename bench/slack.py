"""Measures the whole bot on Slack under load: how soon it acknowledges, and what a kill loses.

Run `python -m bench.slack [--rate 50] [--seconds 60]`. The bot is a process of its own with its database; Slack and a
model that takes two seconds an answer are on loopback. People write in many channels, threads and direct messages for
that long; then the bot is killed with -9 and started again while they go on writing, and in the end the model is quick
and the queue is answered. The named alternative gets the same messages and the same kill: Bolt's usual way, which
acknowledges an event before its listener runs, and keeps it in memory. The process ends with 1 when a promise does not
hold.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.machine import cpu_ms_of, machine, print_table, temporary_folder, verdict
from bench.slack_load import Crowd, Latency, Outcome, furnish_load, latency, outcome
from knowledge.store.embedded import acquire
from tests.scenario.model_desk import READING
from tests.scenario.slack_bot import SlackBot, slack_bot, worded_by
from tests.wire.anthropic import AnthropicServer, Honest, Slow, anthropic_server
from tests.wire.slack import BOT_TOKEN, SlackServer, slack_at_work

RATE, SECONDS, AFTER_KILL_S = 50.0, 60.0, 10.0
AT_ONCE = 8
SENTENCE_S = 1.0
QUICK = Honest(openings={})
SLOW = Slow(QUICK, sentence_s=SENTENCE_S)
DRAINED_WITHIN_S = 1_800.0
LOOKED_AFTER_EVERY_S = 0.5
# The promises.
MAX_P99_MS = 300.0
OURS, USUAL = "answerdesk", "Bolt's usual way"
# What one person and one place may ask in a minute is no part of this.
SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant-loopback",
    "ANSWERDESK_MESSAGES__PER_PERSON_A_MINUTE": "100000",
    "ANSWERDESK_MESSAGES__PER_PLACE_A_MINUTE": "100000",
    "ANSWERDESK_MESSAGES__AT_ONCE": str(AT_ONCE),
    "ANSWERDESK_LOG__LEVEL": "warning",
}


@dataclass(frozen=True, slots=True)
class Load:
    """How much is written."""

    rate: float
    seconds: float
    after_kill_s: float


@dataclass(slots=True)
class Figures:
    """One bot's run: CPU in seconds a second, of the whole process and of the thread that acknowledges."""

    before: Latency
    after: Latency
    outcome: Outcome
    asked: int
    cpu: float
    loop_cpu: float
    drain_s: float
    more: dict[str, float] = field(default_factory=dict)


def main() -> None:
    """Measure both, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=RATE, help="messages a second")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for so long before the kill")
    parser.add_argument("--after-kill", type=float, default=AFTER_KILL_S, help="and for so long after it")
    chosen = parser.parse_args()
    load = Load(chosen.rate, chosen.seconds, chosen.after_kill)
    with temporary_folder() as folder:
        ours = measure_ours(folder, load)
    figures = {OURS: ours, USUAL: measure_usual(load)}
    print(f"{machine()}\n{load.rate:g} messages a second for {load.seconds:g} s, {AT_ONCE} answers at once\n")
    sys.exit(0 if report(figures) else 1)


def measure_ours(folder: Path, load: Load) -> Figures:
    """Run the whole bot."""
    lease = acquire(folder / "home")
    try:
        with anthropic_server(SLOW, reading=READING) as model, our_bot(folder, lease.conninfo, model) as at_work:
            return _of_ours(at_work, model, load)
    finally:
        lease.release()


@contextmanager
def our_bot(folder: Path, database_url: str, model: AnthropicServer) -> Iterator[SlackBot]:
    """Open a bot that knows the handbook, not yet started."""
    home, answer = folder / "home", worded_by(model)
    with slack_bot(folder, home, database_url, answer=answer, burst_s=1.2, secrets=SECRETS) as at_work:
        furnish_load(at_work.slack)
        at_work.bot.sync()
        yield at_work


def _of_ours(at_work: SlackBot, model: AnthropicServer, load: Load) -> Figures:
    at_work.start()
    assert at_work.bot.process
    stored: dict[str, float] = {}

    def killed() -> None:
        at_work.bot.kill()
        stored["acknowledged, then killed: waiting"] = _waiting(at_work)
        at_work.start()

    def drained() -> bool:
        model.model = QUICK
        return at_work.is_settled()

    run = _run(at_work.slack, load, at_work.bot.process.pid, killed, drained)
    count = "select count(*) from message where role = 'user' and author like 'U7P%'"
    stored["stored"] = float(str(at_work.rows(count)[0][0]))
    run.more = stored
    return run


def _waiting(at_work: SlackBot) -> float:
    return float(str(at_work.rows("select count(*) from message where state in ('waiting', 'answering')")[0][0]))


def measure_usual(load: Load) -> Figures:
    """Run the alternative."""
    with slack_at_work() as slack:
        furnish_load(slack)
        bot = usual_bot(slack, SENTENCE_S * 2)
        running = [bot]

        def killed() -> None:
            bot.kill()
            bot.wait()
            running.append(usual_bot(slack, 0.0))

        def drained() -> bool:
            posted = len(slack.calls_of("chat.postMessage"))
            time.sleep(2.0)
            return slack.courier.is_idle and posted == len(slack.calls_of("chat.postMessage"))

        try:
            return _run(slack, load, bot.pid, killed, drained)
        finally:
            running[-1].kill()
            running[-1].wait()


def usual_bot(slack: SlackServer, answer_s: float) -> "subprocess.Popen[bytes]":
    """Start the alternative, and wait until it listens."""
    environment = {**os.environ, "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": slack.app_token}
    command = [sys.executable, "-m", "bench.slack_usual", slack.api_url, "--at-once", str(AT_ONCE)]
    before = len(slack.socket_mode.connections)
    bot = subprocess.Popen([*command, "--answer-s", str(answer_s)], env=environment)
    slack.wait_until(lambda: len(slack.socket_mode.connections) > before, 60.0)
    return bot


def _run(
    slack: SlackServer, load: Load, process_id: int, kill: Callable[[], None], is_drained: Callable[[], bool]
) -> Figures:
    """Have people write, kill the bot, have them go on, and wait until all is answered."""
    crowd, process = Crowd(slack), psutil.Process(process_id)
    started, cpu_s, loop_ms = time.monotonic(), sum(process.cpu_times()[:2]), cpu_ms_of(process_id)
    crowd.write(load.rate, load.seconds)
    killed = time.monotonic()
    cpu = (sum(process.cpu_times()[:2]) - cpu_s) / (killed - started)
    loop_cpu = (cpu_ms_of(process_id) - loop_ms) / 1e3 / (killed - started)
    kill()
    again = time.monotonic()
    crowd.write(load.rate, load.after_kill_s)
    over = time.monotonic()
    while not is_drained():
        assert time.monotonic() - over < DRAINED_WITHIN_S, "the queue is not answered in time"
        time.sleep(LOOKED_AFTER_EVERY_S)
    drain_s = time.monotonic() - over
    before, after = latency(slack, started, killed), latency(slack, again, time.monotonic())
    return Figures(before, after, outcome(slack, crowd.asked), len(crowd.asked), cpu, loop_cpu, drain_s)


def report(figures: dict[str, Figures]) -> bool:
    """Print all figures, and whether the promises hold."""
    print_table(
        ["acknowledged, ms", "p50", "p99", "worst", "late", "p99 again", "worst again"],
        [
            [
                name,
                one.before.p50_ms,
                one.before.p99_ms,
                one.before.worst_ms,
                str(one.before.late),
                one.after.p99_ms,
                one.after.worst_ms,
            ]
            for name, one in figures.items()
        ],
    )
    print_table(
        ["killed with -9", "written", "acknowledged", "lost", "doubled", "drained in s", "CPU", "CPU of loop"],
        [[name, *_counts(one), one.drain_s, one.cpu, one.loop_cpu] for name, one in figures.items()],
    )
    ours = figures[OURS]
    for name, value in ours.more.items():
        print(f"{name}: {value:,.0f}")
    promises = [
        verdict(
            f"acknowledged p99 {ours.before.p99_ms:.0f} < {MAX_P99_MS:.0f} ms", held=ours.before.p99_ms < MAX_P99_MS
        ),
        verdict("every message acknowledged and stored", held=ours.asked == ours.outcome.acknowledged),
        verdict(f"{ours.outcome.lost} lost", held=ours.outcome.lost == 0),
        verdict(f"{ours.outcome.doubled} doubled", held=ours.outcome.doubled == 0),
    ]
    return all(promises)


def _counts(one: Figures) -> Sequence[str]:
    return [f"{count:,}" for count in (one.asked, one.outcome.acknowledged, one.outcome.lost, one.outcome.doubled)]


if __name__ == "__main__":
    main()
