"""Keeps to Telegram's limits: in each chat, in each group, and overall; edits and drafts count as messages.

They are told at core.telegram.org/bots/faq, "My bot is hitting limits".
"""

import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from bot.channels.pacing import Lane, Pace, Pacing

A_CHAT = Pace(1, 1.0)
A_GROUP = Pace(20, 60.0)
# Telegram lets 30 pass; some room is left for what is not counted here, such as buttons that change.
ALL_CHATS = Pace(28, 1.0)
# What grows leaves so much of an allowance to what is sent in the end.
SPARE = 0.5
# When so many chats are refused within a short time, it is the bot that sends too much, and not one chat that gets it.
CHATS_AT_ONCE = 3
AT_ONCE_S = 1.0


@dataclass(frozen=True, slots=True)
class Paces:
    """How often may be sent."""

    chat: Pace = A_CHAT
    group: Pace = A_GROUP
    overall: Pace = ALL_CHATS


@dataclass(frozen=True, slots=True)
class _Refused:
    """A message that Telegram did not take because of a limit."""

    at_s: float
    chat: str
    retry_after_s: float


class ChatPacing:
    """Gives each message its turn; the bot is one, so there is one of these."""

    def __init__(
        self, pacing: Pacing | None = None, *, paces: Paces | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._pacing = pacing or Pacing(now=now)
        self._paces = paces or Paces()
        self._now = now
        self._refused: deque[_Refused] = deque()

    def turn(self, chat: str) -> AbstractAsyncContextManager[None]:
        """Wait until a chat may get a message, which is sent inside; RateLimited where that takes too long."""
        return self._pacing.turn(*self._lanes(chat))

    async def ready(self, chat: str) -> None:
        """Wait until a chat may get a message, without sending one; RateLimited where that takes too long."""
        await self._pacing.ready(*self._lanes(chat))

    def has_room(self, chat: str) -> bool:
        """Tell whether something may be shown in a chat that can also be left out."""
        return self._pacing.has_room(*self._lanes(chat), spare=SPARE)

    def is_held(self, chat: str) -> bool:
        """Tell whether Telegram wants to hear nothing of a chat now."""
        return any(self._pacing.is_held(lane) for lane in self._lanes(chat))

    def hold(self, chat: str, retry_after_s: float) -> None:
        """Remember that Telegram wants to hear nothing of a chat for some time; others go on, unless many are held."""
        self._pacing.hold(self._chat(chat), retry_after_s)
        now = self._now()
        self._refused.append(_Refused(now, chat, retry_after_s))
        while self._refused[0].at_s < now - AT_ONCE_S:
            self._refused.popleft()
        if len({refused.chat for refused in self._refused}) >= CHATS_AT_ONCE:
            self._pacing.hold(self._overall(), min(refused.retry_after_s for refused in self._refused))

    def _lanes(self, chat: str) -> list[Lane]:
        group = [Lane(("a minute in group", chat), self._paces.group)] if is_group(chat) else []
        return [*group, self._chat(chat), self._overall()]

    def _chat(self, chat: str) -> Lane:
        return Lane(("a second in chat", chat), self._paces.chat)

    def _overall(self) -> Lane:
        return Lane(("a second in all chats",), self._paces.overall)


def is_group(chat: str) -> bool:
    """Tell whether many people read a chat: only the numbers of people are positive."""
    return chat.startswith("-")
