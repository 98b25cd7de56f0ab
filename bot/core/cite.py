"""Keeps of what was worded only what the passages bear out, in words that are safe to show, and numbers the sources."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.core.addresses import hosts_of
from bot.core.answer import Claim
from bot.core.inert import inert, inert_code
from bot.core.messages import VERBATIM, Checks, Citation, Rejected, Sentence
from bot.core.phrases import phrase
from bot.core.standing import Standing
from bot.core.verify.check import Verifier
from bot.core.verify.seen import Seen
from knowledge.quotable import Unit, units_of
from knowledge.types import CURATED, Evidence, Hit, Reader

# A sentence that fails, but is about what it cites, gives way to the passage's own words; any other is dropped.
SAME_SUBJECT = 0.3
OWN_WORDS_UNITS = 2


@dataclass(frozen=True, slots=True)
class CitePolicy:
    """Which hosts may be linked to, and from what age a source is marked as outdated (None: never)."""

    hosts: frozenset[str] = frozenset()
    outdated_after: timedelta | None = None


class Citer:
    """Judges the sentences of one answer, in their order."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        *,
        verifier: Verifier,
        standing: Standing,
        reader: Reader,
        policy: CitePolicy,
        now: datetime,
    ) -> None:
        self._hits = {piece.hit.passage_id: piece.hit for piece in evidence}
        self._markers: dict[tuple[str, str, tuple[str, ...]], int] = {}
        self._verifier = verifier
        self._standing = standing
        self._reader = reader
        self._policy = policy
        self._now = now
        self.sentences: list[Sentence] = []
        self.rejected: list[Rejected] = []

    async def take(self, claim: Claim, language: str) -> bool:
        """Keep a claim that holds, or put the passages' own words in its place; tell whether anything was kept."""
        cited = [unit for unit in claim.cited if self._is_real(unit)]
        checks = await self._check(claim, cited, language)
        if checks.supported and (borne_out := await self._standing_on(claim, cited, checks, language)):
            return await self._keep(claim, borne_out, checks)
        self.rejected.append(Rejected(claim.text, checks))
        is_foreign = bool(cited) and all(unit.hit.language != language for unit in cited)
        if not (checks.valid and (checks.support >= SAME_SUBJECT or is_foreign)):
            return False
        return any([await self.quote(unit) for unit in cited[:OWN_WORDS_UNITS]])

    async def quote(self, unit: Unit) -> bool:
        """Keep a piece of a passage in its own words; tell whether it still stands and was not said before."""
        return await self._keep(Claim(unit.text, (unit,), unit.is_code), [unit], VERBATIM)

    async def _standing_on(self, claim: Claim, cited: Sequence[Unit], checks: Checks, language: str) -> Sequence[Unit]:
        """Return the pieces that alone bear a sentence out, so that its footnote quotes the very words.

        Those that it cites; else what stands beside them, alone or with them; nothing where not even that does.
        """
        if checks.method == "verbatim" or (await self._check_alone(claim, cited, language)).supported:
            return cited
        for unit in self._beside(cited):
            for pieces in ([unit], [*cited, unit]):
                if (await self._check_alone(claim, pieces, language)).supported:
                    return pieces
        return []

    def _beside(self, cited: Sequence[Unit]) -> Iterable[Unit]:
        for hit in _hits(cited):
            units = units_of(hit)
            near = {index + step for index, unit in enumerate(units) if unit in cited for step in (-1, 1)}
            yield from (unit for index, unit in enumerate(units) if index in near and unit not in cited)

    def _is_real(self, unit: Unit) -> bool:
        """Tell whether a citation is one of the passages that were found, and quotes what stands there."""
        hit = self._hits.get(unit.hit.passage_id)
        return (
            hit == unit.hit
            and bool(unit.quote.strip())
            and unit.offset >= 0
            and hit.text.startswith(unit.quote, unit.offset)
            and unit in units_of(hit)
        )

    async def _check(self, claim: Claim, cited: Sequence[Unit], language: str) -> Checks:
        """Check a claim against the passages of the pieces that it cites."""
        seen = [_seen(hit, units_of(hit), cited) for hit in _hits(cited)]
        return await self._verifier.check(claim.text, language=language, cited=seen, is_code=claim.is_code)

    async def _check_alone(self, claim: Claim, pieces: Sequence[Unit], language: str) -> Checks:
        """Check a claim against these pieces and nothing beside them."""
        seen = [_seen(hit, [unit for unit in units_of(hit) if unit in pieces], pieces) for hit in _hits(pieces)]
        return await self._verifier.check(claim.text, language=language, cited=seen, is_code=claim.is_code)

    async def _keep(self, claim: Claim, cited: Sequence[Unit], checks: Checks) -> bool:
        citations = [self._citation(unit) for unit in cited]
        text = inert_code(claim.text) if claim.is_code else self._inert(claim.text, cited)
        if not text.strip() or any(sentence.text == text for sentence in self.sentences):
            return False
        if not all(await self._standing.standing(citations, self._reader)):
            self.rejected.append(Rejected(claim.text, replace(checks, valid=False)))
            return False
        numbered = tuple(replace(citation, marker=self._marker(citation)) for citation in citations)
        self.sentences.append(Sentence(text, numbered, checks, claim.is_code))
        return True

    def _inert(self, text: str, cited: Sequence[Unit]) -> str:
        # People approved what they taught, and where it leads.
        taught = [host for unit in cited if unit.hit.source == CURATED for host in hosts_of(unit.quote)]
        return inert(text, cited=[unit.quote for unit in cited], hosts=self._policy.hosts.union(taught))

    def _marker(self, citation: Citation) -> int:
        """Return the number of a document's section: in order of first use, from 1."""
        section = (citation.source, citation.document, citation.heading)
        return self._markers.setdefault(section, len(self._markers) + 1)

    def _citation(self, unit: Unit) -> Citation:
        hit = unit.hit
        first, last = unit.lines
        return Citation(
            marker=0,
            passage_id=hit.passage_id,
            title=_line(hit.title),
            heading=tuple(_line(heading) for heading in hit.heading),
            url=unit.url,
            source=hit.source,
            document=hit.document,
            quote=unit.quote,
            start_line=first,
            end_line=last,
            author=hit.author and _line(hit.author),
            updated_at=hit.updated_at,
            is_outdated=is_outdated(hit.updated_at, self._policy.outdated_after, self._now),
        )


def _line(text: str) -> str:
    """Return a title, heading or name as a footnote may show it: nothing in there leads anywhere."""
    return inert(text, cited=(), hosts=())


def _hits(units: Sequence[Unit]) -> list[Hit]:
    """Return the passages that the pieces stand in, each once."""
    return list({unit.hit.passage_id: unit.hit for unit in units}.values())


def _seen(hit: Hit, units: Sequence[Unit], cited: Sequence[Unit]) -> Seen:
    quoted = tuple(index for index, unit in enumerate(units) if unit in cited)
    return Seen(hit.language, (hit.title, *hit.heading), tuple(unit.text for unit in units), quoted)


def is_outdated(updated_at: datetime | None, after: timedelta | None, now: datetime) -> bool:
    """Tell whether a source is older than the policy allows without a mark; one without a date is not known to be."""
    return after is not None and updated_at is not None and now - updated_at > after


@dataclass(frozen=True, slots=True)
class Footnote:
    """One section of a document that an answer cites, with all that is quoted of it; `quotes` is never empty."""

    marker: int
    quotes: tuple[Citation, ...]

    @property
    def first(self) -> Citation:
        """The quote that is used first."""
        return self.quotes[0]

    @property
    def lines(self) -> tuple[int, int]:
        """The lines from the first to the last quote."""
        return min(quote.start_line for quote in self.quotes), max(quote.end_line for quote in self.quotes)


def title_of(citation: Citation, language: str) -> str:
    """Return what a footnote calls its source: a document's title and headings, or who said so, and when."""
    if citation.source != CURATED:
        return citation.full_title
    date = citation.updated_at.date().isoformat() if citation.updated_at else ""
    return phrase("answer_by" if citation.author else "answer_of", language, who=citation.author, date=date)


def updated(citation: Citation, language: str) -> str:
    """Return since when a source stands as it does; "" where that is not known, or told by its title."""
    if citation.updated_at is None or citation.source == CURATED:
        return ""
    return phrase("updated", language, date=citation.updated_at.date().isoformat())


def footnotes(sentences: Collection[Sentence]) -> list[Footnote]:
    """Return the sources of an answer by their markers: exactly those that stand behind its sentences."""
    found: dict[int, dict[tuple[int, str], Citation]] = {}
    for sentence in sentences:
        for citation in sentence.citations:
            found.setdefault(citation.marker, {}).setdefault((citation.start_line, citation.quote), citation)
    return [Footnote(marker, tuple(quotes.values())) for marker, quotes in sorted(found.items())]


def source_lines(sentences: Collection[Sentence], language: str) -> list[str]:
    """Return the sources of an answer as plain text, a line each behind its marker."""
    lines = []
    for footnote in footnotes(sentences):
        first = footnote.first
        date = updated(first, language)
        title = f"{title_of(first, language)} ({date})" if date else title_of(first, language)
        lines.append(" ".join(filter(None, [f"[{footnote.marker}]", title, first.url])))
    return lines
