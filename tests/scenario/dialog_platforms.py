"""What drives a dialog on Slack and on Telegram, and the bot that talks on both."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.scenario.dialogs import DIALOGS, Chat, Dialog, Line
from tests.scenario.model_desk import READING, write
from tests.scenario.slack_bot import PLATFORM as ON_SLACK
from tests.scenario.slack_talk import KEY, PAID, WAGES
from tests.scenario.telegram_bot import PLATFORM as ON_TELEGRAM
from tests.scenario.whole_bot import READY_WITHIN_S, WholeBot, settle_in, worded_by
from tests.wire.anthropic import Honest, anthropic_server
from tests.wire.bot_process import BotProcess
from tests.wire.slack import BOT_TOKEN, TEAM, SlackServer, slack_at_work
from tests.wire.slack import MENTION as SLACK_MENTION
from tests.wire.telegram import MENTION as TELEGRAM_MENTION
from tests.wire.telegram import TOKEN, TelegramServer, telegram_at_work

BURST_S = 0.5
# Who holds the dialog with number 0 on Telegram; the others follow.
TELEGRAM_USERS = 810_000_000
PEOPLE = "\n".join(
    f'"telegram:{TELEGRAM_USERS + number}" = "{PAID}"' for number, one in enumerate(DIALOGS) if one.reads_wages
)
MORE = f"""
[linking.people]
{PEOPLE}

[[sources]]
name = "wages"
kind = "folder"
path = "wages"
audience = ["user:{PAID}"]
"""


class SlackChat:
    """A direct message, or a thread of a public channel."""

    def __init__(self, slack: SlackServer, number: int, dialog: Dialog) -> None:
        home = slack.workspaces[TEAM]
        self._slack = slack
        self._user = f"U2D{number:03d}"
        self._mention = f"{SLACK_MENTION} " if dialog.is_public else ""
        self._said: list[str] = []
        home.add_user(self._user, email=PAID if dialog.reads_wages else None).locale = "en-US"
        place = home.add_channel(f"C2D{number:03d}", [self._user]) if dialog.is_public else home.dm(self._user)
        self.channel = place.id

    def says(self, line: Line, *, is_follow_up: bool) -> None:
        text = line.text if is_follow_up else f"{self._mention}{line.text}"
        files = ["scan.pdf"] if line.does == "sends a file" else []
        thread = self._said[0] if is_follow_up else None
        self._said.append(self._slack.says(self._user, self.channel, text, thread=thread, files=files))

    def edits(self, text: str) -> None:
        self._slack.edits(self.channel, self._said[-1], f"{self._mention}{text}")

    def asks_for_a_person(self) -> None:
        answer = self._slack.answers(self.channel, thread=self._said[0])[-1]
        self._slack.clicks(self._user, self.channel, answer.ts, "ask_human")


class TelegramChat:
    """A private chat, or a supergroup where the bot sees what is addressed to it."""

    def __init__(self, telegram: TelegramServer, number: int, dialog: Dialog) -> None:
        self._telegram = telegram
        self._user = TELEGRAM_USERS + number
        self._mention = f"{TELEGRAM_MENTION} " if dialog.is_public else ""
        self._said: list[int] = []
        telegram.add_user(self._user, f"Person {number}", language="en")
        self._chat = -1_001_810_000_000 - number if dialog.is_public else self._user
        if dialog.is_public:
            telegram.add_supergroup(self._chat, [self._user])
        self.channel = str(self._chat)

    def says(self, line: Line, *, is_follow_up: bool) -> None:
        text = line.text if is_follow_up else f"{self._mention}{line.text}"
        media = "document" if line.does == "sends a file" else None
        above = self._telegram.answers(self._chat)[-1].id if is_follow_up and self._mention else None
        self._said.append(self._telegram.says(self._user, self._chat, text, reply_to=above, media=media))

    def edits(self, text: str) -> None:
        self._telegram.edits(self._user, self._chat, self._said[-1], f"{self._mention}{text}")

    def asks_for_a_person(self) -> None:
        answer = self._telegram.answers(self._chat)[-1]
        human = next(str(one["callback_data"]) for one in answer.buttons if str(one["callback_data"]).startswith("h:"))
        self._telegram.presses(self._user, self._chat, answer.id, human)


@dataclass(frozen=True)
class BothPlatforms(WholeBot):
    """One bot that talks on both platforms."""

    slack: SlackServer
    telegram: TelegramServer

    def chats(self, number: int, dialog: Dialog) -> dict[str, Chat]:
        """Return a place for a dialog on each platform."""
        return {
            "slack": SlackChat(self.slack, number, dialog),
            "telegram": TelegramChat(self.telegram, number, dialog),
        }


@contextmanager
def both_platforms(folder: Path, home: Path, database_url: str) -> Iterator[BothPlatforms]:
    """Start a bot that talks on both platforms, and wait until it listens to both."""
    write(folder, {"wages/wages.md": WAGES})
    model_at_work = anthropic_server(Honest(openings={}), reading=READING)
    with model_at_work as model, slack_at_work() as slack, telegram_at_work() as telegram:
        platform = ON_SLACK.format(api_url=slack.api_url, slack="")
        platform += ON_TELEGRAM.format(api_url=telegram.url, telegram="")
        settle_in(folder, platform=platform, answer=worded_by(model), burst_s=BURST_S, more=MORE)
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": slack.app_token, "TELEGRAM_BOT_TOKEN": TOKEN}
        bot = BotProcess(folder, home, database_url, {**tokens, "ANTHROPIC_API_KEY": KEY})
        try:
            bot.sync()
            bot.start()
            slack.wait_until(lambda: slack.socket_mode.open and telegram.polls, READY_WITHIN_S)
            yield BothPlatforms(bot, slack, telegram)
        finally:
            bot.kill()
