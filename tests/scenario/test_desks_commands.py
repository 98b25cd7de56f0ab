"""`check` and `status` tell operators how each desk stands, and what to do where it cannot be reached."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from bot.cli import PROBLEM
from tests.databases import fresh_database
from tests.scenario.conftest import Commands
from tests.wire.slack import BOT_TOKEN, TEAM, SlackServer, slack_at_work

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
DESKS = """
[slack]
api_url = "{api_url}"

[[desks]]
name = "it"
kind = "chat"
platform = "slack"
channel = "C0HELPERS"
time_zone = "Europe/Kyiv"
fallback = "systems"

[[desks]]
name = "systems"
kind = "webhook"
url = "https://tickets.example.com/hook?token=hidden"
hours = "{hours}"

[[desks]]
name = "unset"
kind = "webhook"
url = "https://tickets.example.com/hook"
secret_env = "OTHER_SECRET"

[[desks]]
name = "away"
kind = "chat"
platform = "telegram"
channel = "-1001"
"""
OVERDUE = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, desk, due_at, next_step, next_at)
values ('Why?', 'en', 'asked', 1, '[]', 'f', 'it', now() - interval '1 hour', 'late', now() - interval '1 hour')
"""


@contextmanager
def slack_with(channel: str, *, has_bot: bool) -> Iterator[SlackServer]:
    with slack_at_work() as slack:
        slack.workspaces[TEAM].add_channel(channel, has_bot=has_bot)
        yield slack


@pytest.fixture
def database_url(database_server: str, database_template: str) -> Iterator[str]:
    with fresh_database(database_server, template=database_template) as url:
        yield url


@pytest.mark.parametrize("has_bot", [True, False])
def test_check_tells_where_each_desk_is_and_what_it_promises(
    commands: Commands, database_url: str, has_bot: bool
) -> None:
    with slack_with("C0HELPERS", has_bot=has_bot) as slack:
        config = (commands.folder / "answerdesk.toml").read_text(encoding="utf-8")
        commands.configure(config + DESKS.format(api_url=slack.api_url, hours="Mon-Sun 00:00-24:00"))
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": slack.app_token, "TELEGRAM_BOT_TOKEN": ""}
        done = commands.run("check", DATABASE_URL=database_url, DESK_WEBHOOK_SECRET=SECRET, **tokens)
    lines = done.stdout.splitlines()

    assert done.returncode == PROBLEM
    promised = r"promises \d{4}-\d\d-\d\d \d\d:\d\d"
    for told in (
        rf"ok   desk it: slack C0HELPERS, open now, {promised} \(Europe/Kyiv\), then systems",
        rf"ok   desk systems: ticket system at tickets.example.com \(not called\), DESK_WEBHOOK_SECRET is set,"
        rf" it is only told, open now, {promised} \(UTC\)",
        r"fail desk unset: \[\[desks\]\] unset: OTHER_SECRET is not set.*openssl rand.*",
        r"fail desk away: \[\[desks\]\] away: is on telegram, which is not open here; set TELEGRAM_BOT_TOKEN.*",
        rf"{'ok  ' if has_bot else 'fail'} channel slack: .*the bot is {'' if has_bot else 'not '}in it.*",
    ):
        assert any(re.fullmatch(told, line) for line in lines), (told, lines)
    assert "hidden" not in done.stdout


def test_status_tells_what_waits_at_each_desk_and_that_no_clock_runs(commands: Commands, database_url: str) -> None:
    config = (commands.folder / "answerdesk.toml").read_text(encoding="utf-8")
    commands.configure(config + DESKS.format(api_url="http://127.0.0.1:9/api/", hours=""))
    commands.run("migrate", DATABASE_URL=database_url)
    with psycopg.connect(database_url) as connection:
        connection.execute(OVERDUE.encode())
    told = commands.json("status", DATABASE_URL=database_url)
    shown = commands.run("status", DATABASE_URL=database_url).stdout

    assert "desks" in told, told
    it, systems = told["desks"][:2]
    assert (it["name"], it["open"], it["overdue"], systems["open"]) == ("it", 1, 1, 0)
    assert (told["clock_missed"], told["entries"]) == (1, {"approved": 0, "to_review": 0, "drafts": 0})
    assert "desk it: 1 open, 0 claimed, 0 answered, 1 past their time, the oldest since" in shown
    assert "no clock runs: 1 ticket(s)" in shown
