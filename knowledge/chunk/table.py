"""The cut for tables: as many whole rows as fit, the header with the first ones."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from knowledge.chunk.packing import Group, Piece, packed
from knowledge.chunk.tear import torn
from knowledge.types import Block, Parsed, Span

MAX_CHARACTERS = 800
# Between the cells of a row, in Markdown and in rendered text; not a bar inside of a cell.
_CELL_BORDER = re.compile(r"(?<!\\)\|")


class TableSettings(BaseModel):
    """How long a passage may be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_characters: int = Field(default=MAX_CHARACTERS, ge=50, le=20_000)


@asynccontextmanager
async def build(settings: TableSettings) -> AsyncIterator["Rows"]:
    """Open the chunker."""
    yield Rows(settings.max_characters)


class Rows:
    """Packs rows of a table, and what stands between tables, as many blocks as fit.

    A row is never cut, unless it alone is longer than the limit: then between its cells, and a longer cell at its
    sentences. In the pieces behind the first, the header is said by the rows' context.
    """

    def __init__(self, max_characters: int = MAX_CHARACTERS) -> None:
        self._limit = max_characters
        self.name = f"table-{max_characters}"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the passages' spans."""
        return [
            span
            for blocks in _parts(parsed.blocks)
            for span in packed(self._pieces(blocks, parsed, language), self._limit, _opening)
        ]

    def _pieces(self, blocks: Sequence[Block], parsed: Parsed, language: str) -> Iterator[Piece]:
        for block in blocks:
            if block.end - block.start <= self._limit:
                yield block, (block.start, block.end)
                continue
            is_plain = block.text == parsed.text[block.start : block.end].strip()
            for start, end in self._cells(block, parsed.text):
                seen = parsed.text[start:end].strip() if is_plain else block.text
                part = replace(block, start=start, end=end, text=seen)
                yield from ((block, inner) for inner in torn(part, parsed.text, language=language, limit=self._limit))

    def _cells(self, block: Block, text: str) -> Iterator[Span]:
        """Yield groups of cells that fit together; only rows have cells."""
        start = end = block.start
        for border in _borders(block, text):
            if end > start and border - start > self._limit:
                yield start, end
                start = end
            end = border
        yield start, end


def _parts(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield what stands between tables or sheets: each part begins with its headings. Empty blocks are left out."""
    part: list[Block] = []
    for block in (block for block in blocks if block.text and block.start < block.end):
        if block.kind == "heading" and any(one.kind != "heading" for one in part):
            yield part
            part = []
        part.append(block)
    yield part


def _opening(group: Group, block: Block) -> int:
    """Return how many headings, and headers of a table that goes on, end a group."""
    is_in_table = block.kind in ("header", "row")
    openers = ("heading", "header") if is_in_table else ("heading",)
    return next((count for count, (one, _) in enumerate(reversed(group)) if one.kind not in openers), len(group))


def _borders(block: Block, text: str) -> Iterator[int]:
    if block.kind in ("row", "header"):
        yield from (found.end() for found in _CELL_BORDER.finditer(text, block.start, block.end))
    yield block.end
