"""Measures what answering costs beside the model and the embedding: our own overhead, and how soon a sentence is seen.

Run `python -m bench.answer [PASSAGES]`. A home in a temporary folder gets the handbook and documents mixed from it; a
model on loopback answers with sentences of the passages, each a little changed, so that none is checked as a mere
quote. Of every answer the time of the embedding and of the model's choosing is taken off; all that goes over the wire
counts as ours. Each question is asked in turns: in the documents' own words, through the model, through the model
without the verifier (the named alternative), and searched for only. Where other work keeps the machine busy, only the
processor's time tells. The process ends with 1 when a promise does not hold.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import product
from pathlib import Path

from bench.corpus import MixedEmbedder, MixedSource, handbook, questions
from bench.machine import folder_config, machine, print_table, quantiles, temporary_folder, verdict
from bench.timed import Believer, Clock, Screen, TimedEmbedder, TimedVerifier, since_ms, timed
from bot.compose import Base, link_hosts, open_base, open_embedder, source_names
from bot.core.answer import Answerer
from bot.core.cite import CitePolicy
from bot.core.handle import Handler, Policy
from bot.core.messages import Asked
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from bot.llm.claude.answerer import build as open_claude
from bot.llm.claude.settings import ClaudeSettings
from bot.llm.extractive import ExtractiveAnswerer
from bot.registry import build
from bot.settings import Settings, load_settings
from bot.store.answer_cache import PostgresAnswerCache
from knowledge.background import Background
from knowledge.embed import Embedder, complete_vectors
from knowledge.progress import unwatched
from knowledge.retrieve import Retriever
from knowledge.store.search import PostgresSearch
from knowledge.sync import sync
from knowledge.types import Reader, Relevance
from tests.wire.anthropic import AnthropicServer, Honest, Slow, anthropic_server

PASSAGES = 2_000
QUESTIONS = 120
WATCHED = 40
CLAUDE = "claude"
SENTENCE_S = 0.1
# The promises.
MAX_OVERHEAD_P50_MS = 60.0
MAX_VISIBLE_P95_MS = 300.0
OWN_WORDS, MODEL, UNVERIFIED = "own words", "model", "model, not verified"
SEARCH, STORED = "search alone", "model, stored"


@dataclass(slots=True)
class Figures:
    """What answering in one way took, a value a question: by the clock, and of the processor in our own thread."""

    own_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    by_model: int = 0


def main() -> None:
    """Build the home, measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int, nargs="?", default=PASSAGES)
    passages = parser.parse_args().passages
    with temporary_folder() as folder:
        held = asyncio.run(measure(folder_config(folder, path="."), passages))
    sys.exit(0 if held else 1)


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything open: who answers in which way, over one knowledge base, and what they are timed by."""

    clock: Clock
    server: AnthropicServer
    retriever: Retriever
    handlers: dict[str, Handler]


async def measure(config: Path, passages: int) -> bool:
    """Measure everything once the passages are there."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(config.parent / "home")})
    asked = questions(QUESTIONS)
    async with open_bench(settings, passages) as bench:
        visible_ms, cold_ms = await seen_after(bench, asked[:WATCHED])
        bench.clock.checks_ms.clear()
        figures = await in_turns(bench, asked)
    print(f"{machine()}\n{passages:,} passages, {len(asked)} questions\n")
    return report(figures, visible_ms, cold_ms, bench.clock.checks_ms)


@asynccontextmanager
async def open_bench(settings: Settings, passages: int) -> AsyncIterator[Bench]:
    """Put together by hand what `bot.compose` does, so that embedder, verifier and model can be timed."""
    clock = Clock()
    async with AsyncExitStack() as stack:
        real = await stack.enter_async_context(open_embedder(settings))
        base = await stack.enter_async_context(open_base(settings))
        await fill(base, real, passages)
        embedder = TimedEmbedder(real, clock)
        server = stack.enter_context(anthropic_server(timed(changed(), clock)))
        model_settings = ClaudeSettings(
            base_url=server.url, mode="citations", input_usd_per_million=0, output_usd_per_million=0
        )
        model = await stack.enter_async_context(open_claude(model_settings))
        reranker = await stack.enter_async_context(build("reranker", "local", settings.reranker.settings))
        space = await base.vectors.open_space(real.model, real.dimension)
        names = source_names(settings)
        index = PostgresSearch(base.pool, space=space, fusion=settings.retrieval, sources=names)
        levels = Background(embedder, home=settings.home)
        retriever = Retriever(embedder=embedder, levels=levels, index=index, reranker=reranker)

        def handler(answerer: Answerer | None, verifier: Verifier, keep: timedelta = timedelta(0)) -> Handler:
            own_words = ExtractiveAnswerer(embedder)
            policy = CitePolicy(link_hosts(settings), None)
            wording = Wording(
                model=answerer,
                own_words=own_words,
                verifier=verifier,
                standing=base.standing,
                budget=base.budget,
                policy=policy,
            )
            return Handler(
                retriever=retriever,
                wording=wording,
                tickets=base.tickets,
                journal=base.journal,
                cache=PostgresAnswerCache(base.pool, sources=names, max_age=keep),
                policy=Policy(threshold=Relevance(0.0), fingerprint=f"bench {keep}"),
            )

        verifier = TimedVerifier(embedder, clock)
        handlers = {
            OWN_WORDS: handler(None, verifier),
            MODEL: handler(model, verifier),
            UNVERIFIED: handler(model, Believer()),
            STORED: handler(model, verifier, timedelta(days=1)),
        }
        yield Bench(clock, server, retriever, handlers)


async def fill(base: Base, real: Embedder, passages: int) -> None:
    """Store and embed the handbook and what was mixed from it."""
    pages = handbook()
    embedder = MixedEmbedder(real)
    await embedder.learn(pages)
    await sync(MixedSource(pages, passages=passages), base.documents, progress=unwatched)
    await complete_vectors(base.vectors, embedder, progress=unwatched)


def changed() -> Honest:
    """Return a model whose sentences are true, and none of them the very words of its source."""
    return Honest(sentences=3, openings={}, wording=lambda text: f"{text.rstrip('.')}!")


async def seen_after(bench: Bench, asked: Sequence[str]) -> tuple[list[float], float]:
    """Return how many milliseconds after the model had finished it each sentence was seen; the very first apart."""
    quick, bench.server.model = bench.server.model, Slow(changed(), sentence_s=SENTENCE_S)
    delays: list[float] = []
    for question in asked:
        screen, before = Screen(), len(bench.server.finished)
        await bench.handlers[MODEL].handle(Asked(question), screen)
        finished = bench.server.finished[before:]
        delays += [1e3 * (screen.first_s[text] - at_s) for text, at_s in finished if text in screen.first_s]
    bench.server.model = quick
    return delays[1:], delays[0]


async def in_turns(bench: Bench, asked: Sequence[str]) -> dict[str, Figures]:
    """Ask each question in every way, so that whatever else runs disturbs all alike."""
    figures = {way: Figures() for way in (SEARCH, *bench.handlers)}
    for question, way in product(asked, figures):
        if way == STORED:
            await bench.handlers[way].handle(Asked(question))
        started, before, cpu = time.perf_counter(), bench.clock.others_ms, time.thread_time()
        if way == SEARCH:
            await bench.retriever.retrieve(question, reader=Reader())
        else:
            reply = await bench.handlers[way].handle(Asked(question))
            figures[way].by_model += reply.answerer == CLAUDE and bool(reply.sentences)
        figures[way].cpu_ms.append(1e3 * (time.thread_time() - cpu))
        figures[way].own_ms.append(since_ms(started) - (bench.clock.others_ms - before))
    return figures


def report(figures: dict[str, Figures], visible_ms: list[float], cold_ms: float, checks_ms: list[float]) -> bool:
    """Print all figures, and whether the promises hold."""
    p50 = {way: quantiles(took.own_ms)[0] for way, took in figures.items()}
    print_table(
        ["an answer, without model and embedding, ms", "p50", "p95", "to unverified", "CPU p50", "by model"],
        [
            [way, *quantiles(took.own_ms), p50[way] / p50[UNVERIFIED], quantiles(took.cpu_ms)[0], f"{took.by_model}"]
            for way, took in figures.items()
        ],
    )
    print_table(
        ["a sentence, ms", "p50", "p95"],
        [["finished until seen", *quantiles(visible_ms)], ["verified", *quantiles(checks_ms)]],
    )
    print(
        f"the first sentence of this process was seen after {cold_ms:.0f} ms; {len(visible_ms)} others were watched\n"
    )
    worst_ms, visible_p95_ms = max(p50[OWN_WORDS], p50[MODEL]), quantiles(visible_ms)[1]
    promises = [
        verdict(f"overhead p50 {worst_ms:.1f} < {MAX_OVERHEAD_P50_MS:.0f} ms", held=worst_ms < MAX_OVERHEAD_P50_MS),
        verdict(
            f"seen p95 {visible_p95_ms:.1f} <= {MAX_VISIBLE_P95_MS:.0f} ms after the model finished the sentence",
            held=visible_p95_ms <= MAX_VISIBLE_P95_MS,
        ),
    ]
    return all(promises)


if __name__ == "__main__":
    main()
