"""Slack's rate limits, by method and workspace (docs.slack.dev/apis/web-api/rate-limits).

Not verified: how many posts a short burst may have, and what the methods marked as special allow.
"""

import math
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field

TIERS = {1: 1, 2: 20, 3: 50, 4: 100}
POST_BURST = 4
POSTS_PER_S = 1.0


@dataclass(slots=True)
class Limits:
    """Counts calls; refuses those over the limit where `enforced`. A test may make the minute shorter."""

    enforced: bool = False
    minute_s: float = 60.0
    refused: list[str] = field(default_factory=list)
    _calls: dict[tuple[str, str], deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _bursts: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait_s(self, method: str, tier: int | None, team_id: str) -> int | None:
        """Count a call, and return after how many seconds it may be made again; None where it may be made now."""
        if tier is None:
            return None
        now = time.monotonic()
        calls = self._calls[method, team_id]
        while calls and now - calls[0] >= self.minute_s:
            calls.popleft()
        if len(calls) >= TIERS[tier]:
            return self._refuse(method, self.minute_s - (now - calls[0]))
        calls.append(now)
        return None

    def post_wait_s(self, channel: str) -> int | None:
        """Count a post to a channel, and return after how many seconds it may be made again."""
        now = time.monotonic()
        left, at_s = self._bursts.get(channel, (float(POST_BURST), now))
        left = min(POST_BURST, left + (now - at_s) * POSTS_PER_S)
        if left < 1:
            self._bursts[channel] = (left, now)
            return self._refuse("chat.postMessage", (1 - left) / POSTS_PER_S)
        self._bursts[channel] = (left - 1, now)
        return None

    def _refuse(self, method: str, wait_s: float) -> int | None:
        if not self.enforced:
            return None
        self.refused.append(method)
        return max(1, math.ceil(wait_s))
