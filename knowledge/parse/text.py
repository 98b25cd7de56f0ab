"""Plain text to blocks: paragraphs are what blank lines separate."""

import re

from knowledge.types import Block, Parsed

_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")


def parse(text: str) -> Parsed:
    """Parse plain text; never fails."""
    blocks = (Block("paragraph", match.start(), match.end(), match[0].strip()) for match in _PARAGRAPH.finditer(text))
    return Parsed(blocks=tuple(blocks))
