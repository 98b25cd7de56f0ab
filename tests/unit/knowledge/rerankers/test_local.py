"""What makes a passage relevant without a cross-encoder."""

from dataclasses import replace

import numpy as np
import pytest

from knowledge.rerankers.local import FEATURES, LEXICAL_FEATURES, features, fixed_weights, lexical_features
from knowledge.types import Hit, Signals
from tests.fakes.evidence import hit


def found(document: str, passage_id: int, **signals: float | int) -> Hit:
    return replace(hit("", document=document, passage_id=passage_id), signals=Signals(**signals))  # type: ignore[arg-type]  # a table of fields


def column(name: str, *hits: Hit) -> list[float]:
    return [float(value) for value in features(hits)[:, FEATURES.index(name)]]


def test_a_vector_score_counts_above_the_level_of_its_language() -> None:
    hits = found("a", 1, dense=0.9, level=0.75), found("b", 2, dense=0.9, level=0.7)

    assert column("above_background", *hits) == pytest.approx([0.15, 0.2])


def test_the_margin_is_taken_over_other_documents_only() -> None:
    hits = found("a", 1, dense=0.9), found("a", 2, dense=0.88), found("b", 3, dense=0.8)

    assert column("margin", *hits) == pytest.approx([0.1, 0.08, -0.1])


def test_both_legs_agree_by_their_best() -> None:
    apart = [found("a", 1, dense_rank=1, dense=0.9), found("b", 2, lexical_rank=1)]
    together = [found("a", 1, dense_rank=1, lexical_rank=1), found("b", 2, dense_rank=2, lexical_rank=2)]

    assert column("agreement", *apart) == [0, 0]
    assert column("agreement", *together) == pytest.approx([1.4, 1.4])


def test_no_hits_have_no_features() -> None:
    assert lexical_features([]).size == features([]).size == 0


@pytest.mark.parametrize("model", ["full", "lexical"])
def test_the_weights_that_ship_fit_the_features_and_none_is_negative(model: str) -> None:
    logistic = getattr(fixed_weights(), model)

    assert logistic.features == (FEATURES if model == "full" else LEXICAL_FEATURES)
    assert min(logistic.weight) >= 0
    assert min(logistic.spread) > 0


@pytest.mark.parametrize("value", [-1e9, 0.0, 1e9])
def test_relevance_is_a_probability_whatever_was_measured(value: float) -> None:
    full = fixed_weights().full

    assert 0 <= full.relevance(np.full(len(FEATURES), value)) <= 1
