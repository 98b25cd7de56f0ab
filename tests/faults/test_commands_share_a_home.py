"""Several commands on one home, some of them killed: nothing is lost, and the next one starts by itself."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from knowledge.store.embedded import cluster_folder

DEADLINE_S = 90
PAGES = 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for number in range(PAGES):
        text = f"# Room {number}\n\nThe projector of room {number} is reset with code PR-{1000 + number}.\n"
        (tmp_path / f"docs/room-{number}.md").write_text(text, encoding="utf-8")
    (tmp_path / "answerdesk.toml").write_text(
        '[[sources]]\nname = "d"\nkind = "folder"\npath = "docs"\n', encoding="utf-8"
    )
    return tmp_path


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(folder: Path, home: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def starter(*arguments: str, keyboard: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=folder,
            env={**os.environ, "ANSWERDESK_HOME": str(home), "ANSWERDESK_SYNC__EVERY_MINUTES": "0.01"},
            stdin=keyboard,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield starter
    for process in started:
        process.kill()
        process.communicate(timeout=DEADLINE_S)


def result(process: "subprocess.Popen[str]") -> Any:
    output, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0, errors
    return json.loads(output)


def wait_for(start: Start, is_there: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        status = result(start("status", "--json"))
        if is_there(status):
            return status
    raise AssertionError(f"not within {DEADLINE_S} s: {status}")


def is_complete(status: Any) -> bool:
    return bool(
        [source["documents"] for source in status["sources"]] == [PAGES]
        and [space["missing"] for space in status["embedding_spaces"]] == [0]
    )


def first_hit(start: Start, question: str) -> str:
    return str(result(start("search", question, "--json"))["hits"][0]["document"])


def test_a_question_is_answered_while_the_bot_runs_and_after_it_was_killed(start: Start) -> None:
    bot = start("run")
    wait_for(start, is_complete)
    beside = first_hit(start, "PR-1007")
    bot.send_signal(signal.SIGKILL)
    bot.wait(DEADLINE_S)

    after = first_hit(start, "PR-1031")
    again = start("run")
    status = wait_for(start, is_complete)

    assert (beside, after, again.poll()) == ("room-7.md", "room-31.md", None)
    assert status["sources"][0]["documents"] == PAGES


def test_a_sync_killed_at_any_moment_is_completed_by_the_next(start: Start) -> None:
    for delay_s in (0.4, 0.7, 1.0):
        process = start("sync", "--json")
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
        process.wait(DEADLINE_S)

    finished = result(start("sync", "--json"))
    status = result(start("status", "--json"))

    assert finished["missing_vectors"] == 0
    assert is_complete(status)
    assert first_hit(start, "PR-1039") == "room-39.md"


def test_two_syncs_at_once_do_the_work_once(start: Start) -> None:
    both = [start("sync", "--json"), start("sync", "--json")]

    outputs = [process.communicate(timeout=DEADLINE_S)[0] for process in both]

    outcomes = [json.loads(output)["sources"]["d"] for output in outputs]
    others = [one for one in outcomes if "another process" in f"{one['error']}{one['notes']}"]
    assert len(others) <= 1
    assert sum(one["added"] for one in outcomes if one not in others) == PAGES
    assert sum(json.loads(output)["embedded"] for output in outputs) == PAGES
    assert sorted(process.returncode for process in both) == sorted(int(bool(one["error"])) for one in outcomes)
    assert is_complete(result(start("status", "--json")))


def test_a_stop_signal_closes_the_bot_in_order(start: Start) -> None:
    bot = start("run")
    wait_for(start, is_complete)

    bot.send_signal(signal.SIGTERM)

    assert bot.wait(DEADLINE_S) == 143
    assert "Traceback" not in bot.communicate()[1]


def test_the_bot_goes_on_when_its_database_was_killed(start: Start, folder: Path, home: Path) -> None:
    bot = start("run")
    wait_for(start, is_complete)
    server = int((cluster_folder(home) / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    os.kill(server, signal.SIGKILL)
    (folder / "docs/room-0.md").write_text("# Room 0\n\nIts projector has the new code QX-9.\n", encoding="utf-8")

    deadline = time.monotonic() + DEADLINE_S
    while first_hit(start, "QX-9") != "room-0.md" and time.monotonic() < deadline:
        time.sleep(0.5)

    assert first_hit(start, "QX-9") == "room-0.md"
    assert bot.poll() is None


def test_a_stop_signal_ends_a_chat_that_waits_for_the_keyboard(start: Start) -> None:
    chat = start("chat", keyboard=subprocess.PIPE)
    assert chat.stdout is not None
    assert "I answer from" in chat.stdout.readline()

    chat.send_signal(signal.SIGTERM)

    assert chat.wait(DEADLINE_S) == 143
