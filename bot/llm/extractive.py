"""Answers in the documents' own words: the sentences, list items, table rows or code that answer, verbatim."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from bot.core.messages import Answer, Citation, Sentence
from knowledge.embed import Embedder
from knowledge.errors import EmbedderProblem, TransientError
from knowledge.links import passage_link
from knowledge.parse import markdown
from knowledge.parse import text as plain_text
from knowledge.parse.html_text import visible_text
from knowledge.parse.sentences import sentence_spans
from knowledge.terms import question_terms
from knowledge.types import Block, Evidence, Hit

# Two sentences hold the answer in about 90 of 100 cases where the passage does, one in 80.
MAX_SENTENCES = 2
# A list item or table row longer than this is not one sentence's worth, and is cut into its sentences.
MAX_UNIT_CHARACTERS = 600
# Passages this much less relevant than the best one are not quoted beside it.
RELEVANCE_STEP = 0.15
MAX_PASSAGES = 3
# The second sentence must come this near to the first (in standard deviations), or it only distracts.
SECOND_WITHIN = 1.0
# Sentences more alike than this say the same thing, perhaps in two languages.
SAME_MEANING = 0.96
COSINE_WEIGHT = 0.5
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"\w+")


class ExtractiveSettings(BaseModel):
    """`[answer]` of kind "extractive"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_sentences: int = Field(default=MAX_SENTENCES, ge=1, le=5)


@asynccontextmanager
async def build(settings: ExtractiveSettings, *, embedder: Embedder) -> AsyncIterator["ExtractiveAnswerer"]:
    """Open the answerer over the embedder that also serves the search."""
    yield ExtractiveAnswerer(embedder, max_sentences=settings.max_sentences)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that can be quoted alone; `quote` stands verbatim in the passage at `offset`."""

    hit: Hit
    text: str
    quote: str
    offset: int
    is_code: bool


class ExtractiveAnswerer:
    """The `Answerer` port without a model: it chooses, it never words."""

    name = "extractive"

    def __init__(self, embedder: Embedder, *, max_sentences: int = MAX_SENTENCES) -> None:
        self._embedder = embedder
        self._max_sentences = max_sentences

    async def answer(self, question: str, evidence: Sequence[Evidence], *, language: str) -> Answer | None:
        units = [unit for hit in _quotable(evidence) for unit in units_of(hit)]
        if not units:
            return None
        scores, vectors = await self._scores(question, units, language)
        chosen = _choose(scores, vectors, self._max_sentences)
        in_reading_order = sorted(chosen, key=lambda row: (_passage_order(units, row), units[row].offset))
        sentences = tuple(_sentence(units[row], marker) for marker, row in enumerate(in_reading_order, 1))
        return Answer(sentences, self.name)

    async def _scores(
        self, question: str, units: Sequence[Unit], language: str
    ) -> tuple[NDArray[np.float64], NDArray[np.float32] | None]:
        """Return how well each unit answers, in standard deviations, and the units' vectors where there are any."""
        coverage = _standardised(_coverage(question, units, language))
        try:
            asked = (await self._embedder.embed([question], role="query"))[0]
            vectors = await self._embedder.embed([_with_context(unit) for unit in units], role="passage")
        except (TransientError, EmbedderProblem):
            return coverage, None
        cosine = _standardised((vectors @ asked).astype(np.float64))
        return COSINE_WEIGHT * cosine + (1 - COSINE_WEIGHT) * coverage, vectors


def _quotable(evidence: Sequence[Evidence]) -> list[Hit]:
    """Return the best passages: those about as relevant as the first."""
    floor = evidence[0].relevance - RELEVANCE_STEP if evidence else 0.0
    return [piece.hit for piece in evidence if piece.relevance >= floor][:MAX_PASSAGES]


def units_of(hit: Hit) -> Iterator[Unit]:
    """Yield the quotable pieces of a passage in reading order: those that a reader sees, and nothing hidden in them."""
    seen = set(_WORD.findall(hit.search_text))
    for block in _blocks(hit):
        if block.kind in ("heading", "header") or not block.text:
            continue
        raw = hit.text[block.start : block.end]
        is_whole = block.kind in ("code", "item", "row") and len(raw) <= MAX_UNIT_CHARACTERS
        for unit in [_whole(hit, block, raw)] if is_whole else _sentences_of(hit, block, raw):
            if seen.issuperset(_WORD.findall(unit.text)) and _hides_nothing(unit.quote) and not _asks(unit.text):
                yield unit


def _blocks(hit: Hit) -> Sequence[Block]:
    parse = markdown.parse if hit.media_type == "text/markdown" else plain_text.parse
    return parse(hit.text).blocks


def _whole(hit: Hit, block: Block, raw: str) -> Unit:
    return Unit(hit, block.text, raw.strip(), block.start + len(raw) - len(raw.lstrip()), block.kind == "code")


def _sentences_of(hit: Hit, block: Block, raw: str) -> Iterator[Unit]:
    for start, end in sentence_spans(raw, hit.language):
        text = " ".join(piece.text for piece in markdown.parse(raw[start:end]).blocks)
        if any(character.isalnum() for character in text):
            yield Unit(hit, " ".join(text.split()), raw[start:end], block.start + start, is_code=False)


def _hides_nothing(quote: str) -> bool:
    """Tell whether a reader sees all of a quote: without its tags it says no more than what is visible of it."""
    return "<!--" not in quote and _folded(_TAG.sub(" ", quote)) == _folded(visible_text(quote))


def _asks(text: str) -> bool:
    """Tell whether a sentence is itself a question, as in a FAQ: it answers nothing."""
    return text.rstrip(" *_\"'»”)").endswith(("?", "？", "؟"))


def _folded(text: str) -> str:
    return "".join(text.split())


def _coverage(question: str, units: Sequence[Unit], language: str) -> NDArray[np.float64]:
    """Return the share of the question's words in each unit, rare words (among these units) counting more."""
    asked = question_terms(question, language)
    present = np.array([[term in found for term in asked] for found in map(_terms, units)], dtype=np.float64)
    if not asked:
        return np.zeros(len(units))
    rarity = np.log(1 + len(units) / (present.sum(axis=0) + 0.5)) * np.array(list(asked.values()))
    coverage: NDArray[np.float64] = present @ rarity / rarity.sum()
    return coverage


def _terms(unit: Unit) -> set[int]:
    return set(question_terms(unit.text, unit.hit.language))


def _with_context(unit: Unit) -> str:
    """Return the unit with the heading it stands under: few sentences name what they are about."""
    return "\n".join([*unit.hit.heading[-1:], unit.text])


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros_like(values)


def _choose(scores: NDArray[np.float64], vectors: NDArray[np.float32] | None, most: int) -> list[int]:
    """Return the best units, leaving out what says again what is already chosen and what falls far behind."""
    chosen: list[int] = []
    for row in (int(index) for index in np.argsort(-scores, kind="stable")):
        if len(chosen) == most or (chosen and scores[row] < scores[chosen[0]] - SECOND_WITHIN):
            break
        if vectors is None or all(float(vectors[row] @ vectors[other]) < SAME_MEANING for other in chosen):
            chosen.append(row)
    return chosen


def _passage_order(units: Sequence[Unit], row: int) -> int:
    return next(index for index, unit in enumerate(units) if unit.hit.passage_id == units[row].hit.passage_id)


def _sentence(unit: Unit, marker: int) -> Sentence:
    hit = unit.hit
    first = hit.start_line + hit.text.count("\n", 0, unit.offset)
    last = first + unit.quote.count("\n")
    citation = Citation(
        marker=marker,
        title=hit.title,
        heading=hit.heading,
        url=passage_link(hit.url, anchor=hit.anchor, start_line=first, end_line=last),
        source=hit.source,
        document=hit.document,
        quote=unit.quote,
        start_line=first,
        end_line=last,
        author=hit.author,
        updated_at=hit.updated_at,
    )
    return Sentence(unit.text, citation, is_code=unit.is_code)
