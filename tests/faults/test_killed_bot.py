"""The bot killed at any step of a message: the question is answered once all the same, within half a minute.

    KILL_REPEATS=20 pytest tests/faults/test_killed_bot.py -s

does everything that often, and tells of each recovery and of the slowest one.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from tests.faults.killed_bots import SLOW_QUESTION, Case, Result, knowing, run_cases
from tests.scenario.slack_bot import EXPIRES, UNKNOWN
from tests.wire.slack.checker import Outcome

# In the order in which a message passes them.
STEPS = ("received", "accepted", "taken", "worded", "planned", "begun", "sent", "noted")
OUTCOMES: Mapping[Outcome, str] = {"answered": EXPIRES, "handed_over": UNKNOWN}
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
    with knowing(tmp_path, embedded_home, database_server, database_template) as servers:
        results = run_cases(CASES * REPEATS, tmp_path, servers, _tell)

    slowest = max(results, key=lambda result: result.recovered_s)
    print(f"slowest of {len(results)}: {slowest.case}, {slowest.recovered_s:.1f} s")  # noqa: T201 # the long run's figure
    assert [f"{result.case}: {result.problems}" for result in results if result.problems] == []


def _tell(result: Result) -> None:
    print(f"{result.case}: {result.problems or 'well'} in {result.recovered_s:.1f} s", flush=True)  # noqa: T201 # as above
