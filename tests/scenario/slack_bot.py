"""The whole bot as a process, on the loopback Slack, with a small handbook."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.scenario.whole_bot import (
    EXPIRES,
    HANDED_OVER,
    IN_DAYS,
    IN_HOURS,
    READY_WITHIN_S,
    RENEWED,
    UNKNOWN,
    WholeBot,
    beginning,
    settle_in,
    worded_by,
)
from tests.wire.bot_process import BotProcess
from tests.wire.slack import BOT_TOKEN, Asked, Signs, check, slack_at_work
from tests.wire.slack.server import SlackServer

__all__ = [
    "EXPIRES",
    "HANDED_OVER",
    "IN_DAYS",
    "IN_HOURS",
    "RENEWED",
    "UNKNOWN",
    "SlackBot",
    "beginning",
    "slack_bot",
    "worded_by",
]

PLATFORM = """
[slack]
api_url = "{api_url}"
{slack}
"""


@dataclass(frozen=True)
class SlackBot(WholeBot):
    """A loopback Slack and the bot that works there."""

    slack: SlackServer

    def start(self, *, killed_at: str = "") -> None:
        """Start the bot and wait until it listens."""
        before = len(self.slack.calls_of("apps.connections.open"))
        self.bot.start(killed_at=killed_at)
        self.slack.wait_until(
            lambda: (
                (len(self.slack.calls_of("apps.connections.open")) > before and self.slack.socket_mode.open)
                or not self.bot.is_running
            ),
            READY_WITHIN_S,
        )

    def problems(self, *asked: Asked, is_whole: str = IN_DAYS) -> list[str]:
        """Return which promises are broken, on Slack's side and in the database."""
        signs = Signs(hand_over=HANDED_OVER, is_whole=lambda post: is_whole in post.text)
        return [*check(self.slack, asked, signs), *self.open_rows()]


@contextmanager
def slack_bot(
    folder: Path,
    home: Path,
    database_url: str,
    *,
    answer: str = "",
    slack: str = "",
    burst_s: float = 0.0,
    more: str = "",
    secrets: Mapping[str, str] | None = None,
) -> Iterator[SlackBot]:
    """Write the handbook and the configuration; the bot is stopped in the end."""
    with slack_at_work() as server:
        platform = PLATFORM.format(api_url=server.api_url, slack=slack)
        settle_in(folder, platform=platform, answer=answer, burst_s=burst_s, more=more)
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": server.app_token, **(secrets or {})}
        bot = BotProcess(folder, home, database_url, tokens)
        try:
            yield SlackBot(bot, server)
        finally:
            bot.kill()
