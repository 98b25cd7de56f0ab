"""Claude's citations, read as they come: each sentence with the units that its text blocks cite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.core.answer import Claim
from bot.llm.claude.asides import Asides
from bot.llm.claude.draft import Draft
from bot.llm.claude.events import BlockEnd, Location, StreamEvent, Words
from bot.llm.claude.request import SentSource
from knowledge.quotable import Unit

# A model that was trained on numbered sources sets such marks although its citations come apart from the text.
_STRAY_MARK = re.compile(r"(?:[ \t]+|(?<![\w\]]))\[\d{1,3}(?:[ \t]*[,;–-][ \t]*\d{1,3})*\](?![(\w])")


class CitedReader:
    """Reads text blocks with `search_result_location` citations."""

    def __init__(self, sources: Sequence[SentSource], language: str) -> None:
        self._sources = sources
        self._draft = Draft(language)
        self._block_start = 0
        self._cited: list[Unit] = []
        self.asides = Asides()

    def read(self, event: StreamEvent) -> Iterator[Claim]:
        """Yield the sentences that this event completed."""
        match event:
            case Words(text):
                self._draft.add(self.asides.hear(text))
                if self._draft.is_waiting:
                    yield from _unmarked(self._draft.complete())
            case Location():
                self._cited.extend(cited_units(event, self._sources))
            case BlockEnd():
                yield from self._block_ended()

    def rest(self) -> Iterator[Claim]:
        """Yield what is left of an answer that came to its end."""
        self._draft.add(self.asides.rest())
        self._close_block()
        yield from _unmarked(self._draft.rest())

    def _block_ended(self) -> Iterator[Claim]:
        self._close_block()
        yield from _unmarked(self._draft.complete(at_pause=True))

    def _close_block(self) -> None:
        end = self._draft.length
        if self._cited and end > self._block_start:
            self._draft.cite(self._block_start, end, self._cited)
        self._draft.know(end)
        self._block_start, self._cited = end, []


def cited_units(location: Location, sources: Sequence[SentSource]) -> Sequence[Unit]:
    """Return the units a citation points to; none where it names what was never sent, or quotes other words."""
    if not 0 <= location.source_index < len(sources):
        return ()
    source = sources[location.source_index]
    if location.source != source.id or not 0 <= location.start < location.end <= len(source.units):
        return ()
    sent = "".join(source.texts[location.start : location.end])
    return source.units[location.start : location.end] if _folded(location.quoted) == _folded(sent) else ()


def _folded(text: str) -> str:
    return "".join(text.split())


def _unmarked(claims: Iterator[Claim]) -> Iterator[Claim]:
    """Drop the marks of numbered sources from prose: here they point to nothing."""
    for claim in claims:
        text = claim.text if claim.is_code else _STRAY_MARK.sub("", claim.text).strip()
        if any(character.isalnum() for character in text) or claim.is_code:
            yield replace(claim, text=text)
