"""Plain text to blocks: paragraphs are what blank lines separate."""

from collections.abc import Iterator

from knowledge.types import Block, Document, Parsed


def parse_document(document: Document) -> Parsed:
    """Parse plain text; never fails."""
    return parse(document.text)


def parse(text: str) -> Parsed:
    """Parse plain text; never fails."""
    return Parsed(text, blocks=tuple(_paragraphs(text)))


def _paragraphs(text: str) -> Iterator[Block]:
    start = position = 0
    for line in text.split("\n"):
        after = min(position + len(line) + 1, len(text))
        if not line.strip():
            if start < position:
                yield _paragraph(text, start, position)
            start = after
        position = after
    if start < position:
        yield _paragraph(text, start, position)


def _paragraph(text: str, start: int, end: int) -> Block:
    return Block("paragraph", start, end, text[start:end].strip())
