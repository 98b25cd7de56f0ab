"""Tests the answer verifier with true and wrong sentences, and prints what it accepts of each kind.

Run `python -m tests.quality.verification`: 2,000 pairs of a sentence and the passage that it cites in each language,
half of them wrong. `--across` takes sentence and passage from two languages; `--show "negation dropped"` prints the
pairs of a kind that were judged wrongly. Without the shared data it works on the pages that come with the tests.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bot.core.verify.check import Verifier
from knowledge.embedders.local import LocalSettings, build
from tests.quality.mutation_judged import Judged, RememberingEmbedder, by_column, judged, table, wrong
from tests.quality.mutation_lexicon import LANGUAGES
from tests.quality.mutation_pairs import MUTATED, TRUE, pairs_of
from tests.quality.mutation_parallel import MUTATED_ACROSS, SURE_ACROSS, TRUE_ACROSS, pairs_across, parallels
from tests.quality.mutation_places import corpus_of, parallel_corpus


def main() -> None:
    """Print the table, and the wrongly judged pairs of the kinds that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs in a language (default: %(default)s)")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this one; may be repeated")
    parser.add_argument("--across", action="store_true", help="sentence and passage in different languages")
    parser.add_argument("--seed", type=int, default=1, help="another sample (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="only the pages that come with the tests")
    parser.add_argument("--show", metavar="KIND", action="append", default=[], help='what went wrong; "all": of all')
    options = parser.parse_args()
    lines = asyncio.run(_across(options) if options.across else _within(options))
    sys.stdout.write("\n".join(lines) + "\n")


async def _within(options: argparse.Namespace) -> list[str]:
    results: dict[str, list[Judged]] = {}
    for language in options.language or LANGUAGES:
        pairs = pairs_of(corpus_of(language, small=options.small), count=options.pairs, seed=options.seed)
        results[language] = await judged(pairs, Verifier())
    return [*table(results, TRUE, MUTATED), *wrong(results, options.show)]


async def _across(options: argparse.Namespace) -> list[str]:
    """Share the pairs of a language out to the three others; the columns are the languages of the sentences."""
    corpora = {language: parallel_corpus(language, small=options.small) for language in LANGUAGES}
    results: dict[str, list[Judged]] = {}
    with tempfile.TemporaryDirectory() as home:
        async with build(LocalSettings(), home=Path(home)) as embedder:
            verifier = Verifier(embedder=RememberingEmbedder(embedder))
            for parallel in parallels(corpora):
                if not options.language or parallel.claimed.language in options.language:
                    pairs = pairs_across(parallel, count=options.pairs // 3, seed=options.seed)
                    name = f"{parallel.claimed.language} on {parallel.cited.language}"
                    results[name] = await judged(pairs, verifier)
    claimed: dict[str, list[Judged]] = {}
    for name, found in results.items():
        claimed.setdefault(name.partition(" ")[0], []).extend(found)
    shares = by_column(
        results, {"translations accepted": TRUE_ACROSS, "numbers, names, negations rejected": SURE_ACROSS}
    )
    return [*table(claimed, TRUE_ACROSS, MUTATED_ACROSS), "", *shares, *wrong(results, options.show)]


if __name__ == "__main__":
    main()
