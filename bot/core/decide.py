"""Answer, or hand over."""

from collections.abc import Sequence

from bot.core.messages import Decision, Reason
from knowledge.types import Evidence, Relevance


def decide(evidence: Sequence[Evidence], threshold: Relevance) -> tuple[Decision, Reason | None]:
    """Answer if and only if the best evidence is at least as relevant as the threshold demands."""
    if not evidence:
        return "escalate", "no_source"
    best = max(piece.relevance for piece in evidence)
    return ("answer", None) if best >= threshold else ("escalate", "below_threshold")
