"""The composition root: opens everything in order on one exit stack, and closes it in reverse."""

import asyncio
import hashlib
import json
from asyncio import Future
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from bot.chosen import Chosen
from bot.core.answer import OWN_WORDS
from bot.core.cite import CitePolicy
from bot.core.desk.clock import Times
from bot.core.desk.desks import Desks
from bot.core.desk.summary import Summarizer
from bot.core.handle import Handler, Policy
from bot.core.transcribe import Transcriber
from bot.core.verify.check import VERIFIER, Verifier
from bot.core.verify.entailment import Entailment
from bot.core.wording import Wording
from bot.desks.configured import desks_of, times_of
from bot.election import PostgresElection
from bot.registry import REGISTRY, build, settings_model
from bot.settings import Settings
from bot.store.answer_cache import PostgresAnswerCache
from bot.store.journal import PostgresJournal
from bot.store.notices import PostgresNotices
from bot.store.spending import PostgresBudget
from bot.store.tickets import PostgresTickets
from knowledge.background import Background
from knowledge.embed import Embedder
from knowledge.errors import DatabaseUnfit
from knowledge.likeness import Likeness
from knowledge.prepare import Cutting
from knowledge.retrieve import Reranker, Retriever
from knowledge.store.audiences import PostgresReaders
from knowledge.store.documents import PostgresDocuments
from knowledge.store.migrate import migrate
from knowledge.store.pool import Pool, open_pool
from knowledge.store.runs import PostgresRuns
from knowledge.store.search import PostgresSearch
from knowledge.store.sections import PostgresSections
from knowledge.store.standing import PostgresStanding
from knowledge.store.vectors import PostgresVectors
from knowledge.sync import Source
from knowledge.taught import TaughtIndex, TaughtReranker
from knowledge.types import CURATED, Relevance

_ADDRESS_KEYS = ("url", "link", "link_url")


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
    standing: PostgresStanding
    cache: PostgresAnswerCache
    budget: PostgresBudget
    notices: PostgresNotices
    election: PostgresElection
    desks: Desks
    times: Times


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
        names = source_names(settings)
        notices = PostgresNotices(pool)
        desks, times = desks_of(settings.desk_tables), times_of(settings.handover)
        yield Base(
            settings,
            conninfo,
            pool,
            documents=PostgresDocuments(pool),
            vectors=PostgresVectors(pool),
            tickets=PostgresTickets(pool, desks=desks, times=times),
            journal=PostgresJournal(pool),
            runs=PostgresRuns(pool),
            readers=PostgresReaders(pool, sources=names),
            standing=PostgresStanding(pool, sources=names),
            cache=PostgresAnswerCache(pool, sources=names, max_age=timedelta(days=settings.answer.cache_days)),
            budget=PostgresBudget(pool, settings=settings.budget, notices=notices),
            notices=notices,
            election=PostgresElection(pool),
            desks=desks,
            times=times,
        )


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncIterator[Desk]:
    """Open all that answering needs."""
    async with AsyncExitStack() as stack:
        embedder = await stack.enter_async_context(open_embedder(settings))
        ready = stack.enter_context(loading(embedder))
        base = await stack.enter_async_context(open_base(settings))
        await ready
        yield await stack.enter_async_context(open_answering(base, embedder))


@asynccontextmanager
async def open_answering(base: Base, embedder: Embedder) -> AsyncIterator[Desk]:
    """Open what answers questions over an open database and an open embedding model."""
    settings = base.settings
    async with AsyncExitStack() as stack:
        background = Background(embedder, home=settings.home)
        weighing = await stack.enter_async_context(_open(settings.reranker))
        reranker = TaughtReranker(weighing, Likeness(embedder, background))
        wording = await stack.enter_async_context(_open_wording(settings, base, embedder, background))
        space = await base.vectors.open_space(embedder.model, embedder.dimension)
        index = TaughtIndex(
            PostgresSearch(base.pool, space=space, fusion=settings.retrieval, sources=configured_names(settings)),
            PostgresSearch(base.pool, space=space, fusion=settings.retrieval, sources=[CURATED]),
        )
        sections = PostgresSections(base.pool, sources=source_names(settings))
        retriever = Retriever(embedder=embedder, levels=background, index=index, reranker=reranker, sections=sections)
        fingerprint = _fingerprint(settings, embedder, reranker, wording)
        policy = Policy(
            threshold=Relevance(settings.answer.threshold),
            fingerprint=fingerprint,
            showing=f"{sorted(link_hosts(settings))} {settings.answer.outdated_days}",
            asks_first=settings.handover.ask_first,
            risky_words=settings.handover.risky_words,
        )
        handler = Handler(
            retriever=retriever,
            wording=wording,
            tickets=base.tickets,
            journal=base.journal,
            cache=base.cache,
            policy=policy,
        )
        yield Desk(base, embedder, retriever, handler, fingerprint)


@asynccontextmanager
async def _open_wording(
    settings: Settings, base: Base, embedder: Embedder, background: Background
) -> AsyncIterator[Wording]:
    """Open what words answers, the documents' own words behind it, and what judges both."""
    own = Chosen("answerer", OWN_WORDS, settings_model("answerer", OWN_WORDS)())
    async with AsyncExitStack() as stack:
        chosen = await stack.enter_async_context(open_answerer(settings, embedder))
        is_model = settings.answerer.kind != OWN_WORDS
        after = timedelta(days=settings.answer.outdated_days) if settings.answer.outdated_days else None
        yield Wording(
            model=chosen if is_model else None,
            own_words=await stack.enter_async_context(_open(own, embedder=embedder)) if is_model else chosen,
            verifier=Verifier(
                embedder=embedder,
                background=background,
                entailment=await stack.enter_async_context(open_entailment(settings)),
            ),
            standing=base.standing,
            budget=base.budget,
            policy=CitePolicy(link_hosts(settings), after),
        )


@asynccontextmanager
async def open_answerer(settings: Settings, embedder: Embedder) -> AsyncIterator[Any]:
    """Open the configured answerer; those with a model can also be checked."""
    async with _open(settings.answerer, embedder=embedder) as answerer:
        yield answerer


def open_summarizer(settings: Settings) -> AbstractAsyncContextManager[Summarizer | None]:
    """Open what words summaries of tickets, where the answers are worded by a model that can."""
    chosen = Chosen("summarizer", settings.answerer.kind, settings.answerer.settings)
    return _open_if(chosen if chosen.kind in REGISTRY["summarizer"] else None)


def open_entailment(settings: Settings) -> AbstractAsyncContextManager[Entailment | None]:
    """Open the model that judges sentences, where one is configured."""
    return _open_if(settings.entailment, base=settings.base)


def open_transcriber(settings: Settings) -> AbstractAsyncContextManager[Transcriber | None]:
    """Open what turns recordings into words, where one is configured."""
    return _open_if(settings.transcriber, base=settings.base)


def link_hosts(settings: Settings) -> frozenset[str]:
    """Return the hosts that answers may link to: those of the configured sources, and those that were named."""
    told = [source.settings.model_dump() for source in settings.sources]
    found = [urlsplit(str(table[key])).hostname for table in told for key in _ADDRESS_KEYS if table.get(key)]
    return frozenset({*filter(None, found), *(host.lower() for host in settings.answer.link_hosts)})


@asynccontextmanager
async def open_embedder(settings: Settings) -> AsyncIterator[Embedder]:
    """Open the configured embedding model."""
    async with _open(settings.embedder, home=settings.home) as embedder:
        yield embedder


@contextmanager
def loading(embedder: Embedder) -> Iterator[Future[Any]]:
    """Load the model meanwhile, so that the first question does not wait for it."""
    ready = asyncio.ensure_future(embedder.embed([], role="query"))
    # Where nobody waits for it, what is wrong with the model is told by the first question.
    ready.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        yield ready
    finally:
        ready.cancel()


def open_channel(chosen: Chosen, **offered: object) -> AbstractAsyncContextManager[Any]:
    """Open one of the configured channels, with what of the core and the stores it asks for."""
    return _open(chosen, **offered)


@asynccontextmanager
async def open_source(settings: Settings, chosen: Chosen) -> AsyncIterator[Source]:
    """Open one of the configured sources."""
    async with _open(chosen, base=settings.base, home=settings.home) as source:
        yield source


def source_names(settings: Settings) -> list[str]:
    """Return the names of the sources that are searched: the configured ones in their order, and what people taught."""
    return [*configured_names(settings), CURATED]


def configured_names(settings: Settings) -> list[str]:
    """Return the names of the configured sources, in their order."""
    return [source_name(source) for source in settings.sources]


def source_name(source: Chosen) -> str:
    """Return the name that a source has in the configuration."""
    return str(source.settings.model_dump()["name"])


def _open(chosen: Chosen, **offered: object) -> AbstractAsyncContextManager[Any]:
    return build(chosen.port, chosen.kind, chosen.settings, **offered)


def _open_if(chosen: Chosen | None, **offered: object) -> AbstractAsyncContextManager[Any]:
    return nullcontext() if chosen is None else _open(chosen, **offered)


def _fingerprint(settings: Settings, embedder: Embedder, reranker: Reranker, wording: Wording) -> str:
    """Return what a calibrated threshold depends on, as a short hash."""
    entailment = settings.entailment
    parts = {
        "embedder": [embedder.model, embedder.dimension],
        "reranker": reranker.name,
        "recipe": [Cutting().recipe, sorted({cut.key for name, cut in settings.cuttings.items() if name})],
        "retrieval": settings.retrieval.model_dump(),
        "answerer": [wording.name, wording.version, settings.answerer.settings.model_dump(mode="json")],
        "verifier": [VERIFIER, entailment and entailment.settings.model_dump(mode="json")],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
