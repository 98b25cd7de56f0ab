"""The clock catches up once with what it missed, and there is one for any number of processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

DEADLINE_S = 60
# Longer than the start of a bot and the time between two tries for the clock's lock.
QUIET_S = 7


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# A\n\nText.\n", encoding="utf-8")
    config = '[sync]\nevery_minutes = 60\njitter_s = 0\n[[sources]]\nname = "d"\nkind = "folder"\npath = "docs"\n'
    (tmp_path / "answerdesk.toml").write_text(config, encoding="utf-8")
    return tmp_path


def started(folder: Path, home: Path, database_url: str) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "ANSWERDESK_HOME": str(home), "DATABASE_URL": database_url}
    command = [sys.executable, "-m", "bot", "run"]
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)


def finished_runs(database_url: str) -> int:
    with psycopg.connect(database_url) as connection:
        row = connection.execute("select count(*) from sync_run where counts is not null").fetchone()
    return int(row[0]) if row else 0


def test_two_bots_catch_up_once_with_all_that_was_missed(folder: Path, home: Path, database_url: str) -> None:
    """F31, F32."""
    with psycopg.connect(database_url) as connection:
        connection.execute("insert into source (name, kind) values ('d', 'folder')")
        connection.execute(
            "insert into sync_run (source_id, started_at) select id, now() - interval '10 h' from source"
        )
    bots = [started(folder, home, database_url) for _ in range(2)]

    deadline = time.monotonic() + DEADLINE_S
    while finished_runs(database_url) == 0 and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(QUIET_S)
    runs = finished_runs(database_url)
    for bot in bots:
        bot.send_signal(signal.SIGTERM)
        bot.wait(DEADLINE_S)

    assert runs == 1
    with psycopg.connect(database_url) as connection:
        row = connection.execute("select next_run_at - now() > interval '50 min' from source").fetchone()
    assert row == (True,)
