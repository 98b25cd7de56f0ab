"""What the meaning of an update depends on, kept as it is now."""

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.channels.telegram.settings import TelegramSettings
from bot.channels.telegram.translate.values import PLATFORM, Here
from bot.core.incoming import Place
from bot.core.offered import Moves


class Standpoint:
    """Knows who the bot is and which chats have moved; `username` is "" before Telegram has said it."""

    def __init__(
        self, settings: TelegramSettings, bot_id: str, moves: Moves, *, desks: frozenset[str] = frozenset()
    ) -> None:
        self._settings = settings
        self._desks = desks
        self._bot_id = bot_id
        self._moves = moves
        self._moved: Mapping[str, str] = {}
        self.username = ""

    async def look(self) -> None:
        """Read which chats have moved: other processes may have heard of it."""
        self._moved = await self._moves.moved(PLATFORM, self._bot_id)

    async def move(self, place: Place, chat: str) -> None:
        """Take a chat over to its new number."""
        await self._moves.move(place, chat)
        await self.look()

    def here(self) -> Here:
        """Return it as a value."""
        return Here(
            self._bot_id,
            self.username,
            datetime.now(UTC),
            questions=self._settings.questions,
            moved=self._moved,
            with_business=self._settings.business,
            with_guests=self._settings.guests,
            desks=self._desks,
        )
