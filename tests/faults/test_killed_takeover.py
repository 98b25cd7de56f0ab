"""The bot killed at any step while a person takes over: both sides have exactly one of each all the same (F07).

    KILL_REPEATS=20 pytest tests/faults/test_killed_takeover.py -s

does everything that often in all four pairs, and tells of each recovery, of their median and of the slowest.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from tests.faults.killed_bots import Result, not_well, run_cases, tell
from tests.faults.killed_takeovers import SENT, ActName, Kill, knowing_both, open_takeover_lane

SENDING = ("planned", "begun", "sent", "noted")
WORDING = ("taken", "worded")
# What a message or a press passes before anything is sent because of it.
INTAKE: Mapping[ActName, Sequence[str]] = {
    "ask": ("received", "accepted", *(f"{step} message" for step in (*WORDING, *SENDING))),
    "claim": ("acted",),
    "reply": ("heard",),
    "follow_up": ("received", "accepted", "passed"),
    "close": ("acted",),
    "return": ("acted",),
    "early_reply": ("sent card",),
}
PAIRS = tuple(product(("slack", "telegram"), repeat=2))
REPEATS = int(os.environ.get("KILL_REPEATS", "0"))
TO_TELEGRAM, TO_SLACK = ("slack", "telegram"), ("telegram", "slack")
# A few of all, in the order in which dialogs go on.
SELECTED: Sequence[tuple[ActName, str, tuple[str, str]]] = (
    ("ask", "sent topic", TO_TELEGRAM),
    ("ask", "sent message", TO_SLACK),
    ("claim", "acted", TO_TELEGRAM),
    ("claim", "begun refresh", TO_SLACK),
    ("reply", "heard", TO_TELEGRAM),
    ("reply", "sent reply", TO_SLACK),
    ("follow_up", "passed", TO_TELEGRAM),
    ("follow_up", "planned follow_up", TO_SLACK),
    ("close", "sent suggest", TO_TELEGRAM),
    ("early_reply", "sent card", TO_SLACK),
    ("early_reply", "sent card", TO_TELEGRAM),
    ("return", "noted told", TO_SLACK),
)


def _all() -> Iterator[Kill]:
    """Yield each step of each act in each pair, in the order in which dialogs go on."""
    of_acts = {
        act: [*INTAKE[act], *(f"{step} {kind}" for kind in SENT[act] for step in (*WORDING, *SENDING))]
        for act in INTAKE
    }
    for number in range(max(map(len, of_acts.values()))):
        for (asked_on, desk_on), act in product(PAIRS, INTAKE):
            steps = of_acts[act]
            if number < len(steps) and (desk_on == "telegram" or not steps[number].endswith(" topic")):
                yield _kill(act, steps[number], (asked_on, desk_on))


def _kill(act: ActName, step: str, pair: tuple[str, str]) -> Kill:
    return Kill(step, "handed_over", act=act, asked_on=pair[0], desk_on=pair[1])


def _told_of_recoveries(results: Sequence[Result]) -> None:
    """Say how long it took."""
    took = sorted(result.recovered_s for result in results if not result.problems)
    if took:
        middle, late = took[len(took) // 2], took[int(len(took) * 0.95)]
        print(f"{len(took)} of {len(results)} are well; recovered in {middle:.1f} s (p95 {late:.1f} s)")  # noqa: T201 # the long run's figures


def test_both_sides_have_one_of_each_after_a_kill_at_any_step(
    tmp_path: Path, embedded_home: Path, database_server: str, database_template: str
) -> None:
    """One test for all kills: they share the bots, and run at once."""
    kills = [*_all()] * REPEATS if REPEATS else [_kill(*selected) for selected in SELECTED]
    with knowing_both(tmp_path, embedded_home, database_server, database_template) as servers:
        results = run_cases(kills, tmp_path, lambda folder: open_takeover_lane(folder, servers), tell)

    _told_of_recoveries(results)
    assert not_well(results) == []
