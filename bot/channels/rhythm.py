"""When what grows is shown once more: not too often, and at once where it has waited long enough."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress


class Rhythm:
    """The turns of what is shown again and again until it is settled; `lock` is held while one is on its way."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.is_settled = False
        self._next_at = math.inf
        self._woken = asyncio.Event()

    @property
    def next_in_s(self) -> float:
        """How long it is until the next turn, infinity before the first one is known."""
        return self._next_at - time.monotonic()

    def begin(self, after_s: float) -> None:
        """Let the first turn come so much later; only the first call counts."""
        if self._next_at == math.inf:
            self.pause(after_s)

    def pause(self, seconds: float) -> None:
        """Let the next turn come so much later."""
        self._next_at = time.monotonic() + seconds

    def wake(self) -> None:
        """Note that there may be something else to show."""
        self._woken.set()

    def settle(self) -> None:
        """Let no further turn begin."""
        self.is_settled = True
        self.wake()

    async def go_on(self, due_in_s: float, show: Callable[[], Awaitable[None]]) -> None:
        """Take a turn that is due; where none is, wait for it, or until there may be something else to show."""
        if due_in_s > 0:
            await self._rest(due_in_s)
            return
        async with self.lock:
            if not self.is_settled:
                await show()

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(None if seconds == math.inf else seconds):
                await self._woken.wait()
        self._woken.clear()
