"""Asks again what had no answer, when the knowledge has changed; one process for a database."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from bot.compose import Desk, source_names
from bot.core.desk.ripple import Means, Ripple
from bot.core.offered import Election
from bot.store.ripple import PostgresUnanswered
from bot.talk import Talk, manners_of
from knowledge.errors import DatabaseUnavailable, EmbedderProblem, TransientError

# With the few seconds of quiet that are waited for, an answer is offered within ten of the entry or the sync that
# brings it; a look where nothing has changed is two statements, a few milliseconds.
LOOK_EVERY_S = 2.0
# While people wait for answers they go first; a bot that is never idle asks all the same, one question so often.
CALM_AGAIN_S = 0.5
CALM_WITHIN_S = 20.0
POST = "the ripple"

log = logging.getLogger(__name__)


def ripple_of(desk: Desk, talk: Talk) -> Ripple:
    """Return what asks again, over what answers and the open channels."""
    base = desk.base
    unanswered = PostgresUnanswered(
        base.pool,
        book=talk.book,
        sources=source_names(base.settings),
        sends=base.settings.handover.send_found_answers,
    )
    return Ripple(
        Means(
            unanswered=unanswered,
            full=desk.handler,
            plain=desk.handler.in_own_words(),
            standing=base.standing,
            desks=base.desks,
            channels={channel.platform: channel for channel in talk.channels},
            manners=manners_of(base.settings),
            now=lambda: datetime.now(UTC),
            calm=calm_of(unanswered.is_busy),
        )
    )


def calm_of(is_busy: Callable[[], Awaitable[bool]]) -> Callable[[], Awaitable[None]]:
    """Return what waits until nobody waits for an answer, but not for ever."""

    async def calm() -> None:
        for _ in range(round(CALM_WITHIN_S / CALM_AGAIN_S)):
            if not await is_busy():
                return
            await asyncio.sleep(CALM_AGAIN_S)

    return calm


async def keep_asking(ripple: Ripple, election: Election) -> None:
    """Look for what is to be asked again until cancelled, or stand by while another process does."""

    async def work() -> None:
        while True:
            try:
                await ripple.look()
            except DatabaseUnavailable:
                raise
            except (TransientError, EmbedderProblem) as exc:
                log.warning("questions without an answer wait to be asked again: %s", exc)
            await asyncio.sleep(LOOK_EVERY_S)

    await election.lead(POST, work, stand_by=lambda: log.debug("another process is %s", POST))
