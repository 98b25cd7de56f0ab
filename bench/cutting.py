"""Compares ways of cutting: what a search finds of the same documents, cut differently and embedded by the same model.

    python -m bench.cutting DATA_FOLDER [--home FOLDER] [--ways NAME …] [--sets NAME …]

DATA_FOLDER holds `eval/NAME.dev.jsonl` and the knowledge bases that they ask about. Every way is one row of `[cutting]`
(see WAYS); each knowledge base is synced and searched as a deployment does it, in one database, so that passages which
two ways have in common are embedded once. A question counts as found at the rank of the first passage of a gold
document; in brackets, at the rank of the first *section* of one, each section counted once: what a model reads.
"""

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.machine import machine, temporary_folder
from bot.compose import Base, Desk, configured_names, open_answering, open_base, open_embedder, open_source
from bot.cutting import open_cuttings
from bot.settings import load_settings
from knowledge.embed import Embedder, complete_vectors
from knowledge.evaluate.labelled import Labelled, Outcome, read_labelled
from knowledge.evaluate.metrics import figures
from knowledge.progress import unwatched
from knowledge.store.sections import PostgresSections
from knowledge.sync import sync
from knowledge.types import Evidence, Reader

SETS = {
    "fastapi": "kb/fastapi",
    "vkcloud": "kb/vkcloud",
    "mtragun": "eval/mtragun/kb",
    "xquad-en": "eval/xquad/kb/en",
    "xquad-ru": "eval/xquad/kb/ru",
    "xquad-es": "eval/xquad/kb/es",
}
WAYS = {
    "headings": "context_line = false\nprose = {strategy = 'headings'}",
    "headings + context line": "prose = {strategy = 'headings'}",
    "recursive": "context_line = false\nprose = {strategy = 'recursive'}",
    "recursive + context line": "prose = {strategy = 'recursive'}",
    "semantic": "context_line = false\nprose = {strategy = 'semantic'}",
    "semantic + context line": "prose = {strategy = 'semantic'}",
    "headings-1200 + context line": "prose = {strategy = 'headings', max_characters = 1200}",
    "headings-400 + context line": "prose = {strategy = 'headings', max_characters = 400}",
    "headings-200 + context line": "prose = {strategy = 'headings', max_characters = 200}",
}
FIGURES = ("recall@1", "recall@5", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Row:
    """What one way of cutting one set gave: figures by passage and by section, passages and characters of one."""

    way: str
    by_passage: dict[str, float]
    by_section: dict[str, float]
    passages_a_document: float
    characters: float


def main() -> None:
    """Measure every way on every set and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--home", type=Path, help="keep vectors here for the next run")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        home = asked.home or stack.enter_context(temporary_folder())
        print(machine())
        for name in asked.sets:
            rows = [asyncio.run(measure(asked.data.absolute(), home.absolute(), name, way)) for way in asked.ways]
            show(name, rows)


async def measure(data: Path, home: Path, name: str, way: str) -> Row:
    """Sync one knowledge base, cut one way, and ask its questions."""
    source = f"{name}, {way}"
    config = home / "bench-cutting.toml"
    config.write_text(
        f'[[sources]]\nname = "{source}"\nkind = "folder"\npath = "{data / SETS[name]}"\n[cutting]\n{WAYS[way]}\n'
    )
    questions = [one for one in read_labelled(data / "eval" / f"{name}.dev.jsonl") if one.answerable]
    async with opened(config, home) as (desk, embedder):
        await brought_in_step(desk.base, embedder)
        found = [await ranks(desk, labelled) for labelled in questions]
        documents, passages, characters = await counted(desk.base, source)
    by_passage, by_section = (
        figures([outcome(one, rank[place]) for one, rank in zip(questions, found, strict=True)]) for place in (0, 1)
    )
    return Row(way, told(by_passage), told(by_section), passages / documents, characters / passages)


@contextlib.asynccontextmanager
async def opened(config: Path, home: Path) -> AsyncIterator[tuple[Desk, Embedder]]:
    """Open everything over one database."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(home)})
    async with open_embedder(settings) as embedder, open_base(settings) as base, open_answering(base, embedder) as desk:
        yield desk, embedder


async def brought_in_step(base: Base, embedder: Embedder) -> None:
    """Sync the one source and complete its vectors."""
    (chosen,) = base.settings.sources
    async with open_source(base.settings, chosen) as source, open_cuttings(base.settings, embedder) as cuttings:
        counts = await sync(source, base.documents, progress=unwatched, cutting=cuttings[source.name])
    await complete_vectors(base.vectors, embedder, progress=unwatched)
    assert not counts.failed, counts.failures


async def ranks(desk: Desk, labelled: Labelled) -> tuple[int | None, int | None]:
    """Return the ranks at which a gold document is first found, among passages and among sections."""
    retrieved = await desk.retriever.retrieve(labelled.question, reader=Reader())
    gold = {place.document for place in labelled.gold}
    sections = PostgresSections(desk.base.pool, sources=configured_names(desk.base.settings))
    wide = await sections.widened(retrieved.evidence, Reader())
    return rank_of(retrieved.evidence, gold), rank_of(wide, gold)


def rank_of(evidence: Sequence[Evidence], gold: set[str]) -> int | None:
    """Return the rank, from 1, of the first piece of a gold document."""
    return next((rank for rank, piece in enumerate(evidence, 1) if piece.hit.document in gold), None)


def outcome(labelled: Labelled, rank: int | None) -> Outcome:
    """Return what a search alone tells of a question."""
    return Outcome(
        id=labelled.id,
        language=labelled.language,
        answerable=True,
        has_quote=False,
        found_rank=rank,
        quote_rank=None,
        score=None,
        is_right=rank == 1,
        answered=False,
    )


def told(found: dict[str, float | int | None]) -> dict[str, float]:
    """Return the figures of the table."""
    return {name: float(found[name] or 0) for name in FIGURES}


async def counted(base: Base, source: str) -> tuple[int, int, int]:
    """Return the documents and passages of a source, and the characters of its passages."""
    async with base.pool.connection() as connection:
        row = await (await connection.execute(_COUNTED, {"source": source})).fetchone()
    assert row is not None, "an aggregate returns a row"
    return int(row[0]), int(row[1]), int(row[2])


_COUNTED = """
select count(distinct document.id), count(passage.id), coalesce(sum(length(passage.text)), 0)
from source join document on document.source_id = source.id left join passage on passage.document_id = document.id
where source.name = %(source)s
"""


def show(name: str, rows: Sequence[Row]) -> None:
    """Print one set's table."""
    print(f"\n{name}\n| way | {' | '.join(FIGURES)} | passages a document | characters |\n|---|" + "---|" * 5)
    for row in rows:
        cells = [f"{row.by_passage[figure]:.3f} ({row.by_section[figure]:.3f})" for figure in FIGURES]
        print(f"| {row.way} | {' | '.join(cells)} | {row.passages_a_document:.1f} | {row.characters:.0f} |", flush=True)


if __name__ == "__main__":
    main()
