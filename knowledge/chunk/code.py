"""The cut for source files: whole definitions, small neighbours together, long ones at the borders of statements."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from knowledge.chunk.recursive import spans
from knowledge.parse.code.parts import WHOLE_CHARACTERS
from knowledge.types import Block, Parsed, Span

# The first heading is the module; those below it are classes.
_CLASS_DEPTH = 2


class CodeSettings(BaseModel):
    """How long a passage may be, and how short a definition is to share one with its neighbours."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_characters: int = Field(default=2_400, ge=WHOLE_CHARACTERS, le=20_000)
    small_characters: int = Field(default=600, ge=0, le=20_000)


@asynccontextmanager
async def build(settings: CodeSettings) -> AsyncIterator["Code"]:
    """Open the chunker."""
    yield Code(settings)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A definition or a whole class, and the headings that it stands under."""

    path: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def start(self) -> int:
        return self.blocks[0].start

    @property
    def end(self) -> int:
        return self.blocks[-1].end


class Code:
    """Keeps definitions whole, and classes where they fit; a longer one is cut where it is least deep in itself."""

    def __init__(self, settings: CodeSettings | None = None) -> None:
        settings = settings or CodeSettings()
        self._limit = settings.max_characters
        self._small = settings.small_characters
        self.name = f"code-{self._limit}-{self._small}-characters"

    def cut(self, parsed: Parsed, *, language: str) -> list[Span]:
        """Return the passages' spans; they do not overlap."""
        units = self._with_whole_classes(list(_definitions(parsed.blocks)))
        return [span for unit in self._merged(units) for span in self._spans(unit, parsed.text, language)]

    def _with_whole_classes(self, units: Sequence[_Unit]) -> Iterator[_Unit]:
        """Join the members of each class that fits, with the classes inside it."""
        first = 0
        while first < len(units):
            depth, end = self._whole_class(units, first)
            members = units[first:end]
            yield _Unit(units[first].path[:depth], tuple(block for unit in members for block in unit.blocks))
            first = end

    def _whole_class(self, units: Sequence[_Unit], first: int) -> tuple[int, int]:
        """Return the depth of the outermost class that begins with a unit and fits, and where it ends."""
        path = units[first].path
        before = units[first - 1].path if first else ()
        for depth in range(_CLASS_DEPTH, len(path) + 1):
            if before[:depth] == path[:depth]:
                continue
            end = first + 1
            while end < len(units) and units[end].path[:depth] == path[:depth] and self._fits(units[first], units[end]):
                end += 1
            if end == len(units) or units[end].path[:depth] != path[:depth]:
                return depth, end
        return len(path), first + 1

    def _merged(self, units: Iterator[_Unit]) -> Iterator[_Unit]:
        """Join neighbours under one heading of which one is small."""
        last = next(units, None)
        for unit in units:
            if last and last.path == unit.path and self._fits(last, unit) and self._has_small(last, unit):
                last = _Unit(unit.path, last.blocks + unit.blocks)
            else:
                if last:
                    yield last
                last = unit
        if last:
            yield last

    def _fits(self, first: _Unit, last: _Unit) -> bool:
        return last.end - first.start <= self._limit

    def _has_small(self, *units: _Unit) -> bool:
        return any(unit.end - unit.start < self._small for unit in units)

    def _spans(self, unit: _Unit, text: str, language: str) -> Iterator[Span]:
        blocks = unit.blocks
        first = 0
        while first < len(blocks):
            end = self._border(blocks, first)
            if blocks[end - 1].end - blocks[first].start <= self._limit:
                yield blocks[first].start, blocks[end - 1].end
            else:
                yield from self._by_length(blocks[first], text, language)
            first = end

    def _by_length(self, block: Block, text: str, language: str) -> Iterator[Span]:
        """Yield the pieces of a block that has no borders: a long line, code that could not be read."""
        raw = text[block.start : block.end]
        for start, end in spans(raw, size=self._limit, overlap=0, measure=len, language=language):
            yield block.start + start, block.start + end

    def _border(self, blocks: Sequence[Block], first: int) -> int:
        """Return where the passage that begins with a block ends: late, and before a block that is least deep."""
        start = blocks[first].start
        end = first + 1
        while end < len(blocks) and blocks[end].end - start <= self._limit:
            end += 1
        late = [index for index in range(first + 1, end) if blocks[index].start - start >= self._limit // 2]
        return end if end == len(blocks) else min([end, *reversed(late)], key=lambda index: blocks[index].level)


def _definitions(blocks: Sequence[Block]) -> Iterator[_Unit]:
    """Yield each definition with its headings: a block that begins one, and its further parts."""
    path: tuple[Block, ...] = ()
    parts: list[Block] = []
    for block in blocks:
        if block.kind == "heading" or not block.level:
            if parts:
                yield _Unit(tuple(heading.text for heading in path), tuple(parts))
            parts = []
        if block.kind == "heading":
            path = (*(above for above in path if above.level < block.level), block)
        else:
            parts.append(block)
    if parts:
        yield _Unit(tuple(heading.text for heading in path), tuple(parts))
