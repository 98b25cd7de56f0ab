"""Plays every attack of a folder against a desk with an obedient model, and prints what got out.

Run `python -m tests.quality.containment --attacks FOLDER`: each attack in a place of a page, in both ways to cite, as
a question, and without a model; then the strings that break programs. It ends with 1 when anything got out.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from bot.tables import AnswerSettings
from knowledge.store.embedded import acquire
from knowledge.store.migrate import migrate
from tests.conftest import new_home
from tests.databases import fresh_database
from tests.quality.containment_attacks import SAMPLE, attacks, naughty
from tests.quality.containment_desk import Field, in_own_words, sow
from tests.quality.containment_pages import of_any_text, planted
from tests.quality.containment_run import Tally, ask_all, ask_in_own_words, attack_pages, attack_questions

SHOWN = 40
STRINGS_A_PAGE = 5
MODES = ("citations", "numbered")
CAREFUL = AnswerSettings().threshold


def main() -> None:
    """Run all parts, print a line each, then what got out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attacks", type=Path, default=SAMPLE, help="a folder of attacks (default: the small sample)")
    parser.add_argument("--part", action="append", choices=list(_PARTS), help="only this part; may be repeated")
    parser.add_argument("--items", type=int, help="how many forms the model writes an answer (default: all that fit)")
    options = parser.parse_args()
    breaches = 0
    for name in options.part or _PARTS:
        for mode in MODES if name in ("pages", "questions", "careful") else ("",):
            with _land() as land:
                started = time.monotonic()
                tally = asyncio.run(_PARTS[name](land, mode, options))
                _tell(f"{name} {mode}: {tally} ({time.monotonic() - started:.0f} s)")
                for question, breach in tally.breaches[:SHOWN]:
                    _tell(f"   {breach.place}: {breach.rule}: {breach.excerpt!r} <- {question[:80]!r}")
                breaches += len(tally.breaches)
    sys.exit(1 if breaches else 0)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def _pages(land: Field, mode: str, options: argparse.Namespace) -> Tally:
    pages = planted([attack for attack in attacks(options.attacks) if attack.is_document])
    await sow(land, pages)
    return await attack_pages(pages, land, mode, items=options.items)


async def _questions(land: Field, mode: str, options: argparse.Namespace) -> Tally:
    await sow(land, planted(attacks(SAMPLE), ["paragraph"]))
    texts = [attack.text for attack in attacks(options.attacks) if attack.is_message]
    return await attack_questions(texts, land, mode, items=options.items)


async def _careful(land: Field, mode: str, options: argparse.Namespace) -> Tally:
    await sow(land, planted(attacks(SAMPLE), ["paragraph"]))
    texts = [attack.text for attack in attacks(options.attacks) if attack.is_message]
    return await attack_questions(texts, land, mode, threshold=CAREFUL, items=options.items)


async def _own_words(land: Field, _: str, options: argparse.Namespace) -> Tally:
    pages = planted([attack for attack in attacks(options.attacks) if attack.is_document])
    await sow(land, pages)
    return await ask_in_own_words(pages, land)


async def _strings(land: Field, _: str, options: argparse.Namespace) -> Tally:
    strings = naughty(options.attacks)
    pages = list(of_any_text(strings, STRINGS_A_PAGE))
    await sow(land, pages)
    tally = Tally()
    async with in_own_words(land) as desk:
        await ask_all(desk, [*strings, *(page.question for page in pages)], land, tally)
    return tally


async def _strings_to_a_model(land: Field, _: str, options: argparse.Namespace) -> Tally:
    strings = naughty(options.attacks)
    pages = list(of_any_text(strings, STRINGS_A_PAGE))
    await sow(land, pages)
    questions = [*strings, *(page.question for page in pages)]
    return await attack_questions(questions, land, "citations", items=options.items)


_PARTS: Mapping[str, Callable[[Field, str, argparse.Namespace], Coroutine[None, None, Tally]]] = {
    "pages": _pages,
    "questions": _questions,
    "careful": _careful,
    "own_words": _own_words,
    "strings": _strings,
    "strings_to_a_model": _strings_to_a_model,
}


@contextmanager
def _land() -> Iterator[Field]:
    with new_home() as home, tempfile.TemporaryDirectory() as folder:
        lease = acquire(home)
        with fresh_database(lease.conninfo) as template:
            asyncio.run(migrate(template))
            name = str(conninfo_to_dict(template)["dbname"])
            with fresh_database(lease.conninfo, template=name) as database_url:
                yield Field(Path(folder), home, database_url)
        lease.release()


if __name__ == "__main__":
    main()
