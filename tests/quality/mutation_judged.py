"""What the verifier found of the pairs, counted by kind."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.core.messages import Checks
from bot.core.verify.check import Verifier
from knowledge.embed import Embedder, Role, Vectors
from tests.quality.mutation_pairs import NUMBERS, Pair


@dataclass(frozen=True)
class Judged:
    """A pair and what the verifier found."""

    pair: Pair
    checks: Checks

    @property
    def is_right(self) -> bool:
        return self.checks.supported == self.pair.is_true


Results = Mapping[str, Sequence[Judged]]


async def judged(pairs: Iterable[Pair], verifier: Verifier) -> list[Judged]:
    """Ask the verifier about every pair."""
    return [Judged(pair, await verifier.check(pair.text, language=pair.language, cited=[pair.seen])) for pair in pairs]


class RememberingEmbedder:
    """Embeds a text only once: the same pieces are compared with many claims."""

    def __init__(self, embedder: Embedder) -> None:
        self.model, self.dimension = embedder.model, embedder.dimension
        self._embedder = embedder
        self._known: dict[tuple[str, Role], Vectors] = {}

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        new = sorted({text for text in texts if (text, role) not in self._known})
        for text, vector in zip(new, await self._embedder.embed(new, role=role), strict=True):
            self._known[text, role] = vector
        return np.stack([self._known[text, role] for text in texts])


def of_kinds(results: Iterable[Judged], kinds: Collection[str]) -> list[Judged]:
    """Return the results of these kinds."""
    return [result for result in results if result.pair.kind in kinds]


def share_right(results: Sequence[Judged]) -> float:
    """Return the share that was judged rightly; 1 where there is none."""
    return sum(result.is_right for result in results) / len(results) if results else 1.0


def table(results: Results, true: Collection[str], mutated: Collection[str]) -> list[str]:
    """Return a Markdown table: the share judged rightly of each kind in each column, and how many there were."""
    lines = [f"| kind | {' | '.join(results)} |", f"| --- |{' ---: |' * len(results)}"]
    for title, kinds in (("true, accepted", true), ("mutated, rejected", mutated)):
        lines.append(_row(f"**{title}**", kinds, results))
        if NUMBERS.keys() & set(kinds):
            lines.append(_row("**of these numbers**", NUMBERS, results))
        lines += [_row(kind, [kind], results) for kind in kinds]
    reworded = {name: [one for one in found if one.pair.is_reworded] for name, found in results.items()}
    return [*lines, _row("all mutated in other words", mutated, reworded)]


def by_column(results: Results, groups: Mapping[str, Collection[str]]) -> list[str]:
    """Return a Markdown table with a line for each column of results, and a cell for each group of kinds."""
    lines = [f"| | {' | '.join(groups)} |", f"| --- |{' ---: |' * len(groups)}"]
    for name, found in results.items():
        lines.append(f"| {name} | {' | '.join(_cell(found, kinds) for kinds in groups.values())} |")
    return lines


def _row(title: str, kinds: Collection[str], results: Results) -> str:
    return f"| {title} | {' | '.join(_cell(found, kinds) for found in results.values())} |"


def _cell(results: Sequence[Judged], kinds: Collection[str]) -> str:
    found = of_kinds(results, kinds)
    return f"{100 * share_right(found):.1f} ({len(found):,})" if found else "–"


def wrong(results: Results, kinds: Collection[str]) -> list[str]:
    """Return the wrongly judged pairs of these kinds, one paragraph each."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for name, found in results.items():
        for result in found:
            if not result.is_right and (result.pair.kind in kinds or "all" in kinds):
                by_kind[result.pair.kind].append(f"{name} {result.pair.place.page.name}\n{_described(result)}")
    return [line for kind, shown in by_kind.items() for line in (f"\n## {kind}", *shown)]


def _described(result: Judged) -> str:
    pair, checks = result.pair, result.checks
    found = f"support {checks.support:.2f} by {checks.method}, missing {checks.missing}, {checks.disagreement}"
    quoted = " ".join(pair.seen.pieces[index] for index in pair.seen.quoted)
    return f"  stands: {quoted}\n  said:   {pair.text}\n  found:  {found}\n"
