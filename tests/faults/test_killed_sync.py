"""A sync killed at any of its steps loses nothing: old knowledge answers, and the next run ends where one run would."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from knowledge.faultpoint import VARIABLE
from tests.databases import fresh_database

STEPS = ("listed", "fetched", "parsed", "stored", "embedded")
DEADLINE_S = 60
PAGES = 12
STORED = """
select path, revision, document.text, array_agg(passage.search_text order by ordinal), count(vector),
       (select tags from audience where id = document.audience_id)
from document left join passage on document_id = document.id left join embedding on passage_id = passage.id
group by document.id order by path
"""
STATISTICS = ("select passages, terms from source", "select term, passages from term where passages <> 0 order by term")

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def write(folder: Path, number: int, text: str) -> None:
    (folder / f"docs/room-{number:02}.md").write_text(f"# Room {number}\n\n{text}\n", encoding="utf-8")
    # The revision is the time of the change: it must be the same in both runs.
    os.utime(folder / f"docs/room-{number:02}.md", (1_000_000 + len(text), 1_000_000 + len(text)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for number in range(PAGES):
        write(tmp_path, number, f"The projector of room {number} is reset with code PR-{1000 + number}.")
    config = '[[sources]]\nname = "d"\nkind = "folder"\npath = "docs"\n'
    (tmp_path / "answerdesk.toml").write_text(config, encoding="utf-8")
    return tmp_path


def change(folder: Path) -> None:
    """Change, add and delete documents."""
    write(folder, 0, "The projector of room 0 was sold.")
    write(folder, PAGES, "Room 12 has a piano.")
    write(folder, PAGES + 1, "Room 13 has an organ.")
    (folder / "docs/room-01.md").unlink()


@pytest.fixture
def command(folder: Path, home: Path) -> Iterator[Command]:
    def run(database_url: str, *arguments: str, killed_at: str = "") -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "ANSWERDESK_HOME": str(home), "DATABASE_URL": database_url, VARIABLE: killed_at}
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )

    yield run


def rows(database_url: str, *statements: str) -> list[Any]:
    with psycopg.connect(database_url) as connection:
        return [connection.execute(statement.encode()).fetchall() for statement in statements]


def synced(command: Command, database_url: str) -> Any:
    process = command(database_url, "sync", "--json")
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@pytest.fixture
def undisturbed_database(database_server: str, database_template: str) -> Iterator[str]:
    with fresh_database(database_server, template=database_template) as conninfo:
        yield conninfo


def test_a_sync_killed_at_every_step_ends_as_one_that_was_not(
    command: Command, folder: Path, database_url: str, undisturbed_database: str
) -> None:
    for database in (database_url, undisturbed_database):
        synced(command, database)
    vectors_before = rows(database_url, "select count(*) from embedding")
    change(folder)
    embedded = 0

    for step in STEPS:
        killed = command(database_url, "sync", "--json", killed_at=step)
        assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
        # What did not change is answered from at any moment.
        found = command(database_url, "ask", "What is the reset code for the projector of room 7?", "--json")
        assert "PR-1007" in json.loads(found.stdout)["text"], step
    (vectors_after,) = rows(database_url, "select count(*) from embedding")
    embedded = synced(command, database_url)["embedded"]
    undisturbed = synced(command, undisturbed_database)

    assert rows(database_url, STORED, *STATISTICS) == rows(undisturbed_database, STORED, *STATISTICS)
    assert embedded + vectors_after[0][0] - vectors_before[0][0][0] == undisturbed["embedded"]


def test_of_two_syncs_at_once_one_runs_and_the_other_says_so(command: Command, folder: Path, database_url: str) -> None:
    synced(command, database_url)
    with psycopg.connect(database_url) as connection:
        # As the other process would: it holds the source, and tells how far it is.
        connection.execute("select pg_advisory_lock(4101, id) from source")
        connection.execute(
            "insert into sync_run (source_id, step, done, total) select id, 'documents', 3, 9 from source"
        )
        connection.commit()

        other = command(database_url, "sync", "--json")

    outcome = json.loads(other.stdout)["sources"]["d"]
    assert other.returncode == 1
    assert "being synced by another process" in outcome["error"]
    assert "3 of 9 documents" in outcome["error"]
    assert rows(database_url, "select count(*) from procrastinate_jobs where status in ('todo', 'doing')") == [[(0,)]]
