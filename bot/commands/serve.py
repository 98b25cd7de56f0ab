"""`answerdesk run`."""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Sequence
from contextlib import AsyncExitStack, nullcontext
from datetime import UTC, datetime
from typing import Any, NoReturn

from bot.compose import Base, loading, open_answering, open_base, open_embedder, open_source, source_name
from bot.cutting import open_cuttings
from bot.desk_clock import DesksClock, Means, keep_desks_time
from bot.jobs import SyncWorker
from bot.learning import Learning, learning_of
from bot.metrics import Figures, keep_telling, serving
from bot.registry import REGISTRY
from bot.ripple import keep_asking, ripple_of
from bot.settings import TOKEN_SUFFIX, Settings, token_of
from bot.store.desk_clock import PostgresDeskClock
from bot.store.queue import SyncQueue, open_queue
from bot.store.retention import erase_old
from bot.talk import Talk, open_talk
from bot.together import until_one_ends
from knowledge.embed import Embedder, complete_vectors
from knowledge.errors import (
    DatabaseUnavailable,
    DimensionMismatch,
    EmbedderProblem,
    KnowledgeError,
    SettingsProblem,
    TransientError,
)
from knowledge.progress import unwatched
from knowledge.schedule import Schedule, first_run, keep_time
from knowledge.sync import Source, SyncOptions

# The parts of the bot that a process may do alone, besides its channels.
SCHEDULER, WORKER = "scheduler", "worker"
# Where desks are that are in no chat.
DESK_PLATFORMS = ("webhook",)
PAUSE_S = 5
LOOK_FOR_STALLED_S = 15
# Passages that another process stored are embedded after this at the latest.
LOOK_FOR_PASSAGES_S = 60
LOOK_FOR_EXPIRED_S = 30
ERASE_EVERY_S = 3_600

log = logging.getLogger(__name__)


async def serve(settings: Settings, only: Collection[str] = ()) -> NoReturn:
    """Do the bot's work until told to stop, or `only` some parts of it; when the database was away, work goes on."""
    known = [SCHEDULER, WORKER, *REGISTRY["channel"]]
    if unknown := set(only) - set(known):
        raise SettingsProblem(f"--only {', '.join(sorted(unknown))}: no such part; choose among: {', '.join(known)}")
    parts = frozenset(only or known)
    async with open_embedder(settings) as embedder:
        with loading(embedder) if WORKER in parts else nullcontext():
            await _for_ever(settings, embedder, parts)


async def _for_ever(settings: Settings, embedder: Embedder, parts: Collection[str]) -> NoReturn:
    while True:
        try:
            await _while_the_database_runs(settings, embedder, parts)
        except SettingsProblem:
            raise
        except DatabaseUnavailable as exc:
            log.error("%s; next try in %d s", exc, PAUSE_S)  # noqa: TRY400 - the message says it all
        except Exception:
            log.exception("the bot stumbled; next try in %d s", PAUSE_S)
        await asyncio.sleep(PAUSE_S)


async def _while_the_database_runs(settings: Settings, embedder: Embedder, parts: Collection[str]) -> None:
    """Do everything at once; opening the embedded database starts it, if it has died."""
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        sources = await _open_each(stack, settings, base) if SCHEDULER in parts else []
        worker = SyncWorker(
            {source.name: source for source in sources},
            documents=base.documents,
            runs=base.runs,
            cuttings=await stack.enter_async_context(open_cuttings(settings, embedder)),
        )
        queue = await stack.enter_async_context(open_queue(base.conninfo, base.pool, worker.do))
        desk = await stack.enter_async_context(open_answering(base, embedder))
        talk = await stack.enter_async_context(open_talk(desk))
        work: list[Coroutine[Any, Any, Any]] = []
        if SCHEDULER in parts:
            work += [
                _keep_time(settings, base, sources, queue),
                queue.work([source.name for source in sources], forever=True),
                _retry_stalled(queue),
                _complete_vectors(base, embedder, worker.has_stored),
                _keep_learned(learning_of(desk)),
                _keep_no_longer(base),
            ]
            means = Means(talk.book, PostgresDeskClock(base.pool), base.desks, base.times)
            work.append(keep_desks_time(DesksClock(means), base.election))
        if WORKER in parts:
            work += [*talk.work(), keep_asking(ripple_of(desk, talk), base.election)]
        work += talk.hear(_heard(parts))
        if not work:
            why = "; ".join(talk.closed.values()) or "is not configured; set its token first"
            raise SettingsProblem(f"--only {', '.join(sorted(parts))}: {why}")
        _say_what_is_on(settings, parts, talk, len(sources))
        figures = Figures()
        stack.enter_context(serving(settings.metrics, figures))
        work.append(talk.desks.keep_finding())
        await until_one_ends(*work, keep_telling(base, talk.heard(_heard(parts)), figures))


def _heard(parts: Collection[str]) -> Collection[str]:
    """Return the platforms that these parts listen to; who answers also hears what desks without a chat say."""
    return {*parts, *(DESK_PLATFORMS if WORKER in parts else ())}


def _say_what_is_on(settings: Settings, parts: Collection[str], talk: Talk, sources: int) -> None:
    """Tell the operator what runs here, and of each channel whether it is on or why not."""
    on = [f"{sources} source(s)"] if SCHEDULER in parts else []
    on += ["answers"] if WORKER in parts else []
    on += [channel.platform for channel in talk.channels if channel.platform in parts]
    log.warning("running: %s", ", ".join(on))
    for name in REGISTRY["channel"]:
        why = _why_off(name, settings, parts, talk)
        log.warning("%s is %s", name, f"off: {why}" if why else "on")
    for token in settings.strange_tokens:
        channel = token.removesuffix(TOKEN_SUFFIX).lower()
        log.warning("%s is off: %s is set, but this release has no such channel", channel, token)


def _why_off(name: str, settings: Settings, parts: Collection[str], talk: Talk) -> str | None:
    if name not in parts:
        return f"--only {', '.join(sorted(parts))}"
    if name not in {chosen.kind for chosen in settings.channels}:
        return f"{token_of(name)} is not set"
    why = talk.closed.get(name)
    return why and f"{why}; start again when that is mended"


async def _open_each(stack: AsyncExitStack, settings: Settings, base: Base) -> list[Source]:
    """Open the sources; one that cannot be opened (a missing token) is told and recorded, and stops no other."""
    opened = []
    for chosen in settings.sources:
        try:
            opened.append(await stack.enter_async_context(open_source(settings, chosen)))
        except SettingsProblem as exc:
            log.error("%s; start again when that is mended", exc)  # noqa: TRY400 - it says it all
            await base.runs.refuse(await base.documents.open_source(source_name(chosen), chosen.kind), str(exc))
    return opened


async def _keep_time(settings: Settings, base: Base, sources: Sequence[Source], queue: SyncQueue) -> None:
    """Be the clock, or stand by while another process is: there is one for a database."""

    async def ring() -> None:
        await _ring(settings, base, sources, queue)

    await base.election.lead("the clock", ring, stand_by=lambda: log.debug("another process is the clock"))


async def _ring(settings: Settings, base: Base, sources: Sequence[Source], queue: SyncQueue) -> None:
    now = datetime.now(UTC)
    schedules, firsts, numbers = {}, {}, {}
    for source in sources:
        numbers[source.name] = await base.documents.open_source(source.name, source.kind)
        # A run that was stopped, or failed, is no reason to wait for the next time.
        last = await base.runs.last(numbers[source.name])
        schedules[source.name] = _schedule_of(settings, source.name)
        firsts[source.name] = first_run(
            schedules[source.name], last=last.started_at if last and last.counts else None, now=now
        )

    async def wake(name: str) -> None:
        await queue.enqueue(name, SyncOptions(), by_clock=True)

    async def planned(name: str, at: datetime | None) -> None:
        await base.runs.plan_next(numbers[name], at)

    await keep_time(schedules, firsts, wake=wake, planned=planned)


def _schedule_of(settings: Settings, source: str) -> Schedule:
    """Return a source's own times, or those of `[sync]`."""
    own = settings.times.get(source)
    cron = own.cron if own else settings.sync.cron
    every_minutes = (own and own.every_minutes) or settings.sync.every_minutes
    return Schedule(every_minutes, cron, settings.sync.jitter_s)


async def _retry_stalled(queue: SyncQueue) -> None:
    while True:
        await queue.retry_stalled()
        await asyncio.sleep(LOOK_FOR_STALLED_S)


async def _keep_learned(learning: Learning) -> None:
    """Take out what has expired, and publish what a process that died had left; any number may do so at once."""
    while True:
        try:
            await learning.expire_due(datetime.now(UTC))
        except DatabaseUnavailable:
            raise
        except KnowledgeError as exc:
            log.warning("what people taught is not in step yet: %s", exc)
        await asyncio.sleep(LOOK_FOR_EXPIRED_S)


async def _keep_no_longer(base: Base) -> None:
    """Erase the words of tickets that ended long ago; any number may do so at once."""
    while True:
        erased = await erase_old(base.pool, base.settings.handover.keep_days, datetime.now(UTC))
        if erased:
            log.info("the words of old tickets were erased", extra={"tickets": erased})
        await asyncio.sleep(ERASE_EVERY_S)


async def _complete_vectors(base: Base, embedder: Embedder, has_stored: asyncio.Event) -> None:
    """Embed what lacks a vector, beside the syncs: a source is never held while its passages are embedded."""
    while True:
        has_stored.clear()
        try:
            embedded = await complete_vectors(base.vectors, embedder, progress=unwatched)
            log.info("vectors completed", extra={"embedded": embedded})
        except DatabaseUnavailable:
            raise
        except (TransientError, EmbedderProblem, DimensionMismatch) as exc:
            log.warning("vectors wait, words are found without them: %s", exc)
        try:
            async with asyncio.timeout(LOOK_FOR_PASSAGES_S):
                await has_stored.wait()
        except TimeoutError:
            continue
