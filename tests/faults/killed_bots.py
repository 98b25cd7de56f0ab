"""Several bots at once, each with a Slack and a database of its own, that are killed at one step after another."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Literal

from psycopg.conninfo import conninfo_to_dict

from bot.channels.slack.render.blocks import ASK_HUMAN
from tests.databases import fresh_database
from tests.scenario.model_desk import READING
from tests.scenario.slack_bot import EXPIRES, slack_bot, worded_by
from tests.scenario.slack_talk import KEY, Talk, careful
from tests.wire.anthropic import anthropic_server
from tests.wire.slack import ASKER, MENTION, PUBLIC, Asked
from tests.wire.slack.checker import Outcome

LANES = 3
RECOVERED_WITHIN_S = 30.0
DIES_WITHIN_S = 40.0
STALE_HOURS = 30.0
# What one person may ask in a minute is no part of this.
MANY = {"ANTHROPIC_API_KEY": KEY, "ANSWERDESK_MESSAGES__PER_PERSON_A_MINUTE": "1000"}
# What takes its time is shown while it grows.
SLOW_QUESTION = f"{EXPIRES} Answer slowly."

# How a question comes: written, written long ago, or by the button below an answer.
Way = Literal["written", "stale", "button"]


@dataclass(frozen=True, slots=True)
class Case:
    """A question whose bot is killed at a step, so many `times`, and what has to come of it all the same."""

    step: str
    outcome: Outcome
    text: str = EXPIRES
    way: Way = "written"
    times: int = 1

    def __str__(self) -> str:
        kind = "slowly" if self.text == SLOW_QUESTION else self.way
        return f"{self.step} {kind} {self.outcome} {self.times}"


@dataclass(slots=True)
class Result:
    """What was found wrong with one run of a case, and how long it took from the last death until all was settled."""

    case: Case
    problems: list[str] = field(default_factory=list)
    recovered_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Servers:
    """The database server, and the name of a database in which the handbook is known."""

    home: Path
    database_server: str
    template: str


class Lane:
    """One bot, started again after each death."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._bot = talk.at_work.bot

    def run(self, case: Case) -> Result:
        """Run a case; whatever goes wrong, the lane is fit for the next one."""
        result = Result(case)
        try:
            self._run(case, result)
        except AssertionError as problem:
            result.problems.append(str(problem) or repr(problem))
        finally:
            self._bot.dies_at("")
        if result.problems or not self._bot.is_running:
            self._bot.kill()
            self._talk.at_work.start()
        return result

    def _run(self, case: Case, result: Result) -> None:
        asked, replies = self._asked(case)
        assert self._bot.died(DIES_WITHIN_S), f"never came to {case.step}"
        for time_ in range(1, case.times):
            self._talk.at_work.start()
            assert self._bot.died(DIES_WITHIN_S), f"never came to {case.step} again after {time_}"
        died = time.monotonic()
        self._bot.dies_at("")
        self._talk.at_work.start()
        self._talk.until(lambda: self._is_settled(asked, replies), RECOVERED_WITHIN_S)
        result.recovered_s = time.monotonic() - died
        posts = self._talk.slack.answers(PUBLIC, thread=asked.root)
        if len(posts) != replies:
            result.problems.append(f"{len(posts)} replies instead of {replies}: {[post.text[:80] for post in posts]}")
        result.problems += self._talk.at_work.problems(asked)

    def _is_settled(self, asked: Asked, replies: int) -> bool:
        posts = self._talk.slack.answers(PUBLIC, thread=asked.root)
        return len(posts) >= replies and self._talk.at_work.is_settled()

    def _asked(self, case: Case) -> tuple[Asked, int]:
        """Ask what a case asks, deadly from now on; return it with the count of replies that its thread will have."""
        slack, text = self._talk.slack, f"{MENTION} {case.text}"
        if case.way != "button":
            self._bot.dies_at(case.step)
            late = case.way == "stale"
            ts = (
                self._talk.says_late(ASKER, PUBLIC, text, hours=STALE_HOURS)
                if late
                else slack.says(ASKER, PUBLIC, text)
            )
            return Asked(PUBLIC, ts, ASKER, outcome=case.outcome), 1
        ts = slack.says(ASKER, PUBLIC, text)
        answer = self._talk.answer(PUBLIC, ts)
        self._talk.until(self._talk.at_work.is_settled)
        self._bot.dies_at(case.step)
        slack.clicks(ASKER, PUBLIC, answer.ts, ASK_HUMAN)
        return Asked(PUBLIC, ts, ASKER, outcome=case.outcome), 2


def run_cases(cases: Sequence[Case], folder: Path, servers: Servers, told: Callable[[Result], None]) -> list[Result]:
    """Run cases on a few bots at once, those that take long first; `told` hears of each as it is done."""
    waiting: SimpleQueue[Case] = SimpleQueue()
    for case in sorted(cases, key=lambda case: -case.times):
        waiting.put(case)
    results: list[Result] = []
    numbers = count(1)

    def work() -> None:
        with open_talk_of(folder / f"lane{next(numbers)}", servers) as talk:
            lane = Lane(talk)
            while True:
                try:
                    case = waiting.get_nowait()
                except Empty:
                    return
                results.append(lane.run(case))
                told(results[-1])

    with ThreadPoolExecutor(LANES) as pool:
        for done in [pool.submit(work) for _ in range(min(LANES, len(cases)))]:
            done.result()
    return results


@contextmanager
def open_talk_of(folder: Path, servers: Servers) -> Iterator[Talk]:
    """Start a bot on a database of its own."""
    folder.mkdir()
    with ExitStack() as stack:
        url = stack.enter_context(fresh_database(servers.database_server, template=servers.template))
        talk = stack.enter_context(_talk(folder, servers.home, url))
        talk.at_work.start()
        yield talk


@contextmanager
def knowing(folder: Path, home: Path, database_server: str, template: str) -> Iterator[Servers]:
    """Make a database in which the handbook is known, to be cloned for each bot."""
    with fresh_database(database_server, template=template) as url:
        with _talk(folder, home, url) as talk:
            talk.at_work.bot.sync()
        yield Servers(home, database_server, str(conninfo_to_dict(url)["dbname"]))


@contextmanager
def _talk(folder: Path, home: Path, database_url: str) -> Iterator[Talk]:
    """Write down a bot whose answers a model words, not started."""
    with (
        anthropic_server(careful, reading=READING) as model,
        slack_bot(folder, home, database_url, answer=worded_by(model), secrets=MANY) as at_work,
    ):
        yield Talk(at_work, model)
