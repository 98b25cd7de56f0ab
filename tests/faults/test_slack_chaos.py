"""Whatever happens in whatever order: nothing is lost, nothing is doubled, nothing is left half done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.killed_slack_bots import knowing_on_slack, started_on_slack
from tests.faults.slack_chaos import play
from tests.scenario.slack_talk import Talk

# Each plays a handful of stories at once; tests.faults.slack_chaos plays more of them.
SEEDS = range(20261130, 20261135)


@pytest.fixture(scope="module")
def talk(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[Talk]:
    folder = tmp_path_factory.mktemp("chaos")
    with (
        knowing_on_slack(folder, embedded_home, database_server, database_template) as servers,
        started_on_slack(folder / "bot", servers) as opened,
    ):
        yield opened


@pytest.mark.parametrize("seed", SEEDS)
def test_promises_are_kept_whatever_happens(talk: Talk, seed: int) -> None:
    assert play(talk, seed) == ""
