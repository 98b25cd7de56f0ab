"""The draft of a ticket as it is kept: sentences of a model that failed a check, or what the documents hardly say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.core.cite import source_lines
from bot.core.desk.book import Case, Cited
from bot.core.messages import Answer, Sentence
from bot.core.notes import notes_on
from bot.core.phrases import phrase
from knowledge.types import Reader

# What is longer is no draft of an answer.
MOST_CHARACTERS = 2_000

# A sentence with its checks: `text` (bare), `missing`, `disagreement`, `support`, `is_valid`. In the documents' own
# words also `is_below`, `marked` (as it is sent), `quotes` (source, path, quote), `tags` of those it was made for,
# `sources` and `notes` (lines that stand below).
DraftSentence = dict[str, Any]


def own_words(answer: Answer, reader: Reader, language: str) -> tuple[DraftSentence, ...]:
    """Return an answer whose documents were not relevant enough as a draft, for those who read what it quotes."""
    kept = [*_short(answer.sentences)]
    return tuple(
        {
            "text": sentence.text,
            "missing": [],
            "disagreement": None,
            "support": round(sentence.checks.support, 3),
            "is_valid": True,
            "is_below": True,
            "marked": Answer((sentence,), answer.answerer).text,
            "quotes": [{"source": one.source, "path": one.document, "quote": one.quote} for one in sentence.citations],
            "tags": sorted(reader.tags),
            "sources": source_lines([sentence], language),
            "notes": list(notes_on(answer, language)),
        }
        for sentence in kept
    )


def draft_text(draft: Sequence[Mapping[str, Any]], language: str) -> str:
    """Return a draft as it is shown at the desk, and as the asker is sent it: with its sources, where it has them."""
    said = "\n".join(str(sentence.get("marked") or sentence["text"]) for sentence in draft)
    notes, sources = _lines(draft, "notes"), _lines(draft, "sources")
    listed = "\n".join([f"{phrase('sources', language)}:", *sources]) if sources else ""
    return "\n\n".join(filter(None, [said, *notes, listed]))


def stands_on(case: Case) -> list[Cited]:
    """Return what whoever reads a ticket's draft must be allowed to read.

    A model's words stand on all that it was given, the documents' own words on what they quote.
    """
    quotes = [quote for sentence in case.draft for quote in sentence.get("quotes", ())]
    if quotes:
        return [Cited(one["source"], one["path"], one["quote"]) for one in quotes]
    return [*case.passages]


def _short(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    left = MOST_CHARACTERS
    for sentence in sentences:
        left -= len(sentence.text)
        if left >= 0:
            yield sentence


def _lines(draft: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    return list(dict.fromkeys(line for sentence in draft for line in sentence.get(name, ())))
