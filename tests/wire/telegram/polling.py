"""getUpdates: held open until something comes, and only one at a time."""

import asyncio
import time
from dataclasses import dataclass, field

from tests.wire.telegram.errors import refused
from tests.wire.telegram.records import Call, Poll
from tests.wire.telegram.state import TelegramState

MOST_UPDATES = 100
LONGEST_S = 50
OTHER_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_SET = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


@dataclass(slots=True)
class _Held:
    """A request that waits."""

    poll: Poll
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Polling:
    """Answers getUpdates in the server's event loop."""

    def __init__(self, state: TelegramState) -> None:
        self._state = state
        self._held: _Held | None = None
        self._is_over = False

    def wake(self) -> None:
        """Let the request that waits look again; in the server's event loop."""
        if self._held is not None:
            self._held.news.set()

    def stop(self) -> None:
        """Let the request that waits end."""
        self._is_over = True
        self.wake()

    async def answer(self, call: Call) -> list[object]:
        """Return the updates from an offset on; refuses where there is a webhook, or another request comes."""
        if self._state.webhook.url:
            raise refused(409, WEBHOOK_SET)
        held = self._begin(call)
        limit = min(max(call.number("limit", MOST_UPDATES), 1), MOST_UPDATES)
        deadline_s = time.monotonic() + min(max(call.number("timeout"), 0), LONGEST_S)
        while True:
            held.news.clear()
            left_s = deadline_s - time.monotonic()
            is_last = left_s <= 0 or self._is_over
            found = self._found(held, limit, is_last=is_last)
            if found or is_last:
                return found
            try:
                await asyncio.wait_for(held.news.wait(), left_s)
            except TimeoutError:
                continue

    def _begin(self, call: Call) -> _Held:
        with self._state.lock:
            updates = self._state.updates
            updates.allow(call.args.get("allowed_updates"))
            if self._held is not None and self._held.poll.outcome == "held":
                self._held.poll.outcome = "conflict"
                self.wake()
            offset = call.number("offset")
            poll = Poll(offset, time.monotonic(), updates.confirm_below(offset))
            updates.polls.append(poll)
            self._held = _Held(poll)
            return self._held

    def _found(self, held: _Held, limit: int, *, is_last: bool) -> list[object]:
        with self._state.lock:
            poll = held.poll
            poll.ended_at_s = time.monotonic()
            if poll.outcome == "conflict":
                raise refused(409, OTHER_POLLER)
            if self._state.webhook.url:
                poll.outcome = "conflict"
                raise refused(409, "terminated by setWebhook request")
            self._state.updates.expire()
            waiting = self._state.updates.due(poll.offset, limit)
            if waiting or is_last:
                poll.outcome, poll.returned = "answered", tuple(one.update_id for one in waiting)
            return [one.update for one in waiting]
