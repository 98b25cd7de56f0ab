"""`answerdesk run`."""

import asyncio
import logging
import time
from typing import NoReturn

from bot.commands.sync import SyncOptions, sync_outcome
from bot.compose import Base, open_base, open_embedder, open_sources
from bot.settings import Settings
from knowledge.embed import Embedder, complete_vectors
from knowledge.errors import DatabaseUnavailable
from knowledge.progress import unwatched
from knowledge.sync import Source

PAUSE_S = 5

log = logging.getLogger(__name__)


async def serve(settings: Settings) -> NoReturn:
    """Keep the knowledge in step until told to stop; whatever the database does, work goes on when it is back."""
    async with open_embedder(settings) as embedder:
        while True:
            try:
                await _while_the_database_runs(settings, embedder)
            except DatabaseUnavailable as exc:
                log.error("%s; next try in %d s", exc, PAUSE_S)  # noqa: TRY400 - the message says it all
            except Exception:
                log.exception("the round failed; next try in %d s", PAUSE_S)
            await asyncio.sleep(PAUSE_S)


async def _while_the_database_runs(settings: Settings, embedder: Embedder) -> None:
    """Do one round after the other; opening the embedded database starts it, if it has died."""
    async with open_base(settings) as base, open_sources(settings, []) as sources:
        log.warning("running: %d source(s), a round every %g min", len(sources), settings.sync.every_minutes)
        while True:
            await _round(base, sources, embedder)
            await asyncio.sleep(settings.sync.every_minutes * 60)


async def _round(base: Base, sources: list[Source], embedder: Embedder) -> None:
    started = time.monotonic()
    for source in sources:
        outcome = await sync_outcome(base, source, SyncOptions(), unwatched)
        level = logging.WARNING if outcome["error"] or outcome["failed"] else logging.INFO
        log.log(level, "synced", extra={"source": source.name, **outcome})
    embedded = await complete_vectors(base.vectors, embedder, progress=unwatched)
    log.info("round done", extra={"embedded": embedded, "seconds": round(time.monotonic() - started, 3)})
