"""Fits the weights of the `local` relevance on labelled questions and writes them into the package.

    python -m bench.fit_relevance DATA_FOLDER [--work FOLDER] [--write]

DATA_FOLDER holds `eval/NAME.dev.jsonl` and the knowledge bases that they ask about (see SETS). Each knowledge base is
indexed by the project itself, in a home of its own, so the features are those that a deployment sees. Small knowledge
bases in mixed languages are drawn from the same data (see `bench/mixed_pools.py`): among few passages everything
stands out, and weights that saw only large ones trust too much. A candidate is right when it comes from a gold
document. Printed: how well each set's questions are told apart by weights that never saw any set of the same data
(area under the ROC curve, right against wrong best passage).
"""

import argparse
import asyncio
import datetime
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.mixed_pools import mixed_pools
from bot.compose import open_desk
from bot.settings import load_settings
from knowledge.embed import complete_vectors
from knowledge.evaluate.labelled import Labelled, read_labelled
from knowledge.evaluate.metrics import auroc
from knowledge.language import language_of
from knowledge.progress import unwatched
from knowledge.rerankers.local import FEATURES, LEXICAL_FEATURES, Logistic, Weights, features, lexical_features
from knowledge.retrieve import CANDIDATES_FOR_RERANK, Index, Query, Retriever
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.store.search import PostgresSearch
from knowledge.sync import sync
from knowledge.types import Hit, Reader

SETS = {
    "fastapi": "kb/fastapi",
    "vkcloud": "kb/vkcloud",
    "xquad-en": "eval/xquad/kb/en",
    "xquad-ru": "eval/xquad/kb/ru",
    "xquad-es": "eval/xquad/kb/es",
    "xquad-ru-on-en": "eval/xquad/kb/en",
    "xquad-es-on-en": "eval/xquad/kb/en",
    "rubq_ru": "eval/rubq_ru/kb",
    "mtragun": "eval/mtragun/kb",
}
PENALTY = 2.0
STEPS = 4_000

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """The first candidate of every question that found any: its features, and whether it is right.

    The decision is made on the first; weights learned from more candidates tell ranks apart instead.
    """

    x: Matrix
    right: NDArray[np.bool_]


def main() -> None:
    """Collect, fit, judge, and perhaps write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("/tmp/answerdesk-fit"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    collected = asyncio.run(_collect(options.data, options.work))
    full = {name: rows for name, (rows, _) in collected.items()}
    lexical = {name: rows for name, (_, rows) in collected.items()}
    _judge("full", full)
    _judge("words only", lexical)
    weights = Weights(
        fit=f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d} on {len(full)} sets",
        full=fit(full, FEATURES),
        lexical=fit(lexical, LEXICAL_FEATURES),
    )
    print(weights.model_dump_json(indent=1))
    if options.write:
        path = Path("knowledge/rerankers/local_weights.json")
        path.write_text(json.dumps(weights.model_dump(), indent=1) + "\n", encoding="utf-8")


async def _collect(data: Path, work: Path) -> dict[str, tuple[Rows, Rows]]:
    collected: dict[str, tuple[Rows, Rows]] = {}
    bases = [
        (data / folder, {name: data / f"eval/{name}.dev.jsonl" for name, used in SETS.items() if used == folder})
        for folder in dict.fromkeys(SETS.values())
    ]
    for folder, files in [*bases, *mixed_pools(data, work)]:
        config = work / "homes" / "-".join(folder.parts[-3:]) / "answerdesk.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("", encoding="utf-8")
        settings = load_settings(config, {"ANSWERDESK_HOME": str(config.parent / "home")})
        async with open_desk(settings) as desk:
            source = FolderSource(FolderSettings(name="kb", path=folder), root=folder)
            counts = await sync(source, desk.base.documents, progress=unwatched)
            embedded = await complete_vectors(desk.base.vectors, desk.embedder, progress=unwatched)
            print(f"{folder}: {counts.added} added, {embedded} embedded", flush=True)
            space = await desk.base.vectors.open_space(desk.embedder.model, desk.embedder.dimension)
            index = PostgresSearch(desk.base.pool, space=space, fusion=settings.retrieval, sources=["kb"])
            for name, file in files.items():
                # Without its history a follow-up cannot be understood, and teaches nothing.
                questions = [q for q in read_labelled(file) if not q.history]
                collected[name] = await _rows(questions, index, desk.retriever)
    return collected


async def _rows(questions: list[Labelled], index: Index, retriever: Retriever) -> tuple[Rows, Rows]:
    full: list[tuple[Matrix, list[bool]]] = []
    lexical: list[tuple[Matrix, list[bool]]] = []
    for labelled in questions:
        gold = {place.document for place in labelled.gold}
        query = await retriever.query(labelled.question, language_of(labelled.question))
        hits = await index.search(query, reader=Reader(), limit=CANDIDATES_FOR_RERANK)
        full.append((features(hits)[:1], _right(hits, gold)))
        words = Query(query.terms, query.language)
        hits = await index.search(words, reader=Reader(), limit=CANDIDATES_FOR_RERANK)
        lexical.append((lexical_features(hits)[:1], _right(hits, gold)))
    return _stacked(full), _stacked(lexical)


def _right(hits: list[Hit], gold: set[str]) -> list[bool]:
    return [hit.document in gold for hit in hits[:1]]


def _stacked(parts: list[tuple[Matrix, list[bool]]]) -> Rows:
    return Rows(np.vstack([x for x, _ in parts]), np.array([is_right for _, right in parts for is_right in right]))


def _judge(title: str, sets: dict[str, Rows]) -> None:
    print(f"\n{title}: area under the curve, trained on other data only; then, at each threshold, answered and wrong")
    for name, rows in sets.items():
        others = {other: r for other, r in sets.items() if _family(other) != _family(name)}
        model = fit(others, tuple(f"f{column}" for column in range(rows.x.shape[1])))
        scores = np.array([model.relevance(x) for x in rows.x])
        points = [
            f"{threshold:.2f}: {(scores >= threshold).mean():.2f}/{_share_wrong(scores, rows.right, threshold):.2f}"
            for threshold in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
        ]
        area = auroc(list(scores), list(rows.right))
        summary = f"n={len(scores):4} right={rows.right.mean():.2f} auroc={area or float('nan'):.3f}"
        print(f"{name:15} {summary}  {'  '.join(points)}")


def _family(name: str) -> str:
    """Return what a set was drawn from: weights are judged on data of which they saw no part."""
    return "xquad" if name.startswith(("xquad", "mixed")) else name


def _share_wrong(scores: Matrix, right: NDArray[np.bool_], threshold: float) -> float:
    answered = scores >= threshold
    return float((~right[answered]).mean()) if answered.any() else 0.0


def fit(sets: dict[str, Rows], names: tuple[str, ...]) -> Logistic:
    """Fit logistic weights, none negative, with an L2 penalty; every set counts by the square root of its size."""
    x = np.vstack([rows.x for rows in sets.values()])
    y = np.concatenate([rows.right for rows in sets.values()]).astype(np.float64)
    share = np.concatenate([np.full(len(rows.x), len(rows.x) ** -0.5) for rows in sets.values()])
    share /= share.mean()
    mean, spread = x.mean(axis=0), x.std(axis=0)
    weight, bias = _descend((x - mean) / spread, y, share)
    return Logistic(
        features=names,
        mean=_rounded(mean),
        spread=_rounded(spread),
        weight=_rounded(weight),
        bias=round(bias, 6),
    )


def _descend(x: Matrix, y: Matrix, share: Matrix) -> tuple[Matrix, float]:
    """Projected gradient descent on the weighted, penalised log loss (calibration: all weights stay >= 0)."""
    weight, bias = np.zeros(x.shape[1]), 0.0
    rate = 4.0 / (x.shape[1] + 1)
    for _ in range(STEPS):
        error = share * (1 / (1 + np.exp(-(x @ weight + bias))) - y)
        weight = np.maximum(weight - rate * (x.T @ error + PENALTY * weight) / len(y), 0.0)
        bias -= rate * error.mean()
    return weight, float(bias)


def _rounded(values: Matrix) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)


if __name__ == "__main__":
    main()
