"""One bot on Slack and on Telegram, with a desk on each: who asks and who answers, in a line each."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.scenario.slack_bot import PLATFORM as ON_SLACK
from tests.scenario.takeover_sides import (
    ANN,
    BOB,
    SEEN_WITHIN_S,
    SLACK_DESK,
    TELEGRAM_PEOPLE,
    Asker,
    Desk,
    SlackAsker,
    SlackDesk,
    TelegramAsker,
    TelegramDesk,
)
from tests.scenario.telegram_bot import PLATFORM as ON_TELEGRAM
from tests.scenario.whole_bot import READY_WITHIN_S, WholeBot, settle_in
from tests.wire.bot_process import BotProcess
from tests.wire.slack import BOT_TOKEN, TEAM, SlackServer, slack_at_work
from tests.wire.telegram import TOKEN, TelegramServer, telegram_at_work

__all__ = [
    "ANN",
    "BOB",
    "SEEN_WITHIN_S",
    "STAYS_S",
    "Asker",
    "Desk",
    "SlackAsker",
    "Takeover",
    "takeover",
    "taking_over",
]

STAYS_S = 2.0
# The bot writes to a group twenty times a minute: each test has a desk of its own there.
TELEGRAM_DESKS = {
    "dog": -1_001_900_000_001,
    "hamster": -1_001_900_000_002,
    "parrot": -1_001_900_000_003,
    "turtle": -1_001_900_000_004,
}
ON_SLACK_DESK = """
[[desks]]
name = "helpers"
title = "The helpers"
kind = "chat"
platform = "slack"
channel = "{slack}"
words = ["cat"]
"""
ON_TELEGRAM_DESK = """
[[desks]]
name = "answerers for {animal}"
title = "The answerers"
kind = "chat"
platform = "telegram"
channel = "{telegram}"
words = ["{animal}"]
people = {{ "telegram:900000001" = "Ann", "telegram:900000002" = "Bob" }}
"""


@dataclass(frozen=True)
class Takeover(WholeBot):
    """One bot that talks on both platforms, and its desks."""

    slack: SlackServer
    telegram: TelegramServer

    def asker(self, platform: str, number: int, language: str = "en") -> Asker:
        """Return somebody new who asks on a platform, in an app of their language."""
        if platform == "slack":
            user = f"U0ASK{number:03d}"
            self.slack.workspaces[TEAM].add_user(user).locale = language
            return SlackAsker(self.slack, user)
        self.telegram.add_user(910_000_000 + number, f"Asker {number}", language=language)
        return TelegramAsker(self.telegram, 910_000_000 + number)

    def desk(self, platform: str, animal: str, question: str) -> Desk:
        """Return a desk on a platform as it sees to one question; `animal` tells those on Telegram apart."""
        if platform == "slack":
            people = {name: f"U{name.upper()}{abs(hash(question)) % 10**9}" for name in (ANN, BOB)}
            for name, user in people.items():
                self.slack.workspaces[TEAM].add_user(user).name = name
                self.slack.channel(SLACK_DESK).members.append(user)
            return SlackDesk(self.slack, question, people)
        return TelegramDesk(self.telegram, TELEGRAM_DESKS[animal], question)

    def sees(self, condition: Callable[[], object], within_s: float = SEEN_WITHIN_S) -> None:
        """Wait until something is so."""
        self.slack.wait_until(lambda: bool(condition()), within_s)

    def change(self, statement: str) -> None:
        """Change something in the database that only time would."""
        self.rows(f"{statement} returning 1")

    def start(self) -> None:
        """Start the bot, and wait until it listens to both platforms, or has died."""
        polls, connections = len(self.telegram.polls), len(self.slack.calls_of("apps.connections.open"))

        def listens() -> bool:
            is_connected = len(self.slack.calls_of("apps.connections.open")) > connections
            return is_connected and bool(self.slack.socket_mode.open) and len(self.telegram.polls) > polls

        self.bot.start()
        self.slack.wait_until(lambda: listens() or not self.bot.is_running, READY_WITHIN_S)


@contextmanager
def takeover(
    folder: Path,
    home: Path,
    database_url: str,
    *,
    more: str = "",
    desks: str = "",
    secrets: Mapping[str, str] | None = None,
) -> Iterator[Takeover]:
    """Start the bot, and wait until it listens to both platforms."""
    with taking_over(folder, home, database_url, more=more, desks=desks, secrets=secrets) as office:
        office.bot.sync()
        office.start()
        yield office


@contextmanager
def taking_over(
    folder: Path,
    home: Path,
    database_url: str,
    *,
    more: str = "",
    desks: str = "",
    secrets: Mapping[str, str] | None = None,
) -> Iterator[Takeover]:
    """Write the handbook and the configuration and open both platforms; the bot is stopped in the end."""
    with slack_at_work() as slack, telegram_at_work() as telegram:
        slack.workspaces[TEAM].add_channel(SLACK_DESK)
        for name, number in TELEGRAM_PEOPLE.items():
            telegram.add_user(number, name)
        for chat in TELEGRAM_DESKS.values():
            telegram.add_supergroup(chat, [*TELEGRAM_PEOPLE.values()], title="Desk", is_forum=True, is_admin=True)
            # The first message of a forum is that it was made: no topic has its number.
            telegram.says(TELEGRAM_PEOPLE[ANN], chat, "Welcome!")
        platform = ON_SLACK.format(api_url=slack.api_url, slack="")
        platform += ON_TELEGRAM.format(api_url=telegram.url, telegram="")
        platform += ON_SLACK_DESK.format(slack=SLACK_DESK)
        for animal, chat in TELEGRAM_DESKS.items():
            platform += ON_TELEGRAM_DESK.format(animal=animal, telegram=chat)
        platform += desks
        settle_in(folder, platform=platform, answer="", burst_s=0.2, more=more)
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": slack.app_token, "TELEGRAM_BOT_TOKEN": TOKEN}
        tokens |= secrets or {}
        bot = BotProcess(folder, home, database_url, tokens)
        try:
            yield Takeover(bot, slack, telegram)
        finally:
            bot.kill()
