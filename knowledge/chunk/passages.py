"""Spans of a document become passages: verbatim slices, each with what is indexed of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.chunk.tear import seen_pieces
from knowledge.parse.lines import line_of, line_starts
from knowledge.types import Block, Parsed, Passage, Span


@dataclass(frozen=True, slots=True)
class _Part:
    """What a reader sees of one block, or of the part of it that a span takes."""

    block: Block
    path: tuple[Block, ...]
    start: int
    end: int
    text: str


class Spans:
    """The spans that a chunker chose in one document, and what stands in each."""

    def __init__(self, parsed: Parsed, spans: Sequence[Span]) -> None:
        self._text = parsed.text
        self._blocks = parsed.blocks
        self._starts = [block.start for block in parsed.blocks]
        self._ends = [block.end for block in parsed.blocks]
        self._paths = list(_paths(parsed.blocks))
        self._lines = line_starts(parsed.text)
        self._spans = spans
        self._torn = self._torn_blocks()

    def passages(self, title: str, *, has_context_line: bool = True) -> Iterator[Passage]:
        """Yield the passages in order; a span with nothing to see but headings gives none.

        The context line, the first one of what is indexed, is the title and the headings above: empty without.
        """
        end = -1
        for span in self._spans:
            parts = list(self._parts(span))
            first = next((part for part in parts if part.block.kind != "heading"), None)
            if first is None:
                continue
            passage = self._passage(parts, first, title if has_context_line else None)
            # What of a span overlaps with the last one may be all that is to be seen in it.
            if passage.end > end:
                yield passage
                end = passage.end

    def _passage(self, parts: Sequence[_Part], first: _Part, title: str | None) -> Passage:
        block, path = first.block, first.path
        raw = self._text[parts[0].start : parts[-1].end]
        start = parts[0].start + len(raw) - len(raw.lstrip("\n"))
        end = parts[0].start + len(raw.rstrip())
        headings = tuple(heading.text for heading in path if heading.text)
        said = "\n".join(part.text for part in parts if part.block.kind != "heading" or part.block not in path)
        context = [block.context] if block.context and block.context not in said else []
        return Passage(
            text=self._text[start:end],
            search_text="\n".join([_context_line(title, headings), *context, *([said] if said else [])]),
            heading=headings,
            anchor=block.anchor or (path[-1].anchor if path else None),
            start_line=line_of(self._lines, start),
            end_line=line_of(self._lines, end - 1),
            start=start,
            end=end,
            section=0,
        )

    def _parts(self, span: Span) -> Iterator[_Part]:
        """Yield what is seen of the blocks in a span."""
        start, end = span
        for index in range(bisect_right(self._ends, start), bisect_left(self._starts, end)):
            block = self._blocks[index]
            first, last = max(start, block.start), min(end, block.end)
            text = block.text if (first, last) == (block.start, block.end) else self._torn_text(index, first, last)
            if text and first < last:
                yield _Part(block, self._paths[index], first, last, text)

    def _torn_text(self, index: int, start: int, end: int) -> str:
        """Return the pieces of a torn block between two borders, put together again."""
        text = ""
        for first, last, piece in self._torn[index]:
            if start <= first and last <= end and piece:
                is_within_word = first > 0 and not (self._text[first - 1].isspace() or self._text[first].isspace())
                between = "" if is_within_word or not text else "\n" if self._blocks[index].kind == "code" else " "
                text += between + piece
        return text

    def _torn_blocks(self) -> dict[int, list[tuple[int, int, str]]]:
        """Return the pieces between all borders that lie inside a block: what hides text may be open at a border."""
        borders: dict[int, set[int]] = {}
        for border in (border for span in self._spans for border in span):
            index = bisect_right(self._starts, border) - 1
            if index >= 0 and self._starts[index] < border < self._ends[index]:
                borders.setdefault(index, set()).add(border)
        return {index: self._pieces(self._blocks[index], sorted(inside)) for index, inside in borders.items()}

    def _pieces(self, block: Block, inside: Sequence[int]) -> list[tuple[int, int, str]]:
        borders = [block.start, *inside, block.end]
        raw = self._text[block.start : block.end]
        texts = seen_pieces(block, raw, [border - block.start for border in borders])
        return list(zip(borders, borders[1:], texts, strict=False))


def _paths(blocks: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield for each block the headings that it stands under; a heading stands under itself."""
    path: tuple[Block, ...] = ()
    for block in blocks:
        if block.kind == "heading":
            path = (*(above for above in path if above.level < block.level), block)
        yield path


def _context_line(title: str | None, headings: tuple[str, ...]) -> str:
    if title is None:
        return ""
    # A page's title and its first heading are often the same words: said twice, they would weigh twice.
    return " > ".join(headings if headings[:1] == (title,) else (title, *headings))
