"""`answerdesk check`."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

from rich.console import Console
from rich.text import Text

from bot.chosen import Chosen
from bot.cli import DONE, PROBLEM
from bot.commands.check_desks import check_desk
from bot.compose import (
    open_answerer,
    open_base,
    open_channel,
    open_database,
    open_embedder,
    open_entailment,
    open_source,
    source_name,
)
from bot.core.answer import OWN_WORDS
from bot.core.errors import CoreError
from bot.settings import Settings
from bot.talk import open_offered
from knowledge.errors import KnowledgeError
from knowledge.store.migrate import migrate
from knowledge.store.pool import check_server


async def check(settings: Settings) -> int:
    """Print one line a part: whether it works, or what to do about it."""
    console = Console(highlight=False, markup=False)
    console.print(Text.assemble(("ok   ", "green"), f"settings: {settings.config}"))
    works = [await _report(console, name, part) async for name, part in _parts(settings)]
    return DONE if all(works) else PROBLEM


async def _parts(settings: Settings) -> AsyncIterator[tuple[str, Callable[[], Awaitable[str]]]]:
    yield "database", partial(_database, settings)
    yield f"embedder {settings.embedder.kind}", partial(_embedder, settings)
    if settings.answerer.kind != OWN_WORDS:
        yield f"answers by {settings.answerer.kind}", partial(_answerer, settings)
    if settings.entailment:
        yield f"entailment {settings.entailment.kind}", partial(_entailment, settings)
    for source in settings.sources:
        yield f"source {source_name(source)}", partial(_source, settings, source)
    if not settings.sources:
        yield "sources", partial(_no_sources, settings)
    for channel in settings.channels:
        yield f"channel {channel.kind}", partial(_channel, settings, channel)
    for desk in settings.desks:
        yield f"desk {source_name(desk)}", partial(check_desk, settings, desk)


async def _report(console: Console, name: str, part: Callable[[], Awaitable[str]]) -> bool:
    try:
        result = await part()
    except (KnowledgeError, CoreError) as exc:
        console.print(Text.assemble(("fail ", "bold red"), f"{name}: {exc}"), soft_wrap=True)
        return False
    console.print(Text.assemble(("ok   ", "green"), f"{name}: {result}"), soft_wrap=True)
    return True


async def _database(settings: Settings) -> str:
    async with open_database(settings) as conninfo:
        server = await check_server(conninfo)
        await migrate(conninfo)
    return f"{server} ({'DATABASE_URL' if settings.database_url else 'embedded'})"


async def _embedder(settings: Settings) -> str:
    async with open_embedder(settings) as embedder:
        await embedder.embed(["ready?"], role="query")
        return f"{embedder.model}, {embedder.dimension} dimensions"


async def _answerer(settings: Settings) -> str:
    async with open_embedder(settings) as embedder, open_answerer(settings, embedder) as answerer:
        return str(await answerer.check())


async def _entailment(settings: Settings) -> str:
    async with open_entailment(settings):
        return "loaded"


async def _source(settings: Settings, chosen: Chosen) -> str:
    async with open_source(settings, chosen) as source:
        listing = await source.discover({})
    return "; ".join([f"{len(listing.entries)} documents listed", *listing.notes])


async def _no_sources(settings: Settings) -> str:
    return f"none configured; add a [[sources]] table to {settings.config}"


async def _channel(settings: Settings, chosen: Chosen) -> str:
    async with (
        open_base(settings) as base,
        open_offered(base) as offered,
        open_channel(chosen, offered=offered) as channel,
    ):
        return str(await channel.check())
