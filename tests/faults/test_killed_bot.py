"""The bot killed at any step of a message: the question is answered once all the same, within half a minute.

    KILL_REPEATS=20 pytest tests/faults/test_killed_bot.py -s

does everything that often, and tells of each recovery and of the slowest one.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from tests.faults.killed_bots import SLOW_QUESTION, Case, Ending, not_well, run_cases, tell
from tests.faults.killed_slack_bots import knowing_on_slack, open_slack_lane
from tests.scenario.whole_bot import EXPIRES, UNKNOWN

# In the order in which a message passes them.
STEPS = ("received", "accepted", "taken", "worded", "planned", "begun", "sent", "noted")
OUTCOMES: Mapping[Ending, str] = {"answered": EXPIRES, "handed_over": UNKNOWN}
CASES = (
    *(Case(step, outcome, text) for step in STEPS for outcome, text in OUTCOMES.items()),
    Case("ticketed", "handed_over", way="stale"),
    Case("ticketed", "handed_over", way="button"),
    Case("growing", "answered", SLOW_QUESTION),
    Case("noted", "answered", SLOW_QUESTION),
    Case("worded", "answered", times=2),
    # What breaks us three times goes to a person (F08).
    Case("worded", "handed_over", times=3),
)
REPEATS = int(os.environ.get("KILL_REPEATS", "1"))


def test_a_message_survives_a_kill_at_any_step(
    tmp_path: Path, embedded_home: Path, database_server: str, database_template: str
) -> None:
    """One test for all cases: they share the bots, and run at once."""
    with knowing_on_slack(tmp_path, embedded_home, database_server, database_template) as servers:
        results = run_cases(CASES * REPEATS, tmp_path, lambda folder: open_slack_lane(folder, servers), tell)

    assert not_well(results) == []
