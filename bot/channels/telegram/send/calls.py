"""Calls the Bot API, each message in its turn, and says in our own errors what became of it."""

import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

from telegram import Bot
from telegram.error import TelegramError

from bot.channels.telegram.errors import telegram_error
from bot.channels.telegram.send.pacing import ChatPacing
from bot.core.incoming import Place
from knowledge.errors import RateLimited, SettingsProblem, TransientError

Result = TypeVar("Result")
Call = Callable[[Bot], Awaitable[Result]]

log = logging.getLogger(__name__)


class Calls:
    """The Bot API; a message that would have to wait long for its turn raises RateLimited."""

    def __init__(self, bot: Bot, pacing: ChatPacing) -> None:
        self._bot = bot
        self.pacing = pacing

    async def write(self, method: str, place: Place, call: Call[Result]) -> Result:
        """Return Telegram's answer to a message: MaybeSent where nobody knows whether it was taken."""
        async with self.pacing.turn(place.channel):
            try:
                return await call(self._bot)
            except TelegramError as exc:
                _refused(exc, method, place, self.pacing)

    async def touch(self, method: str, place: Place, call: Call[Result]) -> Result:
        """Return Telegram's answer to what is no message, and may be repeated; it counts for no limit that we know."""
        try:
            return await call(self._bot)
        except TelegramError as exc:
            _refused(exc, method, place, None)


def _refused(exc: TelegramError, method: str, place: Place, pacing: ChatPacing | None) -> NoReturn:
    error = telegram_error(exc, method, writes=pacing is not None)
    if isinstance(error, RateLimited) and pacing is not None:
        log.warning("%s", error, extra={"place": str(place)})
        pacing.hold(place.channel, error.retry_after_s)
    if isinstance(error, SettingsProblem):
        # It works again when somebody has set it right: until then it is tried again.
        log.error("%s", error, extra={"place": str(place)})
        raise TransientError(str(error)) from exc
    raise error from exc
