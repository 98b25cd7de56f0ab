"""A document as the row of units whose meanings are compared: sentences, and what is never cut at one."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knowledge.chunk.recursive import spans
from knowledge.chunk.ruler import Measure
from knowledge.chunk.tear import seen_pieces
from knowledge.parse.markdown import tag_spans
from knowledge.parse.sentences import sentence_spans
from knowledge.types import Block, Parsed, Span

_WHOLE = frozenset({"heading", "header", "row", "code", "html"})
# They stay with what follows them.
_LEADING = frozenset({"heading", "header"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, table row, code block or list item of one line, with the headings right above it.

    It goes from `start` to where the next unit starts; `end` is where its words end, `seen` what a reader sees of it.
    """

    start: int
    end: int
    seen: str


def units_of(parsed: Parsed, language: str, *, limit: int, measure: Measure) -> list[Unit]:
    """Return the document's units in reading order; what is longer than `limit` is cut into several."""
    units: list[Unit] = []
    leading: list[Unit] = []
    room = limit
    for block in parsed.blocks:
        parts = list(_parts(block, parsed.text, language, limit=room, measure=measure))
        if block.kind in _LEADING:
            leading += parts
        elif parts:
            units += [_joined([*leading, parts[0]]), *parts[1:]]
            leading = []
        room = limit - sum(measure(parsed.text[unit.start : unit.end]) for unit in leading)
        if 2 * room < limit:
            units += _standing(leading)
            leading, room = [], limit
    return units + _standing(leading)


def _standing(headings: Sequence[Unit]) -> list[Unit]:
    """Leave out those that stand nowhere in the text."""
    return [unit for unit in headings if unit.start < unit.end]


def _joined(units: Sequence[Unit]) -> Unit:
    return Unit(units[0].start, units[-1].end, "\n".join(unit.seen for unit in units))


def _parts(block: Block, text: str, language: str, *, limit: int, measure: Measure) -> Iterator[Unit]:
    raw = text[block.start : block.end]
    borders = [0]
    for end in [*_sentence_starts(block, raw, language), len(raw)]:
        sentence = raw[borders[-1] : end]
        if measure(sentence) > limit:
            inner = spans(sentence, size=limit, overlap=0, measure=measure, language=language)
            borders += [borders[-1] + start for start, _ in inner[1:]]
        borders.append(end)
    seen = [block.text] if len(borders) == 2 else seen_pieces(block, raw, borders)
    for (start, end), words in zip(pairwise(borders), seen, strict=True):
        if words.strip():
            yield Unit(block.start + start, block.start + start + len(raw[start:end].rstrip()), words)


def _sentence_starts(block: Block, raw: str, language: str) -> list[int]:
    if block.kind in _WHOLE or (block.kind == "item" and "\n" not in raw.strip()):
        return []
    # Where a reader sees all that is written, what looks like a tag is none.
    tags = [] if block.text == raw.strip() else list(tag_spans(raw))
    starts = [start for start, _ in sentence_spans(raw, language)][1:]
    return [start for start in starts if not _is_inside(start, tags)]


def _is_inside(offset: int, tags: Sequence[Span]) -> bool:
    index = bisect_right(tags, (offset, 0)) - 1
    return index >= 0 and tags[index][0] < offset < tags[index][1]
