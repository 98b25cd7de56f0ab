"""The bot killed at any step of a message: the question is answered once all the same, within half a minute."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenario.slack_bot import QUESTION, UNKNOWN, SlackBot, slack_bot
from tests.wire.slack import ASKER, MENTION, PUBLIC, Asked

# In the order in which a message passes them; "ticketed" is passed only by what goes to a person at once.
STEPS = ("received", "accepted", "taken", "worded", "planned", "begun", "sent", "noted")
RECOVERED_WITHIN_S = 30.0
DIES_WITHIN_S = 30.0
REPEATS = int(os.environ.get("KILL_REPEATS", "1"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bot")


@pytest.fixture
def bot(tmp_path: Path, embedded_home: Path, database_url: str) -> Iterator[SlackBot]:
    with slack_bot(tmp_path, embedded_home, database_url) as subject:
        environment = {**os.environ, "ANSWERDESK_HOME": str(embedded_home), "DATABASE_URL": database_url}
        subprocess.run([sys.executable, "-m", "bot", "sync"], cwd=tmp_path, env=environment, check=True)
        yield subject


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("outcome", ["answered", "handed_over"])
def test_a_message_survives_a_kill_at_any_step(bot: SlackBot, step: str, outcome: str) -> None:
    for _ in range(REPEATS):
        bot.start(killed_at=step)
        text = QUESTION if outcome == "answered" else UNKNOWN
        ts = bot.slack.says(ASKER, PUBLIC, f"{MENTION} {text}")
        assert bot.bot.died(DIES_WITHIN_S), f"never came to {step}"
        started = time.monotonic()
        bot.start()

        bot.slack.wait_until(lambda: bot.slack.answers(PUBLIC, thread=ts) and bot.is_settled(), RECOVERED_WITHIN_S)
        print(f"{step} {outcome}: recovered in {time.monotonic() - started:.1f} s")  # noqa: T201
        bot.bot.stop()
        assert len(bot.slack.answers(PUBLIC, thread=ts)) == 1
        assert bot.problems(Asked(PUBLIC, ts, ASKER, outcome=outcome)) == []
