"""What people are called in a chat."""

import asyncio
import logging
import time
from collections.abc import Callable

from telegram import Bot

from bot.channels.telegram.errors import asked
from bot.channels.telegram.readers.audiences import WRITES_AS_CHAT
from bot.channels.telegram.translate.chats import full_name
from bot.core.errors import CoreError
from bot.core.incoming import Place
from knowledge.errors import KnowledgeError

ASKED_WITHIN_S = 5.0
# People change their names now and then.
KNOWN_FOR_S = 3600.0
NAMES_REMEMBERED = 10_000

log = logging.getLogger(__name__)


class Names:
    """Asks Telegram for names, and remembers them for a while."""

    def __init__(self, bot: Bot, clock: Callable[[], float] = time.monotonic) -> None:
        self._bot = bot
        self._clock = clock
        self._known: dict[tuple[Place, str], tuple[str, float]] = {}

    def known(self, place: Place, author: str) -> str | None:
        """Return a name that is remembered."""
        name, at_s = self._known.get((place, author), (None, 0.0))
        return name if name and self._clock() - at_s < KNOWN_FOR_S else None

    async def name_of(self, place: Place, author: str) -> str | None:
        """Return what somebody is called there; None where that cannot be found out."""
        if name := self.known(place, author):
            return name
        try:
            async with asyncio.timeout(ASKED_WITHIN_S):
                name = await self._asked(place, author)
        except (KnowledgeError, CoreError, TimeoutError) as exc:
            log.info("a name is not known: %s", exc, extra={"place": str(place)})
            return None
        if name:
            self._remember((place, author), name)
        return name

    async def _asked(self, place: Place, author: str) -> str | None:
        chat = author.removeprefix(WRITES_AS_CHAT)
        if chat != author:
            return (await asked(self._bot.get_chat(chat), "getChat")).title
        if not author.isdecimal():
            return None
        member = await asked(self._bot.get_chat_member(place.channel, int(author)), "getChatMember")
        return full_name(member.user) or None

    def _remember(self, key: tuple[Place, str], name: str) -> None:
        self._known.pop(key, None)
        self._known[key] = (name, self._clock())
        if len(self._known) > NAMES_REMEMBERED:
            del self._known[next(iter(self._known))]
