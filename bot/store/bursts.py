"""Which messages of one author were written in one go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

# The clock of some platforms tells whole seconds only: what is a second apart there may be a moment apart.
COARSE = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Sibling:
    """A message among those of its author in the same place, and how long it waited; `asks`: it ends as a question."""

    id: int
    sent_at: datetime
    waited: timedelta
    asks: bool = False


def burst_of(number: int, siblings: Sequence[Sibling], burst: timedelta) -> list[Sibling]:
    """Return the run of messages around one of them, each written within `burst` of the one before.

    What counts is when they were written: after a downtime they all arrive at once. Two whole questions are two.
    """
    ordered = sorted(siblings, key=lambda sibling: (sibling.sent_at, sibling.id))
    runs: list[list[Sibling]] = [ordered[:1]]
    for before, after in pairwise(ordered):
        are_two = before.asks and after.asks
        if are_two or after.sent_at - before.sent_at > seeming(burst, after.sent_at):
            runs.append([])
        runs[-1].append(after)
    return next((run for run in runs if any(sibling.id == number for sibling in run)), [])


def seeming(burst: timedelta, sent_at: datetime) -> timedelta:
    """Return how long `burst` may seem by the clock that told `sent_at`."""
    return burst + (COARSE if sent_at.microsecond == 0 else timedelta())
