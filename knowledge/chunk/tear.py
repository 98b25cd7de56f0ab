"""A block too long for one passage, torn into pieces that are indexed with no more than a reader sees of them."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from knowledge.chunk.characters import last_border
from knowledge.parse.html.text import OpenElements, visible_runs
from knowledge.parse.markdown import tag_spans, visible_pieces
from knowledge.parse.sentences import sentence_spans
from knowledge.types import Block, Span

# A character made of more code points than this (an emoji family has 11) may be cut.
_LONGEST_CHARACTER = 16


def torn(block: Block, text: str, *, language: str, limit: int) -> list[Span]:
    """Return spans of at most `limit` characters that a block of `text` is torn into.

    Code is cut at lines, the rest at sentences; what is still too long at white space, and only a text without any
    between characters.
    """
    raw = text[block.start : block.end]
    spans = _packed(_spans(block, raw, language, limit), limit)
    return [(block.start + start, block.start + end) for start, end in spans]


def seen_pieces(block: Block, raw: str, borders: Sequence[int]) -> list[str]:
    """Return what a reader sees between each two neighbours of `borders`, offsets into the block's raw text.

    A border inside a tag stands for the place before it: what a tag hides is told by the whole tag.
    """
    if block.kind == "code" or block.text == raw.strip():
        return [raw[start:end].strip("\n").rstrip() for start, end in pairwise(borders)]
    if block.kind == "html":
        return _html_seen(raw, borders)
    tags = list(tag_spans(raw))
    outside = [_outside(border, tags, len(raw), is_start=False) for border in borders]
    return list(visible_pieces(raw[start:end] for start, end in pairwise(outside)))


def _spans(block: Block, raw: str, language: str, limit: int) -> Iterator[Span]:
    if block.kind in ("code", "html"):
        spans, tags = _line_spans(raw), []
    else:
        # Where a reader sees all that is written, what looks like a tag is none.
        spans = sentence_spans(raw, language)
        tags = [] if block.text == raw.strip() else list(tag_spans(raw))
    for span in spans:
        for start, end in _short_spans(raw, span, limit):
            first, last = _outside(start, tags, limit, is_start=True), _outside(end, tags, limit, is_start=False)
            if first < last:
                yield first, last


def _line_spans(raw: str) -> Iterator[Span]:
    position = 0
    for line in raw.splitlines(keepends=True):
        yield position, position + len(line)
        position += len(line)


def _short_spans(raw: str, span: Span, limit: int) -> Iterator[Span]:
    start, end = span
    while end - start > limit:
        border = max(raw.rfind(space, start + 1, start + limit) for space in " \n\t")
        if border <= start + limit // 2:
            border = _between_characters(raw, start, start + limit)
        yield start, border
        start = border
    yield start, end


def _between_characters(raw: str, start: int, border: int) -> int:
    """Return the last border of two visible characters at or before `border`, if it is near."""
    since = max(border - _LONGEST_CHARACTER, start)
    last = last_border(raw, border, since=since)
    return last if last > since else border


def _outside(border: int, tags: Sequence[Span], limit: int, *, is_start: bool) -> int:
    """Move a border that lies inside an HTML tag before it; a tag as long as a passage belongs to none."""
    index = bisect_right(tags, (border, 0)) - 1
    if index < 0 or not tags[index][0] < border < tags[index][1]:
        return border
    start, end = tags[index]
    return end if is_start and end - start > limit // 2 else start


def _packed(spans: Iterator[Span], limit: int) -> list[Span]:
    """Join neighbours while they fit."""
    packed: list[Span] = []
    for start, end in spans:
        if packed and end - packed[-1][0] <= limit:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _html_seen(raw: str, borders: Sequence[int]) -> list[str]:
    pieces = [""] * (len(borders) - 1)
    for offset, seen in visible_runs(raw, OpenElements()):
        end = offset + len(seen)
        for row in range(bisect_right(borders, offset) - 1, len(pieces)):
            pieces[row] += seen[max(borders[row] - offset, 0) : max(borders[row + 1] - offset, 0)]
            if borders[row + 1] >= end:
                break
    return ["\n".join(line.strip() for line in piece.split("\n") if line.strip()) for piece in pieces]
