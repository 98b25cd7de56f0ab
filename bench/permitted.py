"""Measures the two ways to the nearest permitted vectors: comparing each one, and walking the graph past the others.

Run `python -m bench.permitted [PASSAGES]`. Readers may see nested shares of the passages; both ways answer the same
questions, forced by what the database believes to be permitted. Recall is that of the graph's 50 best against the exact
ones. The constants FEW_PASSAGES, SOME_PASSAGES and SOME_SHARE of `knowledge.store.search` are chosen from this table.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean, median

from bench.corpus import MixedEmbedder, MixedSource, handbook, questions
from bench.machine import cpu_ms_of, folder_config, machine, print_table, temporary_folder
from bot.compose import Desk, open_desk
from bot.settings import load_settings
from knowledge.embed import complete_vectors
from knowledge.language import language_of
from knowledge.listing import Entry, Listing
from knowledge.progress import unwatched
from knowledge.retrieve import Query
from knowledge.store.search import PostgresSearch
from knowledge.sync import sync
from knowledge.types import Audience, Hit, Reader

PASSAGES = 20_000
QUESTIONS = 40
BEST = 50
EVERY_CANDIDATE = 200
SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
# What the database is made to believe, so that it takes the one way or the other.
COMPARE, WALK = 0, 10_000_000


class NestedSource(MixedSource):
    """Lists the documents open to readers of every share that they belong to."""

    async def discover(self, stored: Mapping[str, str]) -> Listing:
        """List each document with the tags of the shares it is in."""
        dice = random.Random(1)
        entries = []
        for path, document in self.documents.items():
            place = dice.random()
            tags = [_tag(share) for share in SHARES if place < share]
            entries.append(Entry(path, document.revision, Audience.of(tags)))
        return Listing(entries)


def _tag(share: float) -> str:
    return f"share:{share}"


async def measure(config: Path, passages: int) -> None:
    """Fill the base, ask everything both ways, print."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(config.parent / "home")})
    async with open_desk(settings) as desk:
        pages = handbook()
        embedder = MixedEmbedder(desk.embedder)
        await embedder.learn(pages)
        await sync(NestedSource(pages, passages=passages), desk.base.documents, progress=unwatched)
        await complete_vectors(desk.base.vectors, embedder, progress=unwatched)
        asked = [await desk.retriever.query(text, language_of(text)) for text in questions(QUESTIONS)]
        space = await desk.base.vectors.open_space(desk.embedder.model, desk.embedder.dimension)
        index = PostgresSearch(desk.base.pool, space=space, fusion=settings.retrieval, sources=["bench"])
        rows = [await _row(desk, index, asked, share) for share in SHARES]
    print(f"{machine()}\n{passages:,} passages, {len(asked)} questions\n")
    print_table(["permitted", "compared, ms", "server CPU", "walked, ms", "server CPU", "recall@50 of the walk"], rows)


async def _row(desk: Desk, index: PostgresSearch, asked: list[Query], share: float) -> list[str | float]:
    reader = Reader(frozenset({_tag(share)}))
    exact, compared_ms, compared_cpu = await _ask(desk, index, asked, reader, COMPARE)
    walked, walked_ms, walked_cpu = await _ask(desk, index, asked, reader, WALK)
    recall = fmean(len(best & other) / max(1, len(best)) for best, other in zip(exact, walked, strict=True))
    async with desk.base.pool.connection() as connection:
        row = await (await connection.execute(_PERMITTED, {"tag": _tag(share)})).fetchone()
    permitted = f"{share:.1%} = {row[0] if row else 0:,}"
    return [permitted, compared_ms, compared_cpu, walked_ms, walked_cpu, f"{recall:.3f}"]


_PERMITTED = """
select count(*) from embedding join audience on audience.id = audience_id where %(tag)s = any(tags)
"""


async def _ask(
    desk: Desk, index: PostgresSearch, asked: list[Query], reader: Reader, believed: int
) -> tuple[list[set[int]], float, float]:
    """Return the nearest of each question, and the median milliseconds of wall and of server CPU."""
    async with desk.base.pool.connection() as connection:
        await connection.execute("update audience set passages = %s", [believed])
    found: list[set[int]] = []
    wall_ms, cpu_ms = [], []
    async with desk.base.pool.connection() as connection:
        process = connection.info.backend_pid
    for query in [asked[0], *asked]:
        cpu, wall = cpu_ms_of(process), time.perf_counter()
        hits = await index.search(query, reader=reader, limit=EVERY_CANDIDATE)
        wall_ms.append(1e3 * (time.perf_counter() - wall))
        cpu_ms.append(cpu_ms_of(process) - cpu)
        found.append(_nearest(hits))
    return found[1:], median(wall_ms[1:]), median(cpu_ms[1:])


def _nearest(hits: list[Hit]) -> set[int]:
    return {hit.passage_id for hit in hits if hit.signals.dense_rank and hit.signals.dense_rank <= BEST}


def main() -> None:
    """Build a home in a temporary folder, measure, remove it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int, nargs="?", default=PASSAGES)
    passages = parser.parse_args().passages
    with temporary_folder() as folder:
        config = folder_config(folder, path=".")
        asyncio.run(measure(config, passages))


if __name__ == "__main__":
    main()
