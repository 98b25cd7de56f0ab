"""The real command line on a small knowledge base, with the real database and the real model."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.databases import fresh_database
from tests.scenario.slack_talk import Talk, open_talk
from tests.scenario.telegram_office import QUICK, SOON, Office, open_office
from tests.scenario.telegram_talk import TelegramTalk, open_telegram_talk

COMMAND_TIMEOUT_S = 120
SETTLED_WITHIN_S = 10.0


class Site(NamedTuple):
    """Where one bot is at work: its folder, the home of what it has of its own, and its database."""

    folder: Path
    home: Path
    database_url: str


@dataclass(frozen=True)
class Commands:
    """Runs `answerdesk` as a user would, in one home and one working directory."""

    folder: Path
    home: Path
    configured_name: str

    def run(self, *arguments: str, text: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one command and return what it printed."""
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=self.folder,
            env={**os.environ, "ANSWERDESK_HOME": str(self.home), **environment},
            input=text or "",
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )

    def json(self, *arguments: str, **environment: str) -> Any:
        """Run a command with --json; it must print exactly one document on standard output."""
        done = self.run(*arguments, "--json", **environment)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def configure(self, text: str) -> None:
        """Write answerdesk.toml."""
        (self.folder / "answerdesk.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def commands(tmp_path: Path, embedded_home: Path, request: pytest.FixtureRequest) -> Commands:
    """An own folder with an own source name: tests share the database and never meet in it."""
    (tmp_path / "docs").mkdir()
    name = f"s{abs(hash(request.node.nodeid)) % 10**9}"
    subject = Commands(tmp_path, embedded_home, name)
    subject.configure(f'[[sources]]\nname = "{name}"\nkind = "folder"\npath = "docs"\n')
    return subject


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[Site]:
    """A place for one bot that all tests of a module share."""
    with fresh_database(database_server, template=database_template) as database_url:
        yield Site(tmp_path_factory.mktemp("site"), embedded_home, database_url)


@pytest.fixture(scope="session")
def talk(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[Talk]:
    """A bot at work on Slack, for all tests that ask for nothing but answers."""
    with fresh_database(database_server, template=database_template) as database_url:
        with open_talk(tmp_path_factory.mktemp("talk"), embedded_home, database_url) as opened:
            yield opened
            opened.stays(lambda: not opened.at_work.is_settled(), for_s=SETTLED_WITHIN_S)
            assert opened.at_work.problems(is_whole="") == []
        assert opened.slack.alarms == []


@pytest.fixture(scope="session")
def telegram_talk(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[TelegramTalk]:
    """A bot at work on Telegram, for all tests that ask for nothing but answers."""
    with fresh_database(database_server, template=database_template) as database_url:
        with open_telegram_talk(tmp_path_factory.mktemp("telegram_talk"), embedded_home, database_url) as opened:
            yield opened
            opened.stays(lambda: opened.at_work.problems(is_whole=""), for_s=SETTLED_WITHIN_S)
            assert opened.at_work.problems(is_whole="") == []
        assert opened.telegram.alarms == []


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    """Telegram and the channel that sends there, in no hurry from either; Slack's tests bring their own office."""
    async with open_office(means=SOON, paces=QUICK) as office:
        yield office
