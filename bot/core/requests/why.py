"""How a question was decided, in words for whoever asked it."""

from collections.abc import Sequence

from bot.core.inert import inert
from bot.core.phrases import phrase
from bot.core.requests.given import Given, HandedOver
from knowledge.types import Relevance

LONGEST_QUESTION = 200
MOST_DOCUMENTS = 5


def why_answered(given: Given, documents: Sequence[str], language: str) -> str:
    """Return how sure the bot was, who worded the answer, and what it was checked against."""
    lines = [
        *_question(given.question, language),
        phrase("why_answered", language, **shares(given.relevance, given.threshold)),
        phrase("why_own_words" if given.is_own_words else "why_model", language),
        phrase("why_checked", language, count=len(given.sentences)),
    ]
    if given.is_cached:
        lines.append(phrase("why_cached", language))
    if documents:
        more = ["…"] if len(documents) > MOST_DOCUMENTS else []
        lines.append(phrase("why_documents", language, documents="; ".join([*documents[:MOST_DOCUMENTS], *more])))
    return "\n".join(lines)


def why_handed_over(handed: HandedOver, language: str) -> str:
    """Return why a person was asked, and where that stands."""
    sure = handed.relevance if handed.relevance is not None else Relevance(0.0)
    values = shares(sure, handed.threshold) if handed.reason == "below_threshold" else {}
    return "\n".join(
        [
            *_question(handed.question, language),
            phrase(f"why_{handed.reason}", language, **values),
            _standing(handed, language),
        ]
    )


def _standing(handed: HandedOver, language: str) -> str:
    if handed.ticket is None:
        return phrase("why_not_passed", language)
    return phrase("why_ticket_open" if handed.is_open else "why_ticket_closed", language, ticket=handed.ticket)


def _question(text: str, language: str) -> list[str]:
    shown = inert(text, cited=(), hosts=())
    if len(shown) > LONGEST_QUESTION:
        shown = f"{shown[:LONGEST_QUESTION].rsplit(maxsplit=1)[0]}…"
    return [phrase("why_question", language, question=shown)] if shown else []


def shares(relevance: Relevance, threshold: Relevance) -> dict[str, int]:
    """Return both in per cent, rounded down: what is below the threshold never looks as if it had reached it."""
    return {"relevance": _per_cent(relevance), "threshold": _per_cent(threshold)}


def _per_cent(share: float) -> int:
    # 0.29 * 100 is a little less than 29.
    return int(share * 100 + 1e-6)
