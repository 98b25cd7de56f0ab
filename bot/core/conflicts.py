"""Sources that contradict an answer are shown beside it, so that the reader can judge them by their dates."""

from collections.abc import Iterator, Sequence

from bot.core.cite import Citer
from bot.core.messages import Sentence
from bot.core.verify.conflict import contradicts
from knowledge.quotable import Unit, units_of
from knowledge.types import Evidence

# More contradictions than this do not help to see what is right.
MAX_SHOWN = 2


async def show_conflicts(citer: Citer, evidence: Sequence[Evidence]) -> bool:
    """Quote what other documents say against the sentences kept so far; tell whether any source disagrees."""
    found = list(_contradictions(citer, evidence))
    for unit in found[:MAX_SHOWN]:
        await citer.quote(unit)
    return bool(found)


def _contradictions(citer: Citer, evidence: Sequence[Evidence]) -> Iterator[Unit]:
    prose = [sentence for sentence in citer.sentences if not sentence.is_code]
    for hit in (piece.hit for piece in evidence):
        others = [sentence for sentence in prose if not _cites(sentence, hit.source, hit.document)]
        for unit in units_of(hit) if others else ():
            if not unit.is_code and any(contradicts(other.text, unit.text, hit.language) for other in others):
                yield unit


def _cites(sentence: Sentence, source: str, document: str) -> bool:
    return any((citation.source, citation.document) == (source, document) for citation in sentence.citations)
