"""An answer that grows as a draft in a private chat: it goes by itself, and the reply follows it."""

import asyncio
import logging

from bot.channels.telegram.render.text import Styled
from bot.channels.telegram.send.calls import Calls
from bot.channels.telegram.send.growing import CALL_S
from bot.channels.telegram.send.message import Address, MessageCalls, Words
from bot.channels.telegram.send.parcels import topic_of
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Question
from knowledge.errors import TransientError

# Drafts are told apart by a number that is not 0 (core.telegram.org/bots/api#sendmessagedraft).
MOST_DRAFTS = 2**31 - 1

log = logging.getLogger(__name__)


class Draft:
    """The draft of one answer."""

    after_s = 0.0
    every_s = 1.0

    def __init__(self, calls: Calls, question: Question) -> None:
        self._calls = calls
        self._messages = MessageCalls(calls)
        self._address = Address(question.incoming.place, topic_of(question.incoming.thread))
        self._draft = question.number % MOST_DRAFTS + 1
        self._is_refused = False

    @property
    def is_open(self) -> bool:
        return not self._is_refused

    @property
    def has_room(self) -> bool:
        return self._calls.pacing.has_room(self._address.place.channel)

    async def show(self, text: Styled) -> bool:
        """Show a text as the draft; where that was refused once, it would be refused always."""
        try:
            async with asyncio.timeout(CALL_S):
                await self._messages.draft(self._address, self._draft, Words.of(text))
        except (MaybeSent, TransientError, TimeoutError) as exc:
            log.info("a draft is not shown: %s", exc, extra={"place": str(self._address.place)})
            return False
        except Undeliverable as exc:
            log.info("drafts are refused: %s", exc, extra={"place": str(self._address.place)})
            self._is_refused = True
            return False
        return True
