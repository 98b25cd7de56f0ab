"""`answerdesk sync`."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from bot.channels.terminal import shown
from bot.chosen import Chosen
from bot.cli import DONE, PROBLEM, error_console, print_json
from bot.compose import Base, configured_names, open_base, open_embedder, open_source, source_name
from bot.cutting import open_cuttings
from bot.jobs import SyncWorker
from bot.settings import Settings
from bot.store.queue import SyncQueue, open_queue
from knowledge.embed import Embedder, complete_vectors
from knowledge.errors import SettingsProblem
from knowledge.prepare import Cutting
from knowledge.sync import Source, SyncCounts, SyncOptions

LOOK_EVERY_S = 0.25
# While another process does the work, its job is looked after this often.
ASK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sources, how thoroughly, and whether to wait for their vectors."""

    names: tuple[str, ...] = ()
    options: SyncOptions = field(default_factory=SyncOptions)
    wait: bool = True


async def sync(settings: Settings, wanted: Wanted, *, as_json: bool) -> int:
    """Bring sources in step; the documents can be found by words at once, `wait` also completes their vectors."""
    _refuse_unknown_names(settings, wanted.names)
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        embedder = await stack.enter_async_context(open_embedder(settings))
        progress = stack.enter_context(_progress(error_console()))
        chosen = [source for source in settings.sources if not wanted.names or source_name(source) in wanted.names]
        cuttings = await stack.enter_async_context(open_cuttings(settings, embedder))
        done = {source_name(one): await _sync_one(base, one, cuttings, wanted.options, progress) for one in chosen}
        embedded = await _complete(base, embedder, progress) if wanted.wait else 0
        space = await base.vectors.open_space(embedder.model, embedder.dimension)
        missing = await base.vectors.count_missing(space)
    document = {"sources": done, "embedded": embedded, "missing_vectors": missing}
    if as_json:
        print_json(document)
    else:
        _show(Console(), document)
    return PROBLEM if any(outcome["failed"] or outcome["error"] for outcome in done.values()) else DONE


def _refuse_unknown_names(settings: Settings, names: tuple[str, ...]) -> None:
    known = set(configured_names(settings))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SettingsProblem(
            f"no source named {unknown[0]!r}; {settings.config} has: {', '.join(sorted(known)) or 'none'}"
        )
    if not known:
        raise SettingsProblem(f"{settings.config} has no [[sources]]; add one, for instance a folder (see the README)")


async def _sync_one(
    base: Base, chosen: Chosen, cuttings: Mapping[str, Cutting], options: SyncOptions, progress: Progress
) -> dict[str, Any]:
    """Sync one source; one that cannot even be opened is an outcome too, and stops no other."""
    name = source_name(chosen)
    try:
        async with open_source(base.settings, chosen) as source:
            worker = SyncWorker({source.name: source}, documents=base.documents, runs=base.runs, cuttings=cuttings)
            return await _enqueued(base, source, worker, options, progress)
    except SettingsProblem as exc:
        await base.runs.refuse(await base.documents.open_source(name, chosen.kind), str(exc))
        return _outcome(error=str(exc))


async def _enqueued(
    base: Base, source: Source, worker: SyncWorker, options: SyncOptions, progress: Progress
) -> dict[str, Any]:
    """Enqueue a job and see it done, here or by whoever took it."""
    source_id = await base.documents.open_source(source.name, source.kind)
    async with (
        open_queue(base.conninfo, base.pool, worker.do) as queue,
        _watched(base, source.name, source_id, progress),
    ):
        job_id = await queue.enqueue(source.name, options)
        try:
            await _done(queue, source.name, job_id)
        finally:
            await queue.cancel(job_id)
    run = await base.runs.of_job(job_id)
    if run is None:
        return _outcome(error=await base.runs.who_holds(source.name, source_id))
    outcome = _outcome(run.counts, run.error)
    if job_id not in worker.begun:
        outcome["notes"] = [*outcome["notes"], "another process did this sync; its outcome is shown"]
    return outcome


async def _done(queue: SyncQueue, source: str, job_id: int) -> None:
    """Work until the job is over; a running bot may have taken it, and may die over it."""
    while True:
        await queue.retry_stalled()
        await queue.work([source], forever=False)
        if await queue.is_over(job_id):
            return
        await asyncio.sleep(ASK_EVERY_S)


def _outcome(counts: Mapping[str, Any] | None = None, error: str | None = None) -> dict[str, Any]:
    return {**asdict(SyncCounts()), **(counts or {}), "error": error}


@asynccontextmanager
async def _watched(base: Base, name: str, source_id: int, progress: Progress) -> AsyncIterator[None]:
    """Show how far the source's run is, wherever it runs."""
    task = progress.add_task(name, total=None)
    before = await base.runs.last(source_id)

    async def watch() -> None:
        while True:
            run = await base.runs.last(source_id)
            if run and run.total and (before is None or run.started_at != before.started_at):
                progress.update(task, completed=run.done, total=run.total)
            await asyncio.sleep(LOOK_EVERY_S)

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)
        progress.update(task, completed=1, total=1)


async def _complete(base: Base, embedder: Embedder, progress: Progress) -> int:
    """Complete all vectors with a progress bar; return how many this process embedded."""
    task = progress.add_task("vectors", total=None)
    return await complete_vectors(
        base.vectors,
        embedder,
        progress=lambda done, total: progress.update(task, completed=done, total=total),
    )


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:>20}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def _show(console: Console, document: Mapping[str, Any]) -> None:
    for name, outcome in ((shown(name), outcome) for name, outcome in document["sources"].items()):
        _show_lines(console, outcome["notes"], "  note: ", "yellow")
        if outcome["error"]:
            _show_lines(console, [outcome["error"]], "", "red")
            continue
        counts = ", ".join(f"{outcome[key]} {key}" for key in ("added", "changed", "unchanged", "deleted", "failed"))
        console.print(Text(f"{name}: {counts}"), soft_wrap=True)
        _show_lines(console, [f"{path}: {reason}" for path, reason in outcome["failures"].items()], "  ", "red")
    missing = document["missing_vectors"]
    waiting = f"; {missing} wait for the background" if missing else ""
    console.print(Text(f"{document['embedded']} passages embedded{waiting}"))


def _show_lines(console: Console, lines: Sequence[str], lead: str, style: str) -> None:
    for line in lines:
        console.print(Text(shown(f"{lead}{line}"), style=style), soft_wrap=True)
