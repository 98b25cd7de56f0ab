"""`answerdesk status`."""

from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from rich.console import Console

from bot.cli import DONE, print_json
from bot.compose import Base, open_base
from bot.settings import Settings
from knowledge.store.migrate import migration_names
from knowledge.store.overview import sources_overview, spaces_overview
from knowledge.store.pool import check_server


async def status(settings: Settings, *, as_json: bool) -> int:
    """Show what is stored and what runs."""
    async with open_base(settings) as base:
        document = await _document(settings, base)
    if as_json:
        print_json(document)
    else:
        _show(Console(highlight=False, markup=False), document)
    return DONE


async def _document(settings: Settings, base: Base) -> dict[str, Any]:
    waiting, oldest = await base.tickets.waiting()
    place = "DATABASE_URL" if settings.database_url else _embedded_place(settings)
    return {
        "version": version("answerdesk"),
        "config": str(settings.config),
        "home": str(settings.home),
        "database": {
            "server": await check_server(base.conninfo),
            "place": place,
            "schema": migration_names()[-1],
        },
        "sources": [asdict(source) for source in await sources_overview(base.pool)],
        "embedding_spaces": [asdict(space) for space in await spaces_overview(base.pool)],
        "open_tickets": waiting,
        "oldest_ticket": oldest,
        "threshold": settings.answer.threshold,
        "certificate": None,
    }


def _embedded_place(settings: Settings) -> str:
    from knowledge.store.embedded import cluster_folder

    return str(cluster_folder(settings.home))


def _show(console: Console, document: dict[str, Any]) -> None:
    console.print(f"answerdesk {document['version']}, configuration {document['config']}")
    database = document["database"]
    console.print(f"database: {database['server']}, schema {database['schema']}, in {database['place']}")
    for source in document["sources"]:
        synced = f"synced {source['synced_at']:%Y-%m-%d %H:%M} UTC" if source["synced_at"] else "never synced"
        console.print(
            f"source {source['name']} ({source['kind']}): {source['documents']} documents,"
            f" {source['passages']} passages, {source['failures']} failures, {synced}"
        )
    if not document["sources"]:
        console.print("no source was synced yet: run `answerdesk sync`")
    for space in document["embedding_spaces"]:
        console.print(
            f"vectors {space['model']} ({space['dimension']}): {space['vectors']}, missing {space['missing']}"
        )
    console.print(f"open tickets: {document['open_tickets']}")
    console.print(f"threshold {document['threshold']} (not certified)")
