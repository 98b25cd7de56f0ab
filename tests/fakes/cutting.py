"""Passages as a sync would make them, without a source."""

from knowledge.chunk.headings import Headings
from knowledge.chunk.passages import Spans
from knowledge.prepare import Chunker
from knowledge.types import Parsed, Passage


def cut(parsed: Parsed, *, title: str = "Page", language: str = "en", chunker: Chunker | None = None) -> list[Passage]:
    """Return the passages of a parsed document, cut at its headings unless a chunker is given."""
    return list(Spans(parsed, (chunker or Headings()).cut(parsed, language=language)).passages(title))
