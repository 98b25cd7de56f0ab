"""The bot on Telegram killed at any step of a message: it is answered once all the same, or once more and says so.

    KILL_REPEATS=20 pytest tests/faults/test_killed_telegram_bot.py -s

does everything that often, and tells of each recovery and of the slowest one.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from tests.faults.killed_bots import SLOW_QUESTION, Case, Ending, not_well, run_cases, tell
from tests.faults.killed_telegram_bots import knowing_on_telegram, open_telegram_lane
from tests.scenario.whole_bot import EXPIRES, UNKNOWN

# In the order in which a message passes them: fetched from Telegram, stored, and only then is the offset moved.
STEPS = ("fetched", "received", "accepted", "stored", "taken", "worded", "planned", "begun", "sent", "noted")
OUTCOMES: Mapping[Ending, str] = {"answered": EXPIRES, "handed_over": UNKNOWN}
CASES = (
    *(Case(step, outcome, text) for step in STEPS for outcome, text in OUTCOMES.items()),
    *(Case(step, "answered", EXPIRES, "direct") for step in ("fetched", "stored", "sent")),
    *(Case(step, "answered", EXPIRES, "edited") for step in ("fetched", "stored", "taken", "planned", "sent", "noted")),
    Case("ticketed", "handed_over", way="stale"),
    Case("ticketed", "handed_over", way="button"),
    Case("stored", "handed_over", way="button"),
    Case("growing", "answered", SLOW_QUESTION),
    Case("noted", "answered", SLOW_QUESTION),
    Case("sent", "answered", SLOW_QUESTION, "direct"),
    Case("worded", "answered", times=2),
    # What breaks us three times goes to a person (F08).
    Case("worded", "handed_over", times=3),
)
REPEATS = int(os.environ.get("KILL_REPEATS", "1"))


def test_a_message_survives_a_kill_at_any_step(
    tmp_path: Path, embedded_home: Path, database_server: str, database_template: str
) -> None:
    """One test for all cases: they share the bots, and run at once."""
    with knowing_on_telegram(tmp_path, embedded_home, database_server, database_template) as servers:
        results = run_cases(CASES * REPEATS, tmp_path, lambda folder: open_telegram_lane(folder, servers), tell)

    assert not_well(results) == []
