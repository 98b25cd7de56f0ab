"""The default cut: passages of up to about 800 characters under one heading, at block borders."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from pydantic import BaseModel, ConfigDict, Field

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
        spans: list[Span] = []
        for blocks in _sections(parsed.blocks):
            spans += self._packed(self._small(blocks, parsed.text, language))
        return spans

    def _small(self, blocks: Sequence[Block], text: str, language: str) -> Iterator[tuple[Block, Span]]:
        for block in blocks:
            if block.end - block.start <= self._limit:
                yield block, (block.start, block.end)
            else:
                yield from ((block, span) for span in torn(block, text, language=language, limit=self._limit))

    def _packed(self, pieces: Iterator[tuple[Block, Span]]) -> Iterator[Span]:
        """Group neighbours while they fit; a table's header row goes with its first body row, a label with its list."""
        group: list[tuple[Block, Span]] = []
        for block, (start, end) in pieces:
            if group and end - group[0][1][0] > self._limit:
                opening = self._opening_of(block, group, end)
                yield _around(group[: len(group) - len(opening)])
                group = opening
            group.append((block, (start, end)))
        if group:
            yield _around(group)

    def _opening_of(self, block: Block, group: Sequence[tuple[Block, Span]], end: int) -> list[tuple[Block, Span]]:
        """Return what ends the group, opens what begins with this block, and fits with it into another one."""
        last, (start, _) = group[-1]
        is_label = last.kind == "paragraph" and last.text.endswith(":") and block.kind in ("item", "code")
        is_opening = is_label or (last.kind == "header" and block.kind == "row")
        return [group[-1]] if is_opening and len(group) > 1 and end - start <= self._limit else []


def _around(group: Sequence[tuple[Block, Span]]) -> Span:
    return group[0][1][0], group[-1][1][1]


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
