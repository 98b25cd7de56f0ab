"""Several bots at once, each with a platform and a database of its own, that are killed at one step after another."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Generic, Literal, TypeVar

from psycopg.conninfo import conninfo_to_dict

from tests.databases import fresh_database
from tests.scenario.slack_talk import KEY
from tests.scenario.whole_bot import EXPIRES
from tests.wire.bot_process import BotProcess

LANES = 3
RECOVERED_WITHIN_S = 30.0
DIES_WITHIN_S = 40.0
STALE_HOURS = 20.0
# What one person may ask in a minute is no part of this.
MANY = {"ANTHROPIC_API_KEY": KEY, "ANSWERDESK_MESSAGES__PER_PERSON_A_MINUTE": "1000"}
# What takes its time is shown while it grows.
SLOW_QUESTION = f"{EXPIRES} Answer slowly."

# How a question comes: written (in a direct chat or in a group), written long ago, by the button below an answer, or as
# another text of a question that was answered.
Way = Literal["written", "direct", "stale", "button", "edited"]
Ending = Literal["answered", "handed_over"]
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Case:
    """A question whose bot is killed at a step, so many `times`, and what has to come of it all the same."""

    step: str
    outcome: Ending
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

    def database(self) -> AbstractContextManager[str]:
        """Make a database of a bot's own."""
        return fresh_database(self.database_server, template=self.template)


class Lane(ABC, Generic[A]):
    """One bot, started again after each death."""

    def __init__(self, bot: BotProcess) -> None:
        self._bot = bot

    @abstractmethod
    def start(self) -> None:
        """Start the bot."""

    @abstractmethod
    def ask(self, case: Case) -> tuple[A, int]:
        """Ask what a case asks, deadly from now on; return it with the count of replies that it will have."""

    @abstractmethod
    def wait_until_settled(self, asked: A, replies: int, within_s: float) -> None:
        """Wait until so many replies are there, and nothing is left to do."""

    @abstractmethod
    def problems(self, asked: A, replies: int) -> list[str]:
        """Return which promises are broken."""

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
            self.start()
        return result

    def _run(self, case: Case, result: Result) -> None:
        asked, replies = self.ask(case)
        assert self._bot.died(DIES_WITHIN_S), f"never came to {case.step}"
        for time_ in range(1, case.times):
            self.start()
            assert self._bot.died(DIES_WITHIN_S), f"never came to {case.step} again after {time_}"
        died = time.monotonic()
        self._bot.dies_at("")
        self.start()
        self.wait_until_settled(asked, replies, RECOVERED_WITHIN_S)
        result.recovered_s = time.monotonic() - died
        result.problems += self.problems(asked, replies)


Open = Callable[[Path], AbstractContextManager[Lane[A]]]


def run_cases(cases: Sequence[Case], folder: Path, open_lane: Open[A], told: Callable[[Result], None]) -> list[Result]:
    """Run cases on a few bots at once, those that take long first; `told` hears of each as it is done."""
    waiting: SimpleQueue[Case] = SimpleQueue()
    for case in sorted(cases, key=lambda case: -case.times):
        waiting.put(case)
    results: list[Result] = []
    numbers = count(1)

    def work() -> None:
        own = folder / f"lane{next(numbers)}"
        own.mkdir()
        with open_lane(own) as lane:
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
def knowing(home: Path, database_server: str, template: str, sync: Callable[[str], None]) -> Iterator[Servers]:
    """Make a database in which the handbook is known (by `sync`, given its address), to be cloned for each bot."""
    with fresh_database(database_server, template=template) as url:
        sync(url)
        yield Servers(home, database_server, str(conninfo_to_dict(url)["dbname"]))


def tell(result: Result) -> None:
    """Say what came of one run."""
    print(f"{result.case}: {result.problems or 'well'} in {result.recovered_s:.1f} s", flush=True)  # noqa: T201 # the long run's figures


def not_well(results: Sequence[Result]) -> list[str]:
    """Say which was the slowest, and return those that are not well."""
    slowest = max(results, key=lambda result: result.recovered_s)
    print(f"slowest of {len(results)}: {slowest.case}, {slowest.recovered_s:.1f} s")  # noqa: T201 # as above
    return [f"{result.case}: {result.problems}" for result in results if result.problems]
