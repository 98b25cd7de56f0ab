"""Compares ways of cutting: what a search finds of the same documents, cut differently and embedded by the same model.

    python -m bench.cutting DATA_FOLDER [--home FOLDER] [--ways NAME …] [--sets NAME …]

DATA_FOLDER holds `eval/NAME.dev.jsonl` and the knowledge bases that they ask about. Every way is one row of `[cutting]`
(see WAYS); each knowledge base is synced and searched as a deployment does it, in a database of its own, for the
statistics of words are those of a database. Vectors are remembered from run to run. A question counts as found at the
rank of the first passage of a gold document; in brackets, at the rank of the first *section* of one, each section
counted once: what a model reads.
"""

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from bench.machine import machine, temporary_folder
from bot.compose import Base, Desk, configured_names, open_answering, open_base, open_embedder, open_source
from bot.cutting import open_cuttings
from bot.settings import load_settings
from knowledge.embed import CountsTokens, Embedder, Role, Vectors, complete_vectors
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
    questions = [one for one in read_labelled(data / "eval" / f"{name}.dev.jsonl") if one.answerable]
    with temporary_folder() as folder:
        config = folder / "answerdesk.toml"
        config.write_text(
            f'[[sources]]\nname = "bench"\nkind = "folder"\npath = "{data / SETS[name]}"\n[cutting]\n{WAYS[way]}\n'
        )
        async with opened(config, folder / "home", home / "vectors.npz") as (desk, embedder):
            await brought_in_step(desk.base, embedder)
            found = [await ranks(desk, labelled) for labelled in questions]
            documents, passages, characters = await counted(desk.base)
    by_passage, by_section = (
        figures([outcome(one, rank[place]) for one, rank in zip(questions, found, strict=True)]) for place in (0, 1)
    )
    return Row(way, told(by_passage), told(by_section), passages / documents, characters / passages)


@contextlib.asynccontextmanager
async def opened(config: Path, home: Path, vectors: Path) -> AsyncIterator[tuple[Desk, Embedder]]:
    """Open everything over a new database."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(home)})
    async with open_embedder(settings) as bare, open_base(settings) as base:
        with remembering(bare, vectors) as embedder:
            async with open_answering(base, embedder) as desk:
                yield desk, embedder


class Remembering:
    """An embedder that embeds each passage once, whichever way it was cut."""

    def __init__(self, embedder: Embedder, known: dict[bytes, Vectors]) -> None:
        assert isinstance(embedder, CountsTokens), "the ways are compared in the model's own tokens"
        self.model, self.dimension, self.count_tokens = embedder.model, embedder.dimension, embedder.count_tokens
        self.known = known
        self._embedder = embedder

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Return vectors, embedding only what is new."""
        if role == "query" or not texts:
            return await self._embedder.embed(texts, role=role)
        keys = [sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        new = [number for number, key in enumerate(keys) if key not in self.known]
        for number, vector in zip(new, await self._embedder.embed([texts[n] for n in new], role=role), strict=True):
            self.known[keys[number]] = vector
        return np.stack([self.known[key] for key in keys])


@contextlib.contextmanager
def remembering(embedder: Embedder, file: Path) -> Iterator[Remembering]:
    """Read the vectors of earlier runs, and write those of this one."""
    known: dict[bytes, Vectors] = {}
    if file.exists():
        with np.load(file) as stored:
            known = {key.tobytes(): vector for key, vector in zip(stored["keys"], stored["vectors"], strict=True)}
    before = len(known)
    remembered = Remembering(embedder, known)
    yield remembered
    if len(known) > before:
        keys = np.frombuffer(b"".join(known), np.uint8).reshape(-1, 32)
        np.savez(file, keys=keys, vectors=np.stack(list(known.values())))


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


async def counted(base: Base) -> tuple[int, int, int]:
    """Return the documents and passages that are stored, and the characters of the passages."""
    async with base.pool.connection() as connection:
        row = await (await connection.execute(_COUNTED)).fetchone()
    assert row is not None, "an aggregate returns a row"
    return int(row[0]), int(row[1]), int(row[2])


_COUNTED = """
select count(distinct document.id), count(passage.id), coalesce(sum(length(passage.text)), 0)
from document left join passage on passage.document_id = document.id
"""


def show(name: str, rows: Sequence[Row]) -> None:
    """Print one set's table."""
    print(f"\n{name}\n| way | {' | '.join(FIGURES)} | passages a document | characters |\n|---|" + "---|" * 5)
    for row in rows:
        cells = [f"{row.by_passage[figure]:.3f} ({row.by_section[figure]:.3f})" for figure in FIGURES]
        print(f"| {row.way} | {' | '.join(cells)} | {row.passages_a_document:.1f} | {row.characters:.0f} |", flush=True)


if __name__ == "__main__":
    main()
