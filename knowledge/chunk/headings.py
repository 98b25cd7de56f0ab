"""The default cut: passages of up to about 800 characters under one heading, at block borders."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from pydantic import BaseModel, ConfigDict, Field

from knowledge.chunk.packing import Group, Piece, packed
from knowledge.chunk.tear import torn
from knowledge.types import Block, Parsed, Span

MAX_CHARACTERS = 800


class HeadingsSettings(BaseModel):
    """How long a passage may be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_characters: int = Field(default=MAX_CHARACTERS, ge=50, le=20_000)


@asynccontextmanager
async def build(settings: HeadingsSettings) -> AsyncIterator["Headings"]:
    """Open the chunker."""
    yield Headings(settings.max_characters)


class Headings:
    """Packs neighbouring blocks under one heading, as many as fit."""

    def __init__(self, max_characters: int = MAX_CHARACTERS, *, strategy: str = "headings") -> None:
        self._limit = max_characters
        self.name = f"{strategy}-{max_characters}"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the passages' spans; a block is torn only when it alone is longer than the limit."""
        return [
            span
            for blocks in _sections(parsed.blocks)
            for span in packed(self._small(blocks, parsed.text, language), self._limit, _opening)
        ]

    def _small(self, blocks: Sequence[Block], text: str, language: str) -> Iterator[Piece]:
        for block in blocks:
            if block.end - block.start <= self._limit:
                yield block, (block.start, block.end)
            else:
                yield from ((block, span) for span in torn(block, text, language=language, limit=self._limit))


def _opening(group: Group, block: Block) -> int:
    """Tell whether a group ends with the header of a table that goes on, or with the label of a list or code."""
    last = group[-1][0]
    is_label = last.kind == "paragraph" and last.text.endswith(":") and block.kind in ("item", "code")
    return int(len(group) > 1 and (is_label or (last.kind == "header" and block.kind == "row")))


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks between each two headings; empty blocks are left out."""
    under: list[Block] = []
    for block in blocks:
        if block.kind == "heading":
            yield under
            under = []
        elif block.text:
            under.append(block)
    yield under
