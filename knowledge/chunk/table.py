"""The cut for tables: as many whole rows as fit, the header with the first ones."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

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
        return list(self._packed(self._pieces(parsed, language)))

    def _pieces(self, parsed: Parsed, language: str) -> Iterator[tuple[Block, Span]]:
        for block in parsed.blocks:
            if not block.text or block.start == block.end:
                continue
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

    def _packed(self, pieces: Iterator[tuple[Block, Span]]) -> Iterator[Span]:
        """Group neighbours while they fit; a header goes with the rows below it, a heading with what follows."""
        group: list[tuple[Block, Span]] = []
        for block, (start, end) in pieces:
            is_new_part = block.kind == "heading" and any(one.kind != "heading" for one, _ in group)
            if group and (is_new_part or end - group[0][1][0] > self._limit):
                kept = [] if is_new_part else self._going_with(block, group, end)
                if full := group[: len(group) - len(kept)]:
                    yield full[0][1][0], full[-1][1][1]
                group = kept
            group.append((block, (start, end)))
        if group:
            yield group[0][1][0], group[-1][1][1]

    def _going_with(self, block: Block, group: Sequence[tuple[Block, Span]], end: int) -> list[tuple[Block, Span]]:
        """Return the headers and headings that end a group and fit with the next block into another one."""
        count = 0
        for one, (start, _) in reversed(group):
            is_over = one.kind == "heading" or (one.kind == "header" and block.kind in ("header", "row"))
            if not is_over or end - start > self._limit:
                break
            count += 1
        return list(group[len(group) - count :])


def _borders(block: Block, text: str) -> Iterator[int]:
    if block.kind in ("row", "header"):
        yield from (found.end() for found in _CELL_BORDER.finditer(text, block.start, block.end))
    yield block.end
