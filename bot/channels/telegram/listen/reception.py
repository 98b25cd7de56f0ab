"""The one path of every update, by polling or webhook: what does it mean, store it, and only then have it confirmed."""

import asyncio
import logging

from telegram import Update
from telegram.error import TelegramError

from bot.channels.afterwards import UnderWay
from bot.channels.telegram.listen.counts import Counts
from bot.channels.telegram.listen.keeper import Keeper
from bot.channels.telegram.listen.pulse import Pulse
from bot.channels.telegram.listen.standpoint import Standpoint
from bot.channels.telegram.translate.updates import translate
from bot.core.errors import CoreError
from knowledge.errors import KnowledgeError
from knowledge.faultpoint import faultpoint

# A person who pressed a button is told nothing any more after that.
AFTERWARDS_S = 5.0
STORED_WITHIN_S = 10.0
# So many are stored at once: the database's other connections are for those who answer.
STORED_AT_ONCE = 8
# What breaks us, and not only the database, is left out after so many tries: behind it all others would wait.
TRIES = 3
BREAKING_REMEMBERED = 1_000

log = logging.getLogger(__name__)


class NotStored(TelegramError):
    """An update could not be stored: it must not be confirmed, so that it comes again."""


class Reception:
    """Stores what Telegram brings."""

    def __init__(self, keeper: Keeper, standpoint: Standpoint, pulse: Pulse, counts: Counts) -> None:
        self._keeper = keeper
        self._standpoint = standpoint
        self._pulse = pulse
        self._counts = counts
        self._turns = asyncio.Semaphore(STORED_AT_ONCE)
        self._tries: dict[int, int] = {}
        self._under_way = UnderWay()

    async def receive(self, update: Update) -> None:
        """Store an update; NotStored where it has to come again."""
        faultpoint("fetched")
        self._counts.updates += 1
        self._pulse.heard()
        try:
            async with asyncio.timeout(STORED_WITHIN_S), self._turns:
                then = await self._keeper.keep(translate(update, self._standpoint.here()))
        except (KnowledgeError, CoreError, TimeoutError) as exc:
            problem = str(exc) or f"the database needs more than {STORED_WITHIN_S:g} s"
            log.warning("not stored, so it comes again: %s", problem, extra={"update": update.update_id})
            raise self._refused(problem) from exc
        except Exception as exc:
            if self._is_given_up(update.update_id):
                log.exception("left out, for it broke us %d times", TRIES, extra={"update": update.update_id})
                return
            log.exception("not stored, so it comes again", extra={"update": update.update_id})
            raise self._refused(f"update {update.update_id} breaks us: {type(exc).__name__}") from exc
        self._pulse.stored()
        faultpoint("stored")
        if then:
            self._under_way.begin(then, within_s=AFTERWARDS_S)

    def _refused(self, problem: str) -> NotStored:
        self._counts.refused += 1
        self._pulse.not_stored(f"updates cannot be stored: {problem}")
        return NotStored(problem)

    def _is_given_up(self, update_id: int) -> bool:
        self._tries[update_id] = self._tries.get(update_id, 0) + 1
        if len(self._tries) > BREAKING_REMEMBERED:
            del self._tries[next(iter(self._tries))]
        return self._tries[update_id] >= TRIES

    async def settle(self, within_s: float) -> None:
        """Wait until what follows the stored updates is done, but not for ever."""
        await self._under_way.settle(within_s)
