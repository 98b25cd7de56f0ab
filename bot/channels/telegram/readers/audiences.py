"""Who reads along: whatever cannot be found out is public knowledge only."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bot.core.errors import CoreError
from bot.core.incoming import Incoming
from bot.core.outgoing import Readers
from bot.core.phrases import spoken
from bot.core.requests import People
from knowledge.errors import KnowledgeError
from knowledge.types import PUBLIC, Reader

# So long a question waits for what its author is known by.
KNOWN_WITHIN_S = 5.0
# How the author is called who writes as a chat: an anonymous administrator, or a channel.
WRITES_AS_CHAT = "chat:"

log = logging.getLogger(__name__)


class Audiences:
    """Finds out who reads along; `audiences` are the tags that all members of a group hold, by its chat."""

    def __init__(
        self,
        people: People,
        reader_of: Callable[[str | None], Awaitable[Reader]],
        audiences: Mapping[str, Sequence[str]],
        *,
        known_within_s: float = KNOWN_WITHIN_S,
    ) -> None:
        self._people = people
        self._reader_of = reader_of
        self._audiences = audiences
        self._known_within_s = known_within_s

    async def readers(self, incoming: Incoming) -> Readers:
        """Return what the asker may read, and what everybody may who reads along; a stranger is the public."""
        language = spoken(incoming.wire.get("ui", ""))
        own, chosen = await self._person(incoming)
        if incoming.company == "direct":
            return Readers(own, own, language, chosen)
        members = self._members(incoming)
        is_person = not incoming.author.startswith(WRITES_AS_CHAT)
        asker = Reader(own.tags | members.tags) if is_person else Reader()
        return Readers(members, asker, language, chosen)

    async def _person(self, incoming: Incoming) -> tuple[Reader, str | None]:
        """Return what somebody may read, and the language that they chose."""
        try:
            async with asyncio.timeout(self._known_within_s):
                chosen = await self._people.language(incoming.place, incoming.author)
                return await self._own(incoming), chosen
        except (CoreError, KnowledgeError, TimeoutError) as exc:
            said = str(exc) or type(exc).__name__
            log.warning("public knowledge only: %s", said, extra={"place": str(incoming.place)})
            return Reader(), None

    async def _own(self, incoming: Incoming) -> Reader:
        if incoming.company == "shared" or incoming.author.startswith(WRITES_AS_CHAT):
            return Reader()
        email = await self._people.email(incoming.place, incoming.author)
        return Reader() if email is None else Reader((await self._reader_of(email)).tags | {PUBLIC})

    def _members(self, incoming: Incoming) -> Reader:
        """Return what the members of a group may read, also by the number that it had before it moved."""
        if incoming.company == "shared":
            return Reader()
        tags = next((self._audiences[name] for name in incoming.channels if name in self._audiences), ())
        return Reader(frozenset({PUBLIC, *tags}))
