"""`answerdesk sync`."""

from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, PROBLEM, error_console, print_json
from bot.compose import Base, open_base, open_embedder, open_sources, source_name
from bot.settings import Settings
from knowledge.embed import Embedder, complete_vectors
from knowledge.errors import SettingsProblem, SourceProblem
from knowledge.progress import Progress as OnProgress
from knowledge.sync import Source, SyncCounts
from knowledge.sync import SyncOptions as SyncRules
from knowledge.sync import sync as sync_source


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """Which sources, and how thoroughly."""

    names: tuple[str, ...] = ()
    full: bool = False
    wait: bool = True
    confirm_deletes: bool = False


async def sync(settings: Settings, options: SyncOptions, *, as_json: bool) -> int:
    """Bring sources in step; the documents can be found by words at once, `wait` also completes their vectors."""
    _refuse_unknown_names(settings, options.names)
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        sources = await stack.enter_async_context(open_sources(settings, list(options.names)))
        embedder = await stack.enter_async_context(open_embedder(settings))
        progress = stack.enter_context(_progress(error_console()))
        done = [await _sync_one(base, source, options, progress) for source in sources]
        embedded = await complete(base, embedder, progress) if options.wait else 0
        space = await base.vectors.open_space(embedder.model, embedder.dimension)
        missing = await base.vectors.count_missing(space)
    document = {"sources": dict(done), "embedded": embedded, "missing_vectors": missing}
    if as_json:
        print_json(document)
    else:
        _show(Console(), document)
    return PROBLEM if any(outcome["failed"] or outcome["error"] for _, outcome in done) else DONE


def _refuse_unknown_names(settings: Settings, names: tuple[str, ...]) -> None:
    known = {source_name(source) for source in settings.sources}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SettingsProblem(
            f"no source named {unknown[0]!r}; {settings.config} has: {', '.join(sorted(known)) or 'none'}"
        )
    if not known:
        raise SettingsProblem(f"{settings.config} has no [[sources]]; add one, for instance a folder (see the README)")


async def _sync_one(base: Base, source: Source, options: SyncOptions, progress: Progress) -> tuple[str, dict[str, Any]]:
    task = progress.add_task(source.name, total=None)

    def advance(done: int, total: int) -> None:
        progress.update(task, completed=done, total=total)

    return source.name, await sync_outcome(base, source, options, advance)


async def sync_outcome(base: Base, source: Source, options: SyncOptions, progress: OnProgress) -> dict[str, Any]:
    """Sync one source; a source that cannot be read is an outcome too, and stops no other."""
    try:
        counts = await sync_source(
            source,
            base.documents,
            progress=progress,
            options=SyncRules(full=options.full, confirm_deletes=options.confirm_deletes),
        )
    except SourceProblem as exc:
        return {**asdict(SyncCounts()), "error": str(exc)}
    return {**asdict(counts), "error": None}


async def complete(base: Base, embedder: Embedder, progress: Progress) -> int:
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


def _show(console: Console, document: dict[str, Any]) -> None:
    for name, outcome in document["sources"].items():
        if outcome["error"]:
            console.print(Text(shown(outcome["error"]), style="red"), soft_wrap=True)
            continue
        counts = ", ".join(f"{outcome[key]} {key}" for key in ("added", "changed", "unchanged", "deleted", "failed"))
        console.print(Text(f"{name}: {counts}"), soft_wrap=True)
        for path, reason in outcome["failures"].items():
            console.print(Text(shown(f"  {path}: {reason}"), style="red"), soft_wrap=True)
    missing = document["missing_vectors"]
    waiting = f"; {missing} wait for the background" if missing else ""
    console.print(Text(f"{document['embedded']} passages embedded{waiting}"))
