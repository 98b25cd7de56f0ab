"""The words of the documents behind an answer, as far as they still stand and its readers may read them."""

import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from bot.core.cite import footnotes
from bot.core.inert import inert, inert_code
from bot.core.messages import VERBATIM, Citation, Sentence
from bot.core.standing import Standing
from knowledge.quotable import Unit, units_of
from knowledge.types import Hit, Reader

MOST_SECTIONS = 3
SECTION_CHARACTERS = 1_500
_FENCES = ("```", "~~~")


class Sections(Protocol):
    """The passages of documents, as they are now."""

    async def around(self, citations: Sequence[Citation], reader: Reader) -> Sequence[Hit | None]:
        """Return for each quote the passage that it stands in; None where it does no more, or not for this reader."""
        ...


class Quotes:
    """Quotes what an answer stands on; links may lead to `hosts`."""

    def __init__(self, *, standing: Standing, sections: Sections, hosts: Collection[str] = frozenset()) -> None:
        self._standing = standing
        self._sections = sections
        self._hosts = hosts

    async def sources(self, sentences: Sequence[Sentence], reader: Reader) -> tuple[list[Sentence], bool]:
        """Return the quotes of an answer as sentences, and whether any was left out because it stands no more."""
        quotes = list(_quotes(sentences))
        stand = await self._standing.standing([quote for quote, _ in quotes], reader)
        shown = [self._quoted(*quote) for quote, stands in zip(quotes, stand, strict=True) if stands]
        return shown, not all(stand)

    async def sections(self, sentences: Sequence[Sentence], reader: Reader) -> tuple[list[Sentence], bool]:
        """Return what stands around the quotes of an answer, likewise: a few sections, none of them endless."""
        quotes = [quote for quote, _ in _quotes(sentences)]
        hits = await self._sections.around(quotes, reader)
        first = {hit.passage_id: (hit, quote) for hit, quote in reversed([*zip(hits, quotes, strict=True)]) if hit}
        chosen = list(reversed(first.values()))[:MOST_SECTIONS]
        return [sentence for hit, quote in chosen for sentence in self._section(hit, quote)], not all(hits)

    async def documents(self, sentences: Sequence[Sentence], reader: Reader) -> tuple[list[str], bool]:
        """Return the titles of the documents that an answer quotes, likewise."""
        quotes = [quote for quote, _ in _quotes(sentences)]
        stand = await self._standing.standing(quotes, reader)
        titles = dict.fromkeys(quote.title for quote, stands in zip(quotes, stand, strict=True) if stands)
        return list(titles), not all(stand)

    def _quoted(self, citation: Citation, is_code: bool) -> Sentence:
        text = inert_code(_unfenced(citation.quote)) if is_code else self._inert(citation.quote, citation.quote)
        return Sentence(text, (citation,), VERBATIM, is_code)

    def _section(self, hit: Hit, cited: Citation) -> Iterator[Sentence]:
        for unit in _around(units_of(hit), cited.quote):
            text = inert_code(unit.text) if unit.is_code else self._inert(unit.text, unit.quote)
            if text.strip():
                yield Sentence(text, (_citation(unit, cited),), VERBATIM, unit.is_code)

    def _inert(self, text: str, quote: str) -> str:
        return inert(text, cited=[quote], hosts=self._hosts)


def _quotes(sentences: Sequence[Sentence]) -> Iterator[tuple[Citation, bool]]:
    """Yield what an answer quotes by its markers, each once, and whether that is code."""
    code = {citation.quote for sentence in sentences if sentence.is_code for citation in sentence.citations}
    for footnote in footnotes(sentences):
        for citation in footnote.quotes:
            yield citation, citation.quote in code


def _unfenced(code: str) -> str:
    """Return code without the fence that it stands in."""
    lines = code.strip("\n").split("\n")
    if len(lines) > 1 and lines[0].lstrip().startswith(_FENCES):
        is_closed = lines[-1].strip().startswith(_FENCES)
        lines = lines[1:-1] if is_closed else lines[1:]
    return textwrap.dedent("\n".join(lines))


def _around(units: Sequence[Unit], quote: str) -> Sequence[Unit]:
    """Return the pieces of a passage around the quoted one, as many as there is room for, at least that one."""
    at = next((index for index, unit in enumerate(units) if quote in unit.quote or unit.quote in quote), 0)
    first, last = at, at + 1
    room = SECTION_CHARACTERS - sum(len(unit.text) for unit in units[at:last])
    while True:
        if first > 0 and len(units[first - 1].text) <= room:
            first -= 1
            room -= len(units[first].text)
        elif last < len(units) and len(units[last].text) <= room:
            room -= len(units[last].text)
            last += 1
        else:
            return units[first:last]


def _citation(unit: Unit, cited: Citation) -> Citation:
    """Return where a piece stands; its section has the number that it has in the answer."""
    first, last = unit.lines
    return replace(
        cited,
        passage_id=unit.hit.passage_id,
        url=unit.url,
        quote=unit.quote,
        start_line=first,
        end_line=last,
        updated_at=unit.hit.updated_at,
    )
