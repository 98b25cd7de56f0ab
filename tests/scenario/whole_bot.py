"""The whole bot as a process, with a small handbook, on whatever loopback platform a test brings."""

from dataclasses import dataclass
from pathlib import Path

import psycopg

from bot.core.phrases import phrase
from tests.scenario.model_desk import PAGES, write
from tests.wire.anthropic import AnthropicServer
from tests.wire.bot_process import BotProcess

READY_WITHIN_S = 60.0
EXPIRES, IN_DAYS = "When does a VPN certificate expire?", "90 days"
RENEWED, IN_HOURS = "How long does renewing a VPN certificate take?", "2 hours"
UNKNOWN = "Who feeds the office cat on Sundays?"
LANGUAGES = ("en", "ru", "uk", "es")
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

[log]
level = "info"

{platform}
{more}
"""


def beginning(name: str, language: str = "en", before: str = "ticket") -> str:
    """Return what a phrase says before it names the ticket, or something else."""
    return phrase(name, language, **{before: "\0"}).partition("\0")[0]


HANDED_OVER = tuple(
    beginning(name, language)
    for name in ("handed_over", "broke_down", "too_late", "asked_for_a_person")
    for language in LANGUAGES
)


def worded_by(model: AnthropicServer) -> str:
    """Return the settings of [answer] by which a model words the answers."""
    return f'kind = "claude"\nbase_url = "{model.url}"\nmode = "citations"\ncache_days = 0'


def settle_in(folder: Path, *, platform: str, answer: str, burst_s: float, more: str) -> None:
    """Write the handbook and the configuration."""
    write(folder / "pages", PAGES)
    config = CONFIG.format(answer=answer, burst_s=burst_s, platform=platform, more=more)
    (folder / "answerdesk.toml").write_text(config, encoding="utf-8")


@dataclass(frozen=True)
class WholeBot:
    """A bot, and its database."""

    bot: BotProcess

    def open_rows(self) -> list[str]:
        """Return what in the database is not done with."""
        return [f"I6: still open in the database: {row}" for row in self.rows(_OPEN)]

    def is_settled(self) -> bool:
        """Tell whether nothing is left to do."""
        return not self.open_rows()

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        """Ask the database."""
        with psycopg.connect(self.bot.database_url) as connection:
            return connection.execute(statement.encode()).fetchall()

    def change(self, statement: str) -> None:
        """Change something in the database, as an operator's tool would."""
        with psycopg.connect(self.bot.database_url) as connection:
            connection.execute(statement.encode())


_OPEN = """
select 'message', id::text, state from message where state in ('waiting', 'answering', 'replied') or is_revised
union all select 'trace', message_id::text, kind from trace
union all select 'parcel', message_id::text, state from parcel where state in ('planned', 'begun')
"""
