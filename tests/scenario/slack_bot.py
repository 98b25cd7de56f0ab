"""The whole bot as a process, on the loopback Slack, with a small handbook."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bot.core.phrases import phrase
from tests.scenario.model_desk import PAGES, write
from tests.wire.anthropic import AnthropicServer
from tests.wire.bot_process import BotProcess
from tests.wire.slack import BOT_TOKEN, Asked, Signs, check, slack_at_work
from tests.wire.slack.server import SlackServer

READY_WITHIN_S = 60.0
EXPIRES, IN_DAYS = "When does a VPN certificate expire?", "90 days"
RENEWED, IN_HOURS = "How long does renewing a VPN certificate take?", "2 hours"
UNKNOWN = "Who feeds the office cat on Sundays?"
CONFIG = """
[[sources]]
name = "pages"
kind = "folder"
path = "pages"

[answer]
threshold = 0.5
{answer}

[messages]
burst_s = {burst_s}

[slack]
api_url = "{api_url}"
{slack}

[log]
level = "info"
{more}
"""


def beginning(name: str, language: str = "en") -> str:
    """Return what a phrase says before it names the ticket."""
    return phrase(name, language, ticket="\0").partition("\0")[0]


def worded_by(model: AnthropicServer) -> str:
    """Return the settings of [answer] by which a model words the answers."""
    return f'kind = "claude"\nbase_url = "{model.url}"\nmode = "citations"\ncache_days = 0'


HANDED_OVER = tuple(
    beginning(name, language)
    for name in ("handed_over", "broke_down", "too_late", "asked_for_a_person")
    for language in ("en", "ru", "uk", "es")
)


@dataclass(frozen=True)
class SlackBot:
    """A loopback Slack and the bot that works there."""

    slack: SlackServer
    bot: BotProcess

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
        return [*check(self.slack, asked, signs), *self._open_rows()]

    def _open_rows(self) -> list[str]:
        return [f"I6: still open in the database: {row}" for row in self.rows(_OPEN)]

    def is_settled(self) -> bool:
        """Tell whether nothing is left to do."""
        return not self._open_rows()

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        """Ask the database."""
        with psycopg.connect(self.bot.database_url) as connection:
            return connection.execute(statement.encode()).fetchall()

    def change(self, statement: str) -> None:
        """Change something in the database, as an operator's tool would."""
        with psycopg.connect(self.bot.database_url) as connection:
            connection.execute(statement.encode())


_OPEN = """
select 'message', id::text, state from message where state in ('waiting', 'answering', 'replied')
union all select 'trace', message_id::text, kind from trace
union all select 'parcel', message_id::text, state from parcel where state in ('planned', 'begun')
"""


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
    write(folder / "pages", PAGES)
    with slack_at_work() as server:
        config = CONFIG.format(answer=answer, slack=slack, burst_s=burst_s, more=more, api_url=server.api_url)
        (folder / "answerdesk.toml").write_text(config, encoding="utf-8")
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": server.app_token, **(secrets or {})}
        bot = BotProcess(folder, home, database_url, tokens)
        try:
            yield SlackBot(server, bot)
        finally:
            bot.kill()
