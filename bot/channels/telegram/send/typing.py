"""Lets the bot be seen typing while it works."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.parcels import topic_of
from bot.core.errors import CoreError
from bot.core.incoming import Question
from knowledge.errors import KnowledgeError, RateLimited

# Telegram takes it away after five seconds (core.telegram.org/bots/api#sendchataction).
REFRESH_S = 4.0
CALL_S = 3.0

log = logging.getLogger(__name__)


class Typing:
    """The bot at work on one question, until its answer `is_seen` growing; `lock` is held while that is being told."""

    def __init__(self, calls: Calls, question: Question, is_seen: Callable[[], bool]) -> None:
        self.lock = asyncio.Lock()
        self._calls = calls
        self._is_seen = is_seen
        self._number = question.number
        self._place = question.incoming.place
        self._topic = topic_of(question.incoming.thread)
        self._business = question.incoming.wire.get("business")
        self._settled = asyncio.Event()

    def settle(self) -> None:
        """Type no longer."""
        self._settled.set()

    async def run(self) -> None:
        """Be seen typing until that is settled, or Telegram will not have it."""
        wait_s: float | None = 0.0
        while wait_s is not None and not self._settled.is_set():
            async with self.lock:
                wait_s = await self._told()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._settled.wait()

    async def _told(self) -> float | None:
        """Tell it once, and return when to tell it again; None: never."""
        if self._is_seen():
            # Nothing would take it away before its time: a message that is edited does not, as a new one does.
            return None
        if self._calls.pacing.is_held(self._place.channel):
            return REFRESH_S
        try:
            async with asyncio.timeout(CALL_S):
                await self._tell()
        except RateLimited as exc:
            return max(REFRESH_S, exc.retry_after_s)
        except TimeoutError:
            return REFRESH_S
        except (KnowledgeError, CoreError) as exc:
            log.info("not seen typing: %s", exc, extra={"number": self._number})
            return None
        return REFRESH_S

    async def _tell(self) -> None:
        await self._calls.touch(
            "sendChatAction",
            self._place,
            lambda bot: bot.send_chat_action(
                self._place.channel,
                "typing",
                message_thread_id=self._topic,
                business_connection_id=self._business,
            ),
        )
