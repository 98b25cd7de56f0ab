"""API descriptions: one passage for each operation and each shared schema, the long ones cut between their entries."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from pydantic import BaseModel, ConfigDict, Field

from knowledge.chunk.tear import torn
from knowledge.types import Block, Parsed, Span

MAX_CHARACTERS = 4_000


class ApiSettings(BaseModel):
    """How long the passage of one operation may be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_characters: int = Field(default=MAX_CHARACTERS, ge=200, le=20_000)


@asynccontextmanager
async def build(settings: ApiSettings) -> AsyncIterator["Api"]:
    """Open the chunker."""
    yield Api(settings.max_characters)


class Api:
    """Keeps what stands under one heading together, as far as it fits."""

    def __init__(self, max_characters: int = MAX_CHARACTERS) -> None:
        self._limit = max_characters
        self.name = f"api-{max_characters}-characters"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the spans of the sections; one that is too long is cut at its blocks, and only then inside of one."""
        return [
            (group[0].start, group[-1].end)
            for blocks in _sections(parsed.blocks)
            for group in self._packed(self._small(blocks, parsed.text, language))
        ]

    def _small(self, blocks: Sequence[Block], text: str, language: str) -> Iterator[Block]:
        for block in blocks:
            if block.end - block.start <= self._limit:
                yield block
            else:
                for start, end in torn(block, text, language=language, limit=self._limit):
                    yield Block(block.kind, start, end, text[start:end])

    def _packed(self, blocks: Iterator[Block]) -> Iterator[list[Block]]:
        """Group neighbours while they fit; a label ("Responses:") goes with its first entry."""
        group: list[Block] = []
        for block in blocks:
            if group and block.end - group[0].start > self._limit:
                label = self._label_of(block, group)
                yield group[: len(group) - len(label)]
                group = label
            group.append(block)
        if group:
            yield group

    def _label_of(self, block: Block, group: Sequence[Block]) -> list[Block]:
        """Return the label that ends the group when it is not all of it and fits with its first entry."""
        last = group[-1]
        is_label = len(group) > 1 and last.kind == "paragraph" and block.kind == "item" and last.text.endswith(":")
        return [last] if is_label and block.end - last.start <= self._limit else []


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks between each two headings; empty ones are left out."""
    under: list[Block] = []
    for block in blocks:
        if block.kind == "heading":
            yield under
            under = []
        elif block.text:
            under.append(block)
    yield under
