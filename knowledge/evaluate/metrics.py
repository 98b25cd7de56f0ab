"""Figures over labelled questions: retrieval, answers, and how well the score tells right from wrong.

A question counts as found at the rank of the first passage that comes from any of its gold documents: they are
alternatives, one is enough. Undefined figures (no question of that kind) are None, never 0 or 1.
"""

from collections.abc import Mapping, Sequence

import ir_measures
import numpy as np

from knowledge.evaluate.labelled import Outcome

RANKING = {
    "recall@1": ir_measures.parse_measure("Success@1"),
    "recall@5": ir_measures.parse_measure("Success@5"),
    "recall@10": ir_measures.parse_measure("Success@10"),
    "mrr@10": ir_measures.parse_measure("RR@10"),
    "ndcg@10": ir_measures.parse_measure("nDCG@10"),
}
_GOLD = "gold"


def report(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return all figures, overall and by language."""
    languages = sorted({outcome.language for outcome in outcomes})
    return {
        "overall": figures(outcomes),
        "languages": {
            language: figures([outcome for outcome in outcomes if outcome.language == language])
            for language in languages
        },
    }


def figures(outcomes: Sequence[Outcome]) -> dict[str, float | int | None]:
    """Return every figure over these questions."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    unanswerable = [outcome for outcome in outcomes if not outcome.answerable]
    answered = [outcome for outcome in outcomes if outcome.answered]
    citations = [citation for outcome in answered for citation in outcome.citations]
    on_gold = [outcome for outcome in answered if outcome.answerable]
    quotable = [outcome for outcome in answerable if outcome.has_quote]
    return {
        "questions": len(outcomes),
        "answerable": len(answerable),
        **_ranking({outcome.id: outcome.found_rank for outcome in answerable}),
        "quote_recall@5": _share([(outcome.quote_rank or 99) <= 5 for outcome in quotable]),
        "answered_share": _share([outcome.answered for outcome in outcomes]),
        "wrong_reply_share": _share([outcome.answered and not _is_right_reply(outcome) for outcome in outcomes]),
        "false_answer_share": _share([outcome.answered for outcome in unanswerable]),
        "citation_validity": _share([is_valid for is_valid, _ in citations]),
        "citation_recall": _share([any(gold for _, gold in outcome.citations) for outcome in on_gold]),
        "citation_precision": _share([gold for outcome in on_gold for _, gold in outcome.citations]),
        "sentence_support": _share([is_supported for outcome in answered for is_supported in outcome.sentences]),
        "contains_answer": _share([o.contains_answer for o in on_gold if o.contains_answer is not None]),
        "mean_characters": _mean([o.characters for o in answered if o.characters is not None]),
        "auroc": auroc([o.score or 0.0 for o in outcomes], [o.is_right for o in outcomes]),
        "latency_p50_ms": _percentile([outcome.latency_ms for outcome in outcomes], 50),
        "latency_p95_ms": _percentile([outcome.latency_ms for outcome in outcomes], 95),
    }


def _is_right_reply(outcome: Outcome) -> bool:
    return outcome.answerable and any(gold for _, gold in outcome.citations)


def _ranking(ranks: Mapping[str, int | None]) -> dict[str, float | None]:
    if not ranks:
        return dict.fromkeys(RANKING)
    judged = [ir_measures.Qrel(question, _GOLD, 1) for question in ranks]
    run = [ir_measures.ScoredDoc(q, _GOLD if rank else "other", -float(rank or 1)) for q, rank in ranks.items()]
    # The ranks above the first gold passage are taken by others, or every find would look like a first place.
    run += [
        ir_measures.ScoredDoc(q, f"other-{above}", -float(above))
        for q, rank in ranks.items()
        for above in range(1, rank or 1)
    ]
    found = ir_measures.calc_aggregate(list(RANKING.values()), judged, run)
    return {name: float(found[measure]) for name, measure in RANKING.items()}


def auroc(scores: Sequence[float], is_right: Sequence[bool]) -> float | None:
    """Return the chance that a right one scores above a wrong one (ties count half), None without both kinds.

    The Mann-Whitney statistic over mid-ranks, divided by the number of pairs.
    """
    right = np.asarray(is_right, dtype=bool)
    if right.all() or not right.any():
        return None
    _, inverse, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    mid_rank = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    wins = mid_rank[right].sum() - right.sum() * (right.sum() + 1) / 2
    return float(wins / (right.sum() * (~right).sum()))


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _percentile(values: Sequence[float], percent: float) -> float | None:
    return float(np.percentile(np.asarray(values), percent)) if values else None
