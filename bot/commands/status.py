"""`answerdesk status`."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from math import isfinite
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bot.channels.terminal import shown
from bot.cli import DONE, print_json
from bot.commands.status_desks import desk_lines, desks_document
from bot.compose import Base, open_base, source_names
from bot.settings import Settings
from bot.store.conversations import conversations_overview
from bot.store.listening import PostgresListening
from knowledge.errors import SettingsProblem
from knowledge.store.migrate import migration_names
from knowledge.store.overview import failures_overview, sources_overview, spaces_overview
from knowledge.store.pool import check_server

WATCH_EVERY_S = 1.0
OVERDUE_AFTER = timedelta(minutes=2)
FAILURES_LISTED = 20
NOTICES_LISTED = 5
_COLOURS = {"running": "cyan", "queued": "cyan", "failed": "red", "interrupted": "yellow", "in step": "green"}


async def status(settings: Settings, *, as_json: bool, watch: bool) -> int:
    """Show what is stored and what runs: once, or again and again until interrupted."""
    if watch and as_json:
        raise SettingsProblem("--watch draws for people and --json is read by programs; leave one of them out")
    async with open_base(settings) as base:
        if watch:
            await _watch(settings, base)
        document = await _document(settings, base)
    if as_json:
        print_json(document)
    else:
        Console(highlight=False).print(_page(document))
    return DONE


async def _watch(settings: Settings, base: Base) -> None:
    with Live(console=Console(highlight=False), auto_refresh=False) as live:
        while True:
            live.update(_page(await _document(settings, base)), refresh=True)
            await asyncio.sleep(WATCH_EVERY_S)


async def _document(settings: Settings, base: Base) -> dict[str, Any]:
    waiting, oldest = await base.tickets.waiting()
    place = "DATABASE_URL" if settings.database_url else _embedded_place(settings)
    configured = source_names(settings)
    sources = [asdict(source) for source in await sources_overview(base.pool)]
    return {
        "version": version("answerdesk"),
        "config": str(settings.config),
        "home": str(settings.home),
        "database": {
            "server": await check_server(base.conninfo),
            "place": place,
            "schema": migration_names()[-1],
        },
        "sources": [{**source, "configured": source["name"] in configured} for source in sources],
        "failures": [asdict(failure) for failure in await failures_overview(base.pool, FAILURES_LISTED)],
        "embedding_spaces": [asdict(space) for space in await spaces_overview(base.pool)],
        "conversations": asdict(await conversations_overview(base.pool)),
        "channels": [asdict(one) for one in await PostgresListening(base.pool).now()],
        "open_tickets": waiting,
        "oldest_ticket": oldest,
        **await desks_document(base),
        "retracted_answers": await base.journal.count_retracted(),
        "spending": {**asdict(await base.budget.spent_today()), "daily_usd": _finite(settings.budget.daily_usd)},
        "notices": [asdict(notice) for notice in await base.notices.newest(NOTICES_LISTED)],
        "threshold": settings.answer.threshold,
        "certificate": None,
    }


def _finite(cap: float) -> float | None:
    """Return a cap as JSON can tell it: None where there is none."""
    return cap if isfinite(cap) else None


def _embedded_place(settings: Settings) -> str:
    from knowledge.store.embedded import cluster_folder

    return str(cluster_folder(settings.home))


def _page(document: dict[str, Any]) -> RenderableType:
    database = document["database"]
    lines = [
        f"answerdesk {document['version']}, configuration {document['config']}",
        f"database: {database['server']}, schema {database['schema']}, in {database['place']}",
    ]
    below = [
        f"vectors {space['model']} ({space['dimension']}): {space['vectors']}, missing {space['missing']}"
        for space in document["embedding_spaces"]
    ]
    below.append(f"open tickets: {document['open_tickets']}; retracted answers: {document['retracted_answers']}")
    spending = document["spending"]
    cap = "no cap" if spending["daily_usd"] is None else f"of ${spending['daily_usd']:.2f}"
    below.append(f"models today: ${spending['usd']:.2f} ({cap})")
    below.append(f"threshold {document['threshold']} (not certified)")
    below += [f"{_moment(notice['at'])} UTC: {shown(notice['text'])}" for notice in document["notices"]]
    sources = [_source_table(document["sources"]), *_problems(document)] if document["sources"] else [_NOTHING]
    talk = [*_conversations(document), *desk_lines(document, _moment)]
    return Group(*map(Text, lines), *sources, *talk, *map(Text, below))


_NOTHING = Text("no source was synced yet: run `answerdesk sync`")


def _conversations(document: dict[str, Any]) -> list[Text]:
    """Return how people reach the bot, what waits and since when, and what went wrong."""
    lines = []
    for channel in document["channels"]:
        state = (channel["trouble"] or "connected") if channel["healthy"] else f"not reached: {channel['trouble']}"
        text = f"{channel['platform']}: {state}, last heard {_moment(channel['heard_at'])} ({channel['process']})"
        lines.append(Text(shown(text), style="green" if channel["healthy"] else "red"))
    stand = document["conversations"]
    since = f", the oldest since {_moment(stand['oldest_since'])}" if stand["oldest_since"] else ""
    open_ones = f"{stand['waiting']} waiting, {stand['answering']} being answered, {stand['sending']} being sent"
    lines.append(Text(f"questions: {open_ones}{since}; 👍 {stand['good']} 👎 {stand['bad']}"))
    if stand["failed"] or stand["undeliverable"]:
        wrong = f"since yesterday: {stand['failed']} broke the bot, {stand['undeliverable']} could not be delivered"
        lines.append(Text(wrong, style="yellow"))
    return lines


def _source_table(sources: list[dict[str, Any]]) -> Table:
    table = Table("source", "state", "documents", "passages", "failed", "in step at", "next (UTC)", box=None)
    for source in sources:
        table.add_row(
            Text(shown(source["name"])),
            Text(_state(source), style=_COLOURS.get(source["state"], "")),
            f"{source['documents']:,}",
            f"{source['passages']:,}",
            f"{source['failures']:,}",
            _moment(source["synced_at"]),
            _next_run(source),
        )
    return table


def _state(source: dict[str, Any]) -> str:
    if source["state"] == "in step" and source["failures"]:
        return "in step but for failures"
    if source["state"] != "running" or not source["started_at"]:
        return str(source["state"])
    far = f" {source['done']:,} of {source['total']:,}" if source["total"] else ""
    return f"running: {source['step']}{far} (since {source['started_at']:%H:%M:%S})"


def _next_run(source: dict[str, Any]) -> str:
    """Return when the clock wakes a source; a time that passed a while ago says that no clock runs."""
    if not source["configured"]:
        return "not configured"
    planned = source["next_run_at"]
    if planned and planned < datetime.now(UTC) - OVERDUE_AFTER and source["state"] not in ("running", "queued"):
        return "overdue: does `answerdesk run`?"
    return _moment(planned)


def _moment(at: datetime | None) -> str:
    if at is None:
        return "-"
    moment = at.astimezone(UTC)
    return f"{moment:%H:%M}" if moment.date() == datetime.now(UTC).date() else f"{moment:%Y-%m-%d %H:%M}"


def _problems(document: dict[str, Any]) -> list[Text]:
    """Return what an operator should read: a source's last error while it counts, its notes, what failed and why."""
    lines = []
    for source in document["sources"]:
        is_over = source["synced_at"] and source["failed_at"] and source["synced_at"] > source["failed_at"]
        if source["error"] and not is_over:
            lines.append(Text(shown(f"{source['name']}: {source['error']}"), style="red"))
        if source["counts"]:
            counts = ", ".join(f"{number:,} {what}" for what, number in source["counts"].items() if number)
            lines.append(Text(shown(f"{source['name']}: last sync: {counts or 'nothing'}"), style="dim"))
        lines += [Text(shown(f"{source['name']}: {note}"), style="yellow") for note in source["notes"]]
    for failure in document["failures"]:
        tried = f"failed {failure['attempts']}x, next try {_moment(failure['next_try_at'])} UTC"
        lines.append(Text(shown(f"{failure['source']}: {failure['path']}: {failure['reason']} ({tried})"), style="red"))
    return lines
