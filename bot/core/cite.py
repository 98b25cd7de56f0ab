"""Keeps of an answer only what its sources bear out."""

from collections.abc import Sequence
from dataclasses import replace

from bot.core.messages import Answer, Sentence
from knowledge.types import Evidence, Hit


def cite(answer: Answer, evidence: Sequence[Evidence]) -> Answer | None:
    """Drop every sentence whose quote does not stand in the evidence it cites, and number the rest from 1.

    Return None when nothing is left.
    """
    hits = [piece.hit for piece in evidence]
    kept = [sentence for sentence in answer.sentences if any(_bears_out(hit, sentence) for hit in hits)]
    if not kept:
        return None
    numbered = (
        replace(sentence, citation=replace(sentence.citation, marker=marker)) for marker, sentence in enumerate(kept, 1)
    )
    return replace(answer, sentences=tuple(numbered))


def _bears_out(hit: Hit, sentence: Sentence) -> bool:
    cited = sentence.citation
    return (
        (hit.source, hit.document) == (cited.source, cited.document)
        and bool(cited.quote.strip())
        and cited.quote in hit.text
        and hit.start_line <= cited.start_line <= cited.end_line <= hit.end_line
    )
