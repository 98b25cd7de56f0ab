"""Measures how questions are grouped: time, and agreement with people's labels, against scikit-learn in the same run.

Run `python -m bench.clusters [FOLDER]`: the folder with `banking77/questions.dev.jsonl`, `clinc_oos/…` and `xquad/…`
(default `../shared/data`). Agreement is adjusted mutual information (AMI): 0 for chance, 1 for the same groups. Nobody
is told the number of groups but where it says so. What the others need as a setting is chosen on the first half of the
intents, as our constants were (the other half was looked at, too); all of them get the vectors that our own comparison
is made on.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_mutual_info_score

from bench.machine import machine, print_table, temporary_folder, verdict
from knowledge.background import Background
from knowledge.clusters import cluster
from knowledge.embed import Embedder, Vectors
from knowledge.embedders.local import LocalSettings, build

DATA = Path(__file__).parents[2] / "shared" / "data"
LANGUAGES = ("en", "ru", "es")
QUESTIONS, WITHIN_S, AMI_FLOOR = 2_000, 20.0, 0.70
THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
LEAST_SIZES = (2, 3, 5, 10)
XQUAD_QUESTIONS = (30, 100, 250, 793)
SIZES = (2_000, 5_000, 10_000, 20_000)
NOISE = 0.02
SEED = 7


@dataclass(frozen=True)
class Labelled:
    """Questions with their vectors, languages, and what groups people would make of them."""

    vectors: Vectors
    languages: list[str]
    labels: list[str]

    def where(self, chosen: Iterable[bool]) -> "Labelled":
        """Return some of them."""
        rows = [row for row, is_chosen in enumerate(chosen) if is_chosen]
        return Labelled(self.vectors[rows], [self.languages[row] for row in rows], [self.labels[row] for row in rows])


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    asyncio.run(measure(parser.parse_args().folder))


async def measure(data: Path) -> None:
    """Embed, group, compare."""
    print(machine(), "\n")
    with temporary_folder() as folder:
        async with build(LocalSettings(), home=folder / "home") as embedder:
            await embedder.embed([], role="query")
            background = {name: await Background(embedder, home=folder / "home").vectors(name) for name in LANGUAGES}
            start = time.perf_counter()
            banking = await labelled(embedder, rows(data / "banking77" / "questions.dev.jsonl"), "intent")
            embedded_s = (time.perf_counter() - start) / len(banking.labels) * QUESTIONS
            far = await labelled(embedder, rows(data / "clinc_oos" / "questions.dev.jsonl"), "id")
            spoken = [row for row in rows(data / "xquad" / "questions.dev.jsonl") if row["lang"] in LANGUAGES]
            xquad = await labelled(embedder, spoken, "id")
    banking77(banking, background, embedded_s)
    among_others(banking, far, background)
    across_languages(xquad, [row["pid"] for row in spoken], background)
    growth(xquad, background)


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def labelled(embedder: Embedder, found: Sequence[dict[str, Any]], label: str) -> Labelled:
    """Embed questions."""
    vectors = await embedder.embed([row["question"] for row in found], role="query")
    return Labelled(vectors, [row["lang"] for row in found], [str(row[label]) for row in found])


def banking77(questions: Labelled, background: dict[str, Vectors], embedded_s: float) -> None:
    """Compare methods on all intents, and on the half that nothing was chosen on."""
    intents = np.array(sorted(set(questions.labels)))
    first = set(np.random.RandomState(SEED).permutation(intents)[: len(intents) // 2])
    halves = [questions.where((one in first) == is_first for one in questions.labels) for is_first in (True, False)]
    ours = "ours"
    tried: dict[str, Callable[[Labelled], Sequence[int]]] = {ours: lambda some: grouped(some, background)}
    tried |= best_of(
        "average linkage",
        {
            f"cut {cut}": AgglomerativeClustering(None, metric="cosine", linkage="average", distance_threshold=cut)
            for cut in THRESHOLDS
        },
        halves[0],
    )
    tried |= best_of(
        "HDBSCAN", {f"from {least}": HDBSCAN(min_cluster_size=least, copy=True) for least in LEAST_SIZES}, halves[0]
    )
    tried["k-means, told k"] = lambda some: KMeans(len(set(some.labels)), n_init=4, random_state=0).fit_predict(
        unit(some)
    )
    tried["average linkage, told k"] = lambda some: AgglomerativeClustering(
        len(set(some.labels)), metric="cosine", linkage="average"
    ).fit_predict(unit(some))
    tried["Ward, told k"] = lambda some: AgglomerativeClustering(len(set(some.labels))).fit_predict(unit(some))
    table: list[list[str | float]] = []
    results = {}
    for name, method in tried.items():
        start = time.perf_counter()
        groups = method(questions)
        seconds = time.perf_counter() - start
        results[name] = agreement(questions, groups), seconds
        told = [agreement(half, method(half)) for half in halves]
        table.append([name, results[name][0], *told, str(len(set(groups))), seconds])
    print(
        f"BANKING77, {len(questions.labels)} questions, {len(intents)} intents;"
        " AMI of all, and of two halves of the intents"
    )
    print_table(["", "all", "chosen on", "held out", "groups", "s"], table)
    ami, seconds = results[ours]
    verdict(f"AMI {ami:.3f} >= {AMI_FLOOR:.2f} without the number of groups", held=ami >= AMI_FLOOR)
    whole_s = embedded_s + seconds
    verdict(
        f"{QUESTIONS} questions embedded ({embedded_s:.1f} s) and grouped in {whole_s:.1f} s < {WITHIN_S:.0f} s",
        held=whole_s < WITHIN_S,
    )
    print()


def best_of(name: str, models: dict[str, Any], half: Labelled) -> dict[str, Callable[[Labelled], Sequence[int]]]:
    """Return the model that agrees best on a half, under its name and setting."""
    scores = {setting: agreement(half, alone(model.fit_predict(unit(half)))) for setting, model in models.items()}
    setting = max(scores, key=lambda one: scores[one])
    return {f"{name}, {setting}": lambda some: alone(models[setting].fit_predict(unit(some)))}


def among_others(banking: Labelled, far: Labelled, background: dict[str, Vectors]) -> None:
    """Tell what becomes of questions about anything among those of BANKING77: each is a gap of its own."""
    both = Labelled(
        np.concatenate([banking.vectors, far.vectors]), banking.languages + far.languages, banking.labels + far.labels
    )
    groups = np.array(grouped(both, background))
    strangers = set(groups[: len(banking.labels)]) & set(groups[len(banking.labels) :])
    mixed = sum(int(group in strangers) for group in groups[len(banking.labels) :])
    print(f"with {len(far.labels)} questions about anything (CLINC out of scope):", end=" ")
    print(f"AMI {agreement(both, groups.tolist()):.3f};")
    print(f"{mixed} of those share a group with a question about banking\n")


def across_languages(xquad: Labelled, passages: Sequence[str], background: dict[str, Vectors]) -> None:
    """Tell how often one question in three languages comes to one group, and what else is there."""
    names = list(np.random.RandomState(SEED).permutation(sorted(set(xquad.labels))))
    table: list[list[str | float]] = []
    for count in XQUAD_QUESTIONS:
        chosen = set(names[:count])
        is_chosen = [label in chosen for label in xquad.labels]
        some, about = xquad.where(is_chosen), np.array(passages)[is_chosen]
        groups, labels, spoken = np.array(grouped(some, background)), np.array(some.labels), np.array(some.languages)
        together = groups[:, None] == groups[None]
        pairs = (labels[:, None] == labels[None]) & (spoken[:, None] != spoken[None])
        whole = np.mean([len(set(groups[labels == label])) == 1 for label in chosen])
        others = together & ~np.eye(len(groups), dtype=bool)
        same_page = float((others & (about[:, None] == about[None])).sum() / others.sum())
        table.append(
            [
                f"{count} questions x {len(LANGUAGES)}",
                float(together[pairs].mean()),
                float(whole),
                agreement(some, groups.tolist()),
                same_page,
                str(len(set(groups.tolist()))),
            ]
        )
    print(f"XQuAD in {', '.join(LANGUAGES)}: share of pairs and of triples together; AMI;", end=" ")
    print("share of pairs in a group that are about one passage")
    print_table(["", "pairs", "triples", "AMI", "one passage", "groups"], table)


def growth(xquad: Labelled, background: dict[str, Vectors]) -> None:
    """Tell how time grows; rows are copied with noise where there are too few."""
    random = np.random.RandomState(SEED)
    table: list[list[str | float]] = []
    for size in SIZES:
        at = np.arange(size) % len(xquad.labels)
        vectors = xquad.vectors[at] + random.normal(size=(size, xquad.vectors.shape[1])).astype(np.float32) * NOISE
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        start = time.perf_counter()
        cluster(vectors, [xquad.languages[row] for row in at], background)
        table.append([f"{size:,} vectors", time.perf_counter() - start])
    print("Grouping alone")
    print_table(["", "s"], table)


def grouped(some: Labelled, background: dict[str, Vectors]) -> list[int]:
    """Return the group of each question, as we make them."""
    groups = [0] * len(some.labels)
    for number, members in enumerate(cluster(some.vectors, some.languages, background)):
        for row in members:
            groups[row] = number
    return groups


def unit(some: Labelled) -> Vectors:
    """Return the vectors less what is common to all, without the direction in which they differ most."""
    centred = some.vectors - some.vectors.mean(axis=0)
    widest = np.linalg.svd(centred, full_matrices=False)[2][:1]
    narrowed = centred - centred @ widest.T @ widest
    return np.asarray(narrowed / np.linalg.norm(narrowed, axis=1, keepdims=True), np.float32)


def alone(groups: Sequence[int]) -> list[int]:
    """Return groups with each question that was left out (-1) in one of its own."""
    return [group if group >= 0 else -2 - row for row, group in enumerate(groups)]


def agreement(some: Labelled, groups: Sequence[int]) -> float:
    """Return the adjusted mutual information with people's labels."""
    return float(adjusted_mutual_info_score(some.labels, list(groups)))


if __name__ == "__main__":
    main()
