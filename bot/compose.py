"""The composition root: opens everything in order on one exit stack, and closes it in reverse."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bot.core.handle import Handler, Policy
from bot.registry import build
from bot.settings import Chosen, Settings
from bot.store.journal import PostgresJournal
from bot.store.tickets import PostgresTickets
from knowledge.background import Background
from knowledge.embed import Embedder
from knowledge.errors import DatabaseUnfit
from knowledge.prepare import RECIPE
from knowledge.retrieve import Reranker, Retriever
from knowledge.store.audiences import PostgresReaders
from knowledge.store.documents import PostgresDocuments
from knowledge.store.migrate import migrate
from knowledge.store.pool import Pool, open_pool
from knowledge.store.runs import PostgresRuns
from knowledge.store.search import PostgresSearch
from knowledge.store.vectors import PostgresVectors
from knowledge.sync import Source
from knowledge.types import Relevance


@dataclass(frozen=True, slots=True)
class Base:
    """The database and what only needs the database."""

    settings: Settings
    conninfo: str
    pool: Pool
    documents: PostgresDocuments
    vectors: PostgresVectors
    tickets: PostgresTickets
    journal: PostgresJournal
    readers: PostgresReaders
    runs: PostgresRuns


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything open, ready to answer."""

    base: Base
    embedder: Embedder
    retriever: Retriever
    handler: Handler
    fingerprint: str


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[str]:
    """Yield the address of the database: the one of DATABASE_URL, or the embedded one, started if need be."""
    if settings.database_url:
        yield settings.database_url
        return
    try:
        from knowledge.store.embedded import embedded_server
    except ImportError as exc:
        raise DatabaseUnfit(
            f'DATABASE_URL is not set, and the embedded database needs {exc.name}: pip install "answerdesk[embedded]"'
        ) from exc
    async with embedded_server(settings.home) as conninfo:
        yield conninfo


@asynccontextmanager
async def open_base(settings: Settings) -> AsyncIterator[Base]:
    """Open the database, migrated."""
    async with AsyncExitStack() as stack:
        conninfo = await stack.enter_async_context(open_database(settings))
        await migrate(conninfo)
        pool = await stack.enter_async_context(open_pool(conninfo))
        yield Base(
            settings,
            conninfo,
            pool,
            documents=PostgresDocuments(pool),
            vectors=PostgresVectors(pool),
            tickets=PostgresTickets(pool),
            journal=PostgresJournal(pool),
            runs=PostgresRuns(pool),
            readers=PostgresReaders(pool, sources=[source_name(source) for source in settings.sources]),
        )


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncIterator[Desk]:
    """Open all that answering needs."""
    async with AsyncExitStack() as stack:
        embedder = await stack.enter_async_context(open_embedder(settings))
        # The model loads while the database opens.
        ready = asyncio.ensure_future(embedder.embed([], role="query"))
        stack.callback(ready.cancel)
        base = await stack.enter_async_context(open_base(settings))
        reranker = await stack.enter_async_context(_open(settings.reranker))
        answerer = await stack.enter_async_context(_open(settings.answerer, embedder=embedder))
        space = await base.vectors.open_space(embedder.model, embedder.dimension)
        await ready
        names = [source_name(source) for source in settings.sources]
        index = PostgresSearch(base.pool, space=space, fusion=settings.retrieval, sources=names)
        levels = Background(embedder, home=settings.home)
        retriever = Retriever(embedder=embedder, levels=levels, index=index, reranker=reranker)
        fingerprint = _fingerprint(settings, embedder, reranker)
        policy = Policy(threshold=Relevance(settings.answer.threshold), fingerprint=fingerprint)
        handler = Handler(
            retriever=retriever, answerer=answerer, tickets=base.tickets, journal=base.journal, policy=policy
        )
        yield Desk(base, embedder, retriever, handler, fingerprint)


@asynccontextmanager
async def open_embedder(settings: Settings) -> AsyncIterator[Embedder]:
    """Open the configured embedding model."""
    async with _open(settings.embedder, home=settings.home) as embedder:
        yield embedder


@asynccontextmanager
async def open_source(settings: Settings, chosen: Chosen) -> AsyncIterator[Source]:
    """Open one of the configured sources."""
    async with _open(chosen, base=settings.base, home=settings.home) as source:
        yield source


def source_name(source: Chosen) -> str:
    """Return the name that a source has in the configuration."""
    return str(source.settings.model_dump()["name"])


def _open(chosen: Chosen, **offered: object) -> AbstractAsyncContextManager[Any]:
    return build(chosen.port, chosen.kind, chosen.settings, **offered)


def _fingerprint(settings: Settings, embedder: Embedder, reranker: Reranker) -> str:
    """Return what a calibrated threshold depends on, as a short hash."""
    parts = {
        "embedder": [embedder.model, embedder.dimension],
        "reranker": reranker.name,
        "recipe": RECIPE,
        "retrieval": settings.retrieval.model_dump(),
        "answerer": [settings.answerer.kind, settings.answerer.settings.model_dump(mode="json")],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
