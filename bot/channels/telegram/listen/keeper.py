"""Stores what an update means; only when that is done is it confirmed to Telegram."""

import logging
from dataclasses import dataclass
from typing import assert_never

from bot.channels.afterwards import Afterwards
from bot.channels.telegram.listen.admission import Doorman
from bot.channels.telegram.listen.clicks import Clicks
from bot.channels.telegram.listen.counts import Counts
from bot.channels.telegram.listen.standpoint import Standpoint
from bot.channels.telegram.translate.values import (
    Acted,
    AskedInPrivate,
    Clicked,
    Explained,
    Judged,
    Left,
    Moved,
    Pressed,
    Reacted,
    Stale,
    Translated,
)
from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Feedback
from bot.core.incoming import Incoming
from bot.core.intake import Intake

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stores:
    """Where what Telegram brings is kept."""

    intake: Intake
    feedback: Feedback


class Keeper:
    """Stores every kind of update; what it raises means that it has to come again."""

    def __init__(
        self, stores: Stores, doorman: Doorman, standpoint: Standpoint, clicks: Clicks, counts: Counts
    ) -> None:
        self._stores = stores
        self._doorman = doorman
        self._standpoint = standpoint
        self._clicks = clicks
        self._counts = counts

    async def keep(self, update: Translated) -> Afterwards | None:
        """Store an update; return what is done afterwards, if it can be."""
        match update:
            case Ignored(reason):
                self._ignore(reason)
            case Incoming():
                await self._take(update)
            case Edited(incoming):
                await self._edit(incoming)
            case Moved(place, chat):
                await self._standpoint.move(place, chat)
                log.info("a chat has another number now: %s", chat, extra={"place": str(place)})
            case Left(place, is_back):
                log.info("we are back" if is_back else "we are out", extra={"place": str(place)})
            case Reacted(place, message, actor, verdict):
                await self._stores.feedback.react(place, message, actor=actor, verdict=verdict)
            case Judged() | Explained() | Pressed() | Acted() | AskedInPrivate() | Stale():
                return await self._clicked(update)
            case _:
                assert_never(update)
        return None

    def _ignore(self, reason: str) -> None:
        self._counts.ignored += 1
        log.debug("ignored: %s", reason)

    async def _take(self, incoming: Incoming) -> None:
        admitted = await self._doorman.admit(incoming)
        if admitted is None:
            self._ignore("the chat is not among those where we answer")
            return
        stored = await self._stores.intake.take(admitted)
        self._doorman.stored(admitted)
        self._counts.stored += stored in ("new", "limited")
        self._counts.known += stored == "known"
        self._counts.ignored += stored == "unwanted"

    async def _edit(self, incoming: Incoming) -> None:
        if await self._doorman.admit(incoming) is incoming:
            await self._stores.intake.edit(incoming, may_revise=True)
        else:
            self._ignore("an edit of what was not let in")

    async def _clicked(self, clicked: Clicked) -> Afterwards:
        match clicked:
            case Judged() | Explained():
                return await self._opinion(clicked)
            case Pressed(click, incoming):
                await self._take(incoming)
                return lambda: self._clicks.taken(click)
            case Acted(click, act):
                outcome = await self._stores.intake.act(act)
                return lambda: self._clicks.told(click, outcome)
            case AskedInPrivate():
                return lambda: self._clicks.asked_in_private(clicked, self._standpoint.username)
            case Stale():
                return lambda: self._clicks.stale(clicked.click)

    async def _opinion(self, opinion: Judged | Explained) -> Afterwards:
        feedback, click = self._stores.feedback, opinion.click
        if isinstance(opinion, Judged):
            if await feedback.judge(opinion.answer, place=click.place, actor=click.actor, verdict=opinion.verdict):
                return lambda: self._clicks.judged(opinion)
        elif opinion.reason is None or await feedback.explain(
            opinion.answer, place=click.place, actor=click.actor, reason=opinion.reason, comment=None
        ):
            return lambda: self._clicks.explained(opinion)
        log.warning("feedback refused: there is nothing like it there", extra={"answer": opinion.answer})
        return lambda: self._clicks.stale(click)
