"""Telegram's rate limits: about one message a second in a chat, 20 a minute in a group, 30 a second overall.

Not verified: how long Telegram makes a bot wait in truth, and how many messages a short burst may have.
"""

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

PER_CHAT_S = 1.0
PER_GROUP = 20
OVERALL_PER_S = 30
# A message that arrives that much early counts as in time: clocks and sockets are not exact.
TOLERANCE_S = 0.05

Rule = Literal["chat", "group", "overall"]


@dataclass(frozen=True, slots=True)
class FloodRefusal:
    """A message that came too soon."""

    chat: int
    at_s: float
    rule: Rule
    method: str
    retry_after_s: int


@dataclass(slots=True)
class Limits:
    """Counts messages, edits and drafts; refuses what is over a limit where `enforced`. The minute may be shorter."""

    enforced: bool = False
    minute_s: float = 60.0
    clock: Callable[[], float] = time.monotonic
    refused: list[FloodRefusal] = field(default_factory=list)
    _sent: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _overall: deque[float] = field(default_factory=deque)

    def wait_s(self, method: str, chat: int, *, is_group: bool) -> int | None:
        """Count a message, and return after how many seconds it may be sent again; None where it may be sent now."""
        if not self.enforced:
            return None
        now = self.clock()
        sent = self._sent[chat]
        _forget(sent, now - self.minute_s)
        _forget(self._overall, now - 1.0 + TOLERANCE_S)
        waits: list[tuple[float, Rule]] = []
        if sent and now - sent[-1] < PER_CHAT_S - TOLERANCE_S:
            waits.append((sent[-1] + PER_CHAT_S - now, "chat"))
        if is_group and len(sent) >= PER_GROUP:
            waits.append((sent[0] + self.minute_s - now, "group"))
        if len(self._overall) >= OVERALL_PER_S:
            waits.append((self._overall[0] + 1.0 - now, "overall"))
        if not waits:
            sent.append(now)
            self._overall.append(now)
            return None
        longest_s, rule = max(waits)
        retry_after_s = max(1, math.ceil(longest_s))
        self.refused.append(FloodRefusal(chat, now, rule, method, retry_after_s))
        return retry_after_s


def _forget(times: deque[float], before_s: float) -> None:
    while times and times[0] <= before_s:
        times.popleft()
