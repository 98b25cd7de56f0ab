"""Whatever happens in whatever order: nothing is lost, nothing is doubled, nothing is left half done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.killed_telegram_bots import knowing_on_telegram, started_on_telegram
from tests.faults.telegram_chaos import play
from tests.faults.telegram_lines import Past
from tests.faults.telegram_stories import BURST_S
from tests.scenario.telegram_talk import TelegramTalk

# Each plays a handful of stories at once; tests.faults.telegram_chaos plays more of them.
SEEDS = range(20261130, 20261135)


@pytest.fixture(scope="module")
def past() -> Past:
    return Past()


@pytest.fixture(scope="module")
def talk(
    tmp_path_factory: pytest.TempPathFactory, embedded_home: Path, database_server: str, database_template: str
) -> Iterator[TelegramTalk]:
    folder = tmp_path_factory.mktemp("chaos")
    with (
        knowing_on_telegram(folder, embedded_home, database_server, database_template) as servers,
        started_on_telegram(folder / "bot", servers, burst_s=BURST_S) as opened,
    ):
        yield opened


@pytest.mark.parametrize("seed", SEEDS)
def test_promises_are_kept_whatever_happens(talk: TelegramTalk, past: Past, seed: int) -> None:
    assert play(talk, past, seed) == ""
