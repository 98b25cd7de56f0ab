"""Who reads along: an answer for many may hold only what each of them may read.

Whatever cannot be found out is public knowledge only, and so is all for guests and people of other organisations.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence

from bot.channels.slack.readers.people import MOST_MEMBERS, STRANGER, People, Person
from bot.core.errors import CoreError
from bot.core.incoming import Incoming, Place
from bot.core.outgoing import Readers
from knowledge.errors import KnowledgeError
from knowledge.types import PUBLIC, Reader

# So long a question waits for Slack to say who reads along.
KNOWN_WITHIN_S = 10.0

log = logging.getLogger(__name__)


class Audiences:
    """Finds out who reads along; `tags` are what every full member of a workspace holds."""

    def __init__(
        self, people: People, reader_of: Callable[[str | None], Awaitable[Reader]], *, tags: Collection[str] = ()
    ) -> None:
        self._people = people
        self._reader_of = reader_of
        self._workspace = frozenset({PUBLIC, *tags})

    async def readers(self, incoming: Incoming) -> Readers:
        """Return what the asker may read, and what everybody may who reads along."""
        person = await self._asker(incoming)
        asker = await self._reader(person)
        if incoming.company == "direct":
            return Readers(asker, asker, person.locale)
        audience = await self._audience(incoming.place)
        # A guest asks in public channels too, and may not read what every member may.
        return Readers(Reader(audience.tags & asker.tags), asker, person.locale)

    async def _asker(self, incoming: Incoming) -> Person:
        try:
            async with asyncio.timeout(KNOWN_WITHIN_S):
                return await self._people.person(incoming.place, incoming.author)
        except (CoreError, KnowledgeError, TimeoutError) as exc:
            log.warning("taken for a stranger: %s", _said(exc), extra={"place": str(incoming.place)})
            return STRANGER

    async def _reader(self, person: Person) -> Reader:
        if not person.is_member:
            return Reader()
        known = await self._reader_of(person.email)
        return Reader(known.tags | self._workspace)

    async def _audience(self, place: Place) -> Reader:
        try:
            async with asyncio.timeout(KNOWN_WITHIN_S):
                return await self._of_channel(place)
        except (CoreError, KnowledgeError, TimeoutError) as exc:
            log.warning("public knowledge only: %s", _said(exc), extra={"place": str(place)})
            return Reader()

    async def _of_channel(self, place: Place) -> Reader:
        match await self._people.company(place):
            case "shared" | "direct":
                return Reader()
            case "public":
                return Reader(self._workspace)
        members = await self._people.members(place)
        # So many are as good as everybody.
        return Reader(self._workspace) if len(members) > MOST_MEMBERS else await self._of_members(place, members)

    async def _of_members(self, place: Place, members: Sequence[str]) -> Reader:
        """Return what each of some people may read; a bot among them reads nothing."""
        people = [person for person in await self._people.all_of(place, members) if person.is_human]
        if not people or not all(person.is_member for person in people):
            return Reader()
        tags = (await self._reader(people[0])).tags
        for person in people[1:]:
            if tags == self._workspace:
                break
            tags &= (await self._reader(person)).tags
        return Reader(tags)


def _said(exc: BaseException) -> str:
    return str(exc) or type(exc).__name__
