"""Answer, or hand over."""

import pytest

from bot.core.decide import decide
from knowledge.types import Relevance
from tests.fakes.evidence import evidence


@pytest.mark.parametrize(
    ("relevances", "expected"),
    [
        ((0.9,), ("answer", None)),
        ((0.7,), ("answer", None)),
        ((0.1, 0.8), ("answer", None)),
        ((0.699,), ("escalate", "below_threshold")),
        ((), ("escalate", "no_source")),
    ],
)
def test_the_best_evidence_decides(relevances: tuple[float, ...], expected: tuple[str, str | None]) -> None:
    pieces = [evidence("text", relevance=relevance) for relevance in relevances]

    assert decide(pieces, Relevance(0.7)) == expected
