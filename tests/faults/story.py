"""What people do in a chaos, on whatever platform."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Generic, TypeVar

from tests.scenario.whole_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED
from tests.wire.bot_process import BotProcess

DIES_WITHIN_S = 5.0
QUESTIONS: Mapping[str, str] = {
    EXPIRES: IN_DAYS,
    RENEWED: IN_HOURS,
    "When does the dishwasher start?": "18:00",
    "Which version is the VPN client?": "5.4",
}

Person = TypeVar("Person")


class Story(ABC, Generic[Person]):
    """What happens between one person and the bot, by the dice."""

    # Where the bot may die.
    steps: Sequence[str]

    def __init__(self, dice: Random, log: list[str], person: Person, bot: BotProcess) -> None:
        self.log = log
        self.person = person
        self._dice = dice
        self._bot = bot

    def act(self) -> None:
        """Do the next thing."""
        acts = self._acts()
        act = self._dice.choices([*acts], [*acts.values()])[0]
        self.log.append(f"{self.person} {act.__name__}")
        act()

    def kill(self) -> None:
        """Let the bot die over a question of ours, and start it again."""
        step = self._dice.choice(self.steps)
        self.log.append(f"{self.person} kill at {step}")
        self._bot.dies_at(step)
        self._ask(is_slow=step == "growing")
        if not self._bot.died(DIES_WITHIN_S):
            self._bot.kill()
        self._bot.dies_at("")
        self._start()

    @abstractmethod
    def _acts(self) -> Mapping[Callable[[], object], int]:
        """Return what may happen, and how likely it is."""

    @abstractmethod
    def _ask(self, *, is_slow: bool = False) -> object:
        """Ask something; `is_slow`: what can be watched growing."""

    @abstractmethod
    def _start(self) -> None:
        """Start the bot again and wait until it listens."""
