"""`answerdesk run`."""

import asyncio
import logging
import time
from contextlib import AsyncExitStack

from bot.cli import DONE
from bot.commands.sync import SyncOptions, sync_outcome
from bot.compose import Base, open_base, open_embedder, open_sources
from bot.settings import Settings
from knowledge.embed import Embedder, complete_vectors
from knowledge.errors import KnowledgeError
from knowledge.sync import Source

log = logging.getLogger(__name__)


async def serve(settings: Settings) -> int:
    """Keep the knowledge in step until told to stop; a round that fails is logged and the next one comes."""
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        sources = await stack.enter_async_context(open_sources(settings, []))
        embedder = await stack.enter_async_context(open_embedder(settings))
        log.warning("running: %d source(s), a round every %g min", len(sources), settings.sync.every_minutes)
        while True:
            await _round(base, sources, embedder)
            await asyncio.sleep(settings.sync.every_minutes * 60)
    return DONE


async def _round(base: Base, sources: list[Source], embedder: Embedder) -> None:
    started = time.monotonic()
    try:
        for source in sources:
            outcome = await sync_outcome(base, source, SyncOptions(), _silent)
            level = logging.WARNING if outcome["error"] or outcome["failed"] else logging.INFO
            log.log(level, "synced", extra={"source": source.name, **outcome})
        embedded = await complete_vectors(base.vectors, embedder, progress=_silent)
    except KnowledgeError:
        log.exception("the round failed; the next one tries again")
        return
    log.info("round done", extra={"embedded": embedded, "seconds": round(time.monotonic() - started, 3)})


def _silent(done: int, total: int) -> None:
    """Show no progress: nobody watches."""
