"""What a stream of Claude's says, as values of our own; whatever else it holds is no more than a sign of life."""

from dataclasses import dataclass

from anthropic.types import (
    CitationsSearchResultLocation,
    RawContentBlockDeltaEvent,
    RawContentBlockStartEvent,
    RawContentBlockStopEvent,
    RawMessageDeltaEvent,
    RawMessageStartEvent,
    RawMessageStopEvent,
    RawMessageStreamEvent,
    TextBlock,
    TextDelta,
)
from anthropic.types.citations_delta import CitationsDelta

from bot.llm.claude.usage import Usage


@dataclass(frozen=True, slots=True)
class Begun:
    """The server has begun to answer."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Words:
    """Some more text."""

    text: str


@dataclass(frozen=True, slots=True)
class Location:
    """A citation of the text block being written: the content blocks `start` to `end` (exclusive) of a source."""

    quoted: str
    source: str
    source_index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """A block is complete: no further citation comes for it."""


@dataclass(frozen=True, slots=True)
class Alive:
    """Nothing for us, but the model is at work: it thinks."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the answer stops, and what it used."""

    stop_reason: str | None
    usage: Usage


@dataclass(frozen=True, slots=True)
class Over:
    """The stream has come to its proper end."""


StreamEvent = Begun | Words | Location | BlockEnd | Alive | Ending | Over


def translated(event: RawMessageStreamEvent) -> StreamEvent | None:
    """Return one event as ours, None where it says nothing; ValueError where a server sent something that is none."""
    try:
        return _translated(event)
    except (AttributeError, TypeError) as exc:
        # The SDK builds its objects without checking: fields that a server left out are missing from them.
        raise ValueError(f"an event of type {getattr(event, 'type', None)!r} lacks a field") from exc


def _translated(event: RawMessageStreamEvent) -> StreamEvent | None:
    found: StreamEvent | None = None
    match event:
        case RawMessageStartEvent():
            found = Begun(usage_of(event.message.usage))
        case RawContentBlockStartEvent(content_block=TextBlock() as block) if block.text:
            found = Words(_text(block.text))
        case RawContentBlockDeltaEvent():
            found = _delta(event)
        case RawContentBlockStopEvent():
            found = BlockEnd()
        case RawMessageDeltaEvent():
            found = Ending(event.delta.stop_reason, usage_of(event.usage))
        case RawMessageStopEvent():
            found = Over()
    return found


def _delta(event: RawContentBlockDeltaEvent) -> StreamEvent:
    delta = event.delta
    if isinstance(delta, TextDelta):
        return Words(_text(delta.text))
    if isinstance(delta, CitationsDelta) and isinstance(delta.citation, CitationsSearchResultLocation):
        return location_of(delta.citation)
    return Alive()


def location_of(citation: CitationsSearchResultLocation) -> Location:
    """Return a citation as ours."""
    return Location(
        quoted=_text(citation.cited_text),
        source=_text(citation.source),
        source_index=_number(citation.search_result_index),
        start=_number(citation.start_block_index),
        end=_number(citation.end_block_index),
    )


def usage_of(usage: object) -> Usage:
    """Return what a request has used, of whatever a server tells; local servers leave most of it out."""
    return Usage(
        input_tokens=_count(usage, "input_tokens"),
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=_count(usage, "cache_read_input_tokens"),
        cache_write_tokens=_count(usage, "cache_creation_input_tokens"),
    )


def _count(usage: object, name: str) -> int | None:
    count = getattr(usage, name, None)
    return count if isinstance(count, int) and count >= 0 else None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number")
    return value
