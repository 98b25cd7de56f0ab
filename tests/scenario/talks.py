"""What tests ask of a bot at work, on whatever platform it talks."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from tests.scenario.whole_bot import READY_WITHIN_S, WholeBot
from tests.wire.anthropic import AnthropicServer, Prompt
from tests.wire.bot_process import BotProcess

# A loaded machine may take its time.
ANSWERED_WITHIN_S = 30.0
# For so long a test watches that nothing is said.
SILENT_S = 1.5
LOOK_EVERY_S = 0.03

BotT = TypeVar("BotT", bound=WholeBot)
Place = TypeVar("Place", str, int)


@dataclass
class WholeTalk(Generic[BotT, Place]):
    """A bot at work, and the model that words its answers."""

    at_work: BotT
    model: AnthropicServer

    def until(self, is_so: Callable[[], object], within_s: float = ANSWERED_WITHIN_S) -> None:
        """Wait until something is so; AssertionError where it takes too long."""
        deadline_s = time.monotonic() + within_s
        while not is_so():
            assert time.monotonic() < deadline_s, "it did not happen in time"
            time.sleep(LOOK_EVERY_S)

    def stays(self, is_so: Callable[[], object], for_s: float = SILENT_S) -> bool:
        """Tell whether something is so for a while."""
        deadline_s = time.monotonic() + for_s
        while time.monotonic() < deadline_s:
            if not is_so():
                return False
            time.sleep(LOOK_EVERY_S)
        return bool(is_so())

    @contextmanager
    def beside(self, *arguments: str) -> Iterator[BotProcess]:
        """Run another process on the same database, with the same log, and wait until it runs."""
        bot = self.at_work.bot
        other = BotProcess(bot.folder, bot.home, bot.database_url, bot.secrets, arguments)
        before = other.log.read_text(encoding="utf-8").count("running: ")
        other.start()
        try:
            self.until(lambda: other.log.read_text(encoding="utf-8").count("running: ") > before, READY_WITHIN_S)
            yield other
            other.stop()
        finally:
            other.kill()

    def messages(self, channel: Place, condition: str) -> int:
        """Count the stored messages of a channel for which something holds."""
        statement = f"select count(*) from message where channel = '{channel}' and ({condition})"
        return int(str(self.at_work.rows(statement)[0][0]))

    def tickets(self, channel: Place) -> list[str]:
        """Return why the open tickets of a channel were opened, oldest first."""
        statement = (
            "select ticket.reason from ticket join message on message.id = ticket.message_id"
            f" where message.channel = '{channel}' and ticket.state = 'open' order by ticket.id"
        )
        return [str(reason) for (reason,) in self.at_work.rows(statement)]

    def asked_of_model(self, words: str) -> list[Prompt]:
        """Return what the model was given for questions with these words."""
        return [prompt for prompt in list(self.model.prompts) if words in prompt.question]


def in_other_words(text: str, others: Sequence[tuple[str, str]]) -> list[str]:
    """Return a text, and all that it becomes where words are replaced by others."""
    texts = [text]
    for word, other in others:
        texts += [one.replace(word, other) for one in texts]
    return texts
