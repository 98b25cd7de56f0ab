"""A workspace where much is written at once, and what became of it: lost, doubled, acknowledged after how long."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tests.wire.slack import MENTION, TEAM, Asked, SlackServer

# Both prime: over time everybody writes in every way and everywhere, and nobody twice within some seconds.
PEOPLE = 307
CHANNELS = 41
# In their shares: in a channel, directly, in one's own thread without a mention, in the thread of somebody else.
Way = Literal["channel", "direct", "follow-up", "foreign thread"]
WAYS: tuple[Way, ...] = ("channel",) * 5 + ("direct",) * 2 + ("follow-up",) * 2 + ("foreign thread",)
QUESTIONS = (
    "When does a VPN certificate expire?",
    "How long does renewing a VPN certificate take?",
    "When does the dishwasher start?",
    "Which version is the VPN client?",
)


def furnish_load(slack: SlackServer) -> None:
    """Bring the people and their channels."""
    home = slack.workspaces[TEAM]
    people = [home.add_user(f"U7P{number:04d}").id for number in range(PEOPLE)]
    for number in range(CHANNELS):
        home.add_channel(f"C7R{number:04d}", people)
    for person in people:
        home.dm(person)


class Crowd:
    """Writes message after message, the same each time; `asked` is what was written."""

    def __init__(self, slack: SlackServer) -> None:
        self.asked: list[Asked] = []
        self._slack = slack
        self._threads: dict[str, Asked] = {}
        self._last: Asked | None = None

    def write(self, rate: float, seconds: float) -> None:
        """Write at a rate for some seconds; whoever is late hurries."""
        started = time.monotonic()
        for number in range(round(rate * seconds)):
            time.sleep(max(0.0, started + number / rate - time.monotonic()))
            self._say()

    def _say(self) -> None:
        number = len(self.asked)
        user = f"U7P{number % PEOPLE:04d}"
        way = WAYS[number % len(WAYS)]
        text = f"{QUESTIONS[number % len(QUESTIONS)]} ({number})"
        own, foreign = self._threads.get(user), self._last
        if way == "direct":
            self._post(user, f"D7P{number % PEOPLE:04d}", text)
        elif way == "follow-up" and own:
            self._post(user, own.channel, text, own.root)
        elif way == "foreign thread" and foreign and foreign.user != user:
            self._post(user, foreign.channel, f"{MENTION} {text}", foreign.root)
        else:
            self._threads[user] = self._last = self._post(user, f"C7R{number % CHANNELS:04d}", f"{MENTION} {text}")

    def _post(self, user: str, channel: str, text: str, thread: str | None = None) -> Asked:
        ts = self._slack.says(user, channel, text, thread=thread)
        self.asked.append(Asked(channel, ts, user, thread))
        return self.asked[-1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the messages that Slack was told we have."""

    acknowledged: int
    lost: int
    doubled: int


def outcome(slack: SlackServer, asked: Sequence[Asked]) -> Outcome:
    """Count the replies in each thread against what was asked there and acknowledged."""
    events = [one.event for one in list(slack.deliveries) if one.is_acked]
    acked = {(str(event.get("channel")), str(event.get("ts"))) for event in events}
    known = [one for one in asked if (one.channel, one.ts) in acked]
    expected = Counter((one.channel, one.root) for one in known)
    seen = Counter(_replied(slack, {one.channel for one in asked}))
    lost = sum(max(0, count - seen[thread]) for thread, count in expected.items())
    doubled = sum(max(0, count - expected[thread]) for thread, count in seen.items())
    return Outcome(len(known), lost, doubled)


def _replied(slack: SlackServer, channels: Iterable[str]) -> Iterator[tuple[str, str]]:
    for channel in channels:
        for post in slack.answers(channel):
            if post.thread_ts and post.text.strip() and not post.is_streaming:
                yield channel, post.thread_ts


@dataclass(frozen=True, slots=True)
class Latency:
    """How long acknowledgements took, in milliseconds."""

    p50_ms: float
    p99_ms: float
    worst_ms: float
    late: int


def latency(slack: SlackServer, since_s: float, until_s: float) -> Latency:
    """Return how long the acknowledgements took of what was delivered between two moments of the steady clock.

    What was never acknowledged took for ever, unless its connection died.
    """
    took_ms = [1e3 * one.latency_s for one in list(slack.deliveries) if one.latency_s and since_s <= one.at_s < until_s]
    late = sum(ack.is_late for ack in list(slack.acks) if since_s <= ack.at_s < until_s)
    p50, p99 = np.percentile(took_ms, [50, 99]) if took_ms else (float("nan"), float("nan"))
    return Latency(float(p50), float(p99), max(took_ms, default=float("nan")), late)
