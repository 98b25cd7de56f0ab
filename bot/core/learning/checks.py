"""What speaks against an entry: somebody answered its question already, or said something else. People judge it."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.core.learning.entry import Entry
from bot.core.messages import SUPPORTED_FROM, Checks
from bot.core.verify.check import Verifier
from bot.core.verify.conflict import contradicts
from bot.core.verify.seen import Seen
from knowledge.language import language_of
from knowledge.likeness import SAME_QUESTION, Likeness
from knowledge.parse.sentences import sentence_spans
from knowledge.quotable import units_of
from knowledge.retrieve import Retriever
from knowledge.types import CURATED, PUBLIC, Evidence, Hit, Reader, Relevance

# So many passages, and sentences of an answer, are compared.
MAX_PASSAGES, MAX_SENTENCES = 5, 12
Where = Literal["entry", "passage"]


@dataclass(frozen=True, slots=True)
class Place:
    """Another entry, by its number, or a passage of a document."""

    kind: Where
    title: str
    entry: int | None = None
    source: str | None = None
    document: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What answers the same question already; `relevance`: how surely."""

    place: Place
    text: str
    relevance: Relevance


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence of the answer, and what is said elsewhere in place of it."""

    place: Place
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What people should know before they approve an entry."""

    duplicates: tuple[Duplicate, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What is checked: the question, its answer, and who may read it."""

    question: str
    answer: str
    audience: tuple[str, ...]


class Checker:
    """Compares what is taught with other entries and with the documents that the same readers may read."""

    def __init__(
        self,
        *,
        likeness: Likeness,
        retriever: Retriever,
        verifier: Verifier,
        sources: Sequence[str],
        threshold: Relevance,
    ) -> None:
        self._likeness = likeness
        self._retriever = retriever
        self._verifier = verifier
        self._sources = tuple(sources)
        self._threshold = threshold

    async def check(self, checked: Checked, others: Sequence[Entry]) -> Findings:
        """Return what speaks against it, the surest first."""
        same = await self._same(checked.question, others)
        evidence = await self._evidence(checked)
        sentences = [*sentences_of(checked.answer)][:MAX_SENTENCES]
        contradictions = [found for _, other in same async for found in self._against_entry(checked, sentences, other)]
        for hit in (piece.hit for piece in evidence):
            contradictions += [found async for found in self._against_passage(sentences, hit)]
        duplicates = [Duplicate(_entry(other), other.answer, sure) for sure, other in same]
        best = [piece for piece in evidence[:1] if piece.relevance >= self._threshold]
        duplicates += [Duplicate(_passage(piece.hit), piece.hit.text, piece.relevance) for piece in best]
        return Findings(tuple(duplicates), tuple(dict.fromkeys(contradictions)))

    async def _same(self, question: str, others: Sequence[Entry]) -> list[tuple[Relevance, Entry]]:
        """Return the entries that answer the same question, and how surely that is so."""
        sure = await self._likeness.compare(question, [other.question for other in others])
        words = folded(question)
        found = [
            (Relevance(1.0) if folded(other.question) == words else relevance, other)
            for relevance, other in zip(sure, others, strict=True)
        ]
        return sorted((one for one in found if one[0] >= SAME_QUESTION), key=lambda one: -one[0])

    async def _evidence(self, checked: Checked) -> list[Evidence]:
        """Return the passages nearest to the question, and those nearest to the answer that are not among them."""
        if not self._sources:
            return []
        reader = Reader(frozenset({PUBLIC, *checked.audience}))
        found: dict[int, Evidence] = {}
        for text in (checked.question, checked.answer):
            retrieved = await self._retriever.retrieve(text, reader=reader, sources=self._sources)
            documents = [piece for piece in retrieved.evidence if piece.hit.source != CURATED]
            for piece in documents[:MAX_PASSAGES]:
                found.setdefault(piece.hit.passage_id, piece)
        return list(found.values())

    async def _against_entry(
        self, checked: Checked, sentences: Sequence[str], other: Entry
    ) -> AsyncIterator[Contradiction]:
        """Yield how the answers to one question differ; whole where no sentence contradicts another."""
        if folded(checked.answer) == folded(other.answer):
            return
        theirs = [*sentences_of(other.answer)]
        seen = Seen(language_of(other.answer), (other.question,), tuple(theirs), tuple(range(len(theirs))))
        pairs = [pair for sentence in sentences async for pair in self._pairs(sentence, seen)]
        if not pairs and not await self._says_all(sentences, seen):
            pairs = [(checked.answer, other.answer)]
        for ours, said in pairs:
            yield Contradiction(_entry(other), ours, said)

    async def _against_passage(self, sentences: Sequence[str], hit: Hit) -> AsyncIterator[Contradiction]:
        pieces = tuple(unit.text for unit in units_of(hit) if not unit.is_code)
        seen = Seen(hit.language, (hit.title, *hit.heading), pieces, tuple(range(len(pieces))))
        for sentence in sentences:
            async for ours, said in self._pairs(sentence, seen):
                yield Contradiction(_passage(hit), ours, said)

    async def _pairs(self, sentence: str, seen: Seen) -> AsyncIterator[tuple[str, str]]:
        """Yield a sentence with each piece that contradicts it: by words in one language, by vectors across two."""
        language = language_of(sentence)
        for index, piece in enumerate(seen.pieces):
            if language in (seen.language, language_of(piece)):
                differs = contradicts(sentence, piece, language)
            else:
                cited = Seen(seen.language, seen.above, seen.pieces, (index,))
                differs = await self._differ(Seen(language, (), (sentence,), (0,)), cited)
            if differs:
                yield sentence, piece

    async def _differ(self, ours: Seen, theirs: Seen) -> bool:
        """Tell whether two sentences in two languages are about the same thing and say something else of it.

        Each has to be near to the other: a general sentence is near to many.
        """
        there = await self._borne_out(ours, theirs)
        if there.support < SUPPORTED_FROM or not (there.disagreement or there.missing):
            return False
        back = await self._borne_out(theirs, ours)
        has_values = bool(there.missing and back.missing)
        return back.support >= SUPPORTED_FROM and (has_values or there.disagreement is not None)

    async def _borne_out(self, one: Seen, other: Seen) -> Checks:
        (said,) = (one.pieces[index] for index in one.quoted)
        return await self._verifier.check(said, language=one.language, cited=[other])

    async def _says_all(self, sentences: Sequence[str], seen: Seen) -> bool:
        """Tell whether another answer bears out each sentence, as its translation does."""
        checks = [
            await self._verifier.check(one, language=language_of(one), cited=[seen]) for one in sentences if seen.pieces
        ]
        return bool(checks) and all(each.supported for each in checks)


def folded(text: str) -> str:
    """Return a text by which it is compared: its letters and digits, without regard to case."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of an answer."""
    return (text[start:end] for start, end in sentence_spans(text, language_of(text)))


def _entry(entry: Entry) -> Place:
    return Place("entry", entry.question, entry=entry.id)


def _passage(hit: Hit) -> Place:
    return Place("passage", hit.title, source=hit.source, document=hit.document, url=hit.url)
