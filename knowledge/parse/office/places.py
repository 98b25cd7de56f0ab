"""The pages or slides that blocks stand on: each block gets the anchor that leads there."""

from bisect import bisect_right
from dataclasses import replace

from knowledge.parse.readable import ReadableText
from knowledge.types import Parsed


class Places:
    """Takes down where in a text each page or slide begins."""

    def __init__(self, page: ReadableText) -> None:
        self._page = page
        self._starts: list[int] = []
        self._anchors: list[str] = []

    def begin(self, anchor: str) -> None:
        """Name what follows."""
        self._starts.append(self._page.blocks())
        self._anchors.append(anchor)

    def parsed(self) -> Parsed:
        """End the text and return it."""
        parsed = self._page.parsed()
        named = [(bisect_right(self._starts, number) - 1, block) for number, block in enumerate(parsed.blocks)]
        blocks = tuple(replace(block, anchor=self._anchors[place]) if place >= 0 else block for place, block in named)
        return Parsed(parsed.text, blocks, keeps_lines=False)
