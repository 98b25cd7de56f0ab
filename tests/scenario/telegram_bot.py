"""The whole bot as a process, on the loopback Telegram, with a small handbook."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.core.phrases import phrase
from tests.scenario.whole_bot import HANDED_OVER, IN_DAYS, LANGUAGES, READY_WITHIN_S, WholeBot, settle_in
from tests.wire.bot_process import BotProcess
from tests.wire.telegram import TOKEN, Asked, Signs, TelegramServer, check, telegram_at_work

SENT_AGAIN = tuple(phrase("sent_again", language) for language in LANGUAGES)
PLATFORM = """
[telegram]
api_url = "{api_url}"
poll_s = 2
{telegram}
"""


@dataclass(frozen=True)
class TelegramBot(WholeBot):
    """A loopback Telegram and the bot that works there."""

    telegram: TelegramServer

    def start(self, *, killed_at: str = "") -> None:
        """Start the bot and wait until it listens."""
        before = len(self.telegram.polls)
        self.bot.start(killed_at=killed_at)
        self.telegram.wait_until(lambda: len(self.telegram.polls) > before or not self.bot.is_running, READY_WITHIN_S)

    def problems(self, *asked: Asked, is_whole: str = IN_DAYS) -> list[str]:
        """Return which promises are broken, on Telegram's side and in the database."""
        signs = Signs(hand_over=HANDED_OVER, repeat=SENT_AGAIN, is_whole=lambda message: is_whole in message.text)
        return [*check(self.telegram, asked, signs), *self.open_rows()]


@contextmanager
def telegram_bot(
    folder: Path,
    home: Path,
    database_url: str,
    *,
    answer: str = "",
    telegram: str = "",
    burst_s: float = 0.0,
    more: str = "",
    secrets: Mapping[str, str] | None = None,
) -> Iterator[TelegramBot]:
    """Write the handbook and the configuration; the bot is stopped in the end."""
    with telegram_at_work() as server:
        platform = PLATFORM.format(api_url=server.url, telegram=telegram)
        settle_in(folder, platform=platform, answer=answer, burst_s=burst_s, more=more)
        bot = BotProcess(folder, home, database_url, {"TELEGRAM_BOT_TOKEN": TOKEN, **(secrets or {})})
        try:
            yield TelegramBot(bot, server)
        finally:
            bot.kill()
