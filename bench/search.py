"""Measures one question: our search against a hand-written statement, each stage, and memory.

Run `python -m bench.search [PASSAGES]`. A home in a temporary folder gets the handbook and documents mixed from it.
The floor is one plain statement on one prepared connection: HNSW, BM25 and reciprocal ranks with the passages' texts,
but no audiences, no exact scores for what only one leg found, no standardised scores, no gate. Both are asked the same
questions in turns. The process ends with 1 when a promise does not hold.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import psycopg
from pgvector.psycopg import register_vector

from bench.corpus import MixedEmbedder, MixedSource, handbook, questions
from bench.machine import (
    cpu_ms_of,
    folder_config,
    machine,
    print_table,
    quantiles,
    resident_mb,
    temporary_folder,
    verdict,
)
from bot.compose import Desk, open_desk
from bot.core.messages import Asked
from bot.settings import load_settings
from knowledge.embed import complete_vectors
from knowledge.language import language_of
from knowledge.progress import unwatched
from knowledge.retrieve import CANDIDATES_FOR_RERANK, Query
from knowledge.store.pool import HNSW_EF_SEARCH
from knowledge.store.search import PostgresSearch
from knowledge.sync import sync
from knowledge.types import Reader

PASSAGES = 5_000
QUESTIONS = 120
ROUNDS = 5  # and one before them that does not count
# The promises, for a search without embedding the question, at PASSAGES.
MAX_CLIENT_CPU_MS = 2.0
MAX_WALL_RATIO = 3.0
STAGES = ("embed", "search", "rerank", "answer", "total")

FLOOR = """
with corpus as (
    select passages::float8 as passages, terms::float8 / passages as length from source where name = 'bench'
),
asked as materialized (
    select term, ln(1 + (corpus.passages - term.passages + 0.5) / (term.passages + 0.5)) * 2.2 as idf, corpus.length
    from term, corpus where term = any(%(terms)s)
),
dense as (
    select passage_id, row_number() over (order by distance) as rank
    from (
        select passage_id, vector::halfvec(384) <#> %(vector)s::vector::halfvec(384) as distance
        from embedding where space_id = 1 and passage_id is not null order by distance limit 100
    ) as nearest
),
lexical as (
    select passage_id, row_number() over (order by score desc) as rank
    from (
        select passage_id, sum(idf * frequency / (frequency + 0.3 + 0.9 * posting.length / asked.length)) as score
        from asked join posting using (term) group by passage_id order by score desc limit 100
    ) as best
)
select passage.id, path, title, heading, passage.text, start_line, end_line,
       coalesce(1.0 / (60 + dense.rank), 0) + coalesce(1.0 / (60 + lexical.rank), 0) as score
from dense full join lexical using (passage_id)
join passage on passage.id = passage_id join document on document.id = document_id
order by score desc limit 50
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, ready to search."""

    text: str
    query: Query


@dataclass(slots=True)
class Figures:
    """What one way of searching took, a value a question."""

    wall_ms: list[float] = field(default_factory=list)
    client_ms: list[float] = field(default_factory=list)
    server_ms: list[float] = field(default_factory=list)


def main() -> None:
    """Build the home, measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int, nargs="?", default=PASSAGES)
    passages = parser.parse_args().passages
    with temporary_folder() as folder:
        config = folder_config(folder, path=".")
        held = asyncio.run(measure(config, passages))
    sys.exit(0 if held else 1)


async def measure(config: Path, passages: int) -> bool:
    """Measure everything once the passages are there."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(config.parent / "home")})
    async with open_desk(settings) as desk:
        await fill(desk, passages)
        asked = [await ready(desk, text) for text in questions(QUESTIONS)]
        space = await desk.base.vectors.open_space(desk.embedder.model, desk.embedder.dimension)
        index = PostgresSearch(desk.base.pool, space=space, fusion=settings.retrieval, sources=["bench"])
        ours, floor = await in_turns(desk, index, asked)
        stages = await by_stage(desk, asked)
        async with desk.base.pool.connection() as connection:
            server_mb = resident_mb(connection.info.backend_pid)
    print(f"{machine()}\n{passages:,} passages, {len(asked)} questions, {ROUNDS} rounds\n")
    held = report(ours, floor)
    print_table(["a question's stages, ms", "p50", "p95"], [[name, *quantiles(stages[name])] for name in STAGES])
    print(f"resident: this process {resident_mb():.0f} MB (model included), its server process {server_mb:.0f} MB")
    return held


async def fill(desk: Desk, passages: int) -> None:
    """Store and embed the handbook and what was mixed from it."""
    pages = handbook()
    embedder = MixedEmbedder(desk.embedder)
    await embedder.learn(pages)
    await sync(MixedSource(pages, passages=passages), desk.base.documents, progress=unwatched)
    await complete_vectors(desk.base.vectors, embedder, progress=unwatched)


async def ready(desk: Desk, text: str) -> Question:
    """Do what comes before the search."""
    return Question(text, await desk.retriever.query(text, language_of(text)))


async def in_turns(desk: Desk, index: PostgresSearch, asked: list[Question]) -> tuple[Figures, Figures]:
    """Ask both each question in turn, so that whatever else runs disturbs both alike."""
    ours, floor = Figures(), Figures()
    async with desk.base.pool.connection() as connection:
        server_process = connection.info.backend_pid

    async def search(question: Question) -> int:
        found = await index.search(question.query, reader=Reader(), limit=CANDIDATES_FOR_RERANK)
        return len(found)

    async with open_floor(desk.base.conninfo) as (by_hand, hand_process):
        for turn, question in product(range(ROUNDS + 1), asked):
            await clock(search, question, server_process, ours if turn else Figures())
            await clock(by_hand, question, hand_process, floor if turn else Figures())
    return ours, floor


@asynccontextmanager
async def open_floor(conninfo: str) -> AsyncIterator[tuple[Callable[[Question], Awaitable[int]], int]]:
    """Open the hand-written statement on a plain connection: nothing in Python is faster."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        register_vector(connection)
        connection.execute(f"set jit = off; set hnsw.ef_search = {HNSW_EF_SEARCH}")

        async def search(question: Question) -> int:
            parameters = {"vector": question.query.vector, "terms": list(question.query.terms)}
            return len(connection.execute(FLOOR, parameters, prepare=True, binary=True).fetchall())

        yield search, connection.info.backend_pid


async def clock(work: Callable[[Question], Awaitable[int]], question: Question, process: int, into: Figures) -> None:
    """Do one search and note what it took here and in its server process."""
    server, client, wall = cpu_ms_of(process), time.process_time(), time.perf_counter()
    found = await work(question)
    into.wall_ms.append(1e3 * (time.perf_counter() - wall))
    into.client_ms.append(1e3 * (time.process_time() - client))
    into.server_ms.append(cpu_ms_of(process) - server)
    assert found == CANDIDATES_FOR_RERANK, f"{found} passages found for {question.text!r}"


async def by_stage(desk: Desk, asked: list[Question]) -> dict[str, list[float]]:
    """Draft a reply to each question as new, and collect what each stage took."""
    stages: dict[str, list[float]] = {name: [] for name in STAGES}
    for question in asked:
        # A mark that no question had yet: its vector is not remembered.
        draft = await desk.handler.draft(Asked(f"{question.text} ?"))
        for name in STAGES:
            stages[name].append(draft.timings_ms[name])
    return stages


def report(ours: Figures, floor: Figures) -> bool:
    """Print both ways of searching, their ratios, and whether the promises hold."""
    rows: list[list[str | float]] = []
    for name, our, base in (
        ("wall ms", ours.wall_ms, floor.wall_ms),
        ("client CPU ms", ours.client_ms, floor.client_ms),
        ("server CPU ms", ours.server_ms, floor.server_ms),
    ):
        (our_p50, our_p95), (base_p50, base_p95) = quantiles(our), quantiles(base)
        rows.append([name, our_p50, our_p95, base_p50, base_p95, our_p50 / base_p50])
    print_table(["search, question embedded before", "p50", "p95", "floor p50", "floor p95", "ratio"], rows)
    client_ms, ratio = (
        sum(ours.client_ms) / len(ours.client_ms),
        quantiles(ours.wall_ms)[0] / quantiles(floor.wall_ms)[0],
    )
    promises = [
        verdict(
            f"client CPU a question {client_ms:.2f} ms < {MAX_CLIENT_CPU_MS} ms", held=client_ms < MAX_CLIENT_CPU_MS
        ),
        verdict(f"wall p50 {ratio:.2f} < {MAX_WALL_RATIO} times the floor", held=ratio < MAX_WALL_RATIO),
    ]
    print()
    return all(promises)


if __name__ == "__main__":
    main()
