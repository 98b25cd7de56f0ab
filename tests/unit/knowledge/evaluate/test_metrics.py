"""Figures that were worked out by hand."""

from dataclasses import replace
from math import log2

import pytest

from knowledge.evaluate.labelled import Outcome
from knowledge.evaluate.metrics import auroc, figures, report

MISS = Outcome(
    id="",
    language="en",
    answerable=True,
    has_quote=False,
    found_rank=None,
    quote_rank=None,
    score=None,
    is_right=False,
    answered=False,
)


def ranked(*ranks: int | None) -> dict[str, float | int | None]:
    return figures([replace(MISS, id=str(number), found_rank=rank) for number, rank in enumerate(ranks)])


@pytest.mark.parametrize(
    ("rank", "expected"),
    [
        (1, (1, 1, 1, 1, 1)),
        (2, (0, 1, 1, 1 / 2, 1 / log2(3))),
        (5, (0, 1, 1, 1 / 5, 1 / log2(6))),
        (10, (0, 0, 1, 1 / 10, 1 / log2(11))),
        (11, (0, 0, 0, 0, 0)),
        (None, (0, 0, 0, 0, 0)),
    ],
)
def test_a_find_counts_by_its_rank(rank: int | None, expected: tuple[float, ...]) -> None:
    found = ranked(rank)

    assert [found[name] for name in ("recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10")] == pytest.approx(
        expected
    )


def test_figures_are_means_over_the_questions() -> None:
    found = ranked(1, 2, 4, None)

    assert found["recall@1"] == pytest.approx(1 / 4)
    assert found["recall@5"] == pytest.approx(3 / 4)
    assert found["mrr@10"] == pytest.approx((1 + 1 / 2 + 1 / 4) / 4)
    assert found["ndcg@10"] == pytest.approx((1 + 1 / log2(3) + 1 / log2(5)) / 4)


def test_unanswerable_questions_count_for_no_ranking() -> None:
    outcomes = [replace(MISS, id="a", found_rank=1), replace(MISS, id="b", answerable=False)]

    assert figures(outcomes)["recall@1"] == 1


@pytest.mark.parametrize(
    ("scores", "is_right", "expected"),
    [
        ([0.9, 0.1], [True, False], 1.0),
        ([0.1, 0.9], [True, False], 0.0),
        ([0.5, 0.5], [True, False], 0.5),
        ([0.8, 0.8, 0.2, 0.8], [True, False, False, True], 3 / 4),
        ([0.9, 0.4, 0.6, 0.2], [True, True, False, False], 3 / 4),
        ([0.9, 0.1], [True, True], None),
        ([], [], None),
    ],
)
def test_auroc_is_the_chance_that_right_scores_above_wrong(
    scores: list[float], is_right: list[bool], expected: float | None
) -> None:
    assert auroc(scores, is_right) == (None if expected is None else pytest.approx(expected))


def test_replies_are_judged_by_their_citations() -> None:
    right = replace(MISS, id="right", answered=True, citations=((True, True), (True, False)), contains_answer=True)
    wrong = replace(MISS, id="wrong", answered=True, citations=((False, False),), contains_answer=False)
    made_up = replace(MISS, id="made up", answerable=False, answered=True, citations=((True, False),))
    silent = replace(MISS, id="silent", answerable=False)

    found = figures([right, wrong, made_up, silent])

    assert found["answered_share"] == pytest.approx(3 / 4)
    assert found["wrong_reply_share"] == pytest.approx(2 / 4)
    assert found["false_answer_share"] == pytest.approx(1 / 2)
    assert found["citation_validity"] == pytest.approx(3 / 4)
    assert found["citation_recall"] == pytest.approx(1 / 2)
    assert found["citation_precision"] == pytest.approx(1 / 3)
    assert found["contains_answer"] == pytest.approx(1 / 2)


def test_latency_is_told_by_percentiles() -> None:
    found = figures([replace(MISS, id=str(ms), latency_ms=float(ms)) for ms in range(101)])

    assert (found["latency_p50_ms"], found["latency_p95_ms"]) == (50, 95)


def test_what_is_undefined_is_none() -> None:
    found = figures([])

    assert {name for name, value in found.items() if value is not None} == {"questions", "answerable"}


def test_a_report_has_every_language() -> None:
    found = report([replace(MISS, id="a"), replace(MISS, id="b", language="uk", found_rank=1)])

    assert found["languages"] == {
        "en": figures([replace(MISS, id="a")]),
        "uk": figures([replace(MISS, id="b", language="uk", found_rank=1)]),
    }
