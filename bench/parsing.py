"""Measures reading and cutting, without embedding and without a database.

Run `python -m bench.parsing FOLDER`, for instance over the FastAPI documentation in four languages. Compared, in the
same run and in CPU seconds of one thread, with what only parses the same files: markdown-it-py with tables, from which
no passage comes yet. The process ends with 1 when a promise does not hold.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from markdown_it import MarkdownIt

from bench.machine import machine, print_table, verdict
from knowledge.language import language_of
from knowledge.parse.formats import format_of, parser_of
from knowledge.prepare import Cutting
from knowledge.sources.formats import media_type
from knowledge.types import Document

ROUNDS = 3
LEAST_DOCUMENTS_A_SECOND = 300


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    documents = read(parser.parse_args().folder)
    ours = fastest(lambda: sum(map(passages, documents)))
    bare = MarkdownIt("commonmark").enable("table")
    floor = fastest(lambda: sum(len(bare.parse(document.text)) for document in documents))
    characters = sum(len(document.text) for document in documents)
    print(f"{machine()}\n{len(documents)} documents, {characters / 1e6:.2f} million characters\n")
    rows = [
        (name, f"{len(documents) / seconds:.0f}", f"{characters / seconds / 1e6:.2f}", f"{seconds / floor:.2f}")
        for name, seconds in (("read, cut, sections", ours), ("markdown-it-py, parse only", floor))
    ]
    print_table(["one thread, CPU time", "documents/s", "million characters/s", "of the bare parser"], rows)
    rate = len(documents) / ours
    sys.exit(0 if verdict(f"{LEAST_DOCUMENTS_A_SECOND} documents/s", held=rate >= LEAST_DOCUMENTS_A_SECOND) else 1)


def read(folder: Path) -> Sequence[Document]:
    """Return the Markdown files below a folder."""
    paths = sorted(folder.rglob("*.md"))
    if not paths:
        sys.exit(f"{folder} holds no Markdown file; name a folder of documentation")
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    return [
        Document("bench", name, path.read_text(encoding="utf-8"), "1", media_type=media_type(name))
        for path, name in names.items()
    ]


def passages(document: Document) -> int:
    """Read and cut one document, as a sync does by default, and return its passages and sections."""
    parsed = parser_of(document.media_type)(document)
    language = language_of(parsed.text[:2_000])
    kind = format_of(document.media_type).kind
    found, sections = Cutting().passages(parsed, kind, title=document.path, language=language)
    return len(found) + len(sections)


def fastest(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest of some rounds, after one that only warms up."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times[1:])


if __name__ == "__main__":
    main()
