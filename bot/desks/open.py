"""All desks, open: one that cannot be opened is told and left out, and where the others are is found out in time."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from bot.core.desk.desks import Desks
from bot.core.offered import Listening
from bot.desks.configured import OpenDesk
from knowledge.errors import KnowledgeError, SettingsProblem

# People wait for their tickets' cards meanwhile; platforms are asked for what they have told us before.
FIND_EVERY_S = 15.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenDesks:
    """The desks that can be reached, by name; `closed` says why one of them cannot be."""

    desks: Desks
    opened: Mapping[str, OpenDesk]
    closed: Mapping[str, str]

    @property
    def channels(self) -> tuple[Listening, ...]:
        """The channels that desks have of their own."""
        return tuple(one.channel for one in self.opened.values() if one.channel)

    async def keep_finding(self) -> None:
        """Find out where the desks are, again and again, until cancelled: some are not known at first, some move."""
        while True:
            await asyncio.sleep(FIND_EVERY_S)
            await self.find_places()

    async def find_places(self) -> None:
        """Find out where each desk is now."""
        for name, one in self.opened.items():
            desk = self.desks.named(name)
            if desk is None or one.find is None:
                continue
            try:
                place = await one.find()
            except KnowledgeError as exc:
                log.info("desk %s: it cannot be found out where it is: %s", name, exc)
                continue
            if place != desk.place:
                log.warning("desk %s: is at %s now", name, place)
                self.desks.replace(replace(desk, place=place))


@asynccontextmanager
async def open_desks(
    desks: Desks, openings: Mapping[str, AbstractAsyncContextManager[OpenDesk]]
) -> AsyncIterator[OpenDesks]:
    """Open desks by their names, and put what is found out about them into `desks`."""
    opened: dict[str, OpenDesk] = {}
    closed: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        for name, opening in openings.items():
            try:
                opened[name] = await stack.enter_async_context(opening)
            except SettingsProblem as exc:
                log.error("%s; until that is mended, others get what would come there", exc)  # noqa: TRY400 - it says it all
                closed[name] = str(exc)
                desks.drop(name)
            else:
                desks.replace(opened[name].desk)
        yield OpenDesks(desks, opened, closed)
